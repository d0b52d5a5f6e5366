/** States of jobs, including those of ended jobs that were cleared or purged. */

/**
 * State of a job by its run. WAITING: without a site; READY: being submitted to a foreign site; SCHEDULED: in
 * a site's queue; HELD and SUSPENDED are outside this sequence; a program that ends, with any exit code, is
 * DONE.
 */
export type RunState =
  | "WAITING"
  | "READY"
  | "SCHEDULED"
  | "RUNNING"
  | "DONE"
  | "ABORTED"
  | "CANCELLED"
  | "HELD"
  | "SUSPENDED";

/** State of a job. CLEARED: DONE, and its files were removed; PURGED: ended and purged. */
export type JobState = RunState | "CLEARED" | "PURGED";

/** Every state of a run, in the order in which jobs pass through them. */
export const RUN_STATES: readonly RunState[] = [
  "WAITING",
  "READY",
  "SCHEDULED",
  "RUNNING",
  "SUSPENDED",
  "HELD",
  "DONE",
  "ABORTED",
  "CANCELLED",
];

/** Every state, in the order in which jobs pass through them. */
export const JOB_STATES: readonly JobState[] = [...RUN_STATES, "CLEARED", "PURGED"];

const FINAL: ReadonlySet<JobState> = new Set(["DONE", "ABORTED", "CANCELLED", "CLEARED", "PURGED"]);

/** True for states that are final. */
export function isFinal(state: JobState): boolean {
  return FINAL.has(state);
}

/** Clearing and purging of an ended job. Unix ms. */
export interface RetiredJob {
  /** State in which it ended. */
  readonly from: RunState;
  readonly clearedAtMs?: number;
  readonly purgedAtMs?: number;
}

/** State of a job by its run: that of its end where it is CLEARED or PURGED. */
export function runStateOf({
  state,
  retired,
}: {
  readonly state: JobState;
  readonly retired?: RetiredJob;
}): RunState {
  if (state === "CLEARED") return "DONE";
  return state === "PURGED" ? (retired?.from ?? "DONE") : state;
}
