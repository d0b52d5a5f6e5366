/** Breeding by one objective: binary tournaments in a population that is sorted, the best first. */
import { drawInteger, type Random } from "../../../base/index.ts";
import { mutate, twoPointCrossover } from "./bit-strings.ts";
import type { Judged } from "./moga.ts";

/** Children of binary tournaments, as many as there are parents. */
export function rankedOffspring(sorted: readonly Judged[], random: Random, split: number): Uint8Array[] {
  const last = sorted.length - 1;
  const drawn = (): Uint8Array =>
    sorted[Math.min(drawInteger(random, 0, last), drawInteger(random, 0, last))].bits;
  const children: Uint8Array[] = [];
  while (children.length < sorted.length) children.push(...twoPointCrossover(random, drawn(), drawn()));
  const next = children.slice(0, sorted.length);
  for (const bits of next) mutate(random, bits, split);
  return next;
}
