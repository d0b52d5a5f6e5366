/** `/jobs/:id/provenance`: where the result of a job came from. */
import { Type } from "typebox";
import { count, orNull, ref, type Shape, strict } from "./fields.ts";
import type { JobView } from "./job.ts";

/** Where the result of a job came from. */
export const provenanceSchema = Type.Object(
  {
    job: ref<JobView>("Job"),
    stint: Type.String({ description: "Version of the broker that answers" }),
    description: Type.Record(Type.String(), Type.Unknown(), {
      description:
        "The job in a form that can be resubmitted; its environment is included only for callers who " +
        "may act on it",
    }),
    inputs: Type.Object(
      {
        digest: orNull(
          Type.String({
            description:
              "SHA-256 of all input files together: the hash of the output of sha256sum for them, sorted " +
              "by name",
          }),
        ),
        files: Type.Array(
          Type.Object(
            { path: Type.String(), name: Type.String(), sha256: orNull(Type.String()) },
            { ...strict, description: "Where a file was, and its name in the job's directory" },
          ),
        ),
      },
      strict,
    ),
    site: orNull(
      Type.Object(
        { name: Type.String(), kind: Type.String({ description: "Type of the site, such as slurm" }) },
        { ...strict, description: "Null where it has none, or the site was removed" },
      ),
    ),
    outputs: Type.Array(Type.Object({ name: Type.String(), sizeBytes: count }, strict)),
  },
  { ...strict, description: "Where the result of a job came from" },
);

/** Where the result of a job came from. */
export type ProvenanceView = Shape<typeof provenanceSchema>;
