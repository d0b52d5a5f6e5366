/**
 * Order of bids by cost, by time, or by both (rule MK-38; [WMS] slides 47, 88 to 91, spec 65 A21).
 *
 * Both are normalised over the bids: the trade-off factor α is the weight of the cost, 1 − α that of the end.
 * Scores are compared as whole numbers, as in `choose.ts`.
 */
import { assert } from "../base/index.ts";

const MILLION = 1_000_000;

/** Figures by which a bid is ranked. */
interface Promised {
  readonly site: string;
  /** Likely end of the job; Unix ms. */
  readonly endMs: number;
  readonly costProcMs: number;
}

/**
 * The bids, best first; ties are broken by the earlier end, then the lower cost, then the site's name.
 *
 * @param alphaPpm α in millionths: 0 by time alone, 1,000,000 by cost alone
 */
export function rankBids<Bid extends Promised>(bids: readonly Bid[], alphaPpm: number): readonly Bid[] {
  assert(
    Number.isInteger(alphaPpm) && alphaPpm >= 0 && alphaPpm <= MILLION,
    "α is from 0 to 1, in millionths",
  );
  const ends = spanOf(bids.map(({ endMs }) => endMs));
  const costs = spanOf(bids.map(({ costProcMs }) => costProcMs));
  const scored = bids.map((bid) => ({
    bid,
    score:
      BigInt(alphaPpm) * BigInt(bid.costProcMs - costs.least) * ends.width +
      BigInt(MILLION - alphaPpm) * BigInt(bid.endMs - ends.least) * costs.width,
  }));
  return scored.sort((one, other) => compare(one, other)).map(({ bid }) => bid);
}

interface Scored {
  readonly bid: Promised;
  readonly score: bigint;
}

function compare(one: Scored, other: Scored): number {
  if (one.score !== other.score) return one.score < other.score ? -1 : 1;
  const { endMs, costProcMs, site } = one.bid;
  const apart = endMs - other.bid.endMs || costProcMs - other.bid.costProcMs;
  if (apart !== 0) return apart;
  if (site === other.bid.site) return 0;
  return site < other.bid.site ? -1 : 1;
}

/** Minimum and width of values; width 1 where all are equal. */
function spanOf(values: readonly number[]): { readonly least: number; readonly width: bigint } {
  let [least = 0, most = 0] = [values[0], values[0]];
  for (const value of values) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return { least, width: most > least ? BigInt(most - least) : 1n };
}
