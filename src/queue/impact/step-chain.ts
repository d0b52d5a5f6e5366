/**
 * Free capacity as a chain of steps over a fixed grid of instants, to place rectangles on again and again.
 *
 * Equivalent to a profile; differs for speed in these ways: the instants that every trial shares have
 * fixed places, so that where a rectangle begins is known without a search; what a trial adds is hung
 * between them and forgotten with it; and beginning anew is a copy.
 */

/** Plain arrays. A step is a place in them; the last place is behind everything. */
export interface StepChain {
  /** Number of steps of the grid. */
  readonly gridSize: number;
  readonly times: Float64Array;
  readonly next: Int32Array;
  /** Per column. */
  readonly free: readonly Float64Array[];
  /** The chain of the grid alone. */
  readonly gridNext: Int32Array;
  /** The next place for a step that a trial adds. */
  added: number;
}

/** Amounts to be placed for a duration. */
export interface Rectangle {
  readonly need: ArrayLike<number>;
  readonly durationMs: number;
}

/** A chain over these instants (ascending, each once), with room for so many more; nothing is free yet. */
export function createChain(instantsMs: Float64Array, room: number, columns: number): StepChain {
  const gridSize = instantsMs.length;
  const behind = gridSize + room;
  const times = new Float64Array(behind + 1);
  times.set(instantsMs);
  times[behind] = Number.POSITIVE_INFINITY;
  const gridNext = Int32Array.from({ length: gridSize }, (_, step) => step + 1);
  gridNext[gridSize - 1] = behind;
  const next = new Int32Array(behind + 1);
  next.set(gridNext);
  next[behind] = behind;
  const free = Array.from({ length: columns }, () => new Float64Array(behind + 1));
  return { gridSize, times, next, free, gridNext, added: gridSize };
}

/** Forgets what was added, and takes over what is free on the grid. */
export function restart(chain: StepChain, gridFree: readonly Float64Array[]): void {
  chain.next.set(chain.gridNext);
  for (let c = 0; c < gridFree.length; c++) chain.free[c].set(gridFree[c]);
  chain.added = chain.gridSize;
}

/** The step of the grid that holds at an instant, which must not lie before the first. */
export function gridStepAt({ times, gridSize }: StepChain, atMs: number): number {
  let low = 0;
  let high = gridSize;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= atMs) low = middle;
    else high = middle;
  }
  return low;
}

/**
 * Takes a rectangle that begins at a step and ends at one, if it is free; else changes nothing.
 *
 * @returns whether it was free
 */
export function takeIfFree(chain: StepChain, need: ArrayLike<number>, step: number, endMs: number): boolean {
  const { times, next } = chain;
  for (let at = step; times[at] < endMs; at = next[at]) if (!isEnough(chain, need, at)) return false;
  takeSteps(chain, need, step, endMs);
  return true;
}

/** Where something was found: it starts at `startMs`, within `step`; `last` is the last step that it uses. */
export interface FoundPlace {
  step: number;
  last: number;
  startMs: number;
}

/** The earliest start of a rectangle from `fromMs` on, which there must be; written into `found`. */
export function findEarliest(
  chain: StepChain,
  { need, durationMs }: Rectangle,
  fromMs: number,
  found: FoundPlace,
): void {
  const { times, next } = chain;
  let step = gridStepAt(chain, fromMs);
  while (times[next[step]] <= fromMs) step = next[step];
  let startMs = fromMs;
  for (;;) {
    while (!isEnough(chain, need, step)) {
      step = next[step];
      startMs = times[step];
    }
    const endMs = startMs + durationMs;
    let last = step;
    let at = next[step];
    while (times[at] < endMs && isEnough(chain, need, at)) {
      last = at;
      at = next[at];
    }
    if (times[at] >= endMs) {
      found.step = step;
      found.last = last;
      found.startMs = startMs;
      return;
    }
    step = at;
    startMs = times[at];
  }
}

/** Takes a rectangle where it was found. */
export function takeFound(
  chain: StepChain,
  { need, durationMs }: Rectangle,
  { step, last, startMs }: FoundPlace,
): void {
  const { times, next } = chain;
  const endMs = startMs + durationMs;
  if (times[next[last]] > endMs) addStep(chain, last, endMs);
  takeSteps(chain, need, times[step] < startMs ? addStep(chain, step, startMs) : step, endMs);
}

/** Takes what is known to be free, from a step on. */
export function takeSteps(chain: StepChain, need: ArrayLike<number>, step: number, endMs: number): void {
  const { times, next, free } = chain;
  for (let c = 0; c < free.length; c++) {
    const column = free[c];
    const amount = need[c];
    for (let at = step; times[at] < endMs; at = next[at]) column[at] -= amount;
  }
}

/** Divides a step at an instant within it; gives the new one. */
export function addStep(chain: StepChain, step: number, atMs: number): number {
  const { times, next, free } = chain;
  const added = chain.added++;
  times[added] = atMs;
  for (let c = 0; c < free.length; c++) free[c][added] = free[c][step];
  next[added] = next[step];
  next[step] = added;
  return added;
}

function isEnough({ free }: StepChain, need: ArrayLike<number>, step: number): boolean {
  for (let c = 0; c < free.length; c++) if (free[c][step] < need[c]) return false;
  return true;
}
