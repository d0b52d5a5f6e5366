/**
 * What one more reservation of processors would displace under conservative backfilling, for many starts of
 * it at once, in the compiled kernel.
 *
 * Equivalent to `displaceMany` for one column; differs for speed in this way: all but the preparing runs in
 * `kernel/assembly/displace`, see there.
 */
import type { Profile } from "../../profile/index.ts";
import { type Kernel, loadKernel } from "../kernel/load.ts";
import type { Machine } from "../machine.ts";
import type { ReservationShape, TriedReservations, TriedStarts } from "./outcome.ts";
import { classesFor, classOf } from "./size-classes.ts";
import type { TriedMachine } from "./waiting-starts.ts";

/** The waiting jobs in queue order, by columns. */
interface Queue {
  readonly count: number;
  readonly procs: Float64Array;
  readonly startMs: Float64Array;
  readonly durationMs: Float64Array;
}

let loaded: Kernel | undefined;

/** Whether it is for this: one pool of processors alone, and numbers that the kernel counts in. */
export function isDisplacedFast({ pools, jobs }: Machine, { need }: ReservationShape): boolean {
  return pools.length === 1 && jobs.need.length === 1 && Math.max(pools[0].capacity[0], need[0]) < 2 ** 31;
}

/** Fills in the outcome of each start; see the header. */
export function displaceProcs(tried: TriedMachine, starts: TriedStarts, outcome: TriedReservations): void {
  loaded ??= loadKernel();
  const kernel = loaded;
  const { machine, present } = tried;
  const { jobs, nowMs } = machine;
  const { handles, startMs } = present;
  const queue: Queue = {
    count: handles.length,
    procs: Float64Array.from(handles, (handle) => jobs.need[0][handle]),
    startMs,
    durationMs: Float64Array.from(handles, (handle) => jobs.estimateMs[handle]),
  };
  const [profile] = machine.pools;
  const instantsMs = gridOf(profile, nowMs, queue);
  const columns = layOut({ kernel, queue, instantsMs, starts });
  columns.tried.atMs.set(starts.startsMs);
  writeFree({ kernel, queue, instantsMs, starts }, profile, columns.step);
  const { shape } = starts;
  kernel.findFirstDisplaced(nowMs, shape.need[0], shape.durationMs);
  const { tried: told } = columns;
  const first = Float64Array.from(told.first);
  const inOrder = Int32Array.from(first, (_, at) => at).sort((a, b) => first[a] - first[b] || a - b);
  inOrder.forEach((at, place) => {
    told.atMs[place] = starts.startsMs[at];
    told.first[place] = first[at];
  });
  kernel.displaceAll(nowMs, shape.need[0], shape.durationMs);
  inOrder.forEach((at, place) => {
    outcome.isPossible[at] = first[at] < 0 ? 0 : 1;
    outcome.delayedJobs[at] = told.delayedJobs[place];
    outcome.weightedDelayMs[at] = told.weightedDelayMs[place];
  });
}

/**
 * All instants at which what is free changes, ascending, each once. Those of the tried starts are not among
 * them: half of all steps would be theirs, and every search would read them.
 */
function gridOf(profile: Profile, nowMs: number, queue: Queue): Float64Array {
  const live = profile.times.subarray(profile.head, profile.tail);
  const all = new Float64Array(1 + live.length + 2 * queue.count);
  all[0] = nowMs;
  let at = 1;
  for (const timeMs of live) all[at++] = Math.max(nowMs, timeMs);
  for (let i = 0; i < queue.count; i++) {
    all[at++] = queue.startMs[i];
    all[at++] = queue.startMs[i] + queue.durationMs[i];
  }
  all.sort();
  let distinct = 1;
  for (let i = 1; i < all.length; i++) if (all[i] !== all[distinct - 1]) all[distinct++] = all[i];
  return all.subarray(0, distinct);
}

