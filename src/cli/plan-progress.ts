/** Progress of a planner on a terminal: plans tried, and the best makespan so far. */
import { lengthText } from "../base/index.ts";
import type { PlanningProgress } from "../plan/index.ts";
import { beginProgressBar } from "./progress-bar.ts";

/** A progress line on stderr. */
interface PlanProgress {
  readonly show: (progress: PlanningProgress) => void;
  readonly clear: () => void;
}

/** Starts a progress line. */
export function beginPlanProgress(): PlanProgress {
  const bar = beginProgressBar("  {bar} {value} of {total} tried, best {best}", 1, { best: "?" });
  return {
    show: ({ evaluations, mostEvaluations, bestMakespanMs }) => {
      bar.setTotal(mostEvaluations);
      bar.update(evaluations, { best: lengthText(bestMakespanMs / 1000) });
    },
    clear: bar.clear,
  };
}
