/**
 * The binomial method with change points, written from its rules alone: after every observation the waits
 * are sorted and everything is computed again. Ranks are those of exact fractions.
 */
import { plainUpperRank } from "./plain-binomial.ts";

/** What becomes known of a class, in order. */
export type PlainObservation =
  /** A job started after this wait; `wasOverdue` if it had counted before as waiting beyond the bound. */
  | { readonly kind: "started"; readonly waitMs: number; readonly wasOverdue: boolean }
  /** A job still waits, longer than the bound. */
  | { readonly kind: "overdue" };

/** The state after some observations. */
export interface PlainSeries {
  /** In order of time, since the last change point. */
  readonly waitsMs: readonly number[];
  readonly run: number;
  readonly changePoints: number;
}

/** How many waits in a row beyond the bound are a rare event, by lag-1 autocorrelation 0, 0.05 … 0.95. */
export type PlainRunLengths = readonly number[];

const MINIMUM_SAMPLE = 59;
const ranks = new Map<string, number | undefined>();

/** Plays the observations. */
export function plainBmbp(
  observations: readonly PlainObservation[],
  runLengths: PlainRunLengths,
): PlainSeries {
  let waitsMs: number[] = [];
  let run = 0;
  let changePoints = 0;
  for (const observation of observations) {
    const bound = plainUpperBound(waitsMs, 950, 950);
    if (observation.kind === "overdue") {
      run++;
    } else {
      if (bound !== undefined && observation.waitMs <= bound) run = 0;
      if (bound !== undefined && observation.waitMs > bound && !observation.wasOverdue) run++;
      waitsMs = [...waitsMs, observation.waitMs];
    }
    if (bound !== undefined && run >= rareRun(waitsMs, runLengths)) {
      waitsMs = waitsMs.slice(-MINIMUM_SAMPLE);
      run = 0;
      changePoints++;
    }
  }
  return { waitsMs, run, changePoints };
}

/** The k-th smallest, k as exact fractions give it; q and C in thousandths. */
export function plainUpperBound(waitsMs: readonly number[], q: number, c: number): number | undefined {
  const key = `${waitsMs.length} ${q} ${c}`;
  if (!ranks.has(key)) ranks.set(key, plainUpperRank(waitsMs.length, q, c));
  const rank = ranks.get(key);
  return rank === undefined ? undefined : [...waitsMs].sort((a, b) => a - b)[rank - 1];
}

/** The mirror: the bound of the negated waits, negated. */
export function plainLowerBound(waitsMs: readonly number[], q: number, c: number): number | undefined {
  const mirrored = plainUpperBound(
    waitsMs.map((wait) => -wait),
    1000 - q,
    c,
  );
  return mirrored === undefined ? undefined : -mirrored;
}

/** Lag-1 autocorrelation of round(1000 ln(wait in s + 1)); 0 where they are all the same. */
export function plainAutocorrelation(waitsMs: readonly number[]): number {
  const logs = waitsMs.map((wait) => Math.round(1000 * Math.log1p(wait / 1000)));
  const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length;
  const variance = logs.reduce((sum, log) => sum + (log - mean) ** 2, 0);
  if (logs.every((log) => log === logs[0])) return 0;
  let covariance = 0;
  for (let i = 1; i < logs.length; i++) covariance += (logs[i] - mean) * (logs[i - 1] - mean);
  return covariance / variance;
}

function rareRun(waitsMs: readonly number[], runLengths: PlainRunLengths): number {
  const step = Math.ceil(plainAutocorrelation(waitsMs) * 20 - 1e-9);
  return runLengths[Math.max(0, Math.min(runLengths.length - 1, step))];
}
