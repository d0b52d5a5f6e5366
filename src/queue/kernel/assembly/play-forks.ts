/**
 * From which pass on a queue under FCFS or EASY may go another way because of one more reservation.
 *
 * The queue is played as it is. A pass in which every start and the head's promise leave room for the
 * reservation is the same with it: what has room has it still, and what has none has none. So for each
 * stretch of time is kept the first pass that leaves less there than the reservation needs.
 */

/** Bytes of a step: its begin, the free processors (f64), and the first pass that leaves fewer (i32). */
const STEP_BYTES: usize = 24;
const FREE: usize = 8;
const SHORT_FROM: usize = 16;

/**
 * Results of `forkOf` without a pass: for a start that conflicts with what cannot move, and for one that
 * changes no pass.
 */
export const IMPOSSIBLE: i32 = -1;
export const NEVER: i32 = i32.MAX_VALUE;

let grid: usize = 0;
let steps: i32 = 0;
let needed: f64 = 0;

/** Lays a grid of so many instants out; gives where it ends. */
export function layOutForks(from: usize, stepCount: i32): usize {
  grid = from;
  steps = stepCount;
  return grid + <usize>(steps + 1) * STEP_BYTES;
}

/** Where the grid begins: the caller writes instants, ascending, and what is free, three numbers a step. */
export function gridTable(): usize {
  return grid;
}

/** Begins with what the caller wrote. */
export function openForks(procs: i32): void {
  needed = procs;
  for (let step = grid; step < gridEnd(); step += STEP_BYTES) {
    store<i32>(step, load<f64>(step, FREE) < needed ? IMPOSSIBLE : NEVER, SHORT_FROM);
  }
  store<f64>(gridEnd(), Infinity);
}

function gridEnd(): usize {
  return grid + <usize>steps * STEP_BYTES;
}

/** A job starts in this pass. */
export function takeOfGrid(procs: i32, startMs: f64, endMs: f64, pass: i32): void {
  for (let step = stepAt(startMs); load<f64>(step) < endMs; step += STEP_BYTES) {
    const free = load<f64>(step, FREE) - procs;
    store<f64>(step, free, FREE);
    if (free < needed && load<i32>(step, SHORT_FROM) > pass) store<i32>(step, pass, SHORT_FROM);
  }
}

/** The head holds a promise in this pass. */
export function lookAtGrid(procs: i32, startMs: f64, endMs: f64, pass: i32): void {
  for (let step = stepAt(startMs); load<f64>(step) < endMs; step += STEP_BYTES) {
    if (load<f64>(step, FREE) - procs >= needed || load<i32>(step, SHORT_FROM) <= pass) continue;
    store<i32>(step, pass, SHORT_FROM);
  }
}

/** The first pass that may differ with the reservation in this time. */
export function forkOf(startMs: f64, endMs: f64): i32 {
  let first = NEVER;
  for (let step = stepAt(startMs); load<f64>(step) < endMs; step += STEP_BYTES) {
    first = min(first, load<i32>(step, SHORT_FROM));
  }
  return first;
}

/** The step that holds at an instant, which does not lie before the first. */
function stepAt(atMs: f64): usize {
  let low = 0;
  let high = steps;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (load<f64>(grid + <usize>middle * STEP_BYTES) <= atMs) low = middle;
    else high = middle;
  }
  return grid + <usize>low * STEP_BYTES;
}
