/** Progress of a scenario on a terminal: simulations done, time left. */

import { lengthText } from "../base/index.ts";
import type { ScenarioProgress } from "../model/index.ts";
import { beginProgressBar } from "./progress-bar.ts";

/** A progress line on a terminal. */
export interface ScenarioProgressLine {
  readonly show: (progress: ScenarioProgress) => void;
  /** Removes the line. */
  readonly clear: () => void;
}

/** Starts a progress line on stderr. */
export function beginScenarioProgress(): ScenarioProgressLine {
  const beganAt = performance.now();
  const bar = beginProgressBar("  {bar} {value} of {total} simulations, {left} left", 1, { left: "?" });
  return {
    show: ({ simulationsDone, simulationsPlanned }) => {
      const elapsedSec = (performance.now() - beganAt) / 1000;
      const leftSec = (elapsedSec / simulationsDone) * (simulationsPlanned - simulationsDone);
      bar.setTotal(simulationsPlanned);
      bar.update(simulationsDone, { left: lengthText(leftSec) });
    },
    clear: bar.clear,
  };
}
