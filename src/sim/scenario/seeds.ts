/**
 * The seeds of a scenario's workloads (rule SI-12).
 *
 * A seed depends on the scenario's own, the replicate and the place of the site, never on the run: so all
 * runs of one replicate are given the same chance, and a run that is added changes no other.
 */
import { createRandom, drawInteger } from "../../base/index.ts";

const LEAST = -0x80000000;
const MOST = 0x7fffffff;

/** A seed from 0 to 2^32 − 1; `replicate` and `place` count from 0. */
export function workloadSeed(seed: number, replicate: number, place: number): number {
  return nth(nth(seed, replicate), place) >>> 0;
}

/**
 * Seed of the jobs that reserve, separate from the workload's, so that they are the same for every share and
 * α.
 */
export function reservingSeed(seed: number): number {
  return nth(seed, 1) >>> 0;
}

/** The n-th number, from 0, of the sequence that belongs to a seed. */
function nth(seed: number, n: number): number {
  const random = createRandom(seed);
  for (let i = 0; i < n; i++) drawInteger(random, LEAST, MOST);
  return drawInteger(random, LEAST, MOST);
}
