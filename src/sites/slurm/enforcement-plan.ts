/**
 * Commands that carry out an enforcer's order, from a reading of the queue, with the records to store (rule
 * SU-25). Pure: nothing here runs a command.
 *
 * A begin-time that we set is ours; any other one in the future is the user's, and no job begins before it.
 */
import type { ClusterJob, EnforcementVerb } from "../../model/index.ts";
import type { EnforcedJob } from "./enforced-book.ts";
import { beginChange, updateWords, wholeSecond } from "./enforcement-words.ts";
import type { QueuedJob } from "./queued-tasks.ts";

/** One kind of command for several jobs. */
export interface Move {
  readonly jobs: readonly QueuedJob[];
  words(list: string): readonly string[];
  /** True if a later reading shows that the job still needs the command. */
  isWanting(row: ClusterJob): boolean;
}

/** Commands, and the records before and after them. */
export interface EnforcementPlan {
  readonly moves: readonly Move[];
  readonly before: readonly EnforcedJob[];
  /** Records of jobs whose command succeeded. */
  readonly after: readonly EnforcedJob[];
}

/** Input of a plan. */
export interface EnforcementScene {
  readonly verb: EnforcementVerb;
  /** End of the hold of a job, for an order to hold. */
  holdUntilMs(siteJob: string): number;
  readonly nowMs: number;
  /** The whole queue. */
  readonly queue: readonly QueuedJob[];
  /** Jobs of the queue that the order names. */
  readonly asked: readonly QueuedJob[];
  readonly known: ReadonlyMap<string, EnforcedJob>;
}

/** Plan of an order. Jobs to which it does not apply are left out. */
export function enforcementPlan(scene: EnforcementScene): EnforcementPlan {
  const still = stillInForce(scene);
  const none = { moves: [], before: still, after: still };
  switch (scene.verb) {
    case "hold":
      return holding({ ...scene, known: byId(still) }, none);
    case "release":
      return releasing({ ...scene, known: byId(still) }, none);
    case "suspend":
      return stopping(scene, none);
    case "resume":
      return resuming({ ...scene, known: byId(still) }, none);
    case "requeue":
      return { ...none, moves: requeues(scene.asked) };
    case "raise":
    case "lower":
      return nudging({ ...scene, known: byId(still) }, none);
  }
}

/** Record of a job that is still the same; undefined if the id is another job's or there is none. */
export function recordOf(
  known: ReadonlyMap<string, EnforcedJob>,
  { siteJob, row }: QueuedJob,
): EnforcedJob | undefined {
  const record = known.get(siteJob);
  return record?.submittedAtMs === row.submittedAtMs ? record : undefined;
}

/** True if the job waits for a begin-time that we set. */
export function isHeldByUs({ begins }: EnforcedJob, { eligibleAtMs }: ClusterJob): boolean {
  return eligibleAtMs !== null && begins.includes(eligibleAtMs);
}

/** Records with effects that can still be undone. */
function stillInForce({ queue, known, nowMs }: EnforcementScene): readonly EnforcedJob[] {
  if (known.size === 0) return [];
  return queue.flatMap((job) => {
    const record = recordOf(known, job);
    if (record === undefined) return [];
    const { row } = job;
    const isHeld = isHeldByUs(record, row) && (row.eligibleAtMs ?? 0) > nowMs;
    const isSuspended = record.isSuspended && row.state === "suspended";
    const nice = record.nice?.given.includes(row.nice) === true ? record.nice : null;
    if (!isHeld && !isSuspended && nice === null) return [];
    const begins = isHeld ? record.begins : [];
    return [{ ...record, begins, ownBeginMs: isHeld ? record.ownBeginMs : null, nice, isSuspended }];
  });
}

