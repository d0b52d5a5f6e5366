/**
 * Shares a store among streams: each its minimum, and a part of the rest in proportion to its need.
 *
 * Source: the principle of [STREAM] 3.4 (full use of the store, with a margin for newcomers); in place of its
 * random draws, which `draw-storage.ts` offers, the shares follow from the data that a stream takes in within
 * the need horizon. Whole bytes, rounded down. Cost: O(n log S).
 */
import { assert } from "../base/index.ts";
import type { StreamRules } from "./rules.ts";

/** A stream in a store. */
export interface StoredStream {
  readonly minBytes: number;
  /** The most that it can use; absent: as much as there is. */
  readonly maxBytes?: number;
  /** Bytes in its storage now. */
  readonly occupiedBytes: number;
  readonly maxBytesPerSec: number;
  /** Rate of processing; absent where it is not known yet. */
  readonly processedBytesPerSec?: number;
}

/** Settings for sharing a store. */
export interface StorageQuestion {
  readonly storageBytes: number;
  readonly rules: Pick<StreamRules, "newcomerMargin" | "needHorizonMs">;
  /** Shares of the rest: by need, or equal. */
  readonly shares?: "need" | "equal";
}

const MS_PER_SECOND = 1000;

/** Data that a stream takes in within the horizon, at its maximum rate or its rate of processing. */
function storageDemandBytes(stream: StoredStream, needHorizonMs: number): number {
  const { maxBytesPerSec, processedBytesPerSec = maxBytesPerSec } = stream;
  return (Math.min(maxBytesPerSec, processedBytesPerSec) * needHorizonMs) / MS_PER_SECOND;
}

/**
 * Quotas in bytes, in the order of the streams: a = st + max(0, S·(1 − m) − Σst)·g, never less than what is
 * occupied.
 *
 * The minima fit into the store, and so does what each occupies where that is more.
 */
export function allocateStorage(
  streams: readonly StoredStream[],
  { storageBytes, rules, shares = "need" }: StorageQuestion,
): readonly number[] {
  const floors = streams.map(floorOf);
  assert(totalOf(floors) <= storageBytes, "minima and occupied storage fit into the store");
  const minima = totalOf(streams.map(({ minBytes }) => minBytes));
  const spare = Math.max(0, Math.floor(storageBytes * (1 - rules.newcomerMargin)) - minima);
  const needs = streams.map((it) => (shares === "equal" ? 1 : storageDemandBytes(it, rules.needHorizonMs)));
  const needed = totalOf(needs);
  const parts = needs.map((need) => (needed > 0 ? need / needed : 1 / streams.length));
  const quotasAt = (given: number) =>
    streams.map(({ minBytes, maxBytes = storageBytes }, at) =>
      Math.max(floors[at], Math.min(maxBytes, minBytes + Math.floor(given * parts[at]))),
    );
  const most = Math.max(minima + spare, totalOf(floors));
  const plain = quotasAt(spare);
  if (totalOf(plain) === most) return plain;
  // Where quotas end at a maximum the others have more; where what is occupied is more, they have less.
  const given = largestWhole(storageBytes * streams.length, (it) => totalOf(quotasAt(it)) <= most);
  return quotasAt(given);
}

/** Storage that a stream keeps in any case: the larger of its minimum and its occupied storage. */
export function floorOf({
  minBytes,
  occupiedBytes,
}: Pick<StoredStream, "minBytes" | "occupiedBytes">): number {
  return Math.max(minBytes, occupiedBytes);
}

/** The largest whole number from 0 to `most` for which `holds`, which holds for 0 and then up to a point. */
export function largestWhole(most: number, holds: (value: number) => boolean): number {
  let [low, high] = [0, most];
  while (low < high) {
    const middle = low + Math.ceil((high - low) / 2);
    if (holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Sum of amounts. */
export function totalOf(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + amount, 0);
}
