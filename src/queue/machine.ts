/**
 * The site machine: the state of one site, and the only implementation of a queue in Stint.
 *
 * Trace replay, simulated sites, the managed site, quotes and what-if all drive this one machine
 * (law "One site machine" of ARCHITECTURE.md). Its state is plain data in typed arrays; what happens to
 * it are the verbs in `operations`, `reservations` and `advance`, in the order of rule QU-8.
 */
import { assert } from "../base/index.ts";
import type { MachineDiscipline } from "../model/index.ts";
import {
  createProfile,
  type EarlierSearch,
  type Need,
  type PlacedRectangle,
  type Profile,
} from "../profile/index.ts";
import { createFreeCapacityRecords, type FreeCapacityRecords } from "./free-capacity-records.ts";
import { createJobTable, type JobTable } from "./job-table.ts";
import { createPlannedStarts, type PlannedStarts } from "./planned-starts.ts";

/** A waiting job as a priority function sees it. */
export interface QueuedJob {
  readonly handle: number;
  readonly need: readonly number[];
  readonly estimateMs: number;
  readonly arrivedAtMs: number;
}

/** Higher goes first; must depend on its arguments only (rule QU-12). */
export type PriorityFunction = (job: QueuedJob, nowMs: number) => number;

/** Scheduling rules of a site. */
export interface SiteRules {
  readonly discipline: MachineDiscipline;
  /** Without one the queue is in order of arrival. */
  readonly priority?: PriorityFunction;
}

/** A reservation as the machine keeps it: a fixed rectangle in one pool. */
export interface FixedRectangle {
  readonly pool: number;
  readonly need: readonly number[];
  readonly startMs: number;
  readonly durationMs: number;
}

/**
 * Capacity released in one pool that has not yet been tested for every waiting job:
 * an interval [fromMs, beforeMs), empty when beforeMs ≤ fromMs. See `planning`.
 */
export interface FreedInterval {
  fromMs: number;
  beforeMs: number;
}

/** Result of a classical EASY pass: until another event, only newly arrived jobs can start. */
interface LastPass {
  /** True while the result of the pass is still valid. */
  holds: boolean;
  /** Number of waiting jobs after the pass. */
  waiting: number;
  /** The promise of the head and what is free beside it; NaN where it was not asked for. */
  shadowMs: number;
  extra: number;
}

/** The jobs that wait, in order of arrival. */
export interface WaitingList {
  handles: Int32Array;
  count: number;
}

/** The starts of one instant, in order of arrival; reused by the next `advance`. */
export type Starts = WaitingList;

/** The phases of one instant (rule QU-8); a verb may not come after one of a later phase. */
export const phase = { ends: 0, changes: 1, arrivals: 2, starts: 3 } as const;

/** One site. Treat as opaque outside this folder, except through the functions of `index.ts`. */
export interface Machine {
  readonly rules: SiteRules;
  nowMs: number;
  phase: number;
  /**
   * Free capacity of each pool: running jobs and reservations taken out, and under a planning
   * discipline the planned rectangles of waiting jobs too.
   */
  pools: Profile[];
  /** Interned lists of pools that jobs may use; the first one is "all". */
  poolSets: number[][];
  jobs: JobTable;
  waiting: WaitingList;
  /** Arrived at this instant, not yet placed or queued. */
  arriving: WaitingList;
  started: Starts;
  /** The waiting jobs that hold a promise, by their planned start. */
  plannedStarts: PlannedStarts;
  reservations: Map<number, FixedRectangle>;
  /** True where capacity became available earlier than planned at this instant. */
  cameFree: boolean;
  freed: FreedInterval[];
  /** Result of the last EASY pass; valid until an operation that precedes the arrivals of an instant. */
  readonly lastPass: LastPass;
  /** Scratch of one compression. */
  readonly rises: FreeCapacityRecords;
  /** Scratch: the need of the job in hand, its rectangle, and where a better place is looked for. */
  readonly needInHand: Float64Array;
  readonly rectangleInHand: PlacedRectangle;
  readonly searchInHand: EarlierSearch;
}