function holding(scene: EnforcementScene, none: EnforcementPlan): EnforcementPlan {
  const { asked, known, nowMs } = scene;
  const given: EnforcedJob[] = [];
  const byBegin = new Map<number, QueuedJob[]>();
  for (const job of asked) {
    const untilMs = wholeSecond(scene.holdUntilMs(job.siteJob));
    if (job.row.state !== "waiting" || untilMs <= nowMs) continue;
    const record = recordOf(known, job);
    const presentMs = job.row.eligibleAtMs;
    const isOurs = record !== undefined && isHeldByUs(record, job.row);
    const aheadMs = presentMs !== null && presentMs > nowMs ? presentMs : null;
    const ownBeginMs = isOurs ? record.ownBeginMs : aheadMs;
    const beginMs = Math.max(untilMs, ownBeginMs ?? 0);
    if (beginMs === presentMs) continue;
    const begins = isOurs && presentMs !== null ? [presentMs, beginMs] : [beginMs];
    given.push({ ...(record ?? freshRecord(job)), begins, ownBeginMs });
    add(byBegin, beginMs, job);
  }
  const moves = [...byBegin].map(([beginMs, jobs]) => ({
    jobs,
    words: (list: string) => updateWords(list, beginChange(beginMs, nowMs)),
    isWanting: (row: ClusterJob) => row.state === "waiting" && row.eligibleAtMs !== beginMs,
  }));
  const after = given.map((it) => ({ ...it, begins: it.begins.slice(-1) }));
  return { moves, before: merged(none.before, given), after: merged(none.after, after) };
}

/** Restores begin-times and nice values. */
function releasing({ asked, known, nowMs }: EnforcementScene, none: EnforcementPlan): EnforcementPlan {
  const byBegin = new Map<number, QueuedJob[]>();
  const byNice = new Map<number, QueuedJob[]>();
  const left: EnforcedJob[] = [];
  for (const job of asked) {
    const record = recordOf(known, job);
    if (record === undefined) continue;
    if (isHeldByUs(record, job.row)) add(byBegin, Math.max(nowMs, record.ownBeginMs ?? 0), job);
    if (record.nice !== null) add(byNice, record.nice.own, job);
    left.push({ ...record, begins: [], ownBeginMs: null, nice: null });
  }
  const begins = [...byBegin].map(([beginMs, jobs]) => ({
    jobs,
    words: (list: string) => updateWords(list, beginChange(beginMs, nowMs)),
    isWanting: (row: ClusterJob) => row.state === "waiting" && isAhead(row, beginMs),
  }));
  const nices = [...byNice].map(([nice, jobs]) => niceMove(nice, jobs));
  const after = merged(none.after, left).filter((it) => it.isSuspended || !left.includes(it));
  return { moves: [...begins, ...nices], before: none.before, after };
}

/** True if a begin-time is in the future; Slurm may be a second late. */
function isAhead({ eligibleAtMs }: ClusterJob, beginMs: number): boolean {
  return eligibleAtMs !== null && eligibleAtMs > wholeSecond(beginMs) + 1000;
}

function stopping(scene: EnforcementScene, none: EnforcementPlan): EnforcementPlan {
  const jobs = scene.asked.filter(({ row }) => row.state === "running");
  const known = byId(none.before);
  const stopped = jobs.map((job) => ({
    ...(recordOf(known, job) ?? freshRecord(job)),
    isSuspended: true,
  }));
  const moves = movesOf(jobs, ["scontrol", "suspend"], ({ state }) => state === "running");
  const after = merged(none.before, stopped);
  return { moves, before: after, after };
}

/** Resumes jobs that we suspended; others stay suspended. */
function resuming({ asked, known }: EnforcementScene, none: EnforcementPlan): EnforcementPlan {
  const jobs = asked.filter((job) => recordOf(known, job)?.isSuspended === true);
  const moves = movesOf(jobs, ["scontrol", "resume"], ({ state }) => state === "suspended");
  const ids = new Set(jobs.map(({ siteJob }) => siteJob));
  const after = none.after.filter(({ siteJob }) => !ids.has(siteJob));
  return { moves, before: none.before, after };
}

/** Requeue commands. With `Incomplete` a job that ends meanwhile does not run again. */
function requeues(asked: readonly QueuedJob[]): readonly Move[] {
  const jobs = asked.filter(({ row }) => row.state === "running" || row.state === "suspended");
  const runs = new Map(jobs.map(({ siteJob, row }) => [siteJob, row.restarts]));
  return movesOf(jobs, ["scontrol", "requeue", "Incomplete"], ({ siteJob, state, restarts }) => {
    const isUp = state === "running" || state === "suspended";
    return isUp && restarts === runs.get(siteJob);
  });
}

