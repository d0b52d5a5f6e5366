/**
 * Slots: the free area of a profile as rectangles that can be advertised and sold.
 *
 * The canonical tiling of [PROV] ch. 3 (rule SL-1): for every level k the maximal intervals with free ≥ k,
 * and neighbouring levels with the same interval merged. Unlike the source's slots, which carry left-overs
 * from one provisioning to the next, it depends on the profile alone. Computed with a stack of open
 * rectangles in one pass.
 * Cost: O(P), plus sorting.
 */
import {
  between,
  type DurationMs,
  durationMs,
  type InstantMs,
  instantMs,
  MS_PER_HOUR,
  MS_PER_MINUTE,
  type Procs,
  procs,
} from "../base/index.ts";
import { beginsAt, lastChangeAt, type Profile } from "./profile.ts";

/** A free rectangle. `divisible`: a part may be taken; `extensible`: it may be used beyond its end. */
export interface Slot {
  readonly id: number;
  readonly startAt: InstantMs;
  readonly procs: Procs;
  readonly durationMs: DurationMs;
  readonly divisible: boolean;
  readonly extensible: boolean;
  /** Id of the slot that this one was cut from, for a left-over. */
  readonly parent?: number;
}

/** Default horizon of slots without a scheduled end, from the profile's beginning. */
export const HORIZON_MS = durationMs(48 * MS_PER_HOUR);
const AFTER_LAST_END_MS = 5 * MS_PER_MINUTE;

/**
 * The end of slots without a scheduled end: the later of `atLeast` (default: 48 h from the profile's
 * beginning) and five minutes after the last scheduled end.
 */
export function horizonOf(profile: Profile, atLeast?: InstantMs): InstantMs {
  const asked = atLeast ?? beginsAt(profile) + HORIZON_MS;
  return instantMs(Math.max(asked, lastChangeAt(profile) + AFTER_LAST_END_MS));
}

interface OpenRectangle {
  startMs: number;
  procs: number;
}

/** The slots of a profile's processors, canonically tiled, in canonical order; see {@link horizonOf}. */
export function slotsOf(profile: Profile, atLeast?: InstantMs): Slot[] {
  const horizon = horizonOf(profile, atLeast);
  const { times, free, head, tail } = profile;
  const open: OpenRectangle[] = [];
  const slots: Slot[] = [];
  let level = 0;
  for (let at = head; at < tail; at++) {
    const now = free[0][at];
    if (now > level) open.push({ startMs: times[at], procs: now - level });
    else closeLevels(open, level - now, times[at], slots);
    level = now;
  }
  for (const rectangle of open) slots.push(slotFrom(rectangle, rectangle.procs, horizon, true));
  return slots.sort(bySlotOrder).map((slot, i) => ({ ...slot, id: i + 1 }));
}

/** Slot order: by start, then duration, then procs, then id. */
export function bySlotOrder(a: Slot, b: Slot): number {
  return a.startAt - b.startAt || a.durationMs - b.durationMs || a.procs - b.procs || a.id - b.id;
}

/** Ends the topmost `count` levels at `endMs`; a rectangle of which only a part ends is split. */
function closeLevels(open: OpenRectangle[], count: number, endMs: number, slots: Slot[]): void {
  let left = count;
  while (left > 0) {
    const top = open[open.length - 1];
    const ending = Math.min(left, top.procs);
    slots.push(slotFrom(top, ending, instantMs(endMs), false));
    top.procs -= ending;
    if (top.procs === 0) open.pop();
    left -= ending;
  }
}

function slotFrom({ startMs }: OpenRectangle, count: number, end: InstantMs, openEnded: boolean): Slot {
  const startAt = instantMs(startMs);
  return {
    id: 0,
    startAt,
    procs: procs(count),
    durationMs: between(startAt, end),
    divisible: openEnded,
    extensible: openEnded,
  };
}
