/**
 * Effect of one more reservation of processors on a queue under FCFS or EASY, for many starts of it.
 *
 * Equivalent to making it on a copy of the machine for each start and playing that forward (`startsBeside`).
 * For one pool of processors; all but the preparing runs in `kernel/assembly/play-*`, and differs for speed
 * in these ways:
 * 1. The queue is played once without the reservation. For each stretch of time is known the first pass that
 *    leaves less free there, with the head's promise, than the reservation needs (`play-forks`). Up to the
 *    least of these in its span a play with the reservation is the same, so it begins from a copy there.
 * 2. Once the reservation is over, a play that meets the present one or that of an earlier start is that
 *    one from there on (`play-courses`). It is looked for after every few starts.
 * 3. In a play only what is free and who waits is kept (`play-free`), and behind the head a pass looks at
 *    those alone who are narrow and short enough to start (`play-pass`).
 * Cost: for each start that delays somebody the passes from that one until plays meet.
 */
import { indexAt, type Profile } from "../../profile/index.ts";
import { type Kernel, sharedKernel } from "../kernel/load.ts";
import type { Machine } from "../machine.ts";
import { freeAtEach, instantsOf } from "./instants.ts";
import type { TriedReservations, TriedStarts } from "./outcome.ts";
import { leastOfClasses } from "./size-classes.ts";

/** A queue to be played: its jobs in queue order, and what is free beside them. */
export interface PlayedQueue {
  readonly count: number;
  readonly procs: Float64Array;
  readonly durationMs: Float64Array;
  readonly isEasy: boolean;
  /** With running jobs and reservations in it. */
  readonly profile: Profile;
  readonly nowMs: number;
}

/** More than any width; the kernel counts processors in 31 bits. */
const TOO_WIDE = 2 ** 31 - 1;

/** Numbers of the kernel's tables, as `playTable` takes them. */
const TABLE = { jobs: 0, profile: 1, widths: 2, lengths: 3, grid: 4, trials: 5, starts: 6 } as const;
/** Number of values in a row of the table of jobs; below it, of the grid and of the trials. */
const JOB_NUMBERS = 4;
const STEP_NUMBERS = 3;
const TRIAL_NUMBERS = 4;

/**
 * Most classes of widths, and of lengths. Where a class has several values, the jobs found by it are tested
 * once more, which costs less than a bit set too large for the first-level cache.
 */
const MOST_CLASSES = [1024, 64] as const;

/** True for FCFS and EASY on one pool of processors alone, with less than 2^31 − 1 of them. */
export function isPlayedFast(machine: Machine): boolean {
  return machine.jobs.need.length === 1 && isCountedFast(machine);
}

/** As `isPlayedFast`, for a machine with other resources too, provided that none of these can be short. */
export function isCountedFast({ pools, rules }: Machine): boolean {
  const isPlayed = rules.discipline === "fcfs" || rules.discipline === "easy";
  return isPlayed && pools.length === 1 && pools[0].capacity[0] < TOO_WIDE;
}

/** The queue of a machine with one pool, in which processors alone can be short, in this order. */
export function playedQueueOf({ jobs, pools, rules, nowMs }: Machine, handles: Int32Array): PlayedQueue {
  const count = handles.length;
  const procs = new Float64Array(count);
  const durationMs = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    procs[i] = jobs.need[0][handles[i]];
    durationMs[i] = jobs.estimateMs[handles[i]];
  }
  return { count, procs, durationMs, isEasy: rules.discipline === "easy", profile: pools[0], nowMs };
}

/** When each job starts, by place in queue order. */
export function playPresent(played: PlayedQueue): Float64Array {
  const { count, nowMs } = played;
  if (count === 0) return new Float64Array(0);
  const kernel = sharedKernel();
  kernel.expectTrials(0, 0);
  layOut(kernel, played);
  kernel.playPresent(nowMs);
  return new Float64Array(kernel.memory.buffer, kernel.playTable(TABLE.starts), count).slice();
}

