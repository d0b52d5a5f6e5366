/**
 * The source's way to share a store: random shares of the whole, drawn until each stream has its minimum.
 *
 * Source: [STREAM] 3.4, steps 1 and 2, with a bound on the tries. Beside its uniform numbers there are
 * exponential ones, whose shares are uniform over all divisions (a flat Dirichlet draw): one draw then
 * succeeds with probability (1 − Σst/S)^(n−1). Cost: O(n) per draw; the draws needed may be millions.
 */
import { drawExponential, drawFraction, type Random } from "../base/index.ts";

/** Distributions of the random numbers. */
export type StorageDraw = "uniform" | "exponential";

/** A draw of quotas. */
export interface StorageDrawQuestion {
  readonly storageBytes: number;
  readonly minimaBytes: readonly number[];
  readonly draw: StorageDraw;
  readonly tries: number;
  readonly random: Random;
}

/** Quotas of the first draw that succeeds. */
export interface DrawnStorage {
  /** Absent where no draw gave every stream its minimum. */
  readonly quotasBytes: readonly number[] | undefined;
  /** Draws made. */
  readonly tries: number;
}

/** Draws shares r/Σr until q·S ≥ st for every stream. */
export function drawStorage({
  storageBytes,
  minimaBytes,
  draw,
  tries,
  random,
}: StorageDrawQuestion): DrawnStorage {
  const numbers = new Float64Array(minimaBytes.length);
  for (let attempt = 1; attempt <= tries; attempt++) {
    let sum = 0;
    for (let at = 0; at < numbers.length; at++) {
      numbers[at] = draw === "uniform" ? drawFraction(random) : drawExponential(random, 1);
      sum += numbers[at];
    }
    if (minimaBytes.every((least, at) => Math.floor((numbers[at] / sum) * storageBytes) >= least)) {
      const quotas = Array.from(numbers, (number) => Math.floor((number / sum) * storageBytes));
      return { quotasBytes: quotas, tries: attempt };
    }
  }
  return { quotasBytes: undefined, tries };
}
