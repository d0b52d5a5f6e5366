/**
 * Why a site would never start a job, in words.
 */
import { counted, sizeText, unreachable } from "../../base/index.ts";
import { blockerText, type FormatInstant } from "../batch-system/text.ts";
import type { Unfit } from "./question.ts";

/** One sentence, without capital and full stop. */
export function unfitText(unfit: Unfit, formatInstant: FormatInstant): string {
  switch (unfit.kind) {
    case "siteTooSmall": {
      const all = `${counted(unfit.procs, "processor")} and ${sizeText(unfit.memoryBytes)} of memory in all`;
      return `it has ${all}`;
    }
    case "gpusNotOffered":
      return `it offers no GPUs, and ${counted(unfit.gpus, "GPU")} are asked for`;
    case "blocked": {
      const said = unfit.blockers.map((blocker) => blockerText(blocker, formatInstant));
      return `partition ${unfit.partition}: ${said.join("; ")}`;
    }
    default:
      return unreachable(unfit);
  }
}
