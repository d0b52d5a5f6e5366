/** Questions about jobs and arrays that are answered from their views. */
import type { ObservedJob } from "../engine/index.ts";
import type { ArrayRecord, JobRecord, JobSort, JobState, JobTime, ReportDimension } from "../model/index.ts";

/** Which jobs to list; all conditions hold. */
export interface JobQuery extends Pick<ObservedJob, "of"> {
  readonly states?: readonly JobState[];
  readonly owner?: string;
  /** The consumer path or anything below it. */
  readonly consumer?: string;
  readonly site?: string;
  /** Name that users gave their jobs. */
  readonly name?: string;
  /** Tags of the jobs, each as `key=value`, or `key` with any value. */
  readonly tags?: readonly string[];
  readonly exitCode?: number;
  /** Jobs of this array; null: of none. */
  readonly array?: string | null;
  /** Instant of a job that the next two are about; its submission where absent. */
  readonly time?: JobTime;
  /** At or after this instant, in Unix ms. */
  readonly sinceMs?: number;
  /** Before this instant, in Unix ms. */
  readonly untilMs?: number;
  /** Order of the list; newest first where absent. */
  readonly sort?: JobSort;
  /** Where the last page ended. */
  readonly after?: string;
  /** 1 … 1000, default 100. */
  readonly limit?: number;
}

/** One page of jobs. */
export interface JobPage {
  readonly items: readonly JobRecord[];
  readonly next: string | undefined;
}

/** Sums of jobs that are asked for: all conditions hold. */
export interface JobReportQuery
  extends Pick<JobQuery, "of" | "states" | "owner" | "consumer" | "site" | "name" | "tags"> {
  readonly by: readonly ReportDimension[];
  /** The instant of a job that decides whether it counts, and in which day, week and month. */
  readonly time: JobTime;
  /** At or after this instant, in Unix ms. */
  readonly sinceMs?: number;
  /** Before this instant, in Unix ms. */
  readonly untilMs?: number;
}

/** Waits of jobs from submission to start. */
export interface WaitSums {
  readonly meanMs: number;
  readonly medianMs: number;
  readonly maxMs: number;
}

/** Sums of the jobs of one group. */
export interface JobSums {
  /** Value of each dimension in their order; null where the jobs have none. */
  readonly keys: readonly (string | null)[];
  readonly jobs: number;
  /** DONE with exit code 0, or imitated by their site. */
  readonly ok: number;
  /** DONE in any other way; those that reached their time limit are among them. */
  readonly failed: number;
  readonly timeLimit: number;
  readonly cancelled: number;
  readonly aborted: number;
  readonly unfinished: number;
  /** Run time × processors, in processor-milliseconds. */
  readonly usedProcMs: number;
  /** Time limit × processors of those that started and have a limit of their own. */
  readonly askedProcMs: number;
  /** Run time × processors of the same jobs. */
  readonly usedOfAskedProcMs: number;
  /** Processor time of those whose site measured it. */
  readonly cpuMs: number;
  /** Run time × processors of the same jobs. */
  readonly measuredProcMs: number;
  /** Of those that started; null where none did. */
  readonly wait: WaitSums | null;
  /** Charged for their run, in processor-milliseconds; the price of a reservation is not of its jobs. */
  readonly costProcMs: number;
}

/** Which arrays to list; all conditions hold. `states`: some of its jobs are in one of these. */
export type ArrayQuery = Omit<JobQuery, "array" | "time" | "sort">;

/** One page of arrays. */
export interface ArrayPage {
  readonly items: readonly ArrayRecord[];
  readonly next: string | undefined;
}
