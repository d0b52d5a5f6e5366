/**
 * Free capacity of every node of a pool over time: one vector of all nodes per step.
 *
 * A step lasts from its instant to the next one's; from the last step on nothing changes. A place is a start
 * and nodes that have room for the whole time from it to the estimated end (rule QU-32).
 * Cost: O(steps × nodes × resources) for a change. A window is looked at from its end: whatever is short in
 * its last part is short for every start before that part too, so the search goes on behind it.
 */
import { assert } from "../../base/index.ts";
import {
  changeShares,
  emptyNodes,
  type FreeOnNodes,
  firstFit,
  hasRoomForAll,
  type NodeShare,
  type TaskShape,
} from "./fit.ts";

/** Free capacity on the nodes of a pool from the instant of its first step on. */
export interface NodeTimeline {
  readonly startsMs: number[];
  readonly steps: FreeOnNodes[];
  /** By step: free amounts of the whole pool, by resource. */
  readonly totals: Float64Array[];
  /** Scratch: amounts that are free during the whole of a window. */
  readonly throughout: FreeOnNodes;
}

/** Tasks of a job, or a node that is down, on nodes for a time. */
export interface NodeRectangle {
  readonly shares: readonly NodeShare[];
  readonly perTask: readonly number[];
  readonly fromMs: number;
  readonly untilMs: number;
}

/** A start, and the nodes that have room from then on. */
export interface NodePlace {
  readonly startMs: number;
  readonly shares: readonly NodeShare[];
}

/** Where a place is looked for: its start is in [fromMs, beforeMs). */
export interface SearchedStarts {
  readonly fromMs: number;
  readonly beforeMs: number;
}

/** Everything is free from instant 0 on. */
export function emptyTimeline(nodes: number, perNode: readonly number[]): NodeTimeline {
  const all = perNode.map((amount) => amount * nodes);
  return {
    startsMs: [0],
    steps: [emptyNodes(nodes, perNode)],
    totals: [Float64Array.from(all)],
    throughout: emptyNodes(nodes, perNode),
  };
}

/** Forgets what was before an instant. */
export function forgetBefore({ startsMs, steps, totals }: NodeTimeline, nowMs: number): void {
  let past = 0;
  while (past + 1 < startsMs.length && startsMs[past + 1] <= nowMs) past++;
  startsMs.splice(0, past);
  steps.splice(0, past);
  totals.splice(0, past);
  startsMs[0] = Math.max(startsMs[0], nowMs);
}

/** Takes a rectangle out of what is free (sign −1), or gives back what of it is still to come (sign 1). */
export function changeRectangle(timeline: NodeTimeline, rectangle: NodeRectangle, sign: 1 | -1): void {
  const { shares, perTask, untilMs } = rectangle;
  const { startsMs, steps, totals } = timeline;
  const fromMs = Math.max(rectangle.fromMs, startsMs[0]);
  if (untilMs <= fromMs) return;
  const first = stepAt(timeline, fromMs);
  const end = stepAt(timeline, untilMs);
  const tasks = shares.reduce((sum, share) => sum + share.tasks, 0);
  for (let step = first; step < end; step++) {
    changeShares(steps[step], shares, perTask, sign);
    for (let c = 0; c < perTask.length; c++) totals[step][c] += sign * tasks * perTask[c];
  }
  mergeAt(timeline, end);
  mergeAt(timeline, first);
  assert(startsMs.length === steps.length, "a step has its instant");
}

/** True where the nodes of a rectangle have room for it during its whole time. */
export function hasRoom(
  timeline: NodeTimeline,
  { shares, perTask, fromMs, untilMs }: NodeRectangle,
): boolean {
  const { startsMs, steps } = timeline;
  for (let step = stepOf(timeline, fromMs); step < steps.length && startsMs[step] < untilMs; step++) {
    const { free, columns } = steps[step];
    for (const { node, tasks } of shares) {
      for (let c = 0; c < columns; c++) if (free[node * columns + c] < tasks * perTask[c]) return false;
    }
  }
  return true;
}

/** The earliest place of a job among the starts that are searched, on the first nodes by index. */
export function earliestPlaceOnNodes(
  timeline: NodeTimeline,
  shape: TaskShape,
  lengthMs: number,
  { fromMs, beforeMs }: SearchedStarts,
): NodePlace | undefined {
  const { startsMs, throughout } = timeline;
  for (let step = stepOf(timeline, fromMs); step < startsMs.length; step++) {
    const startMs = Math.max(startsMs[step], fromMs);
    if (startMs >= beforeMs) return undefined;
    const short = lastShortStep(timeline, shape, step, startMs + lengthMs);
    if (short < 0) return { startMs, shares: sharesOf(throughout, shape) };
    step = short;
  }
  return undefined;
}

