/**
 * Scouts of a sweep: a few of its jobs that run first, so that the others can request what they need.
 *
 * Source: sweeps in the manner of Nimrod [WMS slide 47]. Of the measured run times and memory the largest
 * counts, with a margin, because a job that exceeds its limit is lost.
 */
import { mulDiv } from "../../base/index.ts";
import type { JobDescription, JobRecord, ScoutProposal, ScoutSummary } from "../../model/index.ts";

/** Summary before any scout has ended. */
export function noScoutEnded(jobs: number): ScoutSummary {
  return { jobs, ended: 0, ok: 0, longestMs: 0, peakMemoryBytes: null, outcome: null };
}

/** Indexes of the scouts: 1 % of the jobs, at least 3, spread evenly over the points of the sweep. */
export function scoutIndexes(indexes: readonly number[]): readonly number[] {
  const count = Math.min(indexes.length, Math.max(3, mulDiv(indexes.length, 1, 100, "up")));
  return Array.from({ length: count }, (_, at) => indexes[mulDiv(at, indexes.length, count, "down")] ?? 0);
}

/** The summary with one more scout that has ended. */
export function withScout(summary: ScoutSummary, job: JobRecord): ScoutSummary {
  const ended = summary.ended + 1;
  const { startedAtMs, endedAtMs, runFacts, exitCode } = job;
  const isOk = job.state === "DONE" && exitCode === 0 && !job.isTimeLimit;
  if (!isOk || startedAtMs === null || endedAtMs === null) return { ...summary, ended };
  const peak = Math.max(summary.peakMemoryBytes ?? 0, runFacts?.peakMemoryBytes ?? 0);
  return {
    ...summary,
    ...{ ended, ok: summary.ok + 1, peakMemoryBytes: peak === 0 ? null : peak },
    longestMs: Math.max(summary.longestMs, endedAtMs - startedAtMs),
  };
}

const MINUTE = 60_000;
const MEBIBYTE = 2 ** 20;

/**
 * One and a half times the longest run, in whole minutes, and one and a quarter of the most memory, in steps
 * of 64 MiB, but never more than the jobs request.
 */
export function scoutProposal(
  { ok, longestMs, peakMemoryBytes }: ScoutSummary,
  asked: Pick<JobDescription, "wallTimeMs" | "memoryBytes">,
): ScoutProposal | undefined {
  if (ok === 0) return undefined;
  const wallTimeMs = mulDiv(mulDiv(longestMs, 3, 2, "up"), 1, MINUTE, "up") * MINUTE;
  const step = 64 * MEBIBYTE;
  const memory = mulDiv(mulDiv(peakMemoryBytes ?? 0, 5, 4, "up"), 1, step, "up") * step;
  const isShorter = wallTimeMs > 0 && wallTimeMs < (asked.wallTimeMs ?? Number.POSITIVE_INFINITY);
  const isSmaller = memory > 0 && memory < (asked.memoryBytes ?? Number.POSITIVE_INFINITY);
  if (!isShorter && !isSmaller) return undefined;
  return { ...(isShorter ? { wallTimeMs } : {}), ...(isSmaller ? { memoryBytes: memory } : {}) };
}
