/** `/jobs/:id/checkpoints`: states that jobs saved. */
import { Type } from "typebox";
import { CHECKPOINT_NAME } from "../model/index.ts";
import { count, instant, ref, type Shape, strict } from "./fields.ts";
import { fileParameters, jobParameters } from "./job.ts";

const name = Type.String({ pattern: CHECKPOINT_NAME.source, description: "Name of a checkpoint" });

/** `/jobs/:id/checkpoints/:name` */
export const checkpointParameters = Type.Object({ ...jobParameters.properties, name });

/** `/jobs/:id/checkpoints/:name/files/:path` */
export const checkpointFileParameters = Type.Object({
  ...{ ...jobParameters.properties, name },
  path: fileParameters.properties.name,
});

const fields = {
  name,
  attempt: Type.Integer({ minimum: 1, description: "The attempt that saved it" }),
  savedAt: instant,
  files: count,
  sizeBytes: count,
};

/** A state. */
export const checkpointSchema = Type.Object(fields, {
  ...strict,
  description: "A checkpoint of a job; savedAt is by the clock of its node",
});

/** All that a job keeps. */
export const checkpointListSchema = Type.Object(
  { items: Type.Array(ref<CheckpointView>("Checkpoint")) },
  { ...strict, description: "Checkpoints of a job, newest first" },
);

/** A checkpoint with its files. */
export const checkpointFilesSchema = Type.Object(
  {
    ...{ name, attempt: fields.attempt, savedAt: instant },
    items: Type.Array(Type.Object({ name: Type.String(), sizeBytes: count }, strict)),
  },
  { ...strict, description: "A checkpoint with its files" },
);

/** A state that a job saved. */
export type CheckpointView = Shape<typeof checkpointSchema>;
/** A checkpoint with its files. */
export type CheckpointFilesView = Shape<typeof checkpointFilesSchema>;