/**
 * False where the totals of the pool rule out every searched start of a rectangle, with its present place
 * free; true does not mean that it fits on nodes.
 */
export function mayBeginEarlier(
  timeline: NodeTimeline,
  rectangle: NodeRectangle,
  { fromMs, beforeMs }: SearchedStarts,
): boolean {
  const { startsMs, totals } = timeline;
  const { shares, perTask } = rectangle;
  const tasks = shares.reduce((sum, share) => sum + share.tasks, 0);
  const lengthMs = rectangle.untilMs - rectangle.fromMs;
  const isShort = (step: number): boolean => {
    if (startsMs[step] < rectangle.untilMs && (startsMs[step + 1] ?? Infinity) > rectangle.fromMs)
      return false;
    return perTask.some((amount, c) => totals[step][c] < tasks * amount);
  };
  for (let step = stepOf(timeline, fromMs); step < startsMs.length; step++) {
    const startMs = Math.max(startsMs[step], fromMs);
    if (startMs >= beforeMs) return false;
    let last = step;
    while (last + 1 < startsMs.length && startsMs[last + 1] < startMs + lengthMs) last++;
    while (last >= step && !isShort(last)) last--;
    if (last < step) return true;
    step = last;
  }
  return false;
}

/**
 * The last step such that what is free from it to the end all the time is too little for a job, so that no
 * start up to it is possible; −1 where there is none, and `throughout` is then what is free in the window.
 */
function lastShortStep(timeline: NodeTimeline, shape: TaskShape, first: number, untilMs: number): number {
  const { startsMs, steps, totals, throughout } = timeline;
  const { tasks, perTask } = shape;
  let last = first;
  while (last + 1 < startsMs.length && startsMs[last + 1] < untilMs) last++;
  for (let step = last; step >= first; step--) {
    for (let c = 0; c < perTask.length; c++) if (totals[step][c] < tasks * perTask[c]) return step;
  }
  throughout.free.set(steps[last].free);
  if (!hasRoomForAll(throughout, shape)) return last;
  for (let step = last - 1; step >= first; step--) {
    if (lower(throughout.free, steps[step].free) && !hasRoomForAll(throughout, shape)) return step;
  }
  return -1;
}

/** Makes the smaller of two of each amount; whether any became smaller. */
function lower(least: Float64Array, other: Float64Array): boolean {
  let isLower = false;
  for (let i = 0; i < least.length; i++) {
    if (other[i] >= least[i]) continue;
    least[i] = other[i];
    isLower = true;
  }
  return isLower;
}

function sharesOf(free: FreeOnNodes, shape: TaskShape): readonly NodeShare[] {
  const shares = firstFit(free, shape);
  assert(shares !== undefined, "where there is room for all tasks, they fit");
  return shares;
}

/** The step in which an instant is. */
export function stepOf({ startsMs }: NodeTimeline, atMs: number): number {
  let low = 0;
  let high = startsMs.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (startsMs[middle] <= atMs) low = middle;
    else high = middle;
  }
  return low;
}

/** The step that begins at an instant, made where there is none. */
function stepAt(timeline: NodeTimeline, atMs: number): number {
  const { startsMs, steps, totals } = timeline;
  const step = stepOf(timeline, atMs);
  if (startsMs[step] === atMs) return step;
  const { nodes, columns, free } = steps[step];
  startsMs.splice(step + 1, 0, atMs);
  steps.splice(step + 1, 0, { nodes, columns, free: free.slice() });
  totals.splice(step + 1, 0, totals[step].slice());
  return step + 1;
}

/** Makes one step of two that have the same. */
function mergeAt({ startsMs, steps, totals }: NodeTimeline, step: number): void {
  if (step === 0 || !areEqual(steps[step].free, steps[step - 1].free)) return;
  startsMs.splice(step, 1);
  steps.splice(step, 1);
  totals.splice(step, 1);
}

function areEqual(one: Float64Array, other: Float64Array): boolean {
  for (let i = 0; i < one.length; i++) if (one[i] !== other[i]) return false;
  return true;
}
