/**
 * Displacement of waiting jobs by one more reservation under conservative backfilling, for many starts of it.
 *
 * Equivalent to making it on a copy of the machine for each start (rule QU-7: running jobs, reservations
 * and the new one fixed, in queue order each job keeps its place if that still fits beside those already
 * put back, else takes its earliest). For one pool of several resources (of processors alone:
 * `conservative-procs`); differs for speed in these ways:
 * 1. For each stretch of time is known the first job that makes less free there than the reservation needs.
 *    So the first job that it displaces is the least of these in its span, and all before that one keep
 *    their places unasked; starts that share it begin from one copy.
 * 2. As long as nothing earlier has moved a job's own place needs a check and no search. A search begins
 *    where the job could start at all: not before its earliest start beside the jobs before it, but where a
 *    displaced one left room.
 * 3. When all the jobs that are left start behind everything that was moved, nothing more happens.
 * Cost: (starts that displace somebody) × (jobs behind the first displaced) × steps of a job.
 */
import { freeAt, type Profile } from "../../profile/index.ts";
import type { ReservationShape, TriedReservations, TriedStarts } from "./outcome.ts";
import {
  addStep,
  createChain,
  type FoundPlace,
  findEarliest,
  gridStepAt,
  type Rectangle,
  restart,
  type StepChain,
  takeFound,
  takeIfFree,
  takeSteps,
} from "./step-chain.ts";
import type { TriedMachine } from "./waiting-starts.ts";

/** The waiting jobs in queue order, by columns. */
interface Queue {
  readonly count: number;
  readonly needs: readonly Float64Array[];
  readonly startMs: Float64Array;
  readonly durationMs: Float64Array;
  /** The step of the grid at which each starts. */
  readonly step: Int32Array;
  /** The earliest start of each beside those before it alone. */
  readonly aloneMs: Float64Array;
  /** The first start of those from here on. */
  readonly firstOfRestMs: Float64Array;
}

/** State shared by all trials. */
interface Board {
  readonly nowMs: number;
  readonly tried: TriedStarts;
  readonly queue: Queue;
  readonly chain: StepChain;
  /** Free amounts on the grid beside running jobs, reservations, and the jobs put back so far. */
  readonly gridFree: readonly Float64Array[];
  readonly found: FoundPlace;
}

/** Fills in the outcome of each start; see the header. */
export function displaceMany(tried: TriedMachine, starts: TriedStarts, outcome: TriedReservations): void {
  const board = boardOf(tried, starts);
  const { queue, gridFree } = board;
  const empty = gridFree.map((column) => column.slice());
  const shortFrom = putAllBack(board);
  const first = starts.startsMs.map((startMs) => firstDisplaced(board, shortFrom, startMs));
  const inOrder = Int32Array.from(first, (_, at) => at).sort((a, b) => first[a] - first[b] || a - b);
  for (let c = 0; c < empty.length; c++) gridFree[c].set(empty[c]);
  let placed = 0;
  for (const at of inOrder) {
    if (first[at] === IMPOSSIBLE) continue;
    outcome.isPossible[at] = 1;
    if (first[at] === queue.count) continue;
    while (placed < first[at]) putBack(board, placed++);
    displaceFrom(board, first[at], at, outcome);
  }
}

/** The first displaced of a start that conflicts with what cannot move. */
const IMPOSSIBLE = -1;

function boardOf({ machine, present }: TriedMachine, tried: TriedStarts): Board {
  const { jobs, nowMs } = machine;
  const [profile] = machine.pools;
  const { handles, startMs } = present;
  const count = handles.length;
  const durationMs = Float64Array.from(handles, (handle) => jobs.estimateMs[handle]);
  const instants = new Set<number>([nowMs, ...tried.startsMs]);
  for (let at = profile.head; at < profile.tail; at++) instants.add(Math.max(nowMs, profile.times[at]));
  for (let i = 0; i < count; i++) instants.add(startMs[i]).add(startMs[i] + durationMs[i]);
  // The reservation and each displaced job add two steps at most.
  const chain = createChain(Float64Array.from(instants).sort(), 2 * count + 2, jobs.need.length);
  const firstOfRestMs = new Float64Array(count + 1).fill(Number.POSITIVE_INFINITY);
  for (let i = count - 1; i >= 0; i--) firstOfRestMs[i] = Math.min(startMs[i], firstOfRestMs[i + 1]);
  const queue: Queue = {
    count,
    needs: Array.from(handles, (handle) => Float64Array.from(jobs.need, (column) => column[handle])),
    startMs,
    durationMs,
    step: Int32Array.from(startMs, (atMs) => gridStepAt(chain, atMs)),
    aloneMs: new Float64Array(count),
    firstOfRestMs,
  };
  const gridFree = freeWithout(queue, machine.pools[0], chain);
  return { nowMs, tried, queue, chain, gridFree, found: { step: 0, last: 0, startMs: 0 } };
}

