/**
 * Files and records of jobs after their end: removed and retired on request, and by the retention (rules
 * BR-260 to BR-262).
 *
 * One after the other, on the record as it is then: no job is cleared after it was purged. The retention goes
 * through ended jobs by the instant of their end; from one whose site does not answer it begins again.
 */
import { accepted, Fault, refused } from "../base/index.ts";
import type { Answer } from "../engine/index.ts";
import { isFinal, JOB_STATES, type JobRecord } from "../model/index.ts";
import { type Clock, jobOf, type Logbook, type Round } from "../runtime/index.ts";
import { messageOf } from "./job-order.ts";
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

/** Removal of what jobs leave. */
export interface Retirement {
  /** Removes the files of a job; one that was DONE is CLEARED then. */
  clear(job: string, by: string | null): Promise<Answer>;
  /** Removes the files of a job, and retires its record. */
  purge(job: string, by: string | null): Promise<Answer>;
  /** Ends the retention's work after the job that it is at. */
  stop(): Promise<void>;
}

/** Jobs of one page of the retention. */
const PAGE = 100;
/** Shortest and longest time between two runs of the retention, in ms. */
const LEAST_EVERY_MS = 1000;
const MOST_EVERY_MS = 3_600_000;
const OVER = JOB_STATES.filter(isFinal);

/** Begins the retention's work, if there is a retention. */
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
    remedy: `see what is wrong with it: stint site show ${site}`,
  });
}

type Deeds = Pick<Retirement, "clear" | "purge">;

/** Retires jobs by their age until it is stopped. @returns what stops it */
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
          const message = `the retention of jobs is continued later: ${messageOf(error)}`;
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
  /** Jobs that ended before are done. */
  readonly fromMs: number;
}

/** Retires jobs older than an age. @returns from which end on the next run has to look */
async function retireOlder(
  { round, logbook, warn }: RetirementWorld,
  { ageMs, deed, isDone, fromMs }: RetiredKind,
  isStopped: () => boolean,
): Promise<number> {
  const before = round.nowMs() - ageMs;
  let failedFromMs: number | undefined;
  let after: string | undefined;
  do {
    const page = await logbook.rows("jobs", {
      where: { state: { oneOf: OVER }, endedAtMs: { atLeast: fromMs, before } },
      orderBy: "endedAtMs",
      limit: PAGE,
      ...(after === undefined ? {} : { after }),
    });
    for (const job of page.rows.map(({ record }) => jobOf(record))) {
      if (isStopped()) return failedFromMs ?? job.endedAtMs ?? fromMs;
      if (isDone(job)) continue;
      try {
        await deed(job.id, null);
      } catch (error) {
        if (failedFromMs === undefined) warn(`job ${job.id} is retired later: ${messageOf(error)}`);
        failedFromMs ??= job.endedAtMs ?? fromMs;
      }
    }
    after = page.next;
  } while (after !== undefined);
  return failedFromMs ?? Math.max(fromMs, before);
}

function wasCleared({ retired }: JobRecord): boolean {
  return retired?.clearedAtMs !== undefined;
}

function wasPurged({ state }: JobRecord): boolean {
  return state === "PURGED";
}
