/**
 * Steps of what is free over a fixed grid of instants, side by side in blocks, in their order: 32 steps of
 * the grid each at first, and room for those that a trial adds. A full block passes its second half on to a
 * new one behind it.
 *
 * A place is 64 × its block + where in it. In each block one place more than there are steps holds the
 * instant at which the next block begins; that behind the last step of all is Infinity. For each step of
 * the grid is known where it lies now.
 */

/** Places of a block, and how many steps of the grid lie in one at first. */
export const PLACES: i32 = 64;
export const LOG2_PLACES: i32 = 6;
const MOST_STEPS: i32 = PLACES - 1;
const AT_FIRST: i32 = 32;
const LOG2_AT_FIRST: i32 = 5;

/**
 * Bytes of the entry for a block: its number of steps, the next block, and the first step of the grid that
 * may lie in it.
 */
const BLOCK: usize = 16;
const NEXT: usize = 4;
const HOME: usize = 8;

/** The instants of the grid (f64), and how many there are. */
let instants: usize = 0;
let gridSize: i32 = 0;
/** Initial state of every trial: free processors (i32) and instants (f64) by place, and the blocks. */
let gridFree: usize = 0;
let gridTimes: usize = 0;
let gridBlocks: usize = 0;
let gridBlockCount: i32 = 0;
/** The trial in hand. */
let free: usize = 0;
let times: usize = 0;
let blocks: usize = 0;
let blockCount: i32 = 0;
/** By step of the grid: its place (i32), in the trial and when it begins. */
let places: usize = 0;
let gridPlaces: usize = 0;

function blocksOf(size: i32): i32 {
  return ((size + AT_FIRST - 1) >> LOG2_AT_FIRST) + 1;
}

/** A full block leaves at least half a block's steps in each of two, so each needs so many new ones. */
function blocksFor(size: i32, room: i32): i32 {
  return blocksOf(size) + room / (MOST_STEPS - AT_FIRST) + 1;
}

/** The columns of one place, and of one block. */
function bytesOfBlocks(count: i32): usize {
  return <usize>count * (<usize>PLACES * 12 + BLOCK);
}

/** Bytes needed for a grid of this size and trials on it that add this many steps. */
export function bytesOfSteps(size: i32, room: i32): usize {
  const ofPlaces = (<usize>blocksOf(size)) << (LOG2_AT_FIRST + 2);
  return (
    LINE +
    ((<usize>size + 1) << 3) +
    2 * ofPlaces +
    bytesOfBlocks(blocksOf(size)) +
    bytesOfBlocks(blocksFor(size, room))
  );
}

/**
 * Bytes of a cache line; blocks are aligned to it, so that the steps of a block lie in no more lines than
 * they need.
 */
const LINE: usize = 64;

/** Lays out the steps from a place of memory on; `writeGrid` is to follow with instants and amounts. */
export function layOutSteps(at: usize, size: i32, room: i32): void {
  gridSize = size;
  gridBlockCount = blocksOf(size);
  const most = blocksFor(size, room);
  const bytesOfPlaces = (<usize>gridBlockCount) << (LOG2_AT_FIRST + 2);
  gridTimes = (at + LINE - 1) & ~(LINE - 1);
  times = gridTimes + ((<usize>gridBlockCount) << (LOG2_PLACES + 3));
  gridFree = times + ((<usize>most) << (LOG2_PLACES + 3));
  free = gridFree + ((<usize>gridBlockCount) << (LOG2_PLACES + 2));
  gridBlocks = free + ((<usize>most) << (LOG2_PLACES + 2));
  blocks = gridBlocks + <usize>gridBlockCount * BLOCK;
  gridPlaces = blocks + <usize>most * BLOCK;
  places = gridPlaces + bytesOfPlaces;
  instants = places + bytesOfPlaces;
  for (let block = 0; block < gridBlockCount; block++) {
    const home = block << LOG2_AT_FIRST;
    const here = gridBlocks + <usize>block * BLOCK;
    store<i32>(here, max(0, min(AT_FIRST, size - home)));
    store<i32>(here, block + 1, NEXT);
    store<i32>(here, home, HOME);
    for (let i = 0; i < AT_FIRST; i++) {
      store<i32>(gridPlaces + ((<usize>(home + i)) << 2), (block << LOG2_PLACES) + i);
    }
  }
  writeInstant(size, Infinity);
}

/** Writes a step of the grid. */
export function writeGrid(step: i32, atMs: f64, amount: f64): void {
  writeInstant(step, atMs);
  store<i32>(gridFree + ((<usize>gridPlaceOf(step)) << 2), <i32>amount);
}

/** The first instant of a block also ends the one before. */
function writeInstant(step: i32, atMs: f64): void {
  const place = gridPlaceOf(step);
  store<f64>(instants + ((<usize>step) << 3), atMs);
  store<f64>(gridTimes + ((<usize>place) << 3), atMs);
  if ((place & (PLACES - 1)) !== 0 || step === 0) return;
  store<f64>(gridTimes + ((<usize>(place - PLACES + AT_FIRST)) << 3), atMs);
}

function gridPlaceOf(step: i32): i32 {
  return ((step >> LOG2_AT_FIRST) << LOG2_PLACES) + (step & (AT_FIRST - 1));
}

