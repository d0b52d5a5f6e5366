/**
 * The two response times that sites publish: the estimated and the worst.
 *
 * Both are waits of a one-processor job that is submitted now. Estimated: the mean of the simulation, else
 * the start by schedule. Worst: the 0.95-quantile of the simulation, else the bound from past waits. An
 * infinite figure (a job that some runs never start has no mean) is passed over for the next method's.
 */
import type { ScheduledStart } from "./schedule-start.ts";
import type { StartMethod } from "./scores.ts";
import { type SimulatedStarts, simulatedMean, simulatedQuantile } from "./simulate-start.ts";

/** Probability of the worst response time. */
export const WORST_RESPONSE = 0.95;

/** Predictions of the start of a one-processor job. */
export interface KnownStarts {
  readonly simulated?: SimulatedStarts | undefined;
  readonly scheduled?: Pick<ScheduledStart, "waitMs"> | undefined;
  /** The 0.95-bound from past waits. */
  readonly boundMs?: number | undefined;
}

/** A wait, and the method that predicts it. */
export interface ResponseTime<Method extends StartMethod = StartMethod> {
  readonly waitMs: number;
  readonly method: Method;
}

/** The two figures; undefined where no method predicts one. */
export interface ResponseTimes {
  readonly estimated: ResponseTime<"simulation" | "schedule"> | undefined;
  readonly worst: ResponseTime<"simulation" | "history"> | undefined;
}

/** The figures by the first method that has each, simulation before schedule and bound. */
export function responseTimes({ simulated, scheduled, boundMs }: KnownStarts): ResponseTimes {
  const mean = simulated && Math.round(simulatedMean(simulated));
  const quantile = simulated && simulatedQuantile(simulated, WORST_RESPONSE);
  return {
    estimated: said("simulation", mean) ?? said("schedule", scheduled?.waitMs),
    worst: said("simulation", quantile) ?? said("history", boundMs),
  };
}

function said<Method extends StartMethod>(
  method: Method,
  waitMs: number | undefined,
): ResponseTime<Method> | undefined {
  return waitMs === undefined || !Number.isFinite(waitMs) ? undefined : { waitMs, method };
}
