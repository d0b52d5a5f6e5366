/**
 * Clearing and purging of ended jobs (A43): the files of a job are removed, and later the job is marked as
 * PURGED, by a user or after the times of `jobRetention`. Accounting and provenance stay.
 */
import type { FeatureModel } from "../feature.ts";
import type { JobRecord } from "../job.ts";

interface Retirement {
  /** Record of the job in the views; ended jobs are not in memory. */
  readonly record: JobRecord;
  /** User who requested it; null: `jobRetention`. */
  readonly by: string | null;
}

interface RetirementTypes {
  readonly command: /** Reports that the files of a job have been removed. */
  ({ readonly kind: "clearJob" } & Retirement) | ({ readonly kind: "purgeJob" } & Retirement);
  readonly event:
    | ({ readonly kind: "jobCleared"; readonly job: string } & Retirement)
    | ({ readonly kind: "jobPurged"; readonly job: string } & Retirement);
}

export const retirement: FeatureModel<RetirementTypes> = {
  events: { jobCleared: 1, jobPurged: 1 },
  refusals: {},
};
