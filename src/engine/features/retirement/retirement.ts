/**
 * Clearing and purging of ended jobs (rule EN-263): a DONE job becomes CLEARED when its files are removed,
 * and any ended job becomes PURGED when it is purged.
 *
 * Ended jobs are only in the views. So each event contains the record of its job, and applying it changes the
 * row of the job in its view and nothing else.
 */
import { accepted, refused } from "../../../base/index.ts";
import { isFinal, type JobRecord, runStateOf } from "../../../model/index.ts";
import type { Answer, CommandOf, EventOf, Feature } from "../../feature.ts";
import { jobRow } from "../../state/job-row.ts";
import type { Projection, RecordChange } from "../../state/projection.ts";

export const retirement = {
  name: "retirement",
  answers: { clearJob, purgeJob },
  applies: { jobCleared: cleared, jobPurged: purged },
  rows: { retiredJob: jobRow },
} as const satisfies Feature;

/** A second removal changes nothing. */
function clearJob(_: Projection, { record, by }: CommandOf<"clearJob">, nowMs: number): Answer {
  const { id: job, state, retired } = record;
  if (!isFinal(state)) return refused({ kind: "jobNotOver", job, state });
  if (retired?.clearedAtMs !== undefined || state === "PURGED") return accepted([]);
  return accepted([{ kind: "jobCleared", job, record, by, atMs: nowMs }]);
}

function purgeJob(_: Projection, { record, by }: CommandOf<"purgeJob">, nowMs: number): Answer {
  const { id: job, state } = record;
  if (!isFinal(state)) return refused({ kind: "jobNotOver", job, state });
  if (state === "PURGED") return accepted([]);
  return accepted([{ kind: "jobPurged", job, record, by, atMs: nowMs }]);
}

/** Jobs that were aborted or cancelled keep their state: it says more than that their files are gone. */
function cleared(_: Projection, { record, atMs }: EventOf<"jobCleared">): readonly RecordChange[] {
  const state = record.state === "DONE" ? "CLEARED" : record.state;
  return [retiredAs(record, state, { clearedAtMs: atMs })];
}

function purged(_: Projection, { record, atMs }: EventOf<"jobPurged">): readonly RecordChange[] {
  const clearedAtMs = record.retired?.clearedAtMs ?? atMs;
  return [retiredAs(record, "PURGED", { clearedAtMs, purgedAtMs: atMs })];
}

function retiredAs(
  record: JobRecord,
  state: JobRecord["state"],
  instants: Partial<JobRecord["retired"]>,
): RecordChange {
  const retired = { ...record.retired, from: runStateOf(record), ...instants };
  return { kind: "retiredJob", record: { ...record, state, retired } };
}
