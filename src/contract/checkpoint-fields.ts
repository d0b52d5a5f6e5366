/** Fields of a description about the states that a job saves. */
import { Type } from "typebox";
import { CHECKPOINT_PATTERN } from "../model/index.ts";

export const checkpointFields = {
  checkpointable: Type.Optional(
    Type.Boolean({
      description: "True for a program that writes checkpoints, from which further attempts start",
    }),
  ),
  checkpointExitCode: Type.Optional(
    Type.Integer({
      ...{ minimum: 1, maximum: 125 },
      description: "Exit code by which it requests another attempt from its last checkpoint",
    }),
  ),
  checkpointsKept: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 10, description: "Number of checkpoints that are kept; absent: 3" }),
  ),
  fromCheckpoint: Type.Optional(
    Type.String({
      ...{ pattern: CHECKPOINT_PATTERN, maxLength: 129 },
      description: "Checkpoint to start from, of a job of the same owner: ID:NAME",
    }),
  ),
};
