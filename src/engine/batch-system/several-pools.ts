/**
 * Free amounts of several pools together, for a job that needs nodes of more than one.
 *
 * Its parts stay where they are, so what counts is the least that each pool has free over the whole time,
 * not the least of their sum. Cost: the breakpoints of the time, as long as it is enough.
 */
import { indexAt, type Profile } from "../../profile/index.ts";
import { type Amounts, atMost } from "./node-classes.ts";

/** The least that each pool has free in [fromMs, toMs); undefined where together it is not enough. */
export function leastFreeIn(
  profiles: readonly Profile[],
  need: Amounts,
  [fromMs, toMs]: readonly [number, number],
): readonly Amounts[] | undefined {
  const at = profiles.map((profile) => indexAt(profile, fromMs));
  const least = profiles.map((profile, pool) => amountsAt(profile, at[pool]));
  const isEnough = (): boolean => {
    let [procs, memoryBytes, gpus] = need;
    for (const amounts of least) {
      procs -= amounts[0];
      memoryBytes -= amounts[1];
      gpus -= amounts[2];
    }
    return procs <= 0 && memoryBytes <= 0 && gpus <= 0;
  };
  if (!isEnough()) return undefined;
  for (let pool = 0; pool < profiles.length; pool++) {
    const { times, tail } = profiles[pool];
    while (at[pool] + 1 < tail && times[at[pool] + 1] < toMs) {
      least[pool] = atMost(least[pool], amountsAt(profiles[pool], ++at[pool]));
      if (!isEnough()) return undefined;
    }
  }
  return least;
}

/** The next instant at which a pool has something else free; Infinity where it never changes again. */
export function nextChangeIn(profile: Profile, atMs: number): number {
  const next = indexAt(profile, atMs) + 1;
  return next < profile.tail ? profile.times[next] : Number.POSITIVE_INFINITY;
}

function amountsAt({ free }: Profile, at: number): Amounts {
  return [free[0][at], free[1][at], free[2][at]];
}
