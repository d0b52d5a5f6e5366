/**
 * History of use (S-POP, [UP]): samples of ten seconds, folded into buckets of five minutes and hours.
 *
 * Pure arithmetic for any sampled value: the store holds buckets and folds them with it, and the series of a
 * period is computed from them. It is here, and not in the store, so that means and gaps can be tested
 * without a disk.
 */
import { assert } from "../base/index.ts";

/** Length of a sample's slot, in ms. */
export const SLOT_MS = 10_000;

/** Bucket length and retention, in ms; null: for ever. */
export interface SampleTier {
  readonly lengthMs: number;
  readonly keptMs: number | null;
}

const DAY_MS = 24 * 3_600_000;

/** Finest first; each length is a multiple of the one before. */
export const SAMPLE_TIERS: readonly SampleTier[] = [
  { lengthMs: SLOT_MS, keptMs: DAY_MS },
  { lengthMs: 300_000, keptMs: 31 * DAY_MS },
  { lengthMs: 3_600_000, keptMs: null },
];

/** A value over some slots: count, sum, least and greatest. */
export interface SampleBucket {
  /** Number of covered slots. */
  readonly slots: number;
  /** Exact sum of the value over these slots. */
  readonly sum: bigint;
  readonly min: number;
  readonly max: number;
}

/** A bucket and its begin, a multiple of its length since 1970. */
export interface PlacedBucket extends SampleBucket {
  readonly atMs: number;
}

/** The bucket of one slot. */
export function slotBucket(value: number): SampleBucket {
  assert(Number.isSafeInteger(value) && value >= 0, "what is sampled is a whole amount");
  return { slots: 1, sum: BigInt(value), min: value, max: value };
}

/** Two buckets of different slots as one. */
export function folded(one: SampleBucket, other: SampleBucket): SampleBucket {
  return {
    slots: one.slots + other.slots,
    sum: one.sum + other.sum,
    min: Math.min(one.min, other.min),
    max: Math.max(one.max, other.max),
  };
}

/** The begin of the bucket of a length that contains an instant, in ms. */
export function bucketBegin(atMs: number, lengthMs: number): number {
  return Math.floor(atMs / lengthMs) * lengthMs;
}

/** A value over a part of a period, and the number of its sampled slots. */
export interface SampledPart {
  readonly mean: number;
  readonly min: number;
  readonly max: number;
}

/**
 * The value over the covered slots of a part, 0 where a sample did not name it; null where no slot is
 * covered. The mean is divided once, down to the thousandth.
 */
export function partOf(bucket: SampleBucket | undefined, coveredSlots: number): SampledPart | null {
  if (coveredSlots === 0) return null;
  if (bucket === undefined) return { mean: 0, min: 0, max: 0 };
  assert(bucket.slots <= coveredSlots, "a value is of covered slots");
  const thousandths = (bucket.sum * 1000n) / BigInt(coveredSlots);
  return {
    mean: Number(thousandths) / 1000,
    min: bucket.slots < coveredSlots ? 0 : bucket.min,
    max: bucket.max,
  };
}

/** The period and the steps of a series, in ms; all on the grid of the steps. */
export interface SeriesGrid {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly stepMs: number;
  /** Length of the source buckets. */
  readonly bucketMs: number;
}

/** The requested series; a step of null is chosen for about 120 points. */
export interface SeriesRequest {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly stepMs: number | null;
}

/** Number of steps where none is requested. */
const USUAL_STEPS = 120;
/** Usual lengths of steps, all of whole slots. */
const STEPS_MS = [10, 30, 60, 300, 600, 1800, 3600, 7200, 21_600, 43_200, 86_400].map((sec) => sec * 1000);

/**
 * The grid of a series: the requested step, or, where the buckets that still reach so far back are longer,
 * the next multiple of theirs. The source is the longest buckets of which the steps consist.
 */
export function seriesGrid({ fromMs, untilMs, stepMs }: SeriesRequest, nowMs: number): SeriesGrid {
  assert(untilMs > fromMs, "a period has a length");
  const reaching = SAMPLE_TIERS.filter(({ keptMs }) => keptMs === null || fromMs >= nowMs - keptMs);
  const [finest] = reaching;
  assert(finest !== undefined, "the last tier is kept for ever");
  const requested = stepMs ?? usualStepMs(untilMs - fromMs);
  const step = Math.ceil(requested / finest.lengthMs) * finest.lengthMs;
  const fitting = reaching.filter(({ lengthMs }) => step % lengthMs === 0);
  return {
    fromMs: bucketBegin(fromMs, step),
    untilMs: bucketBegin(untilMs + step - 1, step),
    stepMs: step,
    bucketMs: (fitting.at(-1) ?? finest).lengthMs,
  };
}

function usualStepMs(periodMs: number): number {
  return STEPS_MS.find((step) => periodMs / step <= USUAL_STEPS) ?? bucketBegin(periodMs / 60, DAY_MS);
}

/** Buckets by step; undefined where there is none. */
export function foldedBySteps(
  buckets: Iterable<PlacedBucket>,
  { fromMs, untilMs, stepMs }: SeriesGrid,
): readonly (SampleBucket | undefined)[] {
  const steps = Array<SampleBucket | undefined>((untilMs - fromMs) / stepMs).fill(undefined);
  for (const { atMs, ...bucket } of buckets) {
    const step = Math.floor((atMs - fromMs) / stepMs);
    if (step < 0 || step >= steps.length) continue;
    const before = steps[step];
    steps[step] = before === undefined ? bucket : folded(before, bucket);
  }
  return steps;
}

/** A value from an instant on; null: none. */
export interface EffectiveValue {
  readonly atMs: number;
  readonly value: number | null;
}

/** The value in effect at the end of each step. @param values by instant */
export function valueInEffectBySteps(
  values: readonly EffectiveValue[],
  { fromMs, untilMs, stepMs }: SeriesGrid,
): readonly (number | null)[] {
  const steps: (number | null)[] = [];
  let next = 0;
  let standing: number | null = null;
  for (let endMs = fromMs + stepMs; endMs <= untilMs; endMs += stepMs) {
    for (; next < values.length && (values[next]?.atMs ?? endMs) < endMs; next++) {
      standing = values[next]?.value ?? null;
    }
    steps.push(standing);
  }
  return steps;
}
