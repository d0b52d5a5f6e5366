/**
 * An ordered sample of numbers: the k-th smallest, and the number of values up to a limit.
 *
 * Equivalent to an array sorted after every change; for speed it is a treap [SA96] on typed arrays, whose
 * priorities are a fixed scramble of a counter, so that the same history gives the same tree.
 * Cost: O(log n) expected for every operation, 28 bytes a number.
 */
import { assert } from "../base/index.ts";

/** Node 0 is the empty node. Free nodes are chained through `left`. */
export interface OrderedSample {
  keys: Float64Array;
  left: Int32Array;
  right: Int32Array;
  /** Number of values in each subtree. */
  sizes: Int32Array;
  priorities: Int32Array;
  root: number;
  free: number;
  used: number;
  drawn: number;
}

const FIRST_NODES = 16;

/** An empty sample. */
export function createSample(): OrderedSample {
  return {
    keys: new Float64Array(FIRST_NODES),
    left: new Int32Array(FIRST_NODES),
    right: new Int32Array(FIRST_NODES),
    sizes: new Int32Array(FIRST_NODES),
    priorities: new Int32Array(FIRST_NODES),
    root: 0,
    free: 0,
    used: 1,
    drawn: 0,
  };
}

/** Number of values. */
export function sizeOf({ sizes, root }: OrderedSample): number {
  return sizes[root];
}

/** Adds a value; equal values are kept apart. */
export function insertInto(sample: OrderedSample, key: number): void {
  const node = takeNode(sample);
  sample.keys[node] = key;
  sample.left[node] = 0;
  sample.right[node] = 0;
  sample.sizes[node] = 1;
  sample.priorities[node] = scrambled(++sample.drawn);
  sample.root = insertAt(sample, sample.root, node);
}

/** Removes one number, which must be in the sample. */
export function removeFrom(sample: OrderedSample, key: number): void {
  sample.root = removeAt(sample, sample.root, key);
}

/** The k-th smallest, 1 ≤ k ≤ size. */
export function kthSmallest(sample: OrderedSample, k: number): number {
  assert(k >= 1 && k <= sizeOf(sample), "a rank lies within the sample");
  const { left, right, sizes, keys } = sample;
  let node = sample.root;
  let rank = k;
  for (;;) {
    const before = sizes[left[node]];
    if (rank === before + 1) return keys[node];
    if (rank <= before) {
      node = left[node];
    } else {
      rank -= before + 1;
      node = right[node];
    }
  }
}

/** The number of values ≤ `limit`. */
export function countAtMost({ root, left, right, sizes, keys }: OrderedSample, limit: number): number {
  let count = 0;
  let node = root;
  while (node !== 0) {
    if (keys[node] > limit) {
      node = left[node];
    } else {
      count += sizes[left[node]] + 1;
      node = right[node];
    }
  }
  return count;
}

function insertAt(sample: OrderedSample, at: number, node: number): number {
  const { keys, left, right, sizes, priorities } = sample;
  if (at === 0) return node;
  if (priorities[node] > priorities[at]) {
    split(sample, at, keys[node], node);
    sizes[node] = sizes[left[node]] + sizes[right[node]] + 1;
    return node;
  }
  if (keys[node] < keys[at]) left[at] = insertAt(sample, left[at], node);
  else right[at] = insertAt(sample, right[at], node);
  sizes[at]++;
  return at;
}

/** Splits a subtree: values ≤ `key` go to the left of `node`, the rest to its right. */
function split(sample: OrderedSample, at: number, key: number, node: number): void {
  const { keys, left, right, sizes } = sample;
  if (at === 0) {
    left[node] = 0;
    right[node] = 0;
    return;
  }
  // The halves of the subtree end up in left[node] and right[node]; `at` stays in the half it belongs to.
  const isBelow = keys[at] <= key;
  split(sample, isBelow ? right[at] : left[at], key, node);
  if (isBelow) {
    right[at] = left[node];
    left[node] = at;
  } else {
    left[at] = right[node];
    right[node] = at;
  }
  sizes[at] = sizes[left[at]] + sizes[right[at]] + 1;
}

function removeAt(sample: OrderedSample, at: number, key: number): number {
  assert(at !== 0, "what is taken away is there");
  const { keys, left, right, sizes } = sample;
  if (key === keys[at]) {
    const joined = join(sample, left[at], right[at]);
    left[at] = sample.free;
    sample.free = at;
    return joined;
  }
  if (key < keys[at]) left[at] = removeAt(sample, left[at], key);
  else right[at] = removeAt(sample, right[at], key);
  sizes[at]--;
  return at;
}

function join(sample: OrderedSample, lower: number, upper: number): number {
  if (lower === 0) return upper;
  if (upper === 0) return lower;
  const { left, right, sizes, priorities } = sample;
  const size = sizes[lower] + sizes[upper];
  const top = priorities[lower] >= priorities[upper] ? lower : upper;
  if (top === lower) right[lower] = join(sample, right[lower], upper);
  else left[upper] = join(sample, lower, left[upper]);
  sizes[top] = size;
  return top;
}

function takeNode(sample: OrderedSample): number {
  if (sample.free !== 0) {
    const node = sample.free;
    sample.free = sample.left[node];
    return node;
  }
  if (sample.used === sample.keys.length) grow(sample);
  return sample.used++;
}

function grow(sample: OrderedSample): void {
  const nodes = sample.keys.length * 2;
  const keys = new Float64Array(nodes);
  keys.set(sample.keys);
  sample.keys = keys;
  for (const column of ["left", "right", "sizes", "priorities"] as const) {
    const larger = new Int32Array(nodes);
    larger.set(sample[column]);
    sample[column] = larger;
  }
}

function scrambled(counter: number): number {
  let bits = Math.imul(counter, 0x9e3779b1);
  bits = Math.imul(bits ^ (bits >>> 15), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}
