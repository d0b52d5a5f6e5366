/**
 * How strongly a wait resembles the one before it, and how long a run of large waits must then be to say
 * that the times have changed.
 *
 * Source: change-point detection of [BNW06]. Waits are looked at as round(1000 ln(wait in s + 1)); their
 * lag-1 autocorrelation is kept as exact sums. The run lengths were tabulated by simulation, as there:
 * a Gaussian series x' = ρ x + √(1 − ρ²) ε of 1,000,000 steps (seed 2026, the same normal deviates for every
 * ρ) is watched for runs above its 0.95-quantile; the length is the least r such that at most 1 % of the runs
 * last r or longer. Independent data (ρ = 0) gives 3: after one wait above the quantile the chance of two
 * more is 0.05² (test).
 */

import { MS_PER_SECOND } from "../base/index.ts";

/** By autocorrelation 0, 0.05 … 0.95. */
export const RARE_RUNS: readonly number[] = [3, 3, 3, 3, 4, 4, 4, 4, 4, 5, 5, 5, 6, 6, 7, 8, 9, 12, 16, 26];

const STEP = 0.05;
const ALMOST_NOTHING = 1e-9;
const LOG_SCALE = 1000;

/** A series with what its autocorrelation is computed from; whole numbers, so that nothing drifts. */
export interface Autocorrelation {
  count: number;
  sum: number;
  squares: number;
  /** Σ x_i x_{i−1}. */
  products: number;
  first: number;
  last: number;
}

/** Of no waits. */
export function noAutocorrelation(): Autocorrelation {
  return { count: 0, sum: 0, squares: 0, products: 0, first: 0, last: 0 };
}

/** Adds the next wait. */
export function addToAutocorrelation(sums: Autocorrelation, waitMs: number): void {
  const x = logOf(waitMs);
  if (sums.count === 0) sums.first = x;
  else sums.products += x * sums.last;
  sums.count++;
  sums.sum += x;
  sums.squares += x * x;
  sums.last = x;
}

/** Takes the first wait away; `nextMs` is the one after it. */
export function dropFirst(sums: Autocorrelation, nextMs: number): void {
  const next = logOf(nextMs);
  sums.count--;
  sums.sum -= sums.first;
  sums.squares -= sums.first * sums.first;
  sums.products -= sums.first * next;
  sums.first = next;
}

/** The lag-1 autocorrelation; 0 where all are the same. */
export function autocorrelationOf({ count, sum, squares, products, first, last }: Autocorrelation): number {
  const mean = sum / count;
  const variance = squares - sum * mean;
  if (count < 2 || count * squares === sum * sum) return 0;
  return (products - mean * (2 * sum - first - last) + (count - 1) * mean * mean) / variance;
}

/** How many waits in a row above the bound are a rare event. */
export function rareRun(sums: Autocorrelation): number {
  const step = Math.ceil(autocorrelationOf(sums) / STEP - ALMOST_NOTHING);
  return RARE_RUNS[Math.max(0, Math.min(RARE_RUNS.length - 1, step))];
}

function logOf(waitMs: number): number {
  return Math.round(LOG_SCALE * Math.log1p(waitMs / MS_PER_SECOND));
}
