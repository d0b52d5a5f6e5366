/** Queries on usage policies: versions, enforcers, actions, use. */

import { mulDiv } from "../base/index.ts";
import {
  type Answer,
  type LevelUsage,
  longestWindowMs,
  type PolicyVersion,
  rememberFiles,
  rememberUses,
  rememberVoUses,
  type SiteState,
  type SiteUsage,
  sharesAt,
  usageAt,
} from "../engine/index.ts";
import {
  type CompiledShares,
  isFinal,
  JOB_STATES,
  type JobRecord,
  type NativeShares,
  networkBytesPerSecOf,
  WHOLE_SHARE,
} from "../model/index.ts";
import { calendarWindow, type ShareNode } from "../policy/index.ts";
import {
  type ActionPage,
  type ActionQuery,
  actionOf,
  type BrokerApi,
  jobOf,
  type Logbook,
  policiesOf,
  type Round,
  type ShareLanguage,
} from "../runtime/index.ts";
import { allRows } from "./all-rows.ts";
import type { ApiWorld } from "./api-world.ts";
import type { CommandOf, CommandWorld } from "./broker-commands.ts";
import { storedFiles } from "./kept-files.ts";
import { conditionsOf } from "./observed-rows.ts";
import type { Sites } from "./sites.ts";
import type { LevelTransfer, Transfers } from "./transfers.ts";

/** Limit of versions on one page; older ones are in the log. */
const VERSIONS_TOLD = 1000;

/** Versions of policies, what was done to keep them, and what is used. */
export function policyQuestions({
  round,
  logbook,
  transfers,
  sites,
}: Pick<ApiWorld, "round" | "logbook" | "transfers" | "sites">) {
  return {
    policyVersions: () => policyVersions(logbook),
    actions: (query) => listActions(logbook, query),
    usage: (site) => usageOf(round, site, transfers),
    compiledShares: (site) => compiledSharesOf(round, sites, site),
  } satisfies Partial<BrokerApi>;
}

/** All versions, newest first. */
async function policyVersions(logbook: Logbook): Promise<readonly PolicyVersion[]> {
  const { rows } = await logbook.rows("policies", { orderBy: "ord", descending: true, limit: VERSIONS_TOLD });
  return rows.map(({ record }) => policiesOf(record));
}

/** Actions of enforcers, newest first. */
async function listActions(
  logbook: Logbook,
  { job, after, limit = 100, ...observed }: ActionQuery,
): Promise<ActionPage> {
  const conditions = conditionsOf(observed);
  if (job !== undefined) conditions.where.job = { is: job };
  const page = await logbook.rows("actions", {
    ...{ ...conditions, limit, orderBy: "atMs", descending: true },
    ...(after === undefined ? {} : { after }),
  });
  return { items: page.rows.map(({ record }) => actionOf(record)), next: page.next };
}

/** Current use by consumers at a site; undefined for an unknown site. */
function usageOf(round: Round, name: string, transfers: Pick<Transfers, "passed">): SiteUsage | undefined {
  const site = round.projection.sites.get(name);
  if (site === undefined) return undefined;
  const usage = usageAt(round.projection, site, round.nowMs());
  return { ...usage, levels: [...usage.levels, ...networkUsage(round, site, transfers)] };
}

/** Applies policies; what consumers used before counts in their windows, too. */
export async function applyPolicies(
  { round, logbook }: CommandWorld,
  command: CommandOf<"applyPolicies">,
): Promise<Answer> {
  const answered = await round.ask(command);
  if (!answered.ok) return answered;
  const past = await pastJobs(logbook, round.projection.policies.versions, round.nowMs());
  rememberUses(round.projection, past, round.nowMs());
  rememberFiles(
    round.projection,
    await storedFiles(logbook, round.projection.policies.versions, round.nowMs()),
  );
  rememberVoUses(round.projection, past, round.nowMs());
  round.wake();
  return answered;
}

