/**
 * What is measured of one level for one resource, as time goes by.
 */
import { type SharedResource, WHOLE_SHARE } from "../../model/index.ts";
import type { ShareNode } from "../share-tree.ts";
import { type BurstMeter, closeBurst, countBurst, createBurstMeter } from "./burst-meter.ts";
import type { Stretch } from "./evidence.ts";
import type { LimitSteps } from "./limit-steps.ts";
import { append } from "./stretches.ts";
import { countAll, countUpToLimit, createWindowMeter, type WindowMeter } from "./window-meter.ts";

/** Sums in amounts·ms times `WHOLE_SHARE`, exact. */
export interface LevelSums {
  used: bigint;
  aboveBurst: bigint;
  aboveEpoch: bigint;
  /** Of that, while another consumer with demand was below its own. */
  contended: bigint;
  /** Of that, by runs of an idle share that was lent until they end. */
  contendedLent: bigint;
  /** Entitled, demanded, and not given. */
  notGiven: bigint;
  /** Of that, for want of what others had lent until their runs end. */
  notGivenLent: bigint;
}

/** When a measure was above none. */
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
  /** As it is in the present term, or was in the last one that named it. */
  node: ShareNode;
  readonly sums: LevelSums;
  readonly stretches: LevelStretches;
  burst: BurstMeter;
  /** Use up to the limit, and what counts for being below it (PO-6). */
  upToLimit: WindowMeter;
  counted: WindowMeter;
}

/** What a level has for a while. Amounts are integers. */
export interface LevelPiece extends Stretch {
  /** Whether it is measured; if not, it counts for the windows only. */
  readonly isMeasured: boolean;
  readonly capacity: number;
  readonly inUse: number;
  /** Of that, by runs of what was lent until they end. */
  readonly lent: number;
  /** What it is entitled to at once. */
  readonly entitled: number;
  /** What its waiting jobs ask for that would stay within what they are entitled to. */
  readonly claimed: number;
  /** Of others' claims: none, by those who wait until what is lent comes back, or by others too. */
  readonly contention: "none" | "patient" | "full";
  /** What is short for a claim of it although others only have what was lent to them. */
  readonly excused: number;
}

const WHOLE = BigInt(WHOLE_SHARE);

/** A level that begins to be measured. */
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

/** Goes on under other shares with the same window. */
export function changeShares(level: LevelState, node: ShareNode): void {
  if (level.burst.bucketMs !== bucketOf(node)) {
    endBuckets(level);
    level.burst = createBurstMeter(bucketOf(node));
  }
  level.node = node;
}

/** Goes on with another window, or after a time in which no policy named it. */
export function beginAnew(level: LevelState, node: ShareNode, limits: LimitSteps, atMs: number): void {
  changeShares(level, node);
  level.upToLimit = createWindowMeter(node.window, limits, atMs);
  level.counted = createWindowMeter(node.window, limits, atMs);
}

/** Measures a level over a stretch in which nothing changes. */
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

/** Ends what is open. */
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
