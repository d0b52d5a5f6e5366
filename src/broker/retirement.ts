/**
 * Clears and purges ended jobs on request, and after the times of `jobRetention` (rules BR-260 to BR-262).
 *
 * Requests are processed one after the other, each on the current record, so no job is cleared after it was
 * purged. The retention processes ended jobs in the order of their ends. If a site does not answer, the next
 * run begins with the first job whose removal failed.
 */
import { accepted, Fault, messageOf, refused } from "../base/index.ts";
import type { Answer } from "../engine/index.ts";
import { isFinal, JOB_STATES, type JobRecord } from "../model/index.ts";
import { type Clock, jobOf, type Logbook, type Round } from "../runtime/index.ts";
import type { Retention } from "./job-retention.ts";
import { clearFiles } from "./kept-files.ts";
import type { Sites } from "./sites.ts";

interface RetirementWorld {
  readonly round: Round;
  readonly logbook: Logbook;
  readonly sites: Pick<Sites, "get">;
  readonly clock: Clock;
  readonly find: (id: string) => Promise<JobRecord | undefined>;
  readonly warn: (message: string) => void;
  readonly retention?: Retention | undefined;
}

/** Clearing and purging of ended jobs. */
export interface Retirement {
  /** Removes the files of a job; a DONE job becomes CLEARED. */
  clear(job: string, by: string | null): Promise<Answer>;
  /** Removes the files of a job, and marks it as PURGED. */
  purge(job: string, by: string | null): Promise<Answer>;
  /** Stops the retention after the job that it is processing. */
  stop(): Promise<void>;
}

/** Number of jobs that the retention reads at a time. */
const PAGE = 100;
/** Shortest and longest time between two runs of the retention, in ms. */
const LEAST_EVERY_MS = 1000;
const MOST_EVERY_MS = 3_600_000;
const OVER = JOB_STATES.filter(isFinal);

/** Starts the retention, if one is configured. */
export function createRetirement(world: RetirementWorld): Retirement {
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(deed: () => Promise<Result>): Promise<Result> => {
    const now = last.then(deed);
    last = now.catch(() => undefined);
    return now;
  };
  const clear = (job: string, by: string | null) => inTurn(() => clearJob(world, job, by));
  const purge = (job: string, by: string | null) => inTurn(() => purgeJob(world, job, by));
  const keeper = keepRetention(world, { clear, purge });
  return { clear, purge, stop: keeper };
}

async function clearJob(world: RetirementWorld, id: string, by: string | null): Promise<Answer> {
  const record = await world.find(id);
  if (record === undefined) return refused({ kind: "unknownJob", job: id });
  if (record.retired?.clearedAtMs !== undefined) return accepted([]);
  const removed = await removeFiles(world, record, by);
  return removed.ok ? await world.round.ask({ kind: "clearJob", record, by }) : removed;
}

async function purgeJob(world: RetirementWorld, id: string, by: string | null): Promise<Answer> {
  const record = await world.find(id);
  if (record === undefined) return refused({ kind: "unknownJob", job: id });
  if (record.state === "PURGED") return accepted([]);
  if (record.retired?.clearedAtMs === undefined) {
    const removed = await removeFiles(world, record, by);
    if (!removed.ok) return removed;
  }
  return await world.round.ask({ kind: "purgeJob", record, by });
}

/**
 * Removes the files of a job at its site. @throws Fault `siteNotOpen` where the site is known but not open
 */
function removeFiles(
  { round, sites }: RetirementWorld,
  record: JobRecord,
  by: string | null,
): Promise<Answer> {
  const { id, site, attempt } = record;
  const isThere = site !== null && attempt > 0 && isFinal(record.state);
  if (isThere && sites.get(site) === undefined && round.projection.sites.has(site)) throw notOpen(id, site);
  return clearFiles({ round, sites }, record, by ?? "retention");
}

function notOpen(job: string, site: string): Fault {
  return new Fault({
    kind: "unreachable",
    code: "siteNotOpen",
    what: `the files of job ${job} cannot be removed`,
    why: `they are at ${site}, which could not be opened`,
    remedy: "find out why with stint site list -o wide, then try again",
  });
}

