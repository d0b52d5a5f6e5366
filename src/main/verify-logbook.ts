/**
 * Evidence about one site from a broker's log: capacity, policies, and use.
 *
 * The log is read by the same `apply` as in the broker, so that a verification sees the same state. A job
 * is demand while it waits for the site or is stopped by its enforcer, but not while its owner holds or has
 * suspended it.
 */
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { Fault } from "../base/index.ts";
import { apply, beginAgainBehind, createProjection, type SiteRecord } from "../engine/index.ts";
import type { LogPart } from "../formats/evidence/index.ts";
import {
  isFinal,
  type JobRecord,
  networkBytesPerSecOf,
  SHARED_RESOURCES,
  storageBytesOf,
} from "../model/index.ts";
import type {
  CapacityStep,
  ExcludedStretch,
  OpenStretch,
  PolicyTerm,
  RecordedStretch,
  Stretch,
  UseOutcome,
  UseRecord,
} from "../policy/index.ts";
import { eventOf, type Logbook, type LoggedEvent, VIEWS, VIEWS_VERSION } from "../runtime/index.ts";
import { openSqliteLogbook, snapshotSqliteLogbook, verifyChain } from "../store/index.ts";
import { without } from "./stretches.ts";
import { fileRecords, noFilesTold, tellFiles, tellWaiting } from "./verify-files.ts";
import { type TransferStory, tellTransfers, transferRecords, transferTimes } from "./verify-transfers.ts";

/** Evidence about a site. */
export interface LoggedUse {
  readonly capacity: readonly CapacityStep[];
  readonly terms: readonly PolicyTerm[];
  readonly recorded: readonly RecordedStretch[];
  readonly stopped: readonly ExcludedStretch[];
  readonly records: readonly UseRecord[];
  /** Time limits that jobs asked for, by job; absent for those that named none. */
  readonly requestedMs: ReadonlyMap<string, number>;
  /** Time in which the site had a queue of its own: use by other jobs is not in the log. */
  readonly foreign: readonly Stretch[];
}

/**
 * Events of a state directory from the first one to the first after an instant, verified.
 *
 * @throws Fault `noLog`, `logAltered`, and those of opening a logbook (a running broker locks its own)
 */
export async function readLog(directory: string, untilMs: number): Promise<LogPart> {
  const logbook = await openSqliteLogbook(logbookIn(directory));
  try {
    return await readVerified(logbook, directory, untilMs);
  } finally {
    await logbook.close();
  }
}

/** Verified events of a log to which a broker writes, up to its head of this moment. */
export async function readServedLog(directory: string, untilMs: number): Promise<LogPart> {
  const logbook = await snapshotSqliteLogbook(logbookIn(directory));
  try {
    return await readVerified(logbook, directory, untilMs);
  } finally {
    logbook.close();
  }
}

function logbookIn(directory: string) {
  const folder = join(directory, "log");
  if (!existsSync(folder)) throw noLog(directory);
  return { directory: folder, views: VIEWS, projection: VIEWS_VERSION };
}

async function readVerified(
  logbook: Pick<Logbook, "events" | "head">,
  directory: string,
  untilMs: number,
): Promise<LogPart> {
  const verdict = await verifyChain(logbook.events(1), { through: await logbook.head() });
  if (verdict.kind !== "intact") throw logAltered(directory, verdict.seq, verdict.kind);
  const events: LoggedEvent[] = [];
  for await (const event of logbook.events(1)) {
    events.push(event);
    if (event.atMs >= untilMs) break;
  }
  const last = events.at(-1);
  return { through: { seq: last?.seq ?? 0, hash: last?.hash ?? "0".repeat(64) }, events };
}

/** All sites that a log has ever had, in order. */
export function sitesIn({ events }: LogPart): readonly string[] {
  const names = events.flatMap(({ kind, body }) => (kind === "siteAdded" ? [String(body.site)] : []));
  return [...new Set(names)];
}

