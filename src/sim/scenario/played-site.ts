/** Result of a simulated site for any kind of workload: the input of its measures. */
import type { PriorityRules, SkippedJobs, SlotSummary, WorkloadFacts } from "../../model/index.ts";
import type { FinishedJob, ReplayJob } from "../../queue/index.ts";
import type { ReservedJob } from "../reserving/reservable-site.ts";
import type { WorkloadJob } from "../workload/workload.ts";
import type { PolicedJobs } from "./policed-jobs.ts";
import type { JobTimes, SlotCourse } from "./site-course.ts";

/** A job that is measured. */
export interface MeasuredJob extends ReplayJob, Pick<WorkloadJob, "user" | "group"> {
  /** True where the rule `kill` cut the job. */
  readonly isCut: boolean;
}

/** The site at the end. */
export interface PlayedSite {
  /** Those that came to their end, in order of submission. */
  readonly jobs: readonly MeasuredJob[];
  readonly times: JobTimes;
  readonly isBackfilled: Uint8Array;
  /** Places in `jobs`, in the order in which they ended. */
  readonly ended: Int32Array;
  /** Processors of all pools together. */
  readonly procs: number;
  readonly sha256: string;
  readonly skipped: SkippedJobs;
  readonly reservations: number;
  readonly priority?: PriorityRules;
  readonly slots?: SlotSummary;
  readonly slotCourse?: SlotCourse;
  /** The jobs in reservations, where jobs may reserve. */
  readonly reserved?: readonly ReservedJob<WorkloadJob>[];
  readonly workload?: WorkloadFacts;
  /** Jobs under usage policies, where the site has any. */
  readonly policed?: PolicedJobs;
}

/** The part of it that is known by the jobs. */
export type PlayedJobs = Pick<PlayedSite, "jobs" | "times" | "isBackfilled" | "ended">;

/** Room for what comes of these jobs, and who notes it; every one of them has to be noted. */
export function playedJobs(jobs: readonly MeasuredJob[]): {
  readonly played: PlayedJobs;
  readonly note: (place: number, finished: FinishedJob) => void;
} {
  const times: JobTimes = {
    procs: Float64Array.from(jobs, ({ need }) => need[0]),
    submitMs: Float64Array.from(jobs, ({ submitMs }) => submitMs),
    startMs: new Float64Array(jobs.length),
    endMs: new Float64Array(jobs.length),
  };
  const isBackfilled = new Uint8Array(jobs.length);
  const ended = new Int32Array(jobs.length);
  let count = 0;
  const note = (place: number, { startMs, endMs, backfilled }: FinishedJob): void => {
    times.startMs[place] = startMs;
    times.endMs[place] = endMs;
    isBackfilled[place] = backfilled ? 1 : 0;
    ended[count++] = place;
  };
  return { played: { jobs, times, isBackfilled, ended }, note };
}
