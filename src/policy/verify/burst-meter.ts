/**
 * Use above the burst limit, by bucket (BUPV).
 *
 * Buckets begin at multiples of their length since 1970, so that periods that are verified apart add up. In
 * each bucket the use is compared with the integral of the limit; of a bucket that is recorded in part that
 * part counts. Amounts come times `WHOLE_SHARE`.
 * Cost: O(1) for each change, however many buckets between.
 */
import type { Stretch } from "./evidence.ts";

/** State of the open bucket. */
export interface BurstMeter {
  readonly bucketMs: number;
  /** Begin of the open bucket, and the instant up to which it is filled; null before the first. */
  bucketAtMs: number | null;
  filledMs: number;
  used: bigint;
  given: bigint;
}

/** Receives the amount above the limit in a bucket, or in each of several. */
export type OnBuckets = (stretch: Stretch, above: bigint) => void;

/** A meter with buckets of a length. */
export function createBurstMeter(bucketMs: number): BurstMeter {
  return { bucketMs, bucketAtMs: null, filledMs: 0, used: 0n, given: 0n };
}

/** Adds a use that is constant for a stretch, with its limit. */
export function countBurst(
  meter: BurstMeter,
  { fromMs, toMs }: Stretch,
  { amount, limit }: { readonly amount: bigint; readonly limit: bigint },
  onAbove: OnBuckets,
): void {
  const { bucketMs } = meter;
  let atMs = fromMs;
  while (atMs < toMs) {
    const bucketAtMs = Math.floor(atMs / bucketMs) * bucketMs;
    if (meter.bucketAtMs !== bucketAtMs) {
      closeBurst(meter, onAbove);
      const whole = bucketAtMs === atMs ? Math.floor((toMs - atMs) / bucketMs) : 0;
      if (whole > 0) {
        const untilMs = atMs + whole * bucketMs;
        if (amount > limit)
          onAbove({ fromMs: atMs, toMs: untilMs }, (amount - limit) * BigInt(untilMs - atMs));
        atMs = untilMs;
        continue;
      }
      meter.bucketAtMs = bucketAtMs;
    }
    const untilMs = Math.min(toMs, bucketAtMs + bucketMs);
    meter.used += amount * BigInt(untilMs - atMs);
    meter.given += limit * BigInt(untilMs - atMs);
    meter.filledMs = untilMs;
    atMs = untilMs;
  }
}

/** Ends the open bucket. */
export function closeBurst(meter: BurstMeter, onAbove: OnBuckets): void {
  const { bucketAtMs, filledMs, used, given } = meter;
  if (bucketAtMs !== null && used > given) onAbove({ fromMs: bucketAtMs, toMs: filledMs }, used - given);
  meter.bucketAtMs = null;
  meter.used = 0n;
  meter.given = 0n;
}
