/**
 * The two figures by which sites publish how soon they serve: the estimated and the worst response time.
 */
import type { ScheduledStart } from "./schedule-start.ts";
import { type SimulatedStarts, simulatedMean, simulatedQuantile } from "./simulate-start.ts";

const WORST = 0.95;

/** What is known of the start of a one-processor job. */
export interface KnownStarts {
  readonly simulated?: SimulatedStarts;
  readonly scheduled?: ScheduledStart;
  /** The 0.95-bound from past waits. */
  readonly boundMs?: number;
}

/** In ms; undefined where nothing says it. */
export interface ResponseTimes {
  readonly estimatedMs: number | undefined;
  readonly worstMs: number | undefined;
}

/** Estimated: the simulated mean, else the start by schedule; worst: the 0.95-quantile, else the bound. */
export function responseTimes({ simulated, scheduled, boundMs }: KnownStarts): ResponseTimes {
  return {
    estimatedMs: simulated === undefined ? scheduled?.waitMs : Math.round(simulatedMean(simulated)),
    worstMs: simulated === undefined ? boundMs : simulatedQuantile(simulated, WORST),
  };
}
