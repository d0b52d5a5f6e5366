/**
 * Provisioning from slots: which parts are allowed, and their cost (rule SL-4; the table of [PROV] ch. 3).
 *
 * Total price n·d·c + f, with n·d the processor time that is charged: a slot that is not divisible is charged
 * in all its processors, and whole in time unless it was extended.
 */
import {
  type DurationMs,
  exactProduct,
  type InstantMs,
  mulDiv,
  type ProcMs,
  type Procs,
  procMs,
  type Thousandths,
} from "../base/index.ts";
import type { Slot } from "./slots.ts";

/** A requested part of a slot. */
export interface Provision {
  readonly procs: Procs;
  readonly startAt: InstantMs;
  readonly durationMs: DurationMs;
}

/** The price of a slot: a unit price in thousandths of one SU for one SU, and a fixed part. */
export interface SlotPrice {
  readonly unitPrice: Thousandths;
  readonly fixed: ProcMs;
}

/** True where the table allows this part of this slot. */
export function isAllowed(slot: Slot, wanted: Provision): boolean {
  const slotEnd = slot.startAt + slot.durationMs;
  const endsWithin = wanted.startAt + wanted.durationMs <= slotEnd;
  if (slot.divisible) {
    const inside = wanted.procs <= slot.procs && wanted.startAt >= slot.startAt;
    return inside && (slot.extensible || endsWithin);
  }
  const wholeAtItsStart = wanted.procs === slot.procs && wanted.startAt === slot.startAt;
  if (!wholeAtItsStart) return false;
  return slot.extensible ? wanted.durationMs >= slot.durationMs : wanted.durationMs === slot.durationMs;
}

/** The cost of an allowed part in processor-milliseconds, rounded up: procs · duration · c + f. */
export function provisionCost(wanted: Provision, price: SlotPrice): ProcMs {
  const used = exactProduct(wanted.procs, wanted.durationMs);
  return procMs(mulDiv(used, price.unitPrice, 1000, "up") + price.fixed);
}
