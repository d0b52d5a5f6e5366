/**
 * Bids as spec 65 A21 and spec 20 have them, with fractions: `α·norm(cost) + (1 − α)·norm(end)`, where
 * norm(x) = (x − min) ÷ (max − min) over the bids, 0 where they are equal. What a bid said is compared with
 * what happened.
 */

/** A bid. */
export interface PlainBid {
  readonly site: string;
  readonly endMs: number;
  readonly costProcMs: number;
}

function norm(value: number, all: readonly number[]): number {
  const [least, most] = [Math.min(...all), Math.max(...all)];
  return most === least ? 0 : (value - least) / (most - least);
}

/** Score of a bid; the smallest is the best. */
export function plainScore(bid: PlainBid, bids: readonly PlainBid[], alpha: number): number {
  const cost = norm(
    bid.costProcMs,
    bids.map(({ costProcMs }) => costProcMs),
  );
  const end = norm(
    bid.endMs,
    bids.map(({ endMs }) => endMs),
  );
  return alpha * cost + (1 - alpha) * end;
}