/** Evidence of a log about a site. */
export function usesIn({ events }: LogPart, site: string): LoggedUse {
  const projection = createProjection({ isRecorded: true });
  const story: Story = {
    jobs: new Map(),
    capacity: [],
    versions: [],
    stopped: [],
    foreign: [],
    drainedAtMs: null,
  };
  const files = noFilesTold(site);
  const transfers: TransferStory = { site, told: [] };
  for (const logged of events) {
    const event = eventOf(logged);
    tellTransfers(transfers, event);
    beginAgainBehind(projection, event);
    for (const change of apply(projection, event)) {
      tellFiles(files, change);
      if (change.kind === "job") tellJob(story, change.record, site, event.atMs);
      else if (change.kind === "site" && change.record.name === site)
        tellSite(story, change.record, event.atMs);
      else if (change.kind === "policies") story.versions.push(versionFrom(change.record, event.atMs));
    }
    tellWaiting(files, projection, event.atMs);
  }
  const [first, last] = [events[0], events[events.length - 1]];
  const toMs = last?.atMs ?? 0;
  if (story.drainedAtMs !== null) story.stopped.push({ fromMs: story.drainedAtMs, toMs, why: "drain" });
  set(story.foreign, false, toMs);
  const foreign = story.foreign.flatMap(({ fromMs, toMs: endMs }) =>
    endMs === null || endMs <= fromMs ? [] : [{ fromMs, toMs: endMs }],
  );
  const whole = wholeTime(first?.atMs ?? toMs, toMs);
  return {
    capacity: story.capacity,
    terms: termsOf(story.versions),
    foreign,
    recorded: [
      ...whole.flatMap((one) => without(one, foreign)),
      // What lies in the stores there is what this broker put there, whoever else computes.
      ...(foreign.length > 0 ? whole.map((one) => ({ ...one, resource: "storage" as const })) : []),
      ...transferTimes(transfers),
    ],
    stopped: story.stopped,
    requestedMs: new Map(
      [...story.jobs].flatMap(([id, { job }]) => {
        const { wallTimeMs } = job.description;
        return wallTimeMs === undefined ? [] : [[id, wallTimeMs]];
      }),
    ),
    records: [
      ...[...story.jobs.values()].map(recordOf),
      ...fileRecords(files),
      ...transferRecords(transfers),
    ],
  };
}

function wholeTime(fromMs: number, toMs: number): readonly RecordedStretch[] {
  return fromMs >= toMs ? [] : [{ fromMs, toMs }];
}

interface Story {
  readonly jobs: Map<string, ToldJob>;
  readonly capacity: CapacityStep[];
  readonly versions: AppliedVersion[];
  readonly stopped: ExcludedStretch[];
  readonly foreign: OpenStretch[];
  drainedAtMs: number | null;
}

interface ToldJob {
  job: JobRecord;
  readonly waits: OpenStretch[];
  readonly runs: OpenStretch[];
  endedAtMs: number | null;
}

interface AppliedVersion extends PolicyTerm {
  readonly fromMs: number;
  readonly version: number;
}

function tellJob({ jobs }: Story, job: JobRecord, site: string, atMs: number): void {
  const known = jobs.get(job.id);
  if (known === undefined && job.site !== site) return;
  const told = known ?? { job, waits: [], runs: [], endedAtMs: null };
  jobs.set(job.id, told);
  told.job = job;
  const isHere = job.site === site;
  set(told.runs, isHere && job.state === "RUNNING", atMs);
  set(told.waits, isHere && isDemand(job), atMs);
  if (isFinal(job.state)) told.endedAtMs ??= atMs;
}

function isDemand({ state, enforced }: JobRecord): boolean {
  if (state === "SUSPENDED") return enforced?.isStopped === true;
  return state === "WAITING" || state === "READY" || state === "SCHEDULED";
}

/** Begins an interval, or ends the open one. */
function set(stretches: OpenStretch[], isSo: boolean, atMs: number): void {
  const last = stretches.at(-1);
  const goesOn = last !== undefined && last.toMs === null;
  if (isSo === goesOn) return;
  if (isSo) stretches.push({ fromMs: atMs, toMs: null });
  else if (last !== undefined) stretches[stretches.length - 1] = { fromMs: last.fromMs, toMs: atMs };
}

