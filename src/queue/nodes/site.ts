/**
 * The nodes of a site: which job runs on which of them, and which are down.
 *
 * Stands beside a site machine under the discipline `external`: the machine keeps queue, running jobs and
 * the capacity of whole pools; here is what lies on which node. Rules QU-27 and QU-28.
 */
import { assert } from "../../base/index.ts";
import { changeShares, emptyNodes, type FreeOnNodes, type NodeShare, type TaskShape } from "./fit.ts";

/** Something that lies on nodes of a pool until it ends: a running job or an outage. */
interface Lying {
  readonly pool: number;
  readonly perTask: readonly number[];
  readonly shares: readonly NodeShare[];
  /** The estimated end of a job, the end of an outage. */
  readonly untilMs: number;
}

/** A pool as equal nodes. */
export interface NodePool {
  readonly nodes: number;
  readonly perNode: readonly number[];
}

/** The nodes of a site. */
export interface NodeSite {
  readonly pools: readonly NodePool[];
  readonly free: readonly FreeOnNodes[];
  /** Running jobs by the machine's handle. */
  readonly running: Map<number, Lying>;
  readonly down: Set<Lying>;
}

/** A job as the nodes see it. */
export interface NodeJob {
  readonly pool: number;
  readonly shape: TaskShape;
  readonly estimateMs: number;
}

/** A site with nothing on its nodes. */
export function createNodeSite(pools: readonly NodePool[]): NodeSite {
  return {
    pools,
    free: pools.map(({ nodes, perNode }) => emptyNodes(nodes, perNode)),
    running: new Map(),
    down: new Set(),
  };
}

/** Puts a job that starts now onto its nodes. */
export function layDown(
  site: NodeSite,
  handle: number,
  { pool, shape, estimateMs }: NodeJob,
  on: { readonly shares: readonly NodeShare[]; readonly nowMs: number },
): void {
  assert(!site.running.has(handle), "a job lies on nodes once");
  changeShares(site.free[pool], on.shares, shape.perTask, -1);
  site.running.set(handle, {
    pool,
    perTask: shape.perTask,
    shares: on.shares,
    untilMs: on.nowMs + estimateMs,
  });
}

/** Takes a job that runs no more off its nodes. */
export function takeOff(site: NodeSite, handle: number): void {
  const lying = site.running.get(handle);
  assert(lying !== undefined, "a job that ends lies on nodes");
  changeShares(site.free[lying.pool], lying.shares, lying.perTask, 1);
  site.running.delete(handle);
}

/** The running jobs that have a task on a node. */
export function jobsOn({ running }: NodeSite, pool: number, node: number): readonly number[] {
  return [...running]
    .filter(([, lying]) => lying.pool === pool && lying.shares.some((share) => share.node === node))
    .map(([handle]) => handle);
}

/** True while a node is down. */
export function isDown({ down }: NodeSite, pool: number, node: number): boolean {
  return [...down].some((lying) => lying.pool === pool && lying.shares[0].node === node);
}

/** Takes a node down on which nothing runs any more. */
export function takeNodeDown(
  site: NodeSite,
  { pool, node, untilMs }: { readonly pool: number; readonly node: number; readonly untilMs: number },
): void {
  assert(!isDown(site, pool, node), "a node that is up goes down");
  const shares = [{ node, tasks: 1 }];
  const { perNode } = site.pools[pool];
  changeShares(site.free[pool], shares, perNode, -1);
  site.down.add({ pool, perTask: perNode, shares, untilMs });
}

/** Brings the nodes back whose outage is over. */
export function bringUp(site: NodeSite, nowMs: number): void {
  for (const lying of site.down) {
    if (lying.untilMs > nowMs) continue;
    changeShares(site.free[lying.pool], lying.shares, lying.perTask, 1);
    site.down.delete(lying);
  }
}

/** Running jobs and outages on the nodes of a pool, in order of their ends. */
export function lyingIn({ running, down }: NodeSite, pool: number): readonly Lying[] {
  return [...running.values(), ...down]
    .filter((lying) => lying.pool === pool)
    .sort((one, other) => one.untilMs - other.untilMs);
}
