/**
 * Free processors as a chain of steps over a fixed grid of instants, to place rectangles on again and again.
 *
 * Equivalent to `trial/step-chain` with one column; differs for speed in this way: a step is one place in
 * memory (its instant, what is free from then on, and where the next step lies), so that a search reads one
 * place a step. Steps are named by where they lie. The last is behind everything, at Infinity.
 */

/** Of a step: its instant (f64), the processors (i32), where the next one lies (u32). */
const STEP: usize = 16;
const FREE: usize = 8;
const NEXT: usize = 12;

/** What every trial begins with, and the chain of the one in hand. */
let grid: usize = 0;
let chain: usize = 0;
let gridSize: i32 = 0;
/** Where the next step goes that a trial adds. */
let added: usize = 0;

/** Where the last rectangle was found: within which step it starts, the last step that it uses, and when. */
let foundStep: usize = 0;
let foundLast: usize = 0;
export let foundMs: f64 = 0;

/** So many bytes take a grid, and its chain with room for so many steps more. */
export function bytesOfSteps(size: i32, room: i32): usize {
  return <usize>(size + (size + room + 1)) * STEP;
}

/** Lays them out from a place on; the grid's instants and amounts are to be written there (`writeGrid`). */
export function layOutSteps(at: usize, size: i32, room: i32): void {
  gridSize = size;
  grid = at;
  chain = at + <usize>size * STEP;
  const behind = chain + <usize>(size + room) * STEP;
  for (let step = 0; step < size; step++) {
    const next = step + 1 < size ? chain + <usize>(step + 1) * STEP : behind;
    store<u32>(grid + <usize>step * STEP, <u32>next, NEXT);
  }
  store<f64>(behind, Infinity);
  store<i32>(behind, 0, FREE);
  store<u32>(behind, <u32>behind, NEXT);
}

/** Writes a step of the grid. */
export function writeGrid(step: i32, atMs: f64, free: f64): void {
  store<f64>(grid + <usize>step * STEP, atMs);
  store<i32>(grid + <usize>step * STEP, <i32>free, FREE);
}

/** Begins a trial: the chain is that of the grid. */
export function restart(): void {
  memory.copy(chain, grid, <usize>gridSize * STEP);
  added = chain + <usize>gridSize * STEP;
}

/** How many steps the grid has. */
export function stepsOfGrid(): i32 {
  return gridSize;
}

/** The step of the chain with this number in the grid. */
export function stepAt(number: i32): usize {
  return chain + <usize>number * STEP;
}

/** The instant of a step. */
export function timeOf(step: usize): f64 {
  return load<f64>(step);
}

/** The processors free from a step on. */
export function freeOf(step: usize): i32 {
  return load<i32>(step, FREE);
}

/** The step that holds at an instant, among those of the grid. */
export function gridStepAt(atMs: f64): i32 {
  let low = 0;
  let high = gridSize;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (load<f64>(grid + <usize>middle * STEP) <= atMs) low = middle;
    else high = middle;
  }
  return low;
}

/** Takes processors off the grid itself, from a step on. */
export function takeFromGrid(number: i32, amount: i32, endMs: f64): void {
  const end = grid + <usize>gridSize * STEP;
  for (let at = grid + <usize>number * STEP; at < end && load<f64>(at) < endMs; at += STEP) {
    store<i32>(at, load<i32>(at, FREE) - amount, FREE);
  }
}

/** Takes a rectangle from a step on, if it is free; else changes nothing. */
export function takeIfFree(step: usize, amount: i32, endMs: f64): bool {
  let at = step;
  while (load<f64>(at) < endMs) {
    const left = load<i32>(at, FREE) - amount;
    if (left < 0) {
      takeBack(step, at, amount);
      return false;
    }
    store<i32>(at, left, FREE);
    at = load<u32>(at, NEXT);
  }
  return true;
}

function takeBack(from: usize, to: usize, amount: i32): void {
  for (let at = from; at !== to; at = load<u32>(at, NEXT)) store<i32>(at, load<i32>(at, FREE) + amount, FREE);
}

/** Takes what is known to be free, from a step on. */
export function takeSteps(step: usize, amount: i32, endMs: f64): void {
  for (let at = step; load<f64>(at) < endMs; at = load<u32>(at, NEXT)) {
    store<i32>(at, load<i32>(at, FREE) - amount, FREE);
  }
}

/** Finds the earliest start of a rectangle from `fromMs` on, which there must be. */
export function findEarliest(amount: i32, durationMs: f64, fromMs: f64): void {
  let step = stepAt(gridStepAt(fromMs));
  let next: usize = load<u32>(step, NEXT);
  while (load<f64>(next) <= fromMs) {
    step = next;
    next = load<u32>(step, NEXT);
  }
  let startMs = fromMs;
  while (true) {
    if (load<i32>(step, FREE) < amount) {
      do step = load<u32>(step, NEXT);
      while (load<i32>(step, FREE) < amount);
      startMs = load<f64>(step);
    }
    const endMs = startMs + durationMs;
    let last = step;
    let at: usize = load<u32>(step, NEXT);
    while (load<f64>(at) < endMs && load<i32>(at, FREE) >= amount) {
      last = at;
      at = load<u32>(at, NEXT);
    }
    if (load<f64>(at) >= endMs) {
      foundStep = step;
      foundLast = last;
      foundMs = startMs;
      return;
    }
    step = at;
  }
}

/** Takes a rectangle where it was found last. */
export function takeFound(amount: i32, durationMs: f64): void {
  const endMs = foundMs + durationMs;
  if (load<f64>(load<u32>(foundLast, NEXT)) > endMs) addStep(foundLast, endMs);
  const first = load<f64>(foundStep) < foundMs ? addStep(foundStep, foundMs) : foundStep;
  takeSteps(first, amount, endMs);
}

/** Takes a reservation, which is known to be free, from an instant on. */
export function takeReservation(amount: i32, fromMs: f64, endMs: f64): void {
  let step = stepAt(gridStepAt(fromMs));
  if (load<f64>(step) < fromMs) step = addStep(step, fromMs);
  let last = step;
  let next: usize = load<u32>(last, NEXT);
  while (load<f64>(next) < endMs) {
    last = next;
    next = load<u32>(last, NEXT);
  }
  if (load<f64>(next) > endMs) addStep(last, endMs);
  takeSteps(step, amount, endMs);
}

/** Divides a step at an instant within it; gives the new one. */
function addStep(step: usize, atMs: f64): usize {
  const here = added;
  added += STEP;
  store<f64>(here, atMs);
  store<i32>(here, load<i32>(step, FREE), FREE);
  store<u32>(here, load<u32>(step, NEXT), NEXT);
  store<u32>(step, <u32>here, NEXT);
  return here;
}