/** Fills in the outcome of each start; see the header. */
export function playManyProcs(
  played: PlayedQueue,
  presentMs: Float64Array,
  { shape, startsMs, weights }: TriedStarts,
  outcome: TriedReservations,
): void {
  const { count, nowMs } = played;
  const tries = startsMs.length;
  const kernel = sharedKernel();
  const instants = instantsOf({ ...played, startMs: presentMs }, startsMs);
  kernel.expectTrials(tries, instants.length);
  const table = layOut(kernel, played);
  for (let i = 0; i < count; i++) {
    table[i * JOB_NUMBERS + 1] = presentMs[i];
    table[i * JOB_NUMBERS + 2] = weights[i];
  }
  writeGrid(kernel, played, instants);
  const { buffer } = kernel.memory;
  const trials = new Float64Array(buffer, kernel.playTable(TABLE.trials), tries * TRIAL_NUMBERS);
  for (let at = 0; at < tries; at++) trials[at * TRIAL_NUMBERS] = startsMs[at];
  kernel.tryAll(nowMs, Math.min(TOO_WIDE, shape.need[0]), shape.durationMs);
  const told = new Int32Array(buffer, kernel.playTable(TABLE.trials), tries * TRIAL_NUMBERS * 2);
  for (let at = 0; at < tries; at++) {
    outcome.weightedDelayMs[at] = trials[at * TRIAL_NUMBERS + 1];
    outcome.delayedJobs[at] = told[at * TRIAL_NUMBERS * 2 + 4];
    outcome.isPossible[at] = told[at * TRIAL_NUMBERS * 2 + 5];
  }
}

/**
 * Lays the queue out and writes all but when its jobs start and what their delays cost.
 *
 * @returns the jobs' rows
 */
function layOut(kernel: Kernel, { count, procs, durationMs, isEasy, profile, nowMs }: PlayedQueue) {
  const { times, tail } = profile;
  const first = indexAt(profile, nowMs);
  kernel.layOutPlay(count, isEasy, tail - first);
  const { buffer } = kernel.memory;
  const table = new Float64Array(buffer, kernel.playTable(TABLE.jobs), count * JOB_NUMBERS);
  for (let i = 0; i < count; i++) {
    table[i * JOB_NUMBERS] = durationMs[i];
    table[i * JOB_NUMBERS + 1] = Number.POSITIVE_INFINITY;
    table[i * JOB_NUMBERS + 3] = procs[i];
  }
  const pieces = new Float64Array(buffer, kernel.playTable(TABLE.profile), 2 * (tail - first));
  for (let at = first; at < tail; at++) {
    pieces[2 * (at - first)] = times[at];
    pieces[2 * (at - first) + 1] = profile.free[0][at];
  }
  const [widths, isWidth] = isEasy ? writeClasses(kernel, 0, procs) : NO_CLASSES;
  const [lengths, isLength] = isEasy ? writeClasses(kernel, 1, durationMs) : NO_CLASSES;
  kernel.arrangePlay(widths, lengths, isWidth, isLength);
  return table;
}

const NO_CLASSES = [0, true] as const;

/**
 * Writes the least value of each class of widths (0) or lengths (1).
 *
 * @returns how many there are, and whether each is a single value
 */
function writeClasses(kernel: Kernel, of: 0 | 1, values: Float64Array): readonly [number, boolean] {
  const { least, isExact } = leastOfClasses(values.slice(), MOST_CLASSES[of]);
  new Float64Array(kernel.memory.buffer, kernel.playTable(TABLE.widths + of), least.length).set(least);
  return [least.length, isExact];
}

/** Writes the grid, and what is free there beside running jobs and reservations. */
function writeGrid(kernel: Kernel, { profile }: PlayedQueue, instantsMs: Float64Array): void {
  const { buffer } = kernel.memory;
  const grid = new Float64Array(buffer, kernel.playTable(TABLE.grid), instantsMs.length * STEP_NUMBERS);
  const free = freeAtEach(profile, instantsMs);
  for (let at = 0; at < instantsMs.length; at++) {
    grid[at * STEP_NUMBERS] = instantsMs[at];
    grid[at * STEP_NUMBERS + 1] = free[at];
  }
}