function recordOf({ job, waits, runs, endedAtMs }: ToldJob): UseRecord {
  const { procs, memoryBytes = 0, gpus = 0 } = job.description;
  const hasLasted = ({ fromMs, toMs }: OpenStretch) => toMs === null || toMs > fromMs;
  return {
    ...{ id: job.id, consumer: job.consumer, submittedAtMs: job.submittedAtMs, endedAtMs },
    need: {
      cpu: procs,
      ...(gpus > 0 ? { gpu: gpus } : {}),
      ...(memoryBytes > 0 ? { memory: memoryBytes } : {}),
    },
    ...{ waits: waits.filter(hasLasted), runs: lostMarked(job, runs.filter(hasLasted)) },
    outcome: outcomeOf(job),
  };
}

function lostMarked({ abortReason }: JobRecord, runs: readonly OpenStretch[]): UseRecord["runs"] {
  if (abortReason?.kind !== "lost") return runs;
  return runs.map((run, at) => (at === runs.length - 1 ? { ...run, isLost: true } : run));
}

function outcomeOf({ state, exitCode, isTimeLimit }: JobRecord): UseOutcome {
  if (state === "DONE") return exitCode === 0 && !isTimeLimit ? "completed" : "failed";
  if (state === "CANCELLED") return "cancelled";
  return state === "ABORTED" ? "failed" : "unfinished";
}

function tellSite(story: Story, { spec, isDraining }: SiteRecord, atMs: number): void {
  set(story.foreign, spec.type !== "managed", atMs);
  const amounts = amountsIn(spec);
  const last = story.capacity.at(-1)?.amounts;
  const isSame = SHARED_RESOURCES.every((resource) => last?.[resource] === amounts[resource]);
  if (!isSame) story.capacity.push({ fromMs: atMs, amounts });
  if (isDraining) story.drainedAtMs ??= atMs;
  else if (story.drainedAtMs !== null) {
    story.stopped.push({ fromMs: story.drainedAtMs, toMs: atMs, why: "drain" });
    story.drainedAtMs = null;
  }
}

function amountsIn(spec: SiteRecord["spec"]): CapacityStep["amounts"] {
  const [storage, network] = [storageBytesOf(spec), networkBytesPerSecOf(spec)];
  return {
    cpu: spec.procs,
    ...(spec.memoryBytes > 0 ? { memory: spec.memoryBytes } : {}),
    ...(storage > 0 ? { storage } : {}),
    ...(network > 0 ? { network } : {}),
  };
}

function versionFrom(
  {
    version,
    effectiveFromMs,
    policies,
  }: { readonly version: number; readonly effectiveFromMs: number } & Pick<PolicyTerm, "policies">,
  atMs: number,
): AppliedVersion {
  return { version, policies, fromMs: Math.max(effectiveFromMs, atMs) };
}

/** Policy terms: at each instant those of the last version that has begun. */
function termsOf(versions: readonly AppliedVersion[]): readonly PolicyTerm[] {
  const terms: PolicyTerm[] = [];
  let highest = 0;
  for (const one of versions.toSorted((a, b) => a.fromMs - b.fromMs || a.version - b.version)) {
    if (one.version < highest) continue;
    highest = one.version;
    if (terms.at(-1)?.fromMs === one.fromMs) terms.pop();
    terms.push({ fromMs: one.fromMs, policies: one.policies });
  }
  return terms;
}

function noLog(directory: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "noLog",
    what: `${basename(directory)} has no log`,
    why: `there is no ${join(directory, "log")}`,
    remedy: "name the state directory of a broker, as stint doctor shows it",
  });
}

function logAltered(directory: string, seq: number, how: "altered" | "missing"): Fault {
  return new Fault({
    kind: "failed",
    code: "logAltered",
    what: `event ${seq} of the log in ${directory} is ${how}`,
    why: "it does not match the hash chain of the log",
    remedy: "restore the state directory from a copy; the events after this one cannot be trusted",
  });
}
