/**
 * Start predictions from the most similar past states of the site.
 *
 * Source: instance-based prediction of queue waits, as in [LGW05]: at every submission the state of the site
 * and the job are stored; the waits of the k nearest ones are the forecast. Distance is Euclidean in these
 * features, scaled to count about alike: work waiting, and running work by its remaining time (to 1 h, 4 h,
 * 24 h, longer), as ln(1 + hours of the whole site); the free part of the site; the hour of the week as a
 * point on a circle; log2 of the job's procs and walltime, halved.
 * Cost: one pass over the latest 4,096 states.
 */
import { assert, MS_PER_HOUR } from "../base/index.ts";
import type { JobFacts } from "./job-facts.ts";
import { restOf, type SiteSnapshot } from "./snapshot.ts";

/** Past states of one site. Treat as opaque. */
export interface PastStates {
  /** FEATURES numbers a row; a ring buffer. */
  readonly features: Float64Array;
  /** NaN while the job of that row waits. */
  readonly waitsMs: Float64Array;
  count: number;
  /** The row of each waiting job. */
  readonly rowOf: Map<string, number>;
}

const FEATURES = 10;
const MOST_STATES = 4096;
/** Number of nearest states: as many as an upper bound of the 0.95-quantile at 0.95 needs. */
const NEAREST = 59;
const REMAINING_LIMITS_MS = [MS_PER_HOUR, 4 * MS_PER_HOUR, 24 * MS_PER_HOUR];
const WEEK_MS = 7 * 24 * MS_PER_HOUR;
/** Twice as many procs count as much as e^½ times as much work. */
const JOB_WEIGHT = 0.5;

/** A site without past states. */
export function createPastStates(): PastStates {
  return {
    features: new Float64Array(MOST_STATES * FEATURES),
    waitsMs: new Float64Array(MOST_STATES).fill(Number.NaN),
    count: 0,
    rowOf: new Map(),
  };
}

/** Stores the state of the site at the submission of a job. */
export function recordState(past: PastStates, job: JobFacts, met: SiteSnapshot): void {
  const row = past.count++ % MOST_STATES;
  past.features.set(featuresOf(job, met), row * FEATURES);
  past.waitsMs[row] = Number.NaN;
  past.rowOf.set(job.id, past.count - 1);
}

/** Stores the wait of a job; undefined where it was withdrawn. */
export function recordStateWait(past: PastStates, id: string, waitMs: number | undefined): void {
  const index = past.rowOf.get(id);
  past.rowOf.delete(id);
  // Its row may have been reused meanwhile.
  if (index === undefined || waitMs === undefined || index < past.count - MOST_STATES) return;
  past.waitsMs[index % MOST_STATES] = waitMs;
}

/** The waits of the 59 nearest past states, ascending, in ms; undefined while fewer are known. */
export function similarWaits(past: PastStates, job: JobFacts, now: SiteSnapshot): number[] | undefined {
  const wanted = featuresOf(job, now);
  const near: { readonly distance: number; readonly waitMs: number }[] = [];
  for (let row = 0; row < Math.min(past.count, MOST_STATES); row++) {
    const waitMs = past.waitsMs[row];
    if (!Number.isNaN(waitMs)) near.push({ distance: distanceTo(past.features, row, wanted), waitMs });
  }
  if (near.length < NEAREST) return undefined;
  near.sort((a, b) => a.distance - b.distance);
  return near
    .slice(0, NEAREST)
    .map(({ waitMs }) => waitMs)
    .sort((a, b) => a - b);
}

function distanceTo(features: Float64Array, row: number, wanted: readonly number[]): number {
  let sum = 0;
  for (let f = 0; f < FEATURES; f++) sum += (features[row * FEATURES + f] - wanted[f]) ** 2;
  return sum;
}

function featuresOf(job: JobFacts, { nowMs, capacity, jobs }: SiteSnapshot): number[] {
  const siteProcs = capacity[0];
  let waitingProcMs = 0;
  let usedProcs = 0;
  const runningProcMs = [0, 0, 0, 0];
  for (const it of jobs) {
    const procs = it.need[0];
    if (it.startedAtMs === undefined) {
      waitingProcMs += procs * it.estimateMs;
      continue;
    }
    const restMs = restOf(it, nowMs);
    const longer = REMAINING_LIMITS_MS.filter((limitMs) => restMs > limitMs).length;
    runningProcMs[longer] += procs * restMs;
    usedProcs += procs;
  }
  const hours = (procMs: number): number => Math.log1p(procMs / siteProcs / MS_PER_HOUR);
  const angle = ((2 * Math.PI) / WEEK_MS) * (((nowMs % WEEK_MS) + WEEK_MS) % WEEK_MS);
  const features = [
    hours(waitingProcMs),
    ...runningProcMs.map(hours),
    1 - usedProcs / siteProcs,
    Math.sin(angle),
    Math.cos(angle),
    JOB_WEIGHT * Math.log2(job.procs),
    JOB_WEIGHT * Math.log2(Math.max(1, job.wallTimeMs)),
  ];
  assert(features.length === FEATURES, "every feature has its column");
  return features;
}
