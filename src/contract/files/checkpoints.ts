/** Words of a job about the states that it saves. */
import { CHECKPOINT_PATTERN } from "../../model/index.ts";
import { count, flag, text } from "./shape.ts";

export const checkpointFields = {
  checkpointable: flag({
    description:
      "True for a program that writes checkpoints with `stint-ckpt save NAME FILE…`. If an attempt is " +
      "lost, the next one starts from the last checkpoint.",
    default: "false",
  }),
  checkpointExitCode: count({
    description: "Exit code by which the program requests another attempt from its last checkpoint.",
    ...{ least: 1, most: 125, examples: ["85"] },
  }),
  checkpointsKept: count({
    description: "Number of checkpoints that are kept.",
    ...{ least: 1, most: 10, default: "3", examples: ["5"] },
  }),
  fromCheckpoint: text({
    description:
      "Checkpoint of another job of yours from which the job starts: the complete job id, a colon, and the " +
      "name.",
    ...{ pattern: CHECKPOINT_PATTERN, examples: ["7f3aabcdefgh:step3"] },
    mismatch: {
      code: "badCheckpoint",
      noun: "state of a job",
      why: "it must be a job id, a colon, and the name of a checkpoint",
      remedy: "write for instance 7f3aabcdefgh:step3; `stint checkpoint list ID` shows the names",
    },
  }),
};
