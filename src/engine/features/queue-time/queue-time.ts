/**
 * Queue times of jobs (rule EN-320, spec 65 A31): a job that has not begun at a site in time leaves the queue
 * there and is matched again, which counts as a retry of one that did not start.
 *
 * At a managed site the job leaves at once. At a cluster the job is held first and cancelled only when held,
 * so that a job that began in the meantime goes on.
 */
import { isForeign, type StintEvent } from "../../../model/index.ts";
import type { EventOf, Feature } from "../../feature.ts";
import { leftQueue } from "../../jobs.ts";
import { keepJob } from "../../keep-job.ts";
import { type Projection, type RecordChange, siteOf } from "../../state/projection.ts";

export const queueTime = {
  name: "queue-time",
  applies: { queueTimeOver },
  decide: ({ leaving, jobs }, nowMs) => {
    const events: StintEvent[] = [];
    for (const [id, leaveAtMs] of leaving) {
      const site = jobs.get(id)?.site ?? null;
      if (leaveAtMs > nowMs || site === null) continue;
      events.push({ kind: "queueTimeOver", job: id, site, atMs: nowMs });
    }
    return events;
  },
  wakeAtMs: ({ leaving }) => {
    let firstMs = Number.POSITIVE_INFINITY;
    for (const leaveAtMs of leaving.values()) firstMs = Math.min(firstMs, leaveAtMs);
    return firstMs;
  },
  explain: {
    everywhere: (_, { site, leaveAtMs, isLeaving = false, startedAtMs, description }, nowMs) => {
      const { queueTimeMs } = description;
      if (site === null || startedAtMs !== null) return [];
      if (leaveAtMs === undefined || queueTimeMs === undefined) return [];
      const leftMs = isLeaving ? 0 : Math.max(0, leaveAtMs - nowMs);
      return [{ kind: "queueTime", site, queueTimeMs, leftMs }];
    },
  },
} as const satisfies Feature;

function queueTimeOver(
  projection: Projection,
  { job: id, site: name, atMs }: EventOf<"queueTimeOver">,
): readonly RecordChange[] {
  const job = projection.jobs.get(id);
  if (job === undefined) return [];
  if (!isForeign(siteOf(projection, name).spec)) return leftQueue(projection, job, atMs);
  // A job in a pilot does not begin once it is recalled.
  const recalled = job.pilot === undefined ? {} : { isRecalled: true };
  return [keepJob(projection, { ...job, isLeaving: true, ...recalled })];
}
