/**
 * Choosing from a price list by the trade-off factor α (rule MK-8).
 *
 * Scores are compared as whole numbers: α·norm(f) + (1 − α)·norm(start), times a million and both ranges.
 */
import { assert } from "../base/index.ts";
import type { PricedStart } from "./priced-slot.ts";

const MILLION = 1_000_000;

/**
 * The chosen start; undefined for an empty list.
 *
 * @param alphaPpm α in millionths: 0 the earliest at any price, 1,000,000 the earliest of the cheapest
 */
export function chooseStart<Start extends PricedStart>(
  list: readonly Start[],
  alphaPpm: number,
): Start | undefined {
  assert(
    Number.isInteger(alphaPpm) && alphaPpm >= 0 && alphaPpm <= MILLION,
    "α is from 0 to 1, in millionths",
  );
  const [first] = list;
  if (first === undefined) return undefined;
  const prices = rangeOf(list.map(({ fixedProcMs }) => fixedProcMs));
  const starts = rangeOf(list.map(({ startMs }) => startMs));
  const score = ({ fixedProcMs, startMs }: PricedStart): bigint =>
    BigInt(alphaPpm) * BigInt(fixedProcMs - prices.least) * starts.width +
    BigInt(MILLION - alphaPpm) * BigInt(startMs - starts.least) * prices.width;
  let best = first;
  let bestScore = score(first);
  for (const candidate of list) {
    const own = score(candidate);
    if (own > bestScore || (own === bestScore && candidate.startMs >= best.startMs)) continue;
    best = candidate;
    bestScore = own;
  }
  return best;
}

/** Minimum and width of the values; width 1 where all are equal, so that every normalised value is 0. */
function rangeOf(values: readonly number[]): { readonly least: number; readonly width: bigint } {
  let least = values[0];
  let most = values[0];
  for (const value of values) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return { least, width: most > least ? BigInt(most - least) : 1n };
}

/**
 * The list without candidates that another one beats in start and price; the last and the dearest stay, so
 * that the choice is the same for every α.
 */
export function thinned(list: readonly PricedStart[]): readonly PricedStart[] {
  const dearest = list.reduce<PricedStart | undefined>(
    (most, it) => (most === undefined || it.fixedProcMs > most.fixedProcMs ? it : most),
    undefined,
  );
  const last = list.at(-1);
  let least = Number.POSITIVE_INFINITY;
  return list.filter((candidate) => {
    const isCheaper = candidate.fixedProcMs < least;
    if (isCheaper) least = candidate.fixedProcMs;
    return isCheaper || candidate === dearest || candidate === last;
  });
}
