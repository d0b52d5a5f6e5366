/** Questions about jobs that are answered from their view. */
import type { ObservedJob } from "../engine/index.ts";
import type { JobRecord, JobSort, JobState, JobTime } from "../model/index.ts";

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
