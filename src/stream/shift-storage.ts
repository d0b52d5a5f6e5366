/**
 * Quotas of running streams over time: shrinking on arrival, growing on departure, shifting by occupation.
 *
 * Source: [STREAM] 3.4, steps 3 to 5. A stream that is new has its share by need, as far as the largest
 * partitions can give it without falling below their minimum or what they occupy. What is free beyond the
 * margin goes to the smallest. Storage moves from partitions with low to those with high occupation when a
 * move is due. Cost: O(n log S).
 */
import { allocateStorage, floorOf, type StoredStream, totalOf } from "./allocate-storage.ts";
import { giveRoom, makeRoom, moveStorage, type Partition } from "./move-storage.ts";
import type { StreamRules } from "./rules.ts";

/** A stream with the quota that it has; undefined for one that is new. */
export interface ShiftedStream extends StoredStream {
  readonly quotaBytes: number | undefined;
}

/** A store, and what is due in it. */
export interface StorageShift {
  readonly storageBytes: number;
  /** Minima of streams that are admitted and do not run yet. */
  readonly startingBytes: number;
  readonly isMoveDue: boolean;
  readonly rules: Pick<StreamRules, "newcomerMargin" | "needHorizonMs" | "storageMove">;
}

/**
 * Next quotas, in the order of the streams: at least the minimum and what is occupied, and together with the
 * minima of those that start at most the store, where these fit into it.
 */
export function shiftStorage(
  streams: readonly ShiftedStream[],
  { storageBytes, startingBytes, isMoveDue, rules }: StorageShift,
): readonly number[] {
  const most = storageBytes - startingBytes;
  if (totalOf(streams.map(floorOf)) > most) return streams.map(floorOf);
  const shares = allocateStorage(streams, { storageBytes: most, rules });
  const partitions = streams.map((it) => ({ ...it, quotaBytes: Math.max(floorOf(it), it.quotaBytes ?? 0) }));
  const wanted = streams.map(({ quotaBytes }, at) =>
    quotaBytes === undefined ? shares[at] - partitions[at].quotaBytes : 0,
  );
  const hasNew = streams.some(({ quotaBytes }) => quotaBytes === undefined);
  const room = makeRoom(partitions, hasNew ? totalOf(shares) : most, totalOf(wanted));
  // Where the others cannot give all of it, a newcomer has its minimum, and grows as they process their data.
  const isGiven = room.shortBytes === 0;
  const quotas = isGiven ? room.quotasBytes : makeRoom(partitions, most, 0).quotasBytes;
  const given = quotas.map((bytes, at) => (isGiven ? bytes + wanted[at] : bytes));
  const filled = giveRoom(withQuotas(partitions, given), most, rules.newcomerMargin);
  return isMoveDue ? moveStorage(withQuotas(partitions, filled), rules.storageMove) : filled;
}

function withQuotas(partitions: readonly Partition[], quotas: readonly number[]): readonly Partition[] {
  return partitions.map((it, at) => ({ ...it, quotaBytes: quotas[at] }));
}
