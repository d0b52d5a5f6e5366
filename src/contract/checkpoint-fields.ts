/** Fields of a description about the states that a job saves. */
import { Type } from "typebox";
import { CHECKPOINT_PATTERN } from "../model/index.ts";

export const checkpointFields = {
  checkpointable: Type.Optional(
    Type.Boolean({ description: "True for a program that saves states, with which further attempts begin" }),
  ),
  checkpointExitCode: Type.Optional(
    Type.Integer({
      ...{ minimum: 1, maximum: 125 },
      description: "Exit code with which it asks for a further attempt, from the state that it saved",
    }),
  ),
  checkpointsKept: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 10, description: "States that are kept; 3 where absent" }),
  ),
  fromCheckpoint: Type.Optional(
    Type.String({
      ...{ pattern: CHECKPOINT_PATTERN, maxLength: 129 },
      description: "Saved state to begin with, of a job of the same owner: ID:NAME",
    }),
  ),
};
