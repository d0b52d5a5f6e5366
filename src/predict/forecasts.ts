/** Forecasts of each method in one comparable form: waits at 50, 80 and 95 %. */
import { boundWait, type WaitHistory } from "./history.ts";
import type { JobFacts } from "./job-facts.ts";
import type { WaitPromise } from "./recalibrate.ts";
import { boundOf, quantileOf } from "./recent-values.ts";
import type { ScheduledStart } from "./schedule-start.ts";
import type { Forecast, StartMethod } from "./scores.ts";
import { type PastStates, similarWaits } from "./similarity.ts";
import type { SimulatedStarts } from "./simulate-start.ts";
import type { SiteSnapshot } from "./snapshot.ts";

/** Probabilities at which starts are promised. */
export const PROMISED: readonly number[] = [0.5, 0.8, 0.95];
/** Confidence of bounds from past waits. */
const CONFIDENCE = 0.95;

/** Forecast by schedule: one wait for all probabilities; undefined where the job would never start. */
export function forecastBySchedule({ waitMs }: Pick<ScheduledStart, "waitMs">): Forecast | undefined {
  return forecastOf("schedule", () => waitMs);
}

/** Forecast by simulation: quantiles of the waits; those that too few runs reached are left out. */
export function forecastBySimulation({ waitsMs }: SimulatedStarts): Forecast | undefined {
  return forecastOf("simulation", (probability) => quantileOf(waitsMs, probability));
}

/** Forecast by history: bounds from past waits; undefined where too few are known for any. */
export function forecastByHistory(history: WaitHistory, job: JobFacts, nowMs: number): Forecast | undefined {
  const assurance = (quantile: number) => ({ quantile, confidence: CONFIDENCE });
  return forecastOf("history", (probability) => {
    return boundWait(history, job, assurance(probability), nowMs)?.value;
  });
}

/**
 * Forecast by similarity: bounds from the waits in the nearest past states; undefined where too few are
 * known.
 */
export function forecastBySimilarity(
  past: PastStates,
  job: JobFacts,
  snapshot: SiteSnapshot,
): Forecast | undefined {
  const waitsMs = similarWaits(past, job, snapshot);
  if (waitsMs === undefined) return undefined;
  return forecastOf("similarity", (quantile) => boundOf(waitsMs, { quantile, confidence: CONFIDENCE }));
}

function forecastOf(
  method: StartMethod,
  waitAt: (probability: number) => number | undefined,
): Forecast | undefined {
  const promises = PROMISED.flatMap((probability): WaitPromise[] => {
    const waitMs = waitAt(probability);
    return waitMs === undefined || !Number.isFinite(waitMs) ? [] : [{ probability, waitMs }];
  });
  return promises.length === 0 ? undefined : { method, promises };
}
