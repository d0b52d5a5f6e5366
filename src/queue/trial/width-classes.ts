/**
 * Who waits behind the head of a queue, by classes of width (1, 2, 3, 4, 5–7, 8, 9–15, 16 …), so that a pass
 * of EASY finds who could start without a look at everybody.
 *
 * Each class is a tree over its jobs in queue order that knows the least duration in each part: the next job
 * that is over in time is found, or that there is none, in O(log jobs). Most jobs are as wide as a power of
 * two, which has a class of its own: there whoever is found is narrow enough, too.
 */

/** The waiting jobs by place in queue order. */
export interface QueuedRectangles {
  readonly count: number;
  readonly procs: Float64Array;
  readonly durationMs: Float64Array;
}

/** The trees of all classes, one behind the other. */
export interface WidthClasses {
  /** The narrowest that may be in each class, ascending; and whether all in it are as narrow. */
  readonly leastProcs: Float64Array;
  readonly isOneWidth: Uint8Array;
  /** Where the tree of each class is, and how many leaves it has, a power of two. */
  readonly rootOf: Int32Array;
  readonly leaves: Int32Array;
  /** The least duration of who waits below each node; ∞ where nobody does. Root 1, children 2n and 2n + 1. */
  readonly leastMs: Float64Array;
  /** Who is at a leaf, by its place in the trees. */
  readonly placeAt: Int32Array;
  /** Class and leaf by place in queue order. */
  readonly classOf: Uint8Array;
  readonly leafOf: Int32Array;
}

/** Everybody waits. */
export function createWidthClasses({ count, procs, durationMs }: QueuedRectangles): WidthClasses {
  const classCount = classOfWidth(procs.reduce((most, it) => Math.max(most, it), 1)) + 1;
  const classOf = Uint8Array.from(procs, classOfWidth);
  const members = new Int32Array(classCount);
  const leafOf = Int32Array.from(classOf, (c) => members[c]++);
  const leaves = members.map((many) => 2 ** Math.ceil(Math.log2(Math.max(1, many))));
  const rootOf = new Int32Array(classCount);
  for (let c = 1; c < classCount; c++) rootOf[c] = rootOf[c - 1] + 2 * leaves[c - 1];
  const size = rootOf[classCount - 1] + 2 * leaves[classCount - 1];
  const leastMs = new Float64Array(size).fill(Number.POSITIVE_INFINITY);
  const placeAt = new Int32Array(size).fill(-1);
  for (let i = 0; i < count; i++) {
    const at = rootOf[classOf[i]] + leaves[classOf[i]] + leafOf[i];
    leastMs[at] = durationMs[i];
    placeAt[at] = i;
  }
  for (let c = 0; c < classCount; c++) {
    const root = rootOf[c];
    for (let node = leaves[c] - 1; node > 0; node--) {
      leastMs[root + node] = Math.min(leastMs[root + 2 * node], leastMs[root + 2 * node + 1]);
    }
  }
  const isOneWidth = Uint8Array.from({ length: classCount }, (_, c) => (c % 2 === 0 || c === 3 ? 1 : 0));
  const leastProcs = Float64Array.from({ length: classCount }, (_, c) => leastOfClass(c));
  return { leastProcs, isOneWidth, rootOf, leaves, leastMs, placeAt, classOf, leafOf };
}

/** Somebody waits there no more. */
export function leaveClass(classes: WidthClasses, place: number): void {
  const { rootOf, leaves, leastMs } = classes;
  const c = classes.classOf[place];
  const root = rootOf[c];
  let node = leaves[c] + classes.leafOf[place];
  leastMs[root + node] = Number.POSITIVE_INFINITY;
  while (node > 1) {
    const least = Math.min(leastMs[root + node], leastMs[root + (node ^ 1)]);
    node >>= 1;
    if (leastMs[root + node] === least) return;
    leastMs[root + node] = least;
  }
}

/** The first leaf of a class from one on whose job is as short; −1 where there is none. */
export function firstShort(classes: WidthClasses, c: number, fromLeaf: number, mostMs: number): number {
  const { leastMs } = classes;
  const root = classes.rootOf[c];
  const leaves = classes.leaves[c];
  if (fromLeaf === leaves) return -1;
  let node = leaves + fromLeaf;
  while (leastMs[root + node] > mostMs) {
    while ((node & 1) === 1) node >>= 1;
    if (node === 0) return -1;
    node++;
  }
  while (node < leaves) {
    node *= 2;
    if (leastMs[root + node] > mostMs) node++;
  }
  return node - leaves;
}

/** 0 for 1, 2 for 2, 3 for 3, 4 for 4, 5 for 5–7, 6 for 8 … */
function classOfWidth(procs: number): number {
  const octave = Math.floor(Math.log2(procs));
  return 2 * octave + (procs > 2 ** octave ? 1 : 0);
}

function leastOfClass(c: number): number {
  return c % 2 === 0 ? 2 ** (c / 2) : 2 ** ((c - 1) / 2) + 1;
}
