/**
 * Past waits of one class: bounds on the next one, and change points.
 *
 * Equivalent to sorting all waits since the last change point and computing everything anew after each
 * observation (test/plain/plain-bmbp.ts); for speed the waits are kept sorted and the autocorrelation as
 * sums: an observation costs O(log n), a change point O(minimum sample).
 * Source: [BNW06]. A change point is a run of observations beyond the 0.95-bound so long that it is a rare
 * event under the lag-1 autocorrelation of the waits; all but the latest 59 are then dropped.
 * Departs from the source: the autocorrelation is fitted to the sample in hand and not once to a training
 * period; a job that still waits beyond the bound is an observation too; promised bounds use the effective
 * size of a correlated sample [BH46]; beyond 20,000 waits the oldest is dropped, so that a series does not
 * grow for ever.
 */
import { MS_PER_SECOND } from "../base/index.ts";
import {
  countAtMost,
  createSample,
  insertInto,
  kthSmallest,
  type OrderedSample,
  removeFrom,
  sizeOf,
} from "./ordered-sample.ts";
import { type Assurance, greatestQuantile, lowerRank, minimumSample, upperRank } from "./ranks.ts";

/** The bound that a run of larger waits is counted against. */
const CHANGE_ASSURANCE: Assurance = { quantile: 0.95, confidence: 0.95 };
/** Waits that remain after a change point: as many as that bound needs. */
const REMAINING = minimumSample(CHANGE_ASSURANCE);
const MOST_WAITS = 20_000;
/** Largest autocorrelation; 1 would leave no independent waits. */
const MOST_CORRELATED = 0.99;

/** Waits since the last change point, in order of time and sorted. */
export interface WaitSeries {
  sample: OrderedSample;
  /** A ring buffer; the oldest at `oldest`. */
  readonly waitsMs: number[];
  oldest: number;
  autocorrelation: Autocorrelation;
  /** Number of consecutive observations beyond the bound. */
  run: number;
  changePoints: number;
}

/** A series without waits. */
export function createSeries(): WaitSeries {
  return {
    sample: createSample(),
    waitsMs: [],
    oldest: 0,
    autocorrelation: noAutocorrelation(),
    run: 0,
    changePoints: 0,
  };
}

/**
 * Adds the wait of a job that has started.
 *
 * @param wasOverdue whether `observeOverdue` was called for the job: then its long wait is not counted again
 */
export function observeStart(series: WaitSeries, waitMs: number, wasOverdue = false): void {
  const boundMs = changeBound(series);
  if (boundMs !== undefined) {
    if (waitMs <= boundMs) series.run = 0;
    else if (!wasOverdue) series.run++;
  }
  add(series, waitMs);
  if (boundMs !== undefined) forgetAfterChange(series);
}

/** Counts a job that still waits, longer than `changeBound`; to be called once for a job. */
export function observeOverdue(series: WaitSeries): void {
  series.run++;
  if (changeBound(series) !== undefined) forgetAfterChange(series);
}

/** The bound beyond which a waiting job is overdue; undefined while there are too few waits. */
export function changeBound(series: WaitSeries): number | undefined {
  return upperBound(series, CHANGE_ASSURANCE);
}

/** The upper bound of a quantile of the next wait, in ms; undefined with too few waits. */
export function upperBound({ sample }: WaitSeries, assurance: Assurance): number | undefined {
  const rank = upperRank(sizeOf(sample), assurance);
  return rank === undefined ? undefined : kthSmallest(sample, rank);
}

/** The lower bound of a quantile of the next wait, in ms; undefined with too few waits. */
export function lowerBound({ sample }: WaitSeries, assurance: Assurance): number | undefined {
  const rank = lowerRank(sizeOf(sample), assurance);
  return rank === undefined ? undefined : kthSmallest(sample, rank);
}

/** The probability, with confidence `confidence`, of a wait of at most `limitMs`; 0 without waits. */
export function probabilityWithin({ sample }: WaitSeries, limitMs: number, confidence: number): number {
  return greatestQuantile(countAtMost(sample, limitMs), sizeOf(sample), confidence);
}

/**
 * The upper bound from correlated waits: the rank for their effective number, scaled to their number.
 * Undefined with too few waits.
 */
export function correlatedBound(series: WaitSeries, assurance: Assurance): number | undefined {
  const rank = upperRank(effectiveSize(series), assurance);
  return rank === undefined ? undefined : kthSmallest(series.sample, scaled(series, rank));
}

/** The lower bound from correlated waits; undefined with too few. */
export function correlatedLowerBound(series: WaitSeries, assurance: Assurance): number | undefined {
  const rank = lowerRank(effectiveSize(series), assurance);
  if (rank === undefined) return undefined;
  // Counted from the top, since the lower bound mirrors the upper one.
  const fromTop = scaled(series, effectiveSize(series) + 1 - rank);
  return kthSmallest(series.sample, sizeOf(series.sample) + 1 - fromTop);
}

/** The probability from correlated waits; undefined with fewer waits than the usual bound needs. */
export function correlatedProbability(
  series: WaitSeries,
  limitMs: number,
  confidence: number,
): number | undefined {
  const n = sizeOf(series.sample);
  if (n < REMAINING) return undefined;
  const independent = effectiveSize(series);
  const rank = Math.floor((countAtMost(series.sample, limitMs) * independent) / n);
  return greatestQuantile(rank, independent, confidence);
}

