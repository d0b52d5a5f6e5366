/** Measures of jobs in a period: numbers submitted and completed, and response times. */
import { pathsTo } from "../share-tree.ts";
import type { Stretch, UseRecord } from "./evidence.ts";

/** Measures of a consumer path, or of all (path ""). Times are exact sums. */
export interface JobMeasures {
  readonly consumer: string;
  /** Submitted in the recorded part of the period. */
  submitted: number;
  /** Completed in the period, of those submitted in it. */
  completedOfSubmitted: number;
  /** Completed in the period, whenever they were submitted. */
  completed: number;
  responseMs: number;
}

/** Measures by consumer path, for these paths and, under "", for all. */
export function measureJobs(
  records: readonly UseRecord[],
  counted: readonly Stretch[],
  paths: readonly string[],
): readonly JobMeasures[] {
  const measures = new Map(["", ...paths].map((consumer) => [consumer, noJobs(consumer)]));
  for (const record of records) {
    const { submittedAtMs, endedAtMs, outcome } = record;
    if (record.of !== undefined) continue;
    const isSubmitted = isIn(counted, submittedAtMs);
    // A job that ends with the period was completed in it.
    const isCompleted = outcome === "completed" && endedAtMs !== null && isIn(counted, endedAtMs - 1);
    if (!isSubmitted && !isCompleted) continue;
    for (const path of ["", ...pathsTo(record.consumer)]) {
      const of = measures.get(path);
      if (of === undefined) continue;
      if (isSubmitted) of.submitted++;
      if (isSubmitted && isCompleted) of.completedOfSubmitted++;
      if (!isCompleted) continue;
      of.completed++;
      of.responseMs += endedAtMs - submittedAtMs;
    }
  }
  return [...measures.values()];
}

function noJobs(consumer: string): JobMeasures {
  return { consumer, submitted: 0, completedOfSubmitted: 0, completed: 0, responseMs: 0 };
}

function isIn(stretches: readonly Stretch[], atMs: number): boolean {
  let [low, high] = [0, stretches.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (stretches[middle].toMs <= atMs) low = middle + 1;
    else high = middle;
  }
  return low < stretches.length && stretches[low].fromMs <= atMs;
}
