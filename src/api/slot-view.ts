/**
 * An advertisement as the API says it.
 */
import { MS_PER_SECOND } from "../base/index.ts";
import type { Advertisement } from "../engine/index.ts";
import type { SlotSetView } from "./client/types.ts";
import { isoInstant } from "./iso-instant.ts";

/** The set of one site. */
export function slotSetView({ site, sequence, atMs, slots }: Advertisement): SlotSetView {
  return {
    site,
    sequence,
    at: isoInstant(atMs),
    slots: slots.map(({ startAt, procs, durationMs, divisible, extensible }) => ({
      start: isoInstant(startAt),
      procs,
      durationSec: durationMs / MS_PER_SECOND,
      divisible,
      extensible,
    })),
  };
}