/** What is laid out in the kernel's memory. */
interface Board {
  readonly kernel: Kernel;
  readonly queue: Queue;
  /** The grid. */
  readonly instantsMs: Float64Array;
  readonly starts: TriedStarts;
}

/** Columns there: the step of the grid at which each job starts, and of the tried starts. */
interface Columns {
  readonly step: Float64Array;
  readonly tried: {
    readonly atMs: Float64Array;
    readonly first: Float64Array;
    readonly delayedJobs: Float64Array;
    readonly weightedDelayMs: Float64Array;
  };
}

/** Lays the board out, and writes the jobs but for their steps. */
function layOut({ kernel, queue, instantsMs, starts }: Board): Columns {
  const rows = queue.count + 1;
  const tries = starts.startsMs.length;
  kernel.layOutBoard(queue.count, instantsMs.length, tries);
  const { buffer } = kernel.memory;
  const ofJobs = (column: number): Float64Array => new Float64Array(buffer, kernel.boardColumn(column), rows);
  const ofTries = (column: number): Float64Array =>
    new Float64Array(buffer, kernel.triedColumn(column), tries);
  ofJobs(0).set(queue.procs);
  ofJobs(1).set(queue.startMs);
  ofJobs(2).set(queue.durationMs);
  writeFirstOfRest(ofJobs(4), queue);
  ofJobs(5).set(starts.weights.subarray(0, queue.count));
  writeClasses(kernel, queue, [ofJobs(6), ofJobs(7), ofJobs(8), ofJobs(9)]);
  const [atMs, first, delayedJobs, weightedDelayMs] = [ofTries(0), ofTries(1), ofTries(2), ofTries(3)];
  return { step: ofJobs(3), tried: { atMs, first, delayedJobs, weightedDelayMs } };
}

/** The first start of the jobs from each place on. */
function writeFirstOfRest(firstMs: Float64Array, { count, startMs }: Queue): void {
  firstMs[count] = Number.POSITIVE_INFINITY;
  for (let i = count - 1; i >= 0; i--) firstMs[i] = Math.min(startMs[i], firstMs[i + 1]);
}

type ClassColumns = readonly [Float64Array, Float64Array, Float64Array, Float64Array];

function writeClasses(kernel: Kernel, { procs, durationMs }: Queue, columns: ClassColumns): void {
  const [width, length, countsFromWidth, countsFromLength] = columns;
  const rectangles = Array.from(procs, (wanted, i) => ({ procs: wanted, durationMs: durationMs[i] }));
  const classes = classesFor(rectangles);
  kernel.useClasses(classes.widths.length, classes.lengthsMs.length);
  for (const [i, rectangle] of rectangles.entries()) {
    const of = classOf(classes, rectangle);
    width[i] = of.width;
    length[i] = of.length;
    countsFromWidth[i] = of.countsFromWidth;
    countsFromLength[i] = of.countsFromLength;
  }
}

/** Writes the grid, free beside everything but the waiting jobs, and at which step each of these starts. */
function writeFree({ kernel, queue, instantsMs }: Board, profile: Profile, step: Float64Array): void {
  const { times, tail } = profile;
  const [free] = profile.free;
  const change = new Float64Array(instantsMs.length + 1);
  const placeOf = new Map<number, number>();
  for (let at = 0; at < instantsMs.length; at++) placeOf.set(instantsMs[at], at);
  for (let i = 0; i < queue.count; i++) {
    const first = placeOf.get(queue.startMs[i]) ?? 0;
    step[i] = first;
    change[first] += queue.procs[i];
    change[placeOf.get(queue.startMs[i] + queue.durationMs[i]) ?? instantsMs.length] -= queue.procs[i];
  }
  let own = profile.head;
  let waiting = 0;
  for (let at = 0; at < instantsMs.length; at++) {
    while (own + 1 < tail && times[own + 1] <= instantsMs[at]) own++;
    waiting += change[at];
    kernel.boardStep(at, instantsMs[at], free[own] + waiting);
  }
}