/** The jobs that are over and ran within the longest window of these policies. */
export async function pastJobs(
  logbook: Logbook,
  versions: readonly PolicyVersion[],
  nowMs: number,
): Promise<readonly JobRecord[]> {
  if (versions.length === 0) return [];
  const rows = await allRows(logbook, "jobs", {
    orderBy: "ord",
    where: {
      endedAtMs: { atLeast: nowMs - longestWindowMs(versions) },
      state: { oneOf: JOB_STATES.filter(isFinal) },
    },
  });
  return rows.map(jobOf);
}

/** The policies of a cluster in the words of its batch system. */
async function compiledSharesOf(
  round: Round,
  sites: Pick<Sites, "get">,
  name: string,
): Promise<CompiledShares | "notACluster" | undefined> {
  const site = round.projection.sites.get(name);
  if (site === undefined) return undefined;
  const cluster = sites.get(name)?.shares;
  if (cluster === undefined) return "notACluster";
  return compileFor(round, name, { before: await cluster.look(), language: cluster.language });
}

/** Compiled shares from the given state of the cluster. */
export function compileFor(
  round: Round,
  name: string,
  { before: snapshot, language }: { readonly before: NativeShares; readonly language: ShareLanguage },
): CompiledShares {
  const spec = round.projection.sites.get(name)?.spec;
  const shares = sharesAt(round.projection, name, round.nowMs());
  if (spec === undefined || shares === undefined) {
    return { changes: [], configuration: [], remarks: ["no policy concerns this site"] };
  }
  const consumers = spec.type === "slurm" ? (spec.consumers ?? {}) : {};
  const capacity = { cpu: spec.procs, gpu: snapshot.gpus, memory: spec.memoryBytes };
  return language.compile({ shares, snapshot, capacity, consumers });
}

// What the levels of a site's network policies have had passed, as an observation point tells it (rule
// BR-59): measured since the broker began, over a window by whole minutes.

const MINUTE_MS = 60_000;

/** A row for each level that a network policy names; none where the site declares no link. */
function networkUsage(
  round: Round,
  { name, spec }: SiteState,
  transfers: Pick<Transfers, "passed">,
): readonly LevelUsage[] {
  const nowMs = round.nowMs();
  const capacity = networkBytesPerSecOf(spec);
  const nodes = sharesAt(round.projection, name, nowMs)?.nodes.get("network");
  if (capacity === 0 || nodes === undefined) return [];
  const passed = transfers.passed(name);
  return [...nodes.values()].flatMap((node) => {
    if (node.policy === null) return [];
    const its = passed.filter(({ consumer }) => isOf(consumer, node.path));
    const { path: consumer, window, epochShare, burstShare, rule, mode } = node;
    return {
      ...({ resource: "network", consumer, window, rule, mode } as const),
      inUse: its.reduce((sum, { bytesPerSec }) => sum + bytesPerSec, 0),
      ...{ waiting: 0, jobsRunning: 0, jobsWaiting: 0 },
      usedPpm: usedPpm(its, node, capacity, nowMs),
      epochPpm: mulDiv(epochShare, 1_000_000, WHOLE_SHARE, "down"),
      burstPpm: mulDiv(burstShare, 1_000_000, WHOLE_SHARE, "down"),
    };
  });
}

function isOf(consumer: string, level: string): boolean {
  return consumer === level || consumer.startsWith(`${level}/`);
}

function usedPpm(
  its: readonly LevelTransfer[],
  { window }: ShareNode,
  capacity: number,
  nowMs: number,
): number {
  const { startMs, endMs } =
    window.kind === "sliding"
      ? { startMs: nowMs - window.lengthMs, endMs: nowMs }
      : calendarWindow(window.unit, nowMs, window.offsetMs);
  let bytes = 0n;
  for (const { minutes } of its) {
    for (const [minute, amount] of minutes) if ((minute + 1) * MINUTE_MS > startMs) bytes += BigInt(amount);
  }
  const whole = BigInt(capacity) * BigInt(endMs - startMs);
  return Number((bytes * 1_000_000_000n) / whole);
}
