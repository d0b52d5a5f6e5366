/** Progress of a simulation on a terminal: jobs done, virtual date, jobs per second, time left. */

import { lengthText } from "../base/index.ts";
import type { SimulationProgress } from "../model/index.ts";
import { beginProgressBar } from "./progress-bar.ts";

/** A progress line on a terminal. */
export interface ProgressLine {
  show(progress: SimulationProgress): void;
  /** Removes the line. */
  clear(): void;
}

/** Starts a progress line on stderr. */
export function beginProgress(): ProgressLine {
  const beganAt = performance.now();
  const format = "  {bar} {percentage}%  {jobs} jobs, {rate} jobs/s, {date}, {left} left";
  const bar = beginProgressBar(format, 1000, { jobs: 0, rate: 0, date: "", left: "?" });
  return {
    show: ({ jobsDone, readFraction, virtualUnixMs }) => {
      const elapsedSec = (performance.now() - beganAt) / 1000;
      const done = readFraction ?? 0;
      bar.update(Math.floor(done * 1000), {
        jobs: jobsDone,
        rate: Math.round(jobsDone / Math.max(elapsedSec, 0.001)),
        date: new Date(virtualUnixMs).toISOString().slice(0, 10),
        left: done > 0 ? lengthText((elapsedSec / done) * (1 - done)) : "?",
      });
    },
    clear: bar.clear,
  };
}
