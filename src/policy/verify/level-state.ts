/** Measures of one level for one resource, accumulated over time (rule PO-26). */
import { type SharedResource, WHOLE_SHARE } from "../../model/index.ts";
import type { ShareNode } from "../share-tree.ts";
import type { Stretch } from "./evidence.ts";
import type { LimitSteps } from "./limit-steps.ts";
import { append } from "./stretches.ts";
import { countAll, countUpToLimit, createWindowMeter, type WindowMeter } from "./window-meter.ts";

/** Sums in amounts·ms times `WHOLE_SHARE`, exact. */
export interface LevelSums {
  used: bigint;
  aboveBurst: bigint;
  aboveEpoch: bigint;
  /** Use above the epoch share while another consumer with demand was below its own. */
  contended: bigint;
  /** The part of it by runs on an idle share that was lent until they end. */
  contendedLent: bigint;
  /** Entitled, demanded, and not given. */
  notGiven: bigint;
  /** The part of it due to shares that others borrowed until their runs end. */
  notGivenLent: bigint;
}

/** Stretches with a measure above 0. */
interface LevelStretches {
  readonly aboveBurst: Stretch[];
  readonly aboveEpoch: Stretch[];
  readonly contended: Stretch[];
  readonly notGiven: Stretch[];
}

/** A level for a resource, over all terms. */
export interface LevelState {
  readonly resource: SharedResource;
  readonly path: string;
  /** The node in the present term, or in the last one that named it. */
  node: ShareNode;
  readonly sums: LevelSums;
  readonly stretches: LevelStretches;
  burst: BurstMeter;
  /** Use up to the limit, the part that counts under `forgive`. */
  upToLimit: WindowMeter;
  counted: WindowMeter;
}

/** State of a level over a stretch. Amounts are integers. */
export interface LevelPiece extends Stretch {
  /** False for a stretch that counts for the windows only. */
  readonly isMeasured: boolean;
  readonly capacity: number;
  readonly inUse: number;
  /** The part in use by runs on lent shares. */
  readonly lent: number;
  /** Entitled amount at an instant. */
  readonly entitled: number;
  /** Amount requested by waiting jobs that would stay within the entitlement. */
  readonly claimed: number;
  /** Claims of others: none, only such as must wait for lent shares, or others too. */
  readonly contention: "none" | "patient" | "full";
  /** The part of its shortage that lent shares excuse. */
  readonly excused: number;
}

const WHOLE = BigInt(WHOLE_SHARE);

/** A level without measures. */
export function createLevel(
  resource: SharedResource,
  node: ShareNode,
  limits: LimitSteps,
  atMs: number,
): LevelState {
  return {
    ...{ resource, path: node.path, node },
    sums: {
      ...{ used: 0n, aboveBurst: 0n, aboveEpoch: 0n, contended: 0n, contendedLent: 0n },
      ...{ notGiven: 0n, notGivenLent: 0n },
    },
    stretches: { aboveBurst: [], aboveEpoch: [], contended: [], notGiven: [] },
    burst: createBurstMeter(bucketOf(node)),
    upToLimit: createWindowMeter(node.window, limits, atMs),
    counted: createWindowMeter(node.window, limits, atMs),
  };
}

/** Continues under other shares with the same window. */
export function changeShares(level: LevelState, node: ShareNode): void {
  if (level.burst.bucketMs !== bucketOf(node)) {
    endBuckets(level);
    level.burst = createBurstMeter(bucketOf(node));
  }
  level.node = node;
}

/** Continues with another window, or after a time in which no policy named it. */
export function restartWindow(level: LevelState, node: ShareNode, limits: LimitSteps, atMs: number): void {
  changeShares(level, node);
  level.upToLimit = createWindowMeter(node.window, limits, atMs);
  level.counted = createWindowMeter(node.window, limits, atMs);
}

/** Adds a stretch in which nothing changes. */
export function measurePiece(level: LevelState, piece: LevelPiece): void {
  const { sums, stretches, node } = level;
  const { fromMs, toMs, isMeasured, capacity, inUse, entitled, contention } = piece;
  const amount = BigInt(inUse) * WHOLE;
  if (isMeasured) {
    sums.used += amount * BigInt(toMs - fromMs);
    const limit = BigInt(node.burstShare) * BigInt(capacity);
    countBurst(level.burst, piece, { amount, limit }, burstTeller(level));
  }
  countUpToLimit(level.upToLimit, piece, amount, (from, to, above) => {
    if (!isMeasured) return;
    const time = BigInt(to - from);
    sums.aboveEpoch += above * time;
    append(stretches.aboveEpoch, from, to);
    if (contention === "none") return;
    sums.contended += above * time;
    append(stretches.contended, from, to);
    const lent = BigInt(piece.lent) * WHOLE;
    if (contention === "patient") sums.contendedLent += (above < lent ? above : lent) * time;
  });
  const isForgiven = node.carry === "forgive" && node.rule !== "cap" && contention === "none";
  const counted = isForgiven ? BigInt(Math.min(inUse, entitled)) * WHOLE : amount;
  const short = Math.min(entitled, inUse + piece.claimed) - inUse;
  countAll(level.counted, piece, counted, (from, to) => {
    if (!isMeasured || short <= 0) return;
    const time = BigInt(to - from) * WHOLE;
    sums.notGiven += BigInt(short) * time;
    sums.notGivenLent += BigInt(Math.min(short, piece.excused)) * time;
    append(stretches.notGiven, from, to);
  });
}

/** Ends open buckets. */
export function endBuckets(level: LevelState): void {
  closeBurst(level.burst, burstTeller(level));
}

function burstTeller({ sums, stretches }: LevelState) {
  return ({ fromMs, toMs }: Stretch, above: bigint): void => {
    sums.aboveBurst += above;
    append(stretches.aboveBurst, fromMs, toMs);
  };
}

function bucketOf({ policy }: ShareNode): number {
  return policy?.burst.bucketMs ?? 60_000;
}

// Use above the burst limit, by bucket (BUPV). Buckets begin at multiples of their length since 1970, so
// that periods that are verified apart add up. In each bucket the use is compared with the integral of
// the limit; of a bucket that is recorded in part that part counts. Amounts come times `WHOLE_SHARE`.
// Cost: O(1) for each change, however many buckets between.

/** State of the open bucket. */
interface BurstMeter {
  readonly bucketMs: number;
  /** Begin of the open bucket, and the instant up to which it is filled; null before the first. */
  bucketAtMs: number | null;
  filledMs: number;
  used: bigint;
  given: bigint;
}

/** Receives the amount above the limit in a bucket, or in each of several. */
type OnBuckets = (stretch: Stretch, above: bigint) => void;

/** A meter with buckets of a length. */
function createBurstMeter(bucketMs: number): BurstMeter {
  return { bucketMs, bucketAtMs: null, filledMs: 0, used: 0n, given: 0n };
}

/** Adds a use that is constant for a stretch, with its limit. */
function countBurst(
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
function closeBurst(meter: BurstMeter, onAbove: OnBuckets): void {
  const { bucketAtMs, filledMs, used, given } = meter;
  if (bucketAtMs !== null && used > given) onAbove({ fromMs: bucketAtMs, toMs: filledMs }, used - given);
  meter.bucketAtMs = null;
  meter.used = 0n;
  meter.given = 0n;
}
