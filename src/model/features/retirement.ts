/**
 * Jobs after their end: their files are removed, and later their records are retired, by their users or by
 * the retention (A43). What the accounting and the provenance need of a record stays.
 */
import type { FeatureModel } from "../feature.ts";
import type { JobRecord } from "../job.ts";

interface Retirement {
  /** As the views have it: jobs that are over are not in memory. */
  readonly record: JobRecord;
  /** Null: the retention. */
  readonly by: string | null;
}

interface RetirementTypes {
  readonly command: /** Says that the files of a job are removed. */
  ({ readonly kind: "clearJob" } & Retirement) | ({ readonly kind: "purgeJob" } & Retirement);
  readonly event:
    | ({ readonly kind: "jobCleared"; readonly job: string } & Retirement)
    | ({ readonly kind: "jobPurged"; readonly job: string } & Retirement);
}

export const retirement: FeatureModel<RetirementTypes> = {
  events: { jobCleared: 1, jobPurged: 1 },
  refusals: {},
};