/**
 * An empty site.
 *
 * @param pools capacity vectors, all of the same length: procs first, then memory, gpus …
 * @param startMs the first instant the machine knows
 */
export function createMachine(pools: readonly Need[], rules: SiteRules, startMs = 0): Machine {
  assert(pools.length > 0, "a site has at least one pool");
  const columns = pools[0].length;
  assert(
    pools.every((capacity) => capacity.length === columns),
    "all pools of a site have the same resources",
  );
  const needInHand = new Float64Array(columns);
  const machine: Machine = {
    rules,
    // The engine keeps a field that begins so as a double; one that begins as a small integer would change
    // its kind on the 25th day, and all that was compiled for it would be thrown away.
    nowMs: Number.NaN,
    phase: phase.ends,
    pools: pools.map((capacity) => createProfile(capacity, startMs)),
    poolSets: [pools.map((_, i) => i)],
    jobs: createJobTable(columns),
    waiting: createWaitingList(),
    arriving: createWaitingList(),
    started: createWaitingList(),
    plannedStarts: createPlannedStarts(),
    reservations: new Map(),
    cameFree: false,
    freed: pools.map(() => nothingFreed()),
    lastPass: { holds: false, waiting: 0, shadowMs: Number.NaN, extra: 0 },
    rises: createFreeCapacityRecords(),
    needInHand,
    rectangleInHand: { need: needInHand, durationMs: Number.NaN, startMs: Number.NaN },
    searchInHand: { at: 0, fromMs: Number.NaN, beforeMs: Number.NaN },
  };
  machine.nowMs = startMs;
  return machine;
}

/** Asserts that a need names every resource of the site, in integers ≥ 0 and at least one processor. */
export function assertNeed({ jobs }: Machine, need: Need): void {
  assert(need.length === jobs.need.length, "a need names every resource of the site");
  assert(need[0] >= 1, "whatever is placed needs a processor");
  for (let c = 0; c < need.length; c++) {
    assert(need[c] >= 0 && Number.isSafeInteger(need[c]), "needs are integers ≥ 0");
  }
}

/** An empty list. */
function createWaitingList(): WaitingList {
  return { handles: new Int32Array(8), count: 0 };
}

/** Adds to the end of a list. */
export function appendTo(list: WaitingList, handle: number): void {
  makeRoomFor(list, list.count + 1);
  list.handles[list.count++] = handle;
}

/** Grows a list's array until it holds `count`. */
export function makeRoomFor(list: WaitingList, count: number): void {
  if (count <= list.handles.length) return;
  const grown = new Int32Array(Math.max(count, list.handles.length * 2));
  grown.set(list.handles.subarray(0, list.count));
  list.handles = grown;
}

/** Notes that [fromMs, beforeMs) of a pool holds free capacity that waiting jobs have not tried yet. */
export function noteFreed(intervals: FreedInterval[], pool: number, fromMs: number, beforeMs: number): void {
  const interval = intervals[pool];
  interval.fromMs = Math.min(interval.fromMs, fromMs);
  interval.beforeMs = Math.max(interval.beforeMs, beforeMs);
}

/** The empty interval. */
export function nothingFreed(): FreedInterval {
  return {
    fromMs: Number.POSITIVE_INFINITY,
    beforeMs: Number.NEGATIVE_INFINITY,
  };
}

/** Takes up the need of a job: gives the machine's scratch vector, valid until the next call. */
export function takeUpNeed(machine: Machine, handle: number): Float64Array {
  const { need } = machine.jobs;
  for (let c = 0; c < need.length; c++) machine.needInHand[c] = need[c][handle];
  return machine.needInHand;
}

/** The pools that a job may use, in the site's order. */
export function poolsOf(machine: Machine, handle: number): readonly number[] {
  return machine.poolSets[machine.jobs.poolSet[handle]];
}
