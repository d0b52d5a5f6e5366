/**
 * Where enough is first free: a list of the steps of the profile that have more free than every step before
 * them, made as far as it is asked for. Places count from the profile's head.
 */
import { grownNumbers, grownPlaces } from "./columns.ts";
import { free, head, indexAt, tail, times } from "./profile.ts";

let places = new StaticArray<i32>(8);
let frees = new StaticArray<f64>(8);
let count: i32 = 0;
/** Number of steps examined. */
let seen: i32 = 0;

/** Forgets the list. */
export function forgetFreeCapacityRecords(): void {
  count = 0;
  seen = 0;
}

/** The first step before `beforeMs` with `amount` free, or −1. */
export function firstStepWith(amount: f64, beforeMs: f64): i32 {
  for (let i = 0; i < count; i++) if (frees[i] >= amount) return head + places[i];
  const t = times;
  const f = free;
  let most = count === 0 ? -1 : frees[count - 1];
  let at = head + seen;
  for (; at < tail && t[at] < beforeMs; at++) {
    const here = f[at];
    if (here <= most) continue;
    most = here;
    addRise(at - head, most);
    if (most >= amount) {
      seen = at + 1 - head;
      return at;
    }
  }
  seen = at - head;
  return -1;
}

/** Discards the records from an instant on, before the profile changes there. */
export function forgetRisesFrom(fromMs: f64): void {
  const at = indexAt(fromMs);
  const kept = (times[at] === fromMs ? at : at + 1) - head;
  if (kept >= seen) return;
  seen = kept;
  while (count > 0 && places[count - 1] >= kept) count--;
}

function addRise(place: i32, amount: f64): void {
  if (count === places.length) {
    places = grownPlaces(places, count * 2);
    frees = grownNumbers(frees, count * 2);
  }
  places[count] = place;
  frees[count++] = amount;
}
