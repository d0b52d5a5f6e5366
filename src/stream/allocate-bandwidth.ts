/**
 * Shares the inbound bandwidth of a link among the sessions of its streams.
 *
 * Each session gets a rate between its bounds, the rates fit into the link, and the sum of utilities is
 * greatest. Halted sessions get nothing, and what they leave goes to the others. Concave utilities are solved
 * exactly, others by the genetic algorithm. Source: [STREAM] 3.5. Solved again on arrival, departure, halt,
 * resume, and periodically.
 */
import type { Random } from "../base/index.ts";
import { exactRates, sumOf } from "./exact-bandwidth.ts";
import { type GeneticRules, geneticRates } from "./genetic-bandwidth.ts";
import { genomeOf, repair } from "./genetic-columns.ts";
import type { Session } from "./session.ts";
import { isConcave, utilityOf } from "./utility.ts";

/** Ways to allocate: by the kinds of the utilities, or one of them. */
type BandwidthMethod = "auto" | "exact" | "genetic" | "literal";

/** A link and how it is shared. */
export interface BandwidthQuestion {
  /** Bandwidth of the link for streams. */
  readonly inboundBytesPerSec: number;
  readonly method?: BandwidthMethod;
  /** Source of chance of the genetic algorithm. */
  readonly random?: Random;
  readonly genetic?: Partial<GeneticRules>;
}

/** The rates of all sessions, in their order. */
export interface BandwidthAllocation {
  readonly bytesPerSec: readonly number[];
  readonly method: "exact" | "genetic" | "scaled";
  readonly utility: number;
  /** Excess of the minima over the link; every session then gets its minimum in proportion. */
  readonly shortfallBytesPerSec: number;
}

/** Allocates a link. Without a source of chance every method is the exact one of the concave envelope. */
export function allocateBandwidth(
  sessions: readonly Session[],
  { inboundBytesPerSec, method = "auto", random, genetic = {} }: BandwidthQuestion,
): BandwidthAllocation {
  const active = sessions.filter(({ isHalted }) => isHalted !== true);
  const minima = active.reduce((sum, { minBytesPerSec }) => sum + minBytesPerSec, 0);
  // Sums of fractions differ in their last digit.
  const excess = minima - inboundBytesPerSec;
  const shortfallBytesPerSec = excess > inboundBytesPerSec * 1e-12 ? excess : 0;
  const isGenetic =
    random !== undefined &&
    (method === "genetic" || method === "literal" || (method === "auto" && !active.every(isExact)));
  let rates: Float64Array;
  let by: BandwidthAllocation["method"] = isGenetic ? "genetic" : "exact";
  if (excess >= 0) {
    const part = minima === 0 ? 0 : Math.min(1, inboundBytesPerSec / minima);
    rates = Float64Array.from(active, ({ minBytesPerSec }) => minBytesPerSec * part);
    if (shortfallBytesPerSec > 0) by = "scaled";
  } else if (isGenetic) {
    const isLiteral = method === "literal";
    rates = geneticRates(active, { inboundBytesPerSec, random, rules: { isLiteral, ...genetic } });
  } else rates = exactRates(active, inboundBytesPerSec);
  const fitted = fitting(rates, inboundBytesPerSec);
  const utility = active.reduce((sum, session, at) => sum + utilityOf(session.utility, fitted[at]), 0);
  let next = 0;
  const bytesPerSec = sessions.map(({ isHalted }) => (isHalted === true ? 0 : fitted[next++]));
  return { bytesPerSec, method: by, utility, shortfallBytesPerSec };
}

/**
 * The last rates of the sessions, made feasible for those of now: within their bounds, and filling the link
 * as far as their maxima allow. They hold until a search has found better ones.
 */
export function repairedRates(sessions: readonly Session[], inboundBytesPerSec: number): readonly number[] {
  const active = sessions.filter(({ isHalted }) => isHalted !== true);
  const minima = active.reduce((sum, { minBytesPerSec }) => sum + minBytesPerSec, 0);
  if (minima >= inboundBytesPerSec) return allocateBandwidth(sessions, { inboundBytesPerSec }).bytesPerSec;
  const genes = Float64Array.from(active, ({ lastBytesPerSec = 0 }) => lastBytesPerSec / inboundBytesPerSec);
  repair(genomeOf(active, inboundBytesPerSec), genes);
  const rates = fitting(
    genes.map((gene) => gene * inboundBytesPerSec),
    inboundBytesPerSec,
  );
  let next = 0;
  return sessions.map(({ isHalted }) => (isHalted === true ? 0 : rates[next++]));
}

/** True where the rates of these sessions are solved exactly, and need no search. */
export function hasExactRates(sessions: readonly Session[]): boolean {
  return sessions.every((it) => it.isHalted === true || isExact(it));
}

function isExact({ utility }: Session): boolean {
  return isConcave(utility);
}

/** Rates that never exceed the link by the last digit of a sum. */
function fitting(rates: Float64Array, inbound: number): Float64Array {
  const sum = sumOf(rates);
  if (sum <= inbound) return rates;
  return rates.map((rate) => rate * (inbound / sum));
}
