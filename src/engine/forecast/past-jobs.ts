/**
 * Past jobs of an accounting or the logbook, as the events that predictions learn from.
 *
 * A wait is counted from the instant at which a job could have started: the time on hold and behind other
 * jobs says nothing about the site. What still waits is left out: the next look at the queue shows it.
 */
import type { ClusterPastJob, JobRecord, SiteOffer } from "../../model/index.ts";
import type { JobEvent, JobFacts } from "../../predict/index.ts";

/** A job that was somewhere, whoever remembers it. Times are Unix ms. */
export interface PastJob {
  /** Unique among those of one site at one time. */
  readonly id: string;
  readonly queue: string;
  readonly user: string;
  readonly procs: number;
  readonly memoryBytes: number;
  /** Absent: its site counts none. */
  readonly gpus?: number;
  readonly limitMs: number;
  readonly eligibleAtMs: number;
  /** Null: it never started. */
  readonly startedAtMs: number | null;
  /** Null: it still runs. Without a start: when it was withdrawn. */
  readonly endedAtMs: number | null;
}

/** The queue of sites that have but one. */
export const ONLY_QUEUE = "all";

/** Of a cluster's accounting. */
export function pastOfCluster(jobs: readonly ClusterPastJob[], offer: SiteOffer): readonly PastJob[] {
  return jobs.flatMap(({ siteJob, partition, user, procs, memoryBytes, limitMs, ...times }) => {
    const { eligibleAtMs, startedAtMs, endedAtMs } = times;
    const job: PastJob = {
      id: siteJob,
      queue: partition?.split(",")[0] ?? ONLY_QUEUE,
      user: user ?? "",
      procs: Math.max(1, procs),
      memoryBytes: memoryBytes ?? 0,
      limitMs: limitMs ?? offer.defaultWallTimeMs,
      eligibleAtMs: Math.min(eligibleAtMs, startedAtMs ?? eligibleAtMs),
      startedAtMs,
      endedAtMs,
    };
    return startedAtMs === null && endedAtMs === null ? [] : [job];
  });
}

/** Of our own jobs that were at a site, by their records. */
export function pastOfRecords(records: readonly JobRecord[], offer: SiteOffer): readonly PastJob[] {
  return records.flatMap((record) => {
    const { startedAtMs, endedAtMs, submittedAtMs } = record;
    if (startedAtMs === null && endedAtMs === null) return [];
    return [{ ...partsOf(record, offer), eligibleAtMs: submittedAtMs, startedAtMs, endedAtMs }];
  });
}

/** Needed parts of a job, from its record. */
export function partsOf({ id, owner, description }: JobRecord, offer: SiteOffer) {
  const { procs, memoryBytes = 0, wallTimeMs = offer.defaultWallTimeMs } = description;
  const gpus = (offer.gpus ?? 0) === 0 ? {} : { gpus: description.gpus ?? 0 };
  return { id, queue: ONLY_QUEUE, user: owner, procs, memoryBytes, ...gpus, limitMs: wallTimeMs };
}

/** A job as predictions know it. */
export function factsOf(job: Omit<PastJob, "eligibleAtMs" | "startedAtMs" | "endedAtMs">): JobFacts {
  const { id, queue, user, procs, memoryBytes, gpus, limitMs } = job;
  const alsoNeeds = gpus === undefined ? [memoryBytes] : [memoryBytes, gpus];
  return { id, queue, user, procs, alsoNeeds, wallTimeMs: Math.max(1, limitMs) };
}

/** Everything that happened to these jobs, in order of time. */
export function eventsOfPast(jobs: readonly PastJob[]): readonly JobEvent[] {
  const all = jobs.flatMap((job): JobEvent[] => {
    const { id, eligibleAtMs, startedAtMs, endedAtMs } = job;
    const submitted: JobEvent = { kind: "submitted", atMs: eligibleAtMs, job: factsOf(job) };
    if (startedAtMs === null) {
      const atMs = Math.max(eligibleAtMs, endedAtMs ?? eligibleAtMs);
      return [submitted, { kind: "withdrawn", atMs, id }];
    }
    const started: JobEvent = { kind: "started", atMs: startedAtMs, id };
    if (endedAtMs === null) return [submitted, started];
    return [submitted, started, { kind: "ended", atMs: Math.max(startedAtMs, endedAtMs), id }];
  });
  return inOrderOfTime(all);
}

/** Sorted by their instants; what happened to one job at one instant stays in its order. */
export function inOrderOfTime(events: readonly JobEvent[]): readonly JobEvent[] {
  return [...events].sort((a, b) => a.atMs - b.atMs);
}
