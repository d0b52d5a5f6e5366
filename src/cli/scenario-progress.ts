/** Progress of a scenario on a terminal: simulations done, time left. */

import { SingleBar } from "cli-progress";
import { lengthText } from "../base/index.ts";
import type { ScenarioProgress } from "../model/index.ts";

/** A progress line on a terminal. */
export interface ScenarioProgressLine {
  readonly show: (progress: ScenarioProgress) => void;
  /** Removes the line. */
  readonly clear: () => void;
}

/** Starts a progress line on stderr. */
export function beginScenarioProgress(): ScenarioProgressLine {
  const beganAt = performance.now();
  const bar = new SingleBar({
    stream: process.stderr,
    format: "  {bar} {value} of {total} simulations, {left} left",
    barsize: 20,
    clearOnComplete: true,
    hideCursor: false,
    gracefulExit: false,
  });
  const clear = (): void => {
    process.off("exit", clear);
    bar.stop();
  };
  // However the process ends, the terminal gets its cursor and line wrapping back.
  process.once("exit", clear);
  bar.start(1, 0, { left: "?" });
  return {
    show: ({ simulationsDone, simulationsPlanned }) => {
      const elapsedSec = (performance.now() - beganAt) / 1000;
      const leftSec = (elapsedSec / simulationsDone) * (simulationsPlanned - simulationsDone);
      bar.setTotal(simulationsPlanned);
      bar.update(simulationsDone, { left: lengthText(leftSec) });
    },
    clear,
  };
}
