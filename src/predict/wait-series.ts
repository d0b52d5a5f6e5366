/**
 * The past waits of one class: bounds on the next one, and the news that the times have changed.
 *
 * Equivalent to sorting all waits since the last change point and computing everything anew after each
 * observation (test/plain/plain-bmbp.ts); differs for speed in that the waits are kept sorted and the
 * autocorrelation as sums: an observation costs O(log n), a change point O(minimum sample).
 * Source: [BNW06]. Departs from it: the autocorrelation is fitted to the sample in hand and not once to a
 * training period; a job that still waits beyond the bound is an observation too (rule PD-6); bounds that are
 * promised take waits that resemble each other for fewer (rule PD-11, [BH46]); the oldest of more than 20,000
 * waits is forgotten, so that a series does not grow for ever.
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
/** What a change point leaves of the past: as much as that bound needs. */
const KEPT = minimumSample(CHANGE_ASSURANCE);
const MOST_WAITS = 20_000;
/** A fitted autocorrelation of 1 would leave nothing. */
const MOST_ALIKE = 0.99;

/** Waits since the last change point, in order of time and sorted. */
export interface WaitSeries {
  sample: OrderedSample;
  /** A ring; the oldest at `oldest`. */
  readonly waitsMs: number[];
  oldest: number;
  autocorrelation: Autocorrelation;
  /** How many observations in a row lay beyond the bound. */
  run: number;
  changePoints: number;
}

/** Of nothing yet. */
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
 * A job has started.
 *
 * @param wasOverdue whether `observeOverdue` was told of it before: then its long wait is no news
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

/** A job still waits, longer than `changeBound`; to be told once for a job. */
export function observeOverdue(series: WaitSeries): void {
  series.run++;
  if (changeBound(series) !== undefined) forgetAfterChange(series);
}

/** The bound that decides whether a waiting job is overdue; undefined while there are too few waits. */
export function changeBound(series: WaitSeries): number | undefined {
  return upperBound(series, CHANGE_ASSURANCE);
}

/** The upper bound of a quantile of the next wait, in ms, or undefined where there are too few waits. */
export function upperBound({ sample }: WaitSeries, assurance: Assurance): number | undefined {
  const rank = upperRank(sizeOf(sample), assurance);
  return rank === undefined ? undefined : kthSmallest(sample, rank);
}

/** The lower bound of a quantile of the next wait, in ms, or undefined. */
export function lowerBound({ sample }: WaitSeries, assurance: Assurance): number | undefined {
  const rank = lowerRank(sizeOf(sample), assurance);
  return rank === undefined ? undefined : kthSmallest(sample, rank);
}

/** The probability of a wait of at most `limitMs`, said with `confidence`; 0 where nothing is known. */
export function probabilityWithin({ sample }: WaitSeries, limitMs: number, confidence: number): number {
  return greatestQuantile(countAtMost(sample, limitMs), sizeOf(sample), confidence);
}

/**
 * The upper bound when waits resemble their neighbours (rule PD-11): its rank is that of as many independent
 * waits as these are worth, moved up to their number. Undefined where there are too few.
 */
export function likelyBound(series: WaitSeries, assurance: Assurance): number | undefined {
  const rank = upperRank(worth(series), assurance);
  return rank === undefined ? undefined : kthSmallest(series.sample, scaled(series, rank));
}

/** The lower bound in the same way, or undefined. */
export function likelyLowerBound(series: WaitSeries, assurance: Assurance): number | undefined {
  const rank = lowerRank(worth(series), assurance);
  if (rank === undefined) return undefined;
  // From the top, as the mirror has it.
  const fromTop = scaled(series, worth(series) + 1 - rank);
  return kthSmallest(series.sample, sizeOf(series.sample) + 1 - fromTop);
}

/** The probability in the same way; undefined with fewer waits than the usual bound needs. */
export function likelyWithin(series: WaitSeries, limitMs: number, confidence: number): number | undefined {
  const n = sizeOf(series.sample);
  if (n < KEPT) return undefined;
  const independent = worth(series);
  const rank = Math.floor((countAtMost(series.sample, limitMs) * independent) / n);
  return greatestQuantile(rank, independent, confidence);
}

