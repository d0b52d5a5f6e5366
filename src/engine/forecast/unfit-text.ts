/**
 * Why a site would never start a job, in words.
 */
import { counted, sizeText, some, unreachable } from "../../base/index.ts";
import { blockerText, type FormatInstant } from "../batch-system/text.ts";
import type { Unfit } from "./question.ts";

/** One sentence, without capital and full stop. */
export function unfitText(unfit: Unfit, formatInstant: FormatInstant): string {
  switch (unfit.kind) {
    case "siteTooSmall": {
      const { procs, memoryBytes, gpus } = unfit;
      const memory = `${sizeText(memoryBytes)} of memory`;
      const all = [
        counted(procs, "processor"),
        memory,
        ...(gpus === undefined ? [] : [counted(gpus, "GPU")]),
      ];
      return `it has ${some(all)} in all`;
    }
    case "gpusNotOffered":
      return `it offers no GPUs, and the job requests ${counted(unfit.gpus, "GPU")}`;
    case "noMatch":
      return unfit.clauses.map(({ of, text }) => `the ${of} requires ${text}`).join("; ");
    case "blocked": {
      const said = unfit.blockers.map((blocker) => blockerText(blocker, formatInstant));
      return `partition ${unfit.partition}: ${said.join("; ")}`;
    }
    case "blockedUnseen":
      return "its limits exclude the job; it publishes aggregates, so they are not shown one by one";
    default:
      return unreachable(unfit);
  }
}
