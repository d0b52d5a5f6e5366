/** Progress of a planner on a terminal: plans tried, and the best makespan so far. */
import { SingleBar } from "cli-progress";
import { lengthText } from "../base/index.ts";
import type { PlanningProgress } from "../plan/index.ts";

/** A progress line on stderr. */
interface PlanProgress {
  readonly show: (progress: PlanningProgress) => void;
  readonly clear: () => void;
}

/** Starts a progress line. */
export function beginPlanProgress(): PlanProgress {
  const bar = new SingleBar({
    stream: process.stderr,
    format: "  {bar} {value} of {total} tried, best {best}",
    barsize: 20,
    clearOnComplete: true,
    hideCursor: false,
    gracefulExit: false,
  });
  const clear = (): void => {
    process.off("exit", clear);
    bar.stop();
  };
  process.once("exit", clear);
  bar.start(1, 0, { best: "?" });
  return {
    show: ({ evaluations, mostEvaluations, bestMakespanMs }) => {
      bar.setTotal(mostEvaluations);
      bar.update(evaluations, { best: lengthText(bestMakespanMs / 1000) });
    },
    clear,
  };
}
