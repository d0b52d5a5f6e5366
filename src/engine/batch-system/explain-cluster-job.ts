/**
 * The whole answer to "why": the blockers of a job, when it would start, and what would make it sooner.
 *
 * The prediction assumes that what keeps the job for itself (a hold, a limit) ends now, and names it; a
 * begin time counts, and so do the expected ends of the jobs that it waits for.
 * Cost: one machine with the jobs before it, and the tries of the changes.
 */
import type { ClusterJob, ClusterSnapshot, Discipline } from "../../model/index.ts";
import type { Blocker, BlockerKind, ClusterBlockers } from "./blocker.ts";
import { blockersIn } from "./blockers-of.ts";
import type { ClusterChange } from "./change-search.ts";
import { machineBefore, startOfJob } from "./cluster-start.ts";
import { smallestChanges } from "./smaller-requests.ts";
import { type ClusterView, findJob, viewOf } from "./view.ts";

/** Predicted start of a cluster job, and the basis of the prediction. */
export interface ClusterPrediction {
  /** Null: never as things are. */
  readonly startAtMs: number | null;
  /** By playing the queue forward as it was seen (spec 40, method 1). */
  readonly method: "schedule";
  readonly discipline: Discipline;
  /** The jobs before it that were played, and how many were too many. */
  readonly jobsBefore: number;
  readonly jobsLeftOut: number;
  /** Causes of its own that are taken to end. */
  readonly setAside: readonly BlockerKind[];
  /** Start expected by the batch system; null where it has not given one. */
  readonly systemExpectsAtMs: number | null;
}

/** The answer. */
export interface ClusterExplanation extends ClusterBlockers {
  /** Null where it does not wait. */
  readonly prediction: ClusterPrediction | null;
  readonly changes: readonly ClusterChange[];
}

/** Explains a job by its id at the site; undefined where the snapshot has no such job. */
export function explainClusterJob(
  snapshot: ClusterSnapshot,
  siteJob: string,
): ClusterExplanation | undefined {
  const view = viewOf(snapshot);
  const job = findJob(view, siteJob);
  if (job === undefined) return undefined;
  const answer = blockersIn(view, job);
  if (answer.blockers.length === 0) return { ...answer, prediction: null, changes: [] };
  return { ...answer, ...prospects(view, job, answer) };
}

const OF_ITS_OWN: ReadonlySet<BlockerKind> = new Set([
  "held",
  "dependency",
  "limit",
  "minimum",
  "arrayLimit",
  "licenses",
  "reservationAsked",
]);

function prospects(view: ClusterView, job: ClusterJob, { blockers }: ClusterBlockers) {
  const cluster = machineBefore(view, job);
  const fromMs = Math.max(view.nowMs, job.eligibleAtMs ?? view.nowMs, dependencyEndMs(blockers));
  const startMs = fromMs === Number.POSITIVE_INFINITY ? fromMs : startOfJob(cluster, job, fromMs);
  const prediction: ClusterPrediction = {
    startAtMs: startMs === Number.POSITIVE_INFINITY ? null : startMs,
    method: "schedule",
    discipline: cluster.discipline,
    jobsBefore: cluster.jobs,
    jobsLeftOut: cluster.jobsLeftOut,
    setAside: blockers.map(({ kind }) => kind).filter((kind) => OF_ITS_OWN.has(kind)),
    systemExpectsAtMs: job.expectedStartAtMs,
  };
  // A limit that only the system knows of cannot be tried.
  const isUnknown = blockers.some((it) => it.kind === "limit" && it.limit === null);
  const isKept = blockers.some((it) => OF_ITS_OWN.has(it.kind) && it.kind !== "dependency");
  const asItIs = isKept ? Number.POSITIVE_INFINITY : startMs;
  return { prediction, changes: isUnknown ? [] : smallestChanges(cluster, job, fromMs, asItIs) };
}

/** When what it waits for is expected to end; Infinity where that can never come true. */
function dependencyEndMs(blockers: readonly Blocker[]): number {
  const found = blockers.find((it) => it.kind === "dependency");
  if (found?.kind !== "dependency") return Number.NEGATIVE_INFINITY;
  if (found.isNeverMet) return Number.POSITIVE_INFINITY;
  const ends = found.awaited.map(({ expectedEndAtMs }) => expectedEndAtMs ?? Number.NEGATIVE_INFINITY);
  return found.isAnyEnough ? Math.min(...ends) : Math.max(...ends);
}
