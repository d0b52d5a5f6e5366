/**
 * Displacement of waiting jobs by one more reservation of processors under conservative backfilling, for
 * many starts of it at once, in the compiled kernel.
 *
 * Equivalent to `displaceMany` for one column; differs for speed in this way: all but the preparing runs in
 * `kernel/assembly/displace`, see there.
 */
import type { Profile } from "../../profile/index.ts";
import { type Kernel, sharedKernel } from "../kernel/load.ts";
import type { Machine } from "../machine.ts";
import { freeAtEach, instantsOf } from "./instants.ts";
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

/** True for one pool of processors alone, with amounts below 2^31, which the kernel can represent. */
export function isDisplacedFast({ pools, jobs }: Machine, { need }: ReservationShape): boolean {
  return pools.length === 1 && jobs.need.length === 1 && Math.max(pools[0].capacity[0], need[0]) < 2 ** 31;
}

/** Fills in the outcome of each start; see the header. */
export function displaceProcs(tried: TriedMachine, starts: TriedStarts, outcome: TriedReservations): void {
  const kernel = sharedKernel();
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
  // Without the tried starts: half of all steps would be theirs, and every search would read them.
  const instantsMs = instantsOf({ profile, nowMs, ...queue }, NO_INSTANTS);
  const told = layOut({ kernel, queue, instantsMs, starts }, profile);
  const { shape } = starts;
  kernel.findFirstDisplaced(shape.need[0], shape.durationMs);
  const first = Float64Array.from(told.first);
  const inOrder = Int32Array.from(first, (_, at) => at).sort((a, b) => first[a] - first[b] || a - b);
  inOrder.forEach((at, place) => {
    told.atMs[place] = starts.startsMs[at];
    told.first[place] = first[at];
  });
  kernel.displaceAll(shape.need[0], shape.durationMs);
  inOrder.forEach((at, place) => {
    outcome.isPossible[at] = first[at] < 0 ? 0 : 1;
    outcome.delayedJobs[at] = told.delayedJobs[place];
    outcome.weightedDelayMs[at] = told.weightedDelayMs[place];
  });
}

const NO_INSTANTS = new Float64Array(0);

/** Input that is laid out in the kernel's memory. */
interface Board {
  readonly kernel: Kernel;
  readonly queue: Queue;
  /** The grid. */
  readonly instantsMs: Float64Array;
  readonly starts: TriedStarts;
}

/** The tried starts there, by columns. */
interface TriedColumns {
  readonly atMs: Float64Array;
  readonly first: Float64Array;
  readonly delayedJobs: Float64Array;
  readonly weightedDelayMs: Float64Array;
}

/**
 * Layout of a job's row in the kernel's memory: number of f64 or i32 places, and below it their positions.
 */
const ROW = { numbers: 10, wholes: 20 } as const;
const [START, DURATION, FIRST_OF_REST, WEIGHT] = [0, 1, 2, 3];
const [PROCS, STEP, END_STEP, WIDTH, LENGTH, COUNTS_FROM_WIDTH, COUNTS_FROM_LENGTH] = [
  8, 9, 10, 11, 12, 13, 14,
];

/** Lays the board out, with all that is on it. */
function layOut(board: Board, profile: Profile): TriedColumns {
  const { kernel, queue, instantsMs, starts } = board;
  const tries = starts.startsMs.length;
  kernel.layOutBoard(queue.count, instantsMs.length, tries);
  writeFree(board, profile, writeJobs(board));
  const columns = [0, 1, 2, 3].map(
    (column) => new Float64Array(kernel.memory.buffer, kernel.triedColumn(column), tries),
  );
  const [atMs, first, delayedJobs, weightedDelayMs] = columns;
  atMs.set(starts.startsMs);
  return { atMs, first, delayedJobs, weightedDelayMs };
}

/** Writes the rows of the jobs; gives by how much more is free from each step of the grid on without them. */
function writeJobs({ kernel, queue, instantsMs, starts }: Board): Float64Array {
  const { count, procs, startMs, durationMs } = queue;
  const at = kernel.boardRows();
  const numbers = new Float64Array(kernel.memory.buffer, at, count * ROW.numbers);
  const wholes = new Int32Array(kernel.memory.buffer, at, count * ROW.wholes);
  const change = new Float64Array(instantsMs.length + 1);
  const stepOf = new Map<number, number>();
  for (let step = 0; step < instantsMs.length; step++) stepOf.set(instantsMs[step], step);
  let firstOfRestMs = Number.POSITIVE_INFINITY;
  for (let i = count - 1; i >= 0; i--) {
    firstOfRestMs = Math.min(firstOfRestMs, startMs[i]);
    const own = i * ROW.numbers;
    numbers[own + START] = startMs[i];
    numbers[own + DURATION] = durationMs[i];
    numbers[own + FIRST_OF_REST] = firstOfRestMs;
    numbers[own + WEIGHT] = starts.weights[i];
    const whole = i * ROW.wholes;
    const first = stepOf.get(startMs[i]) ?? 0;
    const end = stepOf.get(startMs[i] + durationMs[i]) ?? instantsMs.length;
    wholes[whole + PROCS] = procs[i];
    wholes[whole + STEP] = first;
    wholes[whole + END_STEP] = end;
    change[first] += procs[i];
    change[end] -= procs[i];
  }
  writeClasses(kernel, queue, wholes);
  return change;
}

function writeClasses(kernel: Kernel, { procs, durationMs }: Queue, wholes: Int32Array): void {
  const rectangles = Array.from(procs, (wanted, i) => ({ procs: wanted, durationMs: durationMs[i] }));
  const classes = classesFor(rectangles);
  kernel.useClasses(classes.widths.length, classes.lengthsMs.length);
  for (const [i, rectangle] of rectangles.entries()) {
    const of = classOf(classes, rectangle);
    const row = i * ROW.wholes;
    wholes[row + WIDTH] = of.width;
    wholes[row + LENGTH] = of.length;
    wholes[row + COUNTS_FROM_WIDTH] = of.countsFromWidth;
    wholes[row + COUNTS_FROM_LENGTH] = of.countsFromLength;
  }
}

/** Writes the grid, free beside everything but the waiting jobs. */
function writeFree({ kernel, instantsMs }: Board, profile: Profile, change: Float64Array): void {
  const free = freeAtEach(profile, instantsMs);
  let waiting = 0;
  for (let at = 0; at < instantsMs.length; at++) {
    waiting += change[at];
    kernel.boardStep(at, instantsMs[at], free[at] + waiting);
  }
}
