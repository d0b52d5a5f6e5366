/** Bytes of files of workflows that the broker has. */
import { createReadStream } from "node:fs";
import { query } from "../../engine/index.ts";
import type { BrokerApi, Round } from "../../runtime/index.ts";
import { type MovingWorld, sourceOf } from "./move-file.ts";

/** Reads of workflow files by the API. */
export function resultBytes(
  round: Pick<Round, "projection" | "nowMs">,
  sandboxes: MovingWorld["sandboxes"],
): Pick<BrokerApi, "readWorkflowFile"> {
  return {
    readWorkflowFile(workflow, name) {
      const files = query(round.projection, { name: "workflowFiles", question: workflow }, round.nowMs());
      const file = files.find((one) => one.name === name && one.isStored);
      return file && createReadStream(sourceOf({ sandboxes }, file));
    },
  };
}
