/**
 * Moves storage between the partitions of a store.
 *
 * Periodically from partitions with low to those with high occupation; on arrival it is taken from the
 * largest, never below what is occupied or the minimum; on departure it goes to the smallest. Source:
 * [STREAM] 3.4, steps 3 to 5; marks and step are ours. Whole bytes. Cost: O(n log S).
 */
import { floorOf, largestWhole, totalOf } from "./allocate-storage.ts";
import type { StreamRules } from "./rules.ts";

/** The storage of one stream. */
export interface Partition {
  readonly quotaBytes: number;
  readonly minBytes: number;
  readonly maxBytes?: number;
  readonly occupiedBytes: number;
}

/** Quotas after storage moved from partitions below the low mark to those above the high mark. */
export function moveStorage(
  partitions: readonly Partition[],
  { highMark, lowMark, step }: StreamRules["storageMove"],
): readonly number[] {
  const room = partitions.map(({ quotaBytes, maxBytes, occupiedBytes }) =>
    occupiedBytes > highMark * quotaBytes ? (maxBytes ?? Number.MAX_SAFE_INTEGER) - quotaBytes : 0,
  );
  const isTaker = room.map((bytes) => bytes > 0);
  if (!isTaker.includes(true)) return partitions.map(({ quotaBytes }) => quotaBytes);
  const gifts = partitions.map((it) =>
    it.occupiedBytes < lowMark * it.quotaBytes
      ? Math.max(
          0,
          Math.min(Math.floor(step * (it.quotaBytes - it.occupiedBytes)), it.quotaBytes - floorOf(it)),
        )
      : 0,
  );
  const given = totalOf(gifts);
  const occupied = totalOf(partitions.map(({ occupiedBytes }, at) => (isTaker[at] ? occupiedBytes : 0)));
  const taken = partitions.map(({ occupiedBytes }, at) =>
    isTaker[at] ? Math.min(room[at], Math.floor(given * (occupiedBytes / occupied))) : 0,
  );
  // Rounding and maxima leave a rest with those that give.
  let rest = given - totalOf(taken);
  return partitions.map(({ quotaBytes }, at) => {
    const kept = Math.min(rest, gifts[at]);
    rest -= kept;
    return quotaBytes - gifts[at] + kept + taken[at];
  });
}

/** Quotas that leave room for a newcomer, or how much is short until others have processed their data. */
export interface MadeRoom {
  readonly quotasBytes: readonly number[];
  readonly shortBytes: number;
}

/** Takes from the largest partitions until `neededBytes` of the store are free. */
export function makeRoom(
  partitions: readonly Partition[],
  storageBytes: number,
  neededBytes: number,
): MadeRoom {
  const most = storageBytes - neededBytes;
  const quotas = partitions.map(({ quotaBytes }) => quotaBytes);
  if (totalOf(quotas) <= most) return { quotasBytes: quotas, shortBytes: 0 };
  const cutAt = (level: number) =>
    partitions.map((it) => Math.min(it.quotaBytes, Math.max(floorOf(it), level)));
  const short = totalOf(cutAt(0)) - most;
  if (short > 0) return { quotasBytes: cutAt(0), shortBytes: short };
  const level = largestWhole(Math.max(...quotas), (it) => totalOf(cutAt(it)) <= most);
  return { quotasBytes: cutAt(level), shortBytes: 0 };
}

/** Gives what a departed stream left to the smallest partitions, up to the margin for newcomers. */
export function giveRoom(
  partitions: readonly Partition[],
  storageBytes: number,
  newcomerMargin: number,
): readonly number[] {
  const most = Math.floor(storageBytes * (1 - newcomerMargin));
  const filledAt = (level: number) =>
    partitions.map(({ quotaBytes, maxBytes = storageBytes }) =>
      Math.max(quotaBytes, Math.min(maxBytes, level)),
    );
  if (totalOf(filledAt(0)) >= most) return filledAt(0);
  return filledAt(largestWhole(storageBytes, (level) => totalOf(filledAt(level)) <= most));
}
