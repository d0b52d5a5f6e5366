/**
 * FCFS and EASY where tasks must lie on nodes: who starts now (rules QU-27, QU-28).
 *
 * EASY's head holds the first instant at which its tasks fit on nodes if running jobs end at their estimates
 * and nothing else starts. A later job starts where first fit puts it, if the head could still start then.
 * Where every node has one processor this is the classical rule of shadow time and extra processors.
 * Cost: O(jobs that run × nodes) for a head, O(nodes) for each job behind it.
 */
import { assert } from "../../base/index.ts";
import {
  changeShares,
  copyNodes,
  type FreeOnNodes,
  firstFit,
  type NodeShare,
  type TaskShape,
} from "./fit.ts";
import { layDown, lyingIn, type NodeJob, type NodeSite } from "./site.ts";

/** The disciplines for which nodes are modelled. */
export type NodeDiscipline = "fcfs" | "easy";

/** Waiting jobs, with their needs on nodes. */
export interface NodeQueue {
  /** Handles in queue order. */
  readonly waiting: readonly number[];
  readonly jobOf: (handle: number) => NodeJob;
}

/** True where a job that starts now on these nodes does not delay the head. */
type LeavesRoom = (job: NodeJob, shares: readonly NodeShare[]) => boolean;

/** Operations of a pass: finding nodes for a job, starting a job, and promising the head its start. */
export interface NodeWays {
  /** The nodes on which a job fits now, if it does. */
  readonly sharesNow: (job: NodeJob) => readonly NodeShare[] | undefined;
  readonly lay: (handle: number, job: NodeJob, shares: readonly NodeShare[]) => void;
  /** Makes a job that does not fit now the head of its pool. */
  readonly headOf: (job: NodeJob) => LeavesRoom;
}

/** The first waiting job of a pool, and what will be free beside the running jobs when it can start. */
interface Head {
  readonly shape: TaskShape;
  readonly startMs: number;
  readonly freeThen: FreeOnNodes;
}

/** Puts the jobs that start now onto their nodes, where nothing is reserved; gives their handles in order. */
export function startOnNodes(
  site: NodeSite,
  discipline: NodeDiscipline,
  queue: NodeQueue,
  nowMs: number,
): readonly number[] {
  const ways: NodeWays = {
    sharesNow: ({ pool, shape }) => firstFit(site.free[pool], shape),
    lay: (handle, job, shares) => layDown(site, handle, job, { shares, nowMs }),
    headOf: (head) => {
      const held = headOf(site, head);
      return (job, shares) => leavesRoom(held, job, shares, nowMs);
    },
  };
  return startInOrder(ways, discipline, queue);
}

/** One pass through the queue (rules QU-27, QU-28). */
export function startInOrder(
  { sharesNow, lay, headOf: headWhere }: NodeWays,
  discipline: NodeDiscipline,
  { waiting, jobOf }: NodeQueue,
): readonly number[] {
  const heads = new Map<number, LeavesRoom>();
  const blocked = new Set<number>();
  const starting: number[] = [];
  for (const handle of waiting) {
    const job = jobOf(handle);
    if (blocked.has(job.pool)) continue;
    const head = heads.get(job.pool);
    const shares = sharesNow(job);
    if (shares !== undefined && (head === undefined || head(job, shares))) {
      lay(handle, job, shares);
      starting.push(handle);
    } else if (discipline === "fcfs") blocked.add(job.pool);
    else if (head === undefined) heads.set(job.pool, headWhere(job));
  }
  return starting;
}

function headOf(site: NodeSite, { pool, shape }: NodeJob): Head {
  const freeThen = copyNodes(site.free[pool]);
  const lying = lyingIn(site, pool);
  for (let i = 0; i < lying.length; i++) {
    const { shares, perTask, untilMs } = lying[i];
    changeShares(freeThen, shares, perTask, 1);
    if (lying[i + 1]?.untilMs === untilMs) continue;
    if (firstFit(freeThen, shape) !== undefined) return { shape, startMs: untilMs, freeThen };
  }
  throw new Error("what must hold: a job that fits the nodes of its pool when empty fits some day");
}

/** True where the head can still start as promised; the nodes of a job that still runs then are taken out. */
function leavesRoom(head: Head, job: NodeJob, shares: readonly NodeShare[], nowMs: number): boolean {
  if (nowMs + job.estimateMs <= head.startMs) return true;
  assert(head.startMs > nowMs, "a head that could start now has started");
  changeShares(head.freeThen, shares, job.shape.perTask, -1);
  if (firstFit(head.freeThen, head.shape) !== undefined) return true;
  changeShares(head.freeThen, shares, job.shape.perTask, 1);
  return false;
}