/** The waits since the last change point, oldest first. */
export function recentWaits({ waitsMs, oldest }: WaitSeries): number[] {
  return [...waitsMs.slice(oldest), ...waitsMs.slice(0, oldest)];
}

/**
 * The effective size n (1 − ρ) ÷ (1 + ρ) of the sample, with lag-1 autocorrelation ρ: at most n, and at least
 * the minimum sample where n is.
 */
function effectiveSize({ sample, autocorrelation }: WaitSeries): number {
  const n = sizeOf(sample);
  if (n <= REMAINING) return n;
  const rho = Math.min(MOST_CORRELATED, Math.max(0, autocorrelationOf(autocorrelation)));
  return Math.max(REMAINING, Math.floor((n * (1 - rho)) / (1 + rho)));
}

/** A rank among the effective number of waits, scaled to a rank among all. */
function scaled(series: WaitSeries, rank: number): number {
  return Math.ceil((sizeOf(series.sample) * rank) / effectiveSize(series));
}

function add(series: WaitSeries, waitMs: number): void {
  const { waitsMs, sample, autocorrelation } = series;
  if (waitsMs.length < MOST_WAITS) {
    waitsMs.push(waitMs);
  } else {
    const { oldest } = series;
    const next = (oldest + 1) % MOST_WAITS;
    removeFrom(sample, waitsMs[oldest]);
    dropFirst(autocorrelation, waitsMs[next]);
    waitsMs[oldest] = waitMs;
    series.oldest = next;
  }
  insertInto(sample, waitMs);
  addToAutocorrelation(autocorrelation, waitMs);
}

function forgetAfterChange(series: WaitSeries): void {
  if (series.run < rareRun(series.autocorrelation)) return;
  const kept = recentWaits(series).slice(-REMAINING);
  series.sample = createSample();
  series.autocorrelation = noAutocorrelation();
  series.waitsMs.length = 0;
  series.oldest = 0;
  for (const waitMs of kept) add(series, waitMs);
  series.run = 0;
  series.changePoints++;
}

// The autocorrelation of waits, and the length of a run of large waits that marks a change point.
//
// Source: change-point detection of [BNW06]. Waits are taken as round(1000 ln(wait in s + 1)); their lag-1
// autocorrelation is stored as exact sums. The run lengths were tabulated by simulation, as there: a Gaussian
// series x' = ρ x + √(1 − ρ²) ε of 1,000,000 steps (seed 2026, the same normal deviates for every ρ) is
// watched for runs above its 0.95-quantile; the length is the least r such that at most 1 % of the runs last
// r
// or longer. Independent data (ρ = 0) gives 3: after one wait above the quantile the chance of two more is
// 0.05² (test).

/** Run lengths for autocorrelations 0, 0.05 … 0.95. */
export const RARE_RUNS: readonly number[] = [3, 3, 3, 3, 4, 4, 4, 4, 4, 5, 5, 5, 6, 6, 7, 8, 9, 12, 16, 26];

const STEP = 0.05;
const ALMOST_NOTHING = 1e-9;
const LOG_SCALE = 1000;

/** Sums for the autocorrelation of a series; whole numbers, so that nothing drifts. */
interface Autocorrelation {
  count: number;
  sum: number;
  squares: number;
  /** Σ x_i x_{i−1}. */
  products: number;
  first: number;
  last: number;
}

function noAutocorrelation(): Autocorrelation {
  return { count: 0, sum: 0, squares: 0, products: 0, first: 0, last: 0 };
}

function addToAutocorrelation(sums: Autocorrelation, waitMs: number): void {
  const x = logOf(waitMs);
  if (sums.count === 0) sums.first = x;
  else sums.products += x * sums.last;
  sums.count++;
  sums.sum += x;
  sums.squares += x * x;
  sums.last = x;
}

/** Removes the first wait; `nextMs` is the one after it. */
function dropFirst(sums: Autocorrelation, nextMs: number): void {
  const next = logOf(nextMs);
  sums.count--;
  sums.sum -= sums.first;
  sums.squares -= sums.first * sums.first;
  sums.products -= sums.first * next;
  sums.first = next;
}

/** The lag-1 autocorrelation; 0 where all waits are equal. */
function autocorrelationOf({ count, sum, squares, products, first, last }: Autocorrelation): number {
  const mean = sum / count;
  const variance = squares - sum * mean;
  if (count < 2 || count * squares === sum * sum) return 0;
  return (products - mean * (2 * sum - first - last) + (count - 1) * mean * mean) / variance;
}

/** The length of a run above the bound that is a rare event. */
function rareRun(sums: Autocorrelation): number {
  const step = Math.ceil(autocorrelationOf(sums) / STEP - ALMOST_NOTHING);
  return RARE_RUNS[Math.max(0, Math.min(RARE_RUNS.length - 1, step))];
}

function logOf(waitMs: number): number {
  return Math.round(LOG_SCALE * Math.log1p(waitMs / MS_PER_SECOND));
}
