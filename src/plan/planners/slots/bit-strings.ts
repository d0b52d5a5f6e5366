/** Bit strings as genetic algorithms vary them: drawn, crossed at two points, mutated. */
import { drawFraction, drawInteger, type Random } from "../../../base/index.ts";

/** Uniformly random bits. */
export function drawBits(random: Random, length: number): Uint8Array {
  return Uint8Array.from({ length }, () => drawInteger(random, 0, 1));
}

/** Two children that swap what lies between two random points. */
export function twoPointCrossover(
  random: Random,
  one: Uint8Array,
  other: Uint8Array,
): readonly [Uint8Array, Uint8Array] {
  const [a, b] = [drawInteger(random, 0, one.length), drawInteger(random, 0, one.length)];
  const [from, to] = [Math.min(a, b), Math.max(a, b)];
  const [first, second] = [one.slice(), other.slice()];
  first.set(other.subarray(from, to), from);
  second.set(one.subarray(from, to), from);
  return [first, second];
}

/** Flips each of the first `split` bits with probability 1 / split, and of the others likewise. */
export function mutate(random: Random, bits: Uint8Array, split = bits.length): void {
  for (let at = 0; at < bits.length; at++) {
    const length = at < split ? split : bits.length - split;
    if (drawFraction(random) * length < 1) bits[at] = 1 - bits[at];
  }
}

/** A random order, in place. */
export function shuffle<Item>(random: Random, items: Item[]): Item[] {
  for (let at = items.length - 1; at > 0; at--) {
    const other = drawInteger(random, 0, at);
    [items[at], items[other]] = [items[other], items[at]];
  }
  return items;
}