type Deeds = Pick<Retirement, "clear" | "purge">;

/** Clears and purges jobs by their age until stopped. @returns a function that stops it */
function keepRetention(world: RetirementWorld, deeds: Deeds): () => Promise<void> {
  const { clock, warn, retention = {} } = world;
  const kinds = [
    { ageMs: retention.filesMs, deed: deeds.clear, isDone: wasCleared, fromMs: 0 },
    { ageMs: retention.recordsMs, deed: deeds.purge, isDone: wasPurged, fromMs: 0 },
  ].flatMap(({ ageMs, ...kind }) => (ageMs === undefined ? [] : [{ ageMs, ...kind }]));
  if (kinds.length === 0) return async () => undefined;
  const everyMs = Math.min(...kinds.map(({ ageMs }) => ageMs)) / 10;
  let isStopped = false;
  let cancelAlarm: () => void = () => undefined;
  let warned = "";
  const run = async (): Promise<void> => {
    for (const kind of kinds) kind.fromMs = await retireOlder(world, kind, () => isStopped);
  };
  let running: Promise<void> = Promise.resolve();
  const begin = (): void => {
    running = run()
      .then(
        () => {
          warned = "";
        },
        (error: unknown) => {
          const message = `jobRetention is interrupted and will continue: ${messageOf(error)}`;
          if (message !== warned) warn(message);
          warned = message;
        },
      )
      .then(() => {
        const pauseMs = Math.max(LEAST_EVERY_MS, Math.min(MOST_EVERY_MS, everyMs));
        if (!isStopped) cancelAlarm = clock.wakeAt(clock.nowMs() + pauseMs, begin);
      });
  };
  cancelAlarm = clock.wakeAt(clock.nowMs() + LEAST_EVERY_MS, begin);
  return async () => {
    isStopped = true;
    cancelAlarm();
    await running;
  };
}

interface RetiredKind {
  readonly ageMs: number;
  readonly deed: Deeds[keyof Deeds];
  readonly isDone: (job: JobRecord) => boolean;
  /** Instant such that all jobs that ended earlier are processed. */
  readonly fromMs: number;
}

/** Clears or purges jobs older than an age. @returns the end from which the next run continues */
async function retireOlder(
  { round, logbook, warn }: RetirementWorld,
  { ageMs, deed, isDone, fromMs }: RetiredKind,
  isStopped: () => boolean,
): Promise<number> {
  const before = round.nowMs() - ageMs;
  let keptFromMs: number | undefined;
  let hasWarned = false;
  let after: string | undefined;
  do {
    const page = await logbook.rows("jobs", {
      where: { state: { oneOf: OVER }, endedAtMs: { atLeast: fromMs, before } },
      orderBy: "endedAtMs",
      limit: PAGE,
      ...(after === undefined ? {} : { after }),
    });
    for (const job of page.rows.map(({ record }) => jobOf(record))) {
      if (isStopped()) return keptFromMs ?? job.endedAtMs ?? fromMs;
      if (isDone(job)) continue;
      if (hasNeededStates(round, job)) {
        keptFromMs ??= job.endedAtMs ?? fromMs;
        continue;
      }
      try {
        await deed(job.id, null);
      } catch (error) {
        if (!hasWarned)
          warn(`job ${job.id} cannot be cleared or purged yet, and is tried again: ${messageOf(error)}`);
        hasWarned = true;
        keptFromMs ??= job.endedAtMs ?? fromMs;
      }
    }
    after = page.next;
  } while (after !== undefined);
  return keptFromMs ?? Math.max(fromMs, before);
}

/** True for a sub-job whose saved states other jobs of its DAG may still begin from (BR-281, BR-282). */
function hasNeededStates({ projection }: Pick<Round, "projection">, { part }: JobRecord): boolean {
  return part?.steps !== undefined && projection.dags.open.has(part.id);
}

function wasCleared({ retired }: JobRecord): boolean {
  return retired?.clearedAtMs !== undefined;
}

function wasPurged({ state }: JobRecord): boolean {
  return state === "PURGED";
}
