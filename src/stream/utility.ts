/**
 * Utility of bandwidth: what a session gains from a rate.
 *
 * Logarithmic, α-fair and linear utilities are concave. Sigmoid and step utilities are not: they are for
 * streams with real-time needs, which gain little below the rate that they need.
 */
import { assert } from "../base/index.ts";

interface Scale {
  readonly weight: number;
  /** Rate that counts as 1. */
  readonly unitBytesPerSec: number;
}

/** A utility of y, the rate in units. */
export type Utility =
  /** w·ln(1 + y). */
  | (Scale & { readonly kind: "log" })
  /** w·y^(1−a)/(1−a), and w·ln y where a is 1. */
  | (Scale & { readonly kind: "alpha"; readonly a: number })
  /** w·y. */
  | (Scale & { readonly kind: "linear" })
  /** w/(1 + e^(−k(y−x₀))). */
  | (Scale & { readonly kind: "sigmoid"; readonly k: number; readonly x0: number })
  /** w from x₀ on, below it nothing. */
  | (Scale & { readonly kind: "step"; readonly x0: number });

/** A utility as it is described: by the weight of its stream unless it has its own. */
export interface DescribedUtility {
  readonly kind: Utility["kind"];
  readonly weight?: number | undefined;
  readonly unitBytesPerSec: number;
  readonly a?: number | undefined;
  readonly k?: number | undefined;
  readonly x0?: number | undefined;
}

/** The utility of a description; a shape that is not given is α = 1, k = 1, x₀ = 0. */
export function describedUtility(
  { kind, weight: own, unitBytesPerSec, a = 1, k = 1, x0 = 0 }: DescribedUtility,
  streamWeight: number,
): Utility {
  const scale = { weight: own ?? streamWeight, unitBytesPerSec };
  switch (kind) {
    case "alpha":
      return { kind, a, ...scale };
    case "sigmoid":
      return { kind, k, x0, ...scale };
    case "step":
      return { kind, x0, ...scale };
    default:
      return { kind, ...scale };
  }
}

/** A rate as a part of the link and back loses its last digits: a step is reached that much before it. */
export const STEP_ERROR = 1 - 1e-9;

/** Kinds of utilities. */
export const UTILITY_KINDS = ["log", "alpha", "linear", "sigmoid", "step"] as const;

/** True for utilities whose allocation is solved exactly. */
export function isConcave({ kind }: Utility): boolean {
  return kind === "log" || kind === "alpha" || kind === "linear";
}

/** Utility of a rate. */
export function utilityOf(utility: Utility, bytesPerSec: number): number {
  const { weight, unitBytesPerSec } = utility;
  assert(unitBytesPerSec > 0, "the unit of a utility is above 0");
  const y = bytesPerSec / unitBytesPerSec;
  switch (utility.kind) {
    case "log":
      return weight * Math.log(1 + y);
    case "alpha":
      return utility.a === 1 ? weight * Math.log(y) : (weight * y ** (1 - utility.a)) / (1 - utility.a);
    case "linear":
      return weight * y;
    case "sigmoid":
      return weight / (1 + Math.exp(-utility.k * (y - utility.x0)));
    case "step":
      return y >= utility.x0 * STEP_ERROR ? weight : 0;
  }
}
