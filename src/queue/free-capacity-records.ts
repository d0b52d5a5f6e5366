/**
 * Where enough is first free: a list of the steps of a profile that have more free than every step before
 * them, made as far as it is asked for.
 */
import { indexAt, type Profile } from "../profile/index.ts";

/**
 * The steps of a profile from now on that have more free than every step before them. Places count from
 * the profile's head, so that they stay true when others come or go behind them.
 */
export interface FreeCapacityRecords {
  place: Int32Array;
  free: Float64Array;
  count: number;
  /** Number of steps examined. */
  seen: number;
}

/** Scratch for a machine. */
export function createFreeCapacityRecords(): FreeCapacityRecords {
  return {
    place: new Int32Array(8),
    free: new Float64Array(8),
    count: 0,
    seen: 0,
  };
}

/** The first step before `beforeMs` with `amount` free, or −1. */
export function firstStepWith(
  profile: Profile,
  rises: FreeCapacityRecords,
  amount: number,
  beforeMs: number,
): number {
  const { head, tail, times } = profile;
  for (let i = 0; i < rises.count; i++) if (rises.free[i] >= amount) return head + rises.place[i];
  const free = profile.free[0];
  let most = rises.count === 0 ? -1 : rises.free[rises.count - 1];
  let at = head + rises.seen;
  for (; at < tail && times[at] < beforeMs; at++) {
    if (free[at] <= most) continue;
    most = free[at];
    addRise(rises, at - head, most);
    if (most >= amount) {
      rises.seen = at + 1 - head;
      return at;
    }
  }
  rises.seen = at - head;
  return -1;
}

function addRise(rises: FreeCapacityRecords, place: number, free: number): void {
  if (rises.count === rises.place.length) {
    const places = new Int32Array(rises.count * 2);
    const frees = new Float64Array(rises.count * 2);
    places.set(rises.place);
    frees.set(rises.free);
    rises.place = places;
    rises.free = frees;
  }
  rises.place[rises.count] = place;
  rises.free[rises.count++] = free;
}

/** Discards the records from `fromMs` on, before the profile changes there. */
export function forgetFrom(profile: Profile, rises: FreeCapacityRecords, fromMs: number): void {
  const at = indexAt(profile, fromMs);
  const kept = (profile.times[at] === fromMs ? at : at + 1) - profile.head;
  if (kept >= rises.seen) return;
  rises.seen = kept;
  while (rises.count > 0 && rises.place[rises.count - 1] >= kept) rises.count--;
}
