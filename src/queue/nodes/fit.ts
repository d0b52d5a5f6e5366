/**
 * Fit of a job's tasks on the nodes of a pool: first fit by index.
 *
 * Tasks of a job are equal and a node takes as many as its scarcest resource allows, so going through the
 * nodes once also says for certain whether they fit at all. Cost: O(nodes × resources).
 */

/** Equal tasks, each of which lies on one node as a whole. */
export interface TaskShape {
  readonly tasks: number;
  /** Need of one task, by resource. */
  readonly perTask: readonly number[];
  /** At most so many of them on one node. */
  readonly mostPerNode: number;
}

/** Number of tasks of a job on one node. */
export interface NodeShare {
  readonly node: number;
  readonly tasks: number;
}

/** Free amounts on every node of a pool: one row per node, one column per resource. */
export interface FreeOnNodes {
  readonly nodes: number;
  readonly columns: number;
  readonly free: Float64Array;
}

/** Nodes of equal capacity with everything free. */
export function emptyNodes(nodes: number, perNode: readonly number[]): FreeOnNodes {
  const columns = perNode.length;
  return {
    nodes,
    columns,
    free: Float64Array.from({ length: nodes * columns }, (_, i) => perNode[i % columns]),
  };
}

/** A copy that shares nothing. */
export function copyNodes({ nodes, columns, free }: FreeOnNodes): FreeOnNodes {
  return { nodes, columns, free: free.slice() };
}

/** The shares of a job by first fit; undefined where its tasks do not fit now. */
export function firstFit(nodes: FreeOnNodes, shape: TaskShape): readonly NodeShare[] | undefined {
  const shares: NodeShare[] = [];
  let left = shape.tasks;
  for (let node = 0; node < nodes.nodes && left > 0; node++) {
    const tasks = Math.min(left, room(nodes, node, shape));
    if (tasks === 0) continue;
    shares.push({ node, tasks });
    left -= tasks;
  }
  return left === 0 ? shares : undefined;
}

/** True where all tasks of a job fit now. */
export function hasRoomForAll(nodes: FreeOnNodes, shape: TaskShape): boolean {
  let left = shape.tasks;
  for (let node = 0; node < nodes.nodes && left > 0; node++) left -= room(nodes, node, shape);
  return left <= 0;
}

/** Takes (sign −1) shares of a job out of what is free, or gives them back (sign 1). */
export function changeShares(
  { columns, free }: FreeOnNodes,
  shares: readonly NodeShare[],
  perTask: readonly number[],
  sign: 1 | -1,
): void {
  for (const { node, tasks } of shares) {
    for (let c = 0; c < columns; c++) free[node * columns + c] += sign * tasks * perTask[c];
  }
}

/** Number of tasks of a job that fit on a node. */
export function room(
  { columns, free }: FreeOnNodes,
  node: number,
  { perTask, mostPerNode }: TaskShape,
): number {
  let most = mostPerNode;
  for (let c = 0; c < columns; c++) {
    if (perTask[c] > 0) most = Math.min(most, Math.floor(free[node * columns + c] / perTask[c]));
  }
  return Math.max(0, most);
}