/** The waits since the last change point, the oldest first. */
export function recentWaits({ waitsMs, oldest }: WaitSeries): number[] {
  return [...waitsMs.slice(oldest), ...waitsMs.slice(0, oldest)];
}

/**
 * How many independent waits these are worth: n (1 − ρ) ÷ (1 + ρ), the effective size of a sample with lag-1
 * autocorrelation ρ; never more than there are, nor fewer than the minimum sample where there are as many.
 */
function worth({ sample, autocorrelation }: WaitSeries): number {
  const n = sizeOf(sample);
  if (n <= KEPT) return n;
  const rho = Math.min(MOST_ALIKE, Math.max(0, autocorrelationOf(autocorrelation)));
  return Math.max(KEPT, Math.floor((n * (1 - rho)) / (1 + rho)));
}

/** A rank among the independent waits as a rank among all. */
function scaled(series: WaitSeries, rank: number): number {
  return Math.ceil((sizeOf(series.sample) * rank) / worth(series));
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
  const kept = recentWaits(series).slice(-KEPT);
  series.sample = createSample();
  series.autocorrelation = noAutocorrelation();
  series.waitsMs.length = 0;
  series.oldest = 0;
  for (const waitMs of kept) add(series, waitMs);
  series.run = 0;
  series.changePoints++;
}

// How strongly a wait resembles the one before it, and how long a run of large waits must then be to say
// that the times have changed.
//
// Source: change-point detection of [BNW06]. Waits are looked at as round(1000 ln(wait in s + 1)); their
// lag-1 autocorrelation is kept as exact sums. The run lengths were tabulated by simulation, as there:
// a Gaussian series x' = ρ x + √(1 − ρ²) ε of 1,000,000 steps (seed 2026, the same normal deviates for every
// ρ) is watched for runs above its 0.95-quantile; the length is the least r such that at most 1 % of the runs
// last r or longer. Independent data (ρ = 0) gives 3: after one wait above the quantile the chance of two
// more is 0.05² (test).

/** By autocorrelation 0, 0.05 … 0.95. */
export const RARE_RUNS: readonly number[] = [3, 3, 3, 3, 4, 4, 4, 4, 4, 5, 5, 5, 6, 6, 7, 8, 9, 12, 16, 26];

const STEP = 0.05;
const ALMOST_NOTHING = 1e-9;
const LOG_SCALE = 1000;

/** A series with what its autocorrelation is computed from; whole numbers, so that nothing drifts. */
interface Autocorrelation {
  count: number;
  sum: number;
  squares: number;
  /** Σ x_i x_{i−1}. */
  products: number;
  first: number;
  last: number;
}

/** Of no waits. */
function noAutocorrelation(): Autocorrelation {
  return { count: 0, sum: 0, squares: 0, products: 0, first: 0, last: 0 };
}

/** Adds the next wait. */
function addToAutocorrelation(sums: Autocorrelation, waitMs: number): void {
  const x = logOf(waitMs);
  if (sums.count === 0) sums.first = x;
  else sums.products += x * sums.last;
  sums.count++;
  sums.sum += x;
  sums.squares += x * x;
  sums.last = x;
}

/** Takes the first wait away; `nextMs` is the one after it. */
function dropFirst(sums: Autocorrelation, nextMs: number): void {
  const next = logOf(nextMs);
  sums.count--;
  sums.sum -= sums.first;
  sums.squares -= sums.first * sums.first;
  sums.products -= sums.first * next;
  sums.first = next;
}

/** The lag-1 autocorrelation; 0 where all are the same. */
function autocorrelationOf({ count, sum, squares, products, first, last }: Autocorrelation): number {
  const mean = sum / count;
  const variance = squares - sum * mean;
  if (count < 2 || count * squares === sum * sum) return 0;
  return (products - mean * (2 * sum - first - last) + (count - 1) * mean * mean) / variance;
}

/** How many waits in a row above the bound are a rare event. */
function rareRun(sums: Autocorrelation): number {
  const step = Math.ceil(autocorrelationOf(sums) / STEP - ALMOST_NOTHING);
  return RARE_RUNS[Math.max(0, Math.min(RARE_RUNS.length - 1, step))];
}

function logOf(waitMs: number): number {
  return Math.round(LOG_SCALE * Math.log1p(waitMs / MS_PER_SECOND));
}
