/**
 * A site that is driven: its machine, what only the driver knows of the jobs there, and the verbs by which
 * actors change it. The real end of a job is known here and not to the machine (rules QU-17, QU-19).
 */
import { assert, createHeap, type Heap, peekHeap, popHeap, pushHeap } from "../../base/index.ts";
import { isPlanning } from "../../model/index.ts";
import { advance, wakeAt } from "../advance.ts";
import { jobState } from "../job-table.ts";
import type { Machine } from "../machine.ts";
import { arrive, cancel, end, hold, suspend, type WrongState } from "../operations.ts";
import { restart } from "../outage.ts";
import type { FinishedJob, ReplayJob } from "./replay-job.ts";

/** Callbacks for changes of jobs. A handle is valid during the call; functions are called without `this`. */
export interface SiteObserver {
  /** The machine has taken the job; its place is found when the instant is settled. */
  readonly arrived?: (handle: number, atMs: number) => void;
  /** The job starts, and will end after `restMs`, which the observer may set here. */
  readonly starting?: (handle: number, atMs: number) => void;
  readonly started?: (handle: number, atMs: number) => void;
  /** The job no longer runs: it ended or was cancelled, suspended, or stopped by an outage. */
  readonly stopped?: (handle: number, atMs: number) => void;
  /** The job no longer waits and did not start: it was cancelled or held. */
  readonly unqueued?: (handle: number, atMs: number) => void;
  /** The job has left the site: at its end, or cancelled. */
  readonly left?: (handle: number, atMs: number, isEnd: boolean) => void;
}

/** One function for each kind of event that has an observer. */
type Told = { -readonly [Kind in keyof SiteObserver]-?: SiteObserver[Kind] | undefined };

/** A site under way. Columns are by handle. */
export interface DrivenSite<Job extends ReplayJob = ReplayJob> {
  readonly machine: Machine;
  readonly jobs: Job[];
  restMs: Float64Array;
  /** NaN while the job does not run. */
  endMs: Float64Array;
  /** First start since arrival or restart; NaN before. */
  startMs: Float64Array;
  /** NaN where nothing was promised. */
  promisedMs: Float64Array;
  /** Real ends; an entry counts while its job runs and is still to end at that time. */
  readonly ends: Heap;
  /** The handles of the jobs that arrived at this instant, in order. */
  readonly arrived: number[];
  arrivedCount: number;
  /** Handles by the ids of the jobs at the site; undefined until they are first needed. */
  handleOf: Map<number, number> | undefined;
  readonly told: Told;
}

/** Initial number of rows; small for the reason given in the job table. */
const FIRST_ROWS = 8;

/** A driven site without jobs. */
export function createSite<Job extends ReplayJob>(machine: Machine, jobs: Job[] = []): DrivenSite<Job> {
  return {
    machine,
    jobs,
    restMs: new Float64Array(FIRST_ROWS),
    endMs: new Float64Array(FIRST_ROWS),
    startMs: new Float64Array(FIRST_ROWS),
    promisedMs: new Float64Array(FIRST_ROWS),
    ends: createHeap(),
    arrived: [],
    arrivedCount: 0,
    handleOf: undefined,
    told: {
      arrived: undefined,
      starting: undefined,
      started: undefined,
      stopped: undefined,
      unqueued: undefined,
      left: undefined,
    },
  };
}

/** Adds an observer, which is called after those already added. */
export function observe<Job extends ReplayJob>({ told }: DrivenSite<Job>, observer: SiteObserver): void {
  told.arrived = inTurn([told.arrived, observer.arrived]);
  told.starting = inTurn([told.starting, observer.starting]);
  told.started = inTurn([told.started, observer.started]);
  told.stopped = inTurn([told.stopped, observer.stopped]);
  told.unqueued = inTurn([told.unqueued, observer.unqueued]);
  told.left = inTurn([told.left, observer.left]);
}

