/**
 * The two figures by which sites publish how soon they serve: the estimated and the worst response time.
 *
 * Both are waits of a one-processor job that is submitted now. A figure that no method can say within bounds
 * (a job that some futures never start has no mean) is the next method's.
 */
import type { ScheduledStart } from "./schedule-start.ts";
import type { StartMethod } from "./scores.ts";
import { type SimulatedStarts, simulatedMean, simulatedQuantile } from "./simulate-start.ts";

/** The probability with which the worst response time is promised. */
export const WORST_RESPONSE = 0.95;

/** What is known of the start of a one-processor job. */
export interface KnownStarts {
  readonly simulated?: SimulatedStarts | undefined;
  readonly scheduled?: Pick<ScheduledStart, "waitMs"> | undefined;
  /** The 0.95-bound from past waits. */
  readonly boundMs?: number | undefined;
}

/** A wait, and which method says it. */
export interface ResponseTime<Method extends StartMethod = StartMethod> {
  readonly waitMs: number;
  readonly method: Method;
}

/** Undefined where nothing says it. */
export interface ResponseTimes {
  readonly estimated: ResponseTime<"simulation" | "schedule"> | undefined;
  readonly worst: ResponseTime<"simulation" | "history"> | undefined;
}

/** Estimated: the simulated mean, else the start by schedule; worst: the 0.95-quantile, else the bound. */
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
