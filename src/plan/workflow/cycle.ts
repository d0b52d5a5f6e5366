/** Topological order of a graph in adjacency arrays, and a cycle where there is no order. */
import { assert, createHeap, popHeap, pushHeap } from "../../base/index.ts";

/** Parents before children, by number where free to choose; undefined for a graph with a cycle. */
export function topologicalOrder(
  childStart: Int32Array,
  childOf: Int32Array,
  parentStart: Int32Array,
): Int32Array | undefined {
  const count = childStart.length - 1;
  const waitsFor = Int32Array.from({ length: count }, (_, task) => parentStart[task + 1] - parentStart[task]);
  const ready = createHeap(Math.max(1, count));
  for (let task = 0; task < count; task++) if (waitsFor[task] === 0) pushHeap(ready, task, task);
  const order = new Int32Array(count);
  let done = 0;
  while (ready.size > 0) {
    const task = popHeap(ready);
    order[done++] = task;
    for (let edge = childStart[task]; edge < childStart[task + 1]; edge++) {
      const child = childOf[edge];
      if (--waitsFor[child] === 0) pushHeap(ready, child, child);
    }
  }
  return done === count ? order : undefined;
}

/** The tasks of one cycle, each followed by one that waits for it; the graph has a cycle. */
export function cycleIn(parentStart: Int32Array, parentOf: Int32Array): readonly number[] {
  const count = parentStart.length - 1;
  const state = new Uint8Array(count);
  const edgeAt = parentStart.slice(0, count);
  for (let root = 0; root < count; root++) {
    if (state[root] !== 0) continue;
    const path = [root];
    state[root] = OPEN;
    while (path.length > 0) {
      const task = path[path.length - 1];
      if (edgeAt[task] === parentStart[task + 1]) {
        state[task] = CLOSED;
        path.pop();
        continue;
      }
      const parent = parentOf[edgeAt[task]++];
      if (state[parent] === OPEN) return path.slice(path.indexOf(parent)).reverse();
      if (state[parent] === CLOSED) continue;
      state[parent] = OPEN;
      path.push(parent);
    }
  }
  assert(false, "a graph without topological order has a cycle");
  return [];
}

const OPEN = 1;
const CLOSED = 2;