/** One function that calls all that are defined, in order; a single one is returned as it is. */
export function inTurn<Words extends readonly unknown[]>(
  calls: readonly (((...words: Words) => void) | undefined)[],
): ((...words: Words) => void) | undefined {
  const [first, second, ...others] = calls.filter((call) => call !== undefined);
  if (first === undefined || second === undefined) return first;
  const rest = inTurn([second, ...others]) ?? second;
  return (...words) => {
    first(...words);
    rest(...words);
  };
}

/** Handles of the jobs at the site, by id. Must be called before the first arrival. */
export function handlesById<Job extends ReplayJob>(site: DrivenSite<Job>): ReadonlyMap<number, number> {
  site.handleOf ??= new Map();
  return site.handleOf;
}

/** The next real end, planned start or end of a reservation, or Infinity. */
export function nextAtSite<Job extends ReplayJob>(site: DrivenSite<Job>): number {
  const { ends, endMs } = site;
  // Of a job that was stopped or cancelled nothing ends then: no instant is made of it.
  while (ends.size > 0 && endMs[peekHeap(ends)] !== ends.keys[0]) popHeap(ends);
  const endsMs = ends.size === 0 ? Number.POSITIVE_INFINITY : ends.keys[0];
  return Math.min(endsMs, wakeAt(site.machine));
}

/** Ends the jobs whose real end is at this instant. */
export function endDue<Job extends ReplayJob>(site: DrivenSite<Job>, atMs: number): void {
  const { ends, endMs, machine, told } = site;
  while (ends.size > 0 && ends.keys[0] === atMs) {
    const handle = popHeap(ends);
    if (endMs[handle] !== atMs) continue;
    endMs[handle] = Number.NaN;
    end(machine, handle, atMs);
    site.handleOf?.delete(site.jobs[handle].id);
    told.stopped?.(handle, atMs);
    told.left?.(handle, atMs, true);
  }
}

/** Lets a job arrive: its handle; undefined where it is too wide for every pool it names (rule QU-14). */
export function arriveAt<Job extends ReplayJob>(
  site: DrivenSite<Job>,
  job: Job,
  atMs: number,
): number | undefined {
  const arrived = arrive(site.machine, job, atMs);
  if (!arrived.ok) return undefined;
  const handle = arrived.value;
  if (handle >= site.restMs.length) growColumns(site, handle);
  site.jobs[handle] = job;
  site.restMs[handle] = job.runtimeMs;
  site.endMs[handle] = Number.NaN;
  site.startMs[handle] = Number.NaN;
  site.promisedMs[handle] = Number.NaN;
  site.arrived[site.arrivedCount++] = handle;
  site.handleOf?.set(job.id, handle);
  site.told.arrived?.(handle, atMs);
  return handle;
}

/** Settles the machine: records the promises of the jobs that arrived, and starts those that can start. */
export function settleSite<Job extends ReplayJob>(site: DrivenSite<Job>, atMs: number): void {
  const { machine, arrived, told } = site;
  const starts = advance(machine, atMs);
  if (isPlanning(machine.rules.discipline)) {
    for (let i = 0; i < site.arrivedCount; i++) {
      site.promisedMs[arrived[i]] = machine.jobs.startMs[arrived[i]];
    }
  }
  // Emptied by counting: setting an array's length gives its memory back each time.
  site.arrivedCount = 0;
  for (let i = 0; i < starts.count; i++) {
    const handle = starts.handles[i];
    told.starting?.(handle, atMs);
    const endMs = atMs + site.restMs[handle];
    site.endMs[handle] = endMs;
    if (Number.isNaN(site.startMs[handle])) site.startMs[handle] = atMs;
    pushHeap(site.ends, endMs, handle);
    told.started?.(handle, atMs);
  }
}

/** True while a job at the site runs. */
export function isRunning<Job extends ReplayJob>({ endMs }: DrivenSite<Job>, handle: number): boolean {
  return !Number.isNaN(endMs[handle]);
}

