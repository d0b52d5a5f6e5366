/**
 * An advertisement as the API says it.
 */
import { MS_PER_SECOND } from "../base/index.ts";
import type { Advertisement } from "../engine/index.ts";
import type { SlotSetView } from "./client/slot-types.ts";
import { isoInstant } from "./iso-instant.ts";

/** The set of one site. */
export function slotSetView({ site, sequence, atMs, slots, resources }: Advertisement): SlotSetView {
  return {
    site,
    sequence,
    at: isoInstant(atMs),
    slots: slots.map((slot) => ({ ...freeTime(slot), procs: slot.procs })),
    resources: resources.map(({ kind, name, slots: its }) => ({
      kind,
      name,
      slots: its.map((slot) => ({ ...freeTime(slot), amount: slot.procs })),
    })),
  };
}

function freeTime({ startAt, durationMs, divisible, extensible }: Advertisement["slots"][number]) {
  return {
    start: isoInstant(startAt),
    durationSec: durationMs / MS_PER_SECOND,
    divisible,
    extensible,
  };
}
