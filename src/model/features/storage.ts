/** Use of jobs at sites: their files, and transfers over links. */
import type { FeatureModel } from "../feature.ts";
import type { JobState } from "../job-state.ts";
import type { MeasuredTransfers } from "../measured-transfers.ts";
import type { StoreLimit } from "../stored-files.ts";
import { filesOverQuotaText } from "../stored-files-text.ts";

interface StorageTypes {
  readonly command: /** Says what an attempt that is over has left at its site; `files` is its token. */
    | { readonly kind: "countFiles"; readonly files: string; readonly bytes: number }
    /** That has been removed. */
    | { readonly kind: "clearFiles"; readonly files: string; readonly site: string; readonly by: string }
    /** Says what passed over the links of a site between two instants, by consumer. */
    | ({ readonly kind: "noteTransfers" } & MeasuredTransfers);
  readonly event: /** What an attempt that is over has left at its site was counted; `files` is its token. */
    | { readonly kind: "filesCounted"; readonly files: string; readonly site: string; readonly bytes: number }
    /** That was removed, since somebody asked for it. */
    | { readonly kind: "filesCleared"; readonly files: string; readonly site: string; readonly by: string }
    | ({ readonly kind: "transfersMeasured" } & MeasuredTransfers);
  readonly refusal: /** The files that go with it would never be taken at any site that it may use. */
    | { readonly kind: "filesOverQuota"; readonly limits: readonly StoreLimit[] }
    /** What a job has left is removed when it has ended. */
    | { readonly kind: "jobNotOver"; readonly job: string; readonly state: JobState };
}

export const storage: FeatureModel<StorageTypes> = {
  events: { filesCounted: 1, filesCleared: 1, transfersMeasured: 1 },
  refusals: {
    filesOverQuota: { status: 422, text: ({ limits }) => filesOverQuotaText(limits) },
    jobNotOver: {
      status: 409,
      text: ({ job, state }) => ({
        what: `the files of job ${job} cannot be removed`,
        why: `it is ${state}, and may still need them`,
        remedy: `wait until it has ended, or cancel it: \`stint cancel ${job}\``,
      }),
    },
  },
};