/** Takes a job away for good, whatever it does (rule QU-9). */
export function cancelAt<Job extends ReplayJob>(site: DrivenSite<Job>, handle: number, atMs: number): void {
  const { state } = site.machine.jobs;
  const was = state[handle];
  assert(was !== jobState.none, "a job with a handle is at the site");
  site.endMs[handle] = Number.NaN;
  site.handleOf?.delete(site.jobs[handle].id);
  cancel(site.machine, handle, atMs);
  if (was === jobState.running) site.told.stopped?.(handle, atMs);
  if (was === jobState.waiting) site.told.unqueued?.(handle, atMs);
  site.told.left?.(handle, atMs, false);
}

/** Takes a waiting job out of the queue (rule QU-9). */
export function holdAt<Job extends ReplayJob>(
  site: DrivenSite<Job>,
  handle: number,
  atMs: number,
): WrongState | undefined {
  const refusal = hold(site.machine, handle, atMs);
  if (refusal === undefined) site.told.unqueued?.(handle, atMs);
  return refusal;
}

/** Suspends a running job, which keeps what it has done (rule QU-10). */
export function suspendAt<Job extends ReplayJob>(
  site: DrivenSite<Job>,
  handle: number,
  atMs: number,
): WrongState | undefined {
  const refusal = suspend(site.machine, handle, atMs);
  if (refusal !== undefined) return refusal;
  site.restMs[handle] = site.endMs[handle] - atMs;
  noteStopped(site, handle, atMs);
  return undefined;
}

/** The driver's part of suspending a job that the machine has stopped already, as an outage does. */
export function noteStopped<Job extends ReplayJob>(
  site: DrivenSite<Job>,
  handle: number,
  atMs: number,
): void {
  site.endMs[handle] = Number.NaN;
  site.told.stopped?.(handle, atMs);
}

/** Lets a stopped job begin anew, with its whole estimate (rule QU-26). */
export function restartAt<Job extends ReplayJob>(site: DrivenSite<Job>, handle: number, atMs: number): void {
  const { runtimeMs, estimateMs } = site.jobs[handle];
  restart(site.machine, handle, estimateMs, atMs);
  site.restMs[handle] = runtimeMs;
  site.startMs[handle] = Number.NaN;
}

/** Record of a job that ends now; its row must still exist. */
function finishedAt<Job extends ReplayJob>(
  { machine, jobs, promisedMs, startMs }: DrivenSite<Job>,
  handle: number,
): FinishedJob<Job> {
  const promised = promisedMs[handle];
  const finished: { -readonly [Key in keyof FinishedJob<Job>]: FinishedJob<Job>[Key] } = {
    job: jobs[handle],
    // Kept as doubles from the start, as the machine's clock is.
    startMs: Number.NaN,
    endMs: Number.NaN,
    promisedMs: Number.isNaN(promised) ? undefined : promised,
    backfilled: machine.jobs.backfilled[handle] === 1,
    pool: machine.jobs.pool[handle],
  };
  finished.startMs = startMs[handle];
  finished.endMs = machine.nowMs;
  return finished;
}

/** Adds a callback for every job that reaches its end. */
export function observeEnds<Job extends ReplayJob>(
  site: DrivenSite<Job>,
  finished: (finished: FinishedJob<Job>) => void,
): void {
  observe(site, {
    left(handle, _atMs, isEnd) {
      if (isEnd) finished(finishedAt(site, handle));
    },
  });
}

/** Makes room for a row. */
export function growColumns<Job extends ReplayJob>(site: DrivenSite<Job>, handle: number): void {
  const rows = Math.max(handle + 1, site.restMs.length * 2);
  site.restMs = grown(site.restMs, rows);
  site.endMs = grown(site.endMs, rows);
  site.startMs = grown(site.startMs, rows);
  site.promisedMs = grown(site.promisedMs, rows);
}

function grown(column: Float64Array, rows: number): Float64Array {
  const larger = new Float64Array(rows);
  larger.set(column);
  return larger;
}