/** Free amounts on the grid without the waiting jobs. */
function freeWithout({ count, needs, ...queue }: Queue, profile: Profile, chain: StepChain): Float64Array[] {
  const { gridSize, times } = chain;
  return Array.from(profile.free, (_, c) => {
    const free = Float64Array.from({ length: gridSize }, (_step, at) => freeAt(profile, times[at], c));
    for (let i = 0; i < count; i++) {
      const endMs = queue.startMs[i] + queue.durationMs[i];
      for (let at = queue.step[i]; at < gridSize && times[at] < endMs; at++) free[at] += needs[i][c];
    }
    return free;
  });
}

/**
 * Puts every job back to its place, in queue order, and finds on the way its earliest start beside those
 * before it.
 *
 * @returns by step of the grid the first job with which less is free there than the reservation needs; as
 *   many as there are jobs where none is the first; IMPOSSIBLE where less is free without any
 */
function putAllBack(board: Board): Int32Array {
  const { queue, chain, gridFree, found, nowMs, tried } = board;
  const { need } = tried.shape;
  restart(chain, gridFree);
  const shortFrom = new Int32Array(chain.gridSize).fill(queue.count);
  for (let c = 0; c < need.length; c++) {
    for (let at = 0; at < chain.gridSize; at++) if (gridFree[c][at] < need[c]) shortFrom[at] = IMPOSSIBLE;
  }
  for (let i = 0; i < queue.count; i++) {
    const job = rectangleOf(queue, i);
    findEarliest(chain, job, nowMs, found);
    queue.aloneMs[i] = found.startMs;
    const endMs = queue.startMs[i] + job.durationMs;
    takeSteps(chain, job.need, queue.step[i], endMs);
    for (let c = 0; c < need.length; c++) {
      const free = chain.free[c];
      for (let at = queue.step[i]; at < chain.gridSize && chain.times[at] < endMs; at++) {
        if (free[at] < need[c] && shortFrom[at] === queue.count) shortFrom[at] = i;
      }
    }
  }
  return shortFrom;
}

/** The first job that a reservation from this start displaces. */
function firstDisplaced({ chain, tried }: Board, shortFrom: Int32Array, startMs: number): number {
  const { times, gridSize } = chain;
  const endMs = startMs + tried.shape.durationMs;
  let at = gridStepAt(chain, startMs);
  let first = shortFrom[at];
  while (++at < gridSize && times[at] < endMs) if (shortFrom[at] < first) first = shortFrom[at];
  return first;
}

/** Puts a job back into what all trials begin with. */
function putBack({ queue, chain, gridFree }: Board, i: number): void {
  const { times, gridSize } = chain;
  const endMs = queue.startMs[i] + queue.durationMs[i];
  for (let c = 0; c < gridFree.length; c++) {
    const amount = queue.needs[i][c];
    for (let at = queue.step[i]; at < gridSize && times[at] < endMs; at++) gridFree[c][at] -= amount;
  }
}

/** Makes the reservation and puts the jobs back from the first one that it displaces. */
function displaceFrom(board: Board, first: number, at: number, outcome: TriedReservations): void {
  const { queue, chain, gridFree, found, nowMs, tried } = board;
  const { startMs, durationMs, step, aloneMs, firstOfRestMs } = queue;
  restart(chain, gridFree);
  let movedBeforeMs = takeReservation(chain, tried.shape, tried.startsMs[at]);
  let roomFromMs = Number.POSITIVE_INFINITY;
  let delayed = 0;
  let weighted = 0;
  for (let i = first; i < queue.count && firstOfRestMs[i] < movedBeforeMs; i++) {
    if (takeIfFree(chain, queue.needs[i], step[i], startMs[i] + durationMs[i])) continue;
    const job = rectangleOf(queue, i);
    const fromMs = Math.min(aloneMs[i], Math.max(nowMs, roomFromMs - job.durationMs + 1));
    findEarliest(chain, job, fromMs, found);
    takeFound(chain, job, found);
    movedBeforeMs = Math.max(movedBeforeMs, found.startMs + job.durationMs);
    roomFromMs = Math.min(roomFromMs, startMs[i]);
    const delayMs = found.startMs - startMs[i];
    if (delayMs <= 0) continue;
    delayed++;
    weighted += tried.weights[i] * delayMs;
  }
  outcome.delayedJobs[at] = delayed;
  outcome.weightedDelayMs[at] = weighted;
}

/** Takes the reservation, whose start is on the grid; gives its end. */
function takeReservation(chain: StepChain, { need, durationMs }: ReservationShape, startMs: number): number {
  const { times, next } = chain;
  const endMs = startMs + durationMs;
  const step = gridStepAt(chain, startMs);
  let last = step;
  while (times[next[last]] < endMs) last = next[last];
  if (times[next[last]] > endMs) addStep(chain, last, endMs);
  takeSteps(chain, need, step, endMs);
  return endMs;
}

function rectangleOf({ needs, durationMs }: Queue, i: number): Rectangle {
  return { need: needs[i], durationMs: durationMs[i] };
}
