/**
 * The method "schedule" at a cluster: its own machine, with partitions, pools, reservations and priorities.
 *
 * A job that is only thought of comes last of those that wait, since nobody can know what priority it would
 * get; one that waits has the jobs before it that its priority says.
 */
import type { ClusterJob, ClusterSnapshot } from "../../model/index.ts";
import { type Forecast, PROMISED } from "../../predict/index.ts";
import { clusterMachine } from "../batch-system/cluster-machine.ts";
import { machineBefore, startOfJob } from "../batch-system/cluster-start.ts";
import { findJob, viewOf } from "../batch-system/view.ts";

/** Predicted start of a hypothetical job; undefined where it can never start as things are. */
export function scheduleAtCluster(snapshot: ClusterSnapshot, job: ClusterJob): Forecast | undefined {
  const cluster = clusterMachine(snapshot);
  return forecast(startOfJob(cluster, job, snapshot.atMs) - snapshot.atMs);
}

/** When a job starts that waits there, as a wait since it could; undefined: it does not wait, or never. */
export function scheduleOfWaiting(snapshot: ClusterSnapshot, siteJob: string): Forecast | undefined {
  const view = viewOf(snapshot);
  const job = findJob(view, siteJob);
  if (job?.state !== "waiting") return undefined;
  const sinceMs = job.eligibleAtMs ?? job.submittedAtMs;
  return forecast(startOfJob(machineBefore(view, job), job, snapshot.atMs) - sinceMs);
}

function forecast(waitMs: number): Forecast | undefined {
  if (!Number.isFinite(waitMs)) return undefined;
  const promises = PROMISED.map((probability) => ({ probability, waitMs: Math.max(0, waitMs) }));
  return { method: "schedule", promises };
}
