/**
 * Why a virtual reservation is not made (rule EN-61).
 */
import { isCounted } from "../../../market/index.ts";
import {
  isWithin,
  type Refusal,
  type ReservationHindrance,
  type ReservationMisfit,
  reservationRulesOf,
  type SiteSpec,
  type VirtualReservationSlot,
} from "../../../model/index.ts";
import { endOf, type ReservedState } from "../../state/reserved.ts";

/** Requested virtual reservation: owner, size and site. */
export interface VirtualReservationRequest {
  readonly slot: VirtualReservationSlot;
  readonly procs: number;
  readonly consumer: string;
  readonly site: string;
}

/** The rule of a site that a slot breaks; undefined where none does. */
export function virtualReservationHindrance(
  spec: SiteSpec,
  {
    procs,
    startMs,
    durationMs,
  }: Pick<VirtualReservationSlot, "startMs" | "durationMs"> & { readonly procs: number },
  nowMs: number,
): ReservationHindrance | undefined {
  const { virtual = true, aheadMs } = reservationRulesOf(spec);
  if (!virtual) return { kind: "noVirtual" };
  if (startMs <= nowMs) return { kind: "startsInPast", startMs, nowMs };
  const endMs = startMs + durationMs;
  // Its job may be submitted at once, and be charged from then to the end.
  if (!isCounted(procs * (endMs - nowMs))) return { kind: "uncounted", procs, durationMs: endMs - nowMs };
  return endMs > nowMs + aheadMs ? { kind: "tooFarAhead", endMs, latestMs: nowMs + aheadMs } : undefined;
}

/** Refusal of a virtual reservation; undefined where it may be made. */
export function whyNotVirtualReservation(
  { sites, reserved }: Pick<ReservedState, "sites" | "reserved">,
  request: VirtualReservationRequest,
  nowMs: number,
): Refusal | undefined {
  const { slot, site, procs } = request;
  const spec = sites.get(site)?.spec;
  const hindrance = spec && virtualReservationHindrance(spec, { ...slot, procs }, nowMs);
  if (hindrance?.kind === "uncounted") {
    return { kind: "priceUncounted", site, procs, durationMs: hindrance.durationMs };
  }
  if (hindrance !== undefined) return { kind: "mayNotReserveSlot", site, hindrance };
  if (slot.besides === undefined) return undefined;
  const why = misfitOf(reserved, slot.besides, request);
  return why === undefined ? undefined : { kind: "notInReservation", reservation: slot.besides, why };
}

function misfitOf(
  { records }: ReservedState["reserved"],
  id: string,
  { slot, procs, consumer }: VirtualReservationRequest,
): ReservationMisfit | undefined {
  const record = records.get(id);
  if (record === undefined || record.state === "OFFERED") return "unknown";
  if (!isWithin(consumer, record.consumer)) return "notYours";
  if (record.together !== null) return "together";
  const isInIt = record.startMs <= slot.startMs && slot.startMs + slot.durationMs <= endOf(record);
  if (!isInIt) return "otherTime";
  return procs > record.procs ? "tooWide" : undefined;
}
