/**
 * A site whose queue is known as a site machine, ours or the picture of a foreign one, as predictions see it.
 */
import { columnsAt, type JobRecord, type SiteOffer } from "../../model/index.ts";
import type { SiteSnapshot, SnapshotJob } from "../../predict/index.ts";
import { inQueueOrder } from "../../queue/index.ts";
import type { SiteState } from "../state/site-state.ts";
import { ONLY_QUEUE } from "./past-jobs.ts";
import type { SiteShape } from "./site-history.ts";

/** One room for whatever queue. */
export function shapeOfSite(site: SiteOffer): SiteShape {
  return { rooms: [{ queues: null, capacity: columnsAt(site, site) }], discipline: site.discipline };
}

/** The queue as it is: what runs, and who waits in the queue's order. What is held is left out. */
export function stateOfSite(
  { queue, spec }: SiteState,
  jobs: ReadonlyMap<string, JobRecord>,
  nowMs: number,
): SiteSnapshot {
  const { machine, jobOf, handleOf } = queue;
  const { need, estimateMs, arrivedAtMs, startMs } = machine.jobs;
  const shown = (handle: number, isRunning: boolean): SnapshotJob => ({
    user: jobs.get(jobOf.get(handle) ?? "")?.owner ?? "",
    queue: ONLY_QUEUE,
    need: need.map((column) => column[handle]),
    estimateMs: estimateMs[handle],
    arrivedAtMs: arrivedAtMs[handle],
    startedAtMs: isRunning ? startMs[handle] : undefined,
  });
  const running = [...queue.running].flatMap((job) => handleOf.get(job) ?? []);
  const { handles, count } = inQueueOrder(machine);
  const waiting = Array.from({ length: count }, (_, at) => handles[at]);
  const arriving = queue.pending.flatMap((operation): SnapshotJob[] => {
    if (operation.kind !== "arrive") return [];
    const { job, need: wanted, estimateMs: planned } = operation;
    const user = jobs.get(job)?.owner ?? "";
    const times = { arrivedAtMs: nowMs, startedAtMs: undefined };
    return [{ user, queue: ONLY_QUEUE, need: wanted, estimateMs: planned, ...times }];
  });
  return {
    nowMs,
    capacity: columnsAt(spec, spec),
    discipline: spec.discipline,
    jobs: [
      ...running.map((handle) => shown(handle, true)),
      ...waiting.map((handle) => shown(handle, false)),
      ...arriving,
    ],
    reservations: [],
  };
}
