/**
 * Starts of jobs at a site with nodes: decided on the nodes, and passed to the machine, whose discipline is
 * `external`.
 */
import { assert } from "../../base/index.ts";
import {
  type Actor,
  type DrivenSite,
  inQueueOrder,
  observe,
  openStarts,
  type ReplayJob,
  start,
  suspendAt,
} from "../../queue/index.ts";
import type { NodeSide, PlacedJob } from "./nodes-asked.ts";

/** Follows the jobs of the site, and starts them on the nodes. */
export function driveOnNodes<Job extends ReplayJob>(
  site: DrivenSite<Job>,
  nodes: NodeSide,
  placed: (handle: number) => PlacedJob,
): Actor {
  observe(site, {
    stopped: (handle, atMs) => nodes.takeOff(handle, atMs),
    unqueued: (handle) => nodes.leave(handle),
  });
  return {
    nextMs: () => nodes.wakeAtMs(),
    changes: (atMs) => nodes.bringUp(atMs),
    decide(atMs) {
      const { machine, arrived, arrivedCount, promisedMs } = site;
      openStarts(machine, atMs);
      const coming = arrived.slice(0, arrivedCount);
      const starting = nodes.choose({ waiting: waitingAt(site), coming }, placed, atMs);
      for (const handle of coming) promisedMs[handle] = nodes.promisedMs(handle) ?? Number.NaN;
      for (const handle of starting) {
        assert(start(machine, handle, atMs) === undefined, "what fits the nodes fits the pool");
      }
    },
  };
}

/** Takes a node down, and stops the jobs that have a task there (rule QU-28). */
export function takeNodeDown<Job extends ReplayJob>(
  site: DrivenSite<Job>,
  nodes: NodeSide,
  { stopping, ...down }: NodeOutage,
) {
  const stopped = nodes.jobsOn(down.pool, down.node);
  for (const handle of stopped) {
    stopping?.(handle);
    suspendAt(site, handle, down.nowMs);
  }
  return { stopped, hits: nodes.takeDown({ ...down, waiting: waitingAt(site) }) };
}

interface NodeOutage extends Omit<Parameters<NodeSide["takeDown"]>[0], "waiting"> {
  /** Called with each job before it is stopped. */
  readonly stopping?: (handle: number) => void;
}

function waitingAt<Job extends ReplayJob>({ machine }: DrivenSite<Job>): readonly number[] {
  const { handles, count } = inQueueOrder(machine);
  return Array.from(handles.subarray(0, count));
}