/** Begins a trial: all is as on the grid. */
export function restart(): void {
  const count = <usize>gridBlockCount;
  memory.copy(times, gridTimes, count << (LOG2_PLACES + 3));
  memory.copy(free, gridFree, count << (LOG2_PLACES + 2));
  memory.copy(blocks, gridBlocks, count * BLOCK);
  memory.copy(places, gridPlaces, count << (LOG2_AT_FIRST + 2));
  blockCount = gridBlockCount;
}

/** Number of steps of the grid. */
export function stepsOfGrid(): i32 {
  return gridSize;
}

/** The instant of a step of the grid; Infinity behind the last. */
export function instantOf(step: i32): f64 {
  return load<f64>(instants + ((<usize>step) << 3));
}

/** The processors that are free from a step of the grid to the next; in the trial, no steps added yet. */
export function freeFrom(step: i32): i32 {
  return freeAt(gridPlaceOf(step));
}

/** The step of the grid that holds at an instant. */
export function gridStepAt(atMs: f64): i32 {
  let low = 0;
  let high = gridSize;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (instantOf(middle) <= atMs) low = middle;
    else high = middle;
  }
  return low;
}

/** A place at which a search from an instant may begin, whatever is added. */
export function searchPlaceAt(atMs: f64): i32 {
  return gridPlaceOf(gridStepAt(atMs));
}

/** Takes processors off the grid itself, between two of its steps. */
export function takeFromGrid(first: i32, end: i32, amount: i32): void {
  for (let step = first; step < end; step++) {
    const at = gridFree + ((<usize>gridPlaceOf(step)) << 2);
    store<i32>(at, load<i32>(at) - amount);
  }
}

/** Divides a step at an instant within it; gives the place of the new one. */
export function addStep(step: i32, atMs: f64): i32 {
  let place = step + 1;
  let block = step >> LOG2_PLACES;
  if (stepsIn(block) === MOST_STEPS) {
    divide(block);
    if ((step & (PLACES - 1)) >= AT_FIRST) {
      const from = block;
      block = nextOf(block);
      place += ((block - from) << LOG2_PLACES) - AT_FIRST;
    }
  }
  const amount = freeAt(place - 1);
  const behind = <usize>(endOf(block) - place);
  const hereTimes = times + ((<usize>place) << 3);
  const hereFree = free + ((<usize>place) << 2);
  memory.copy(hereTimes + 8, hereTimes, (behind + 1) << 3);
  memory.copy(hereFree + 4, hereFree, behind << 2);
  store<f64>(hereTimes, atMs);
  store<i32>(hereFree, amount);
  store<i32>(blocks + <usize>block * BLOCK, stepsIn(block) + 1);
  shiftPlaces(block, place, 1);
  return place;
}

/** Moves the second half of a full block to a new one behind it. */
function divide(block: i32): void {
  const added = blockCount++;
  const half = (block << LOG2_PLACES) + AT_FIRST;
  const to = added << LOG2_PLACES;
  const moved = <usize>(MOST_STEPS - AT_FIRST);
  memory.copy(times + ((<usize>to) << 3), times + ((<usize>half) << 3), (moved + 1) << 3);
  memory.copy(free + ((<usize>to) << 2), free + ((<usize>half) << 2), moved << 2);
  const old = blocks + <usize>block * BLOCK;
  const made = blocks + <usize>added * BLOCK;
  store<i32>(made, <i32>moved);
  store<i32>(made, load<i32>(old, NEXT), NEXT);
  store<i32>(made, load<i32>(old, HOME), HOME);
  store<i32>(old, AT_FIRST);
  store<i32>(old, added, NEXT);
  shiftPlaces(block, half, to - half);
}

/** Says where the steps of the grid lie now that what lies in a block from a place on was moved. */
function shiftPlaces(block: i32, from: i32, by: i32): void {
  const end = i32x4.splat((block + 1) << LOG2_PLACES);
  const first = i32x4.splat(from);
  const shift = i32x4.splat(by);
  const home = places + ((<usize>load<i32>(blocks + <usize>block * BLOCK, HOME)) << 2);
  for (let at = home; at < home + (AT_FIRST << 2); at += 16) {
    const old = v128.load(at);
    const isMoved = v128.and(i32x4.ge_s(old, first), i32x4.lt_s(old, end));
    v128.store(at, i32x4.add(old, v128.and(shift, isMoved)));
  }
}

// What lies where.

/** Where a step of the grid lies now. */
export function placeOf(step: i32): i32 {
  return load<i32>(places + ((<usize>step) << 2));
}

/** Where what is free from a place on is written (i32, those of a block side by side). */
export function whereFree(place: i32): usize {
  return free + ((<usize>place) << 2);
}

/** Free processors from the step at a place on. */
export function freeAt(place: i32): i32 {
  return load<i32>(free + ((<usize>place) << 2));
}

/** Sets the free processors from the step at a place on. */
export function setFree(place: i32, amount: i32): void {
  store<i32>(free + ((<usize>place) << 2), amount);
}

/** When the step at a place begins; behind the last of a block, when the next block does. */
export function timeAt(place: i32): f64 {
  return load<f64>(times + ((<usize>place) << 3));
}

/** Number of steps in a block. */
export function stepsIn(block: i32): i32 {
  return load<i32>(blocks + <usize>block * BLOCK);
}

/** The place behind the last step of a block. */
export function endOf(block: i32): i32 {
  return (block << LOG2_PLACES) + stepsIn(block);
}

/** The block that follows one in time. */
export function nextOf(block: i32): i32 {
  return load<i32>(blocks + <usize>block * BLOCK, NEXT);
}