function nudging(scene: EnforcementScene, none: EnforcementPlan): EnforcementPlan {
  const changes = niceChanges(scene, scene.verb === "raise" ? -1 : 1);
  const byNice = new Map<number, QueuedJob[]>();
  for (const { job, nice } of changes) add(byNice, nice, job);
  const moves = [...byNice].map(([nice, jobs]) => niceMove(nice, jobs));
  const given = changes.map(({ job, nice }) => {
    const record = recordOf(scene.known, job) ?? freshRecord(job);
    const own = record.nice?.own ?? job.row.nice;
    return { ...record, nice: { own, given: [...(record.nice?.given ?? []).slice(-1), nice] } };
  });
  const all = merged(none.before, given);
  return { moves, before: all, after: all };
}

function niceMove(nice: number, jobs: readonly QueuedJob[]): Move {
  return {
    jobs,
    words: (list) => updateWords(list, `Nice=${nice}`),
    isWanting: (row) => (row.state === "waiting" || row.state === "held") && row.nice !== nice,
  };
}

function movesOf(
  jobs: readonly QueuedJob[],
  words: readonly string[],
  isWanting: (row: ClusterJob) => boolean,
): readonly Move[] {
  return jobs.length === 0 ? [] : [{ jobs, words: (list) => [...words, list], isWanting }];
}

function freshRecord({ siteJob, row: { submittedAtMs } }: QueuedJob): EnforcedJob {
  return { siteJob, submittedAtMs, begins: [], ownBeginMs: null, nice: null, isSuspended: false };
}

function add(groups: Map<number, QueuedJob[]>, key: number, job: QueuedJob): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [job]);
  else group.push(job);
}

function byId(records: readonly EnforcedJob[]): Map<string, EnforcedJob> {
  return new Map(records.map((record) => [record.siteJob, record]));
}

function merged(records: readonly EnforcedJob[], instead: readonly EnforcedJob[]): readonly EnforcedJob[] {
  return [...new Map([...byId(records), ...byId(instead)]).values()];
}

// Putting jobs before or behind all others in Slurm's queue, by their nice values.
//
// A priority is a sum of what grows and changes, less the nice value; so all jobs of an order are moved by
// the same amount, which leaves them in their order, and age goes on counting. No priority is below 1: jobs
// that would be end up equal. A larger nice value is any owner's to give, a smaller one an operator's.
// Source: slurm.conf(5), scontrol(1); seen with 22.05.

/** Largest nice value: NICE_OFFSET less 3. */
const LARGEST_NICE = 2_147_483_645;

/** New nice value of a job. */
interface NiceChange {
  readonly job: QueuedJob;
  readonly nice: number;
}

/** Jobs to move, and the jobs of the queue. */
interface NiceScene {
  readonly queue: readonly QueuedJob[];
  readonly asked: readonly QueuedJob[];
  readonly known: ReadonlyMap<string, EnforcedJob>;
}

/**
 * Nice values that put waiting jobs before (`way` -1) or behind (1) all others that were not moved before.
 * Jobs that were moved, or stand there already, get none.
 */
function niceChanges({ queue, asked, known }: NiceScene, way: -1 | 1): readonly NiceChange[] {
  const isThere = ({ siteJob, row }: QueuedJob): boolean => {
    const nice = known.get(siteJob)?.nice;
    return nice !== undefined && nice !== null && way * (row.nice - nice.own) > 0;
  };
  const mayMove = (job: QueuedJob): boolean => job.row.state === "waiting" && !isThere(job);
  const jobs = asked.filter(mayMove);
  const moved = new Set(jobs.map(({ siteJob }) => siteJob));
  const others = queue.filter((job) => mayMove(job) && !moved.has(job.siteJob));
  const by = distance(jobs.map(priorityOf), others.map(priorityOf), way);
  if (by <= 0) return [];
  return jobs.map((job) => {
    const nice = job.row.nice + way * by;
    return { job, nice: Math.max(-LARGEST_NICE, Math.min(LARGEST_NICE, nice)) };
  });
}

/** Change of priority after which the last of the jobs has passed the others. */
function distance(own: readonly number[], others: readonly number[], way: -1 | 1): number {
  const farthest = (values: readonly number[], isLarge: boolean): number =>
    values.reduce((a, b) => (a > b === isLarge ? a : b), isLarge ? 0 : Number.POSITIVE_INFINITY);
  if (own.length === 0 || others.length === 0) return 0;
  if (way < 0) return farthest(others, true) - farthest(own, false) + 1;
  return farthest(own, true) - farthest(others, false) + 1;
}

function priorityOf({ row }: QueuedJob): number {
  return row.priority ?? 0;
}
