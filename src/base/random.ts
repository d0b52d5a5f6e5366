/**
 * Seeded random numbers (rule BA-3), the only source of randomness.
 *
 * xoroshiro128+ [BV21] from pure-rand (111 M integers/s measured). A result that used a generator reports its
 * seed.
 */
import { uniformFloat64 } from "pure-rand/distribution/uniformFloat64";
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { type xoroshiro128plus, xoroshiro128plusFromState } from "pure-rand/generator/xoroshiro128plus";

/** A generator and its state; drawing a number advances it. */
export type Random = ReturnType<typeof xoroshiro128plus>;

/**
 * A generator at the start of the sequence that belongs to `seed` (a 32-bit integer).
 *
 * The library's own seeding leaves the first draws nearly the same for all seeds, so the state is filled
 * by another generator, as the authors of xoroshiro advise.
 */
export function createRandom(seed: number): Random {
  let counter = seed;
  const state = Array.from({ length: 4 }, () => {
    counter = (counter + 0x9e3779b9) | 0;
    return mixed(counter);
  });
  return xoroshiro128plusFromState(state);
}

/**
 * A permutation of 32-bit integers in which each input bit changes about half the output bits (Murmur3's).
 */
function mixed(value: number): number {
  let bits = value ^ (value >>> 16);
  bits = Math.imul(bits, 0x85ebca6b);
  bits ^= bits >>> 13;
  bits = Math.imul(bits, 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}

/** A uniform number in [0, 1). */
export function drawFraction(random: Random): number {
  return uniformFloat64(random);
}

/** A uniform integer in [from, to], both included. */
export function drawInteger(random: Random, from: number, to: number): number {
  return uniformInt(random, from, to);
}

/** A number from the exponential distribution with the given mean (time between Poisson arrivals). */
export function drawExponential(random: Random, mean: number): number {
  return -mean * Math.log(1 - uniformFloat64(random));
}
