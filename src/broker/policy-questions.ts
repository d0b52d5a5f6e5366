/**
 * What the API answers about usage policies: which hold, who enforces them, what was done, what is used.
 */

import type { Result } from "../base/index.ts";
import {
  longestWindowMs,
  obstaclesAt,
  type PolicyVersion,
  rememberFiles,
  rememberUses,
  rememberVoUses,
  type SiteUsage,
  sharesAt,
  usageAt,
  versionAt,
} from "../engine/index.ts";
import type { CompiledShares } from "../model/index.ts";
import {
  type Command,
  enforcementRulesOf,
  isFinal,
  JOB_STATES,
  type JobRecord,
  type NativeShares,
  type Refusal,
} from "../model/index.ts";
import {
  type ActionPage,
  type ActionQuery,
  actionOf,
  jobOf,
  type Logbook,
  type PoliciesNow,
  policiesOf,
  type Round,
  type ShareLanguage,
  type ViewCondition,
} from "../runtime/index.ts";
import { allRows } from "./all-rows.ts";
import { storedFiles } from "./kept-files.ts";
import { networkUsage } from "./network-usage.ts";
import type { Sites } from "./sites.ts";
import type { Transfers } from "./transfers.ts";

/** The policies that hold and will, and the enforcers of all sites. */
export function policiesNow(round: Round): Omit<PoliciesNow, "followers"> {
  const { policies, sites } = round.projection;
  const nowMs = round.nowMs();
  const now = versionAt(policies, nowMs) ?? null;
  const enforcers = [...sites.values()].map((site) => ({
    site: site.name,
    rules: enforcementRulesOf(site.spec),
    isPaused: site.enforcer.isPaused,
    version: sharesAt(round.projection, site.name, nowMs) === undefined ? null : (now?.version ?? null),
    obstacles: obstaclesAt(round.projection, site, nowMs),
  }));
  return {
    now,
    coming: policies.versions.filter(({ effectiveFromMs }) => effectiveFromMs > nowMs),
    enforcers,
  };
}

/** As many as are kept in one page; older ones are in the log. */
const VERSIONS_TOLD = 1000;

/** All versions, newest first. */
export async function policyVersions(logbook: Logbook): Promise<readonly PolicyVersion[]> {
  const { rows } = await logbook.rows("policies", { orderBy: "ord", descending: true, limit: VERSIONS_TOLD });
  return rows.map(({ record }) => policiesOf(record));
}

/** What enforcers did, newest first. */
export async function listActions(
  logbook: Logbook,
  { site, job, owner, consumer, after, limit = 100 }: ActionQuery,
): Promise<ActionPage> {
  const where: Record<string, ViewCondition> = {};
  if (site !== undefined) where.site = { is: site };
  if (job !== undefined) where.job = { is: job };
  if (owner !== undefined) where.owner = { is: owner };
  if (consumer !== undefined) where.consumer = { within: consumer };
  const page = await logbook.rows("actions", {
    ...{ where, limit, orderBy: "atMs", descending: true },
    ...(after === undefined ? {} : { after }),
  });
  return { items: page.rows.map(({ record }) => actionOf(record)), next: page.next };
}

/** What consumers use at a site; undefined where there is no such site. */
export function usageOf(
  round: Round,
  name: string,
  transfers: Pick<Transfers, "passed">,
): SiteUsage | undefined {
  const site = round.projection.sites.get(name);
  if (site === undefined) return undefined;
  const usage = usageAt(round.projection, site, round.nowMs());
  return { ...usage, levels: [...usage.levels, ...networkUsage(round, site, transfers)] };
}

/** Applies policies; what consumers used before counts in their windows, too. */
export async function applyPolicies(
  round: Round,
  logbook: Logbook,
  command: Extract<Command, { kind: "applyPolicies" }>,
): Promise<Result<undefined, Refusal>> {
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
export async function compiledSharesOf(
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

/** The same of what was just seen there. */
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
