/**
 * Reservations at a site: fixed rectangles that every discipline respects (rule QU-7).
 *
 * What they cost and who may have them is decided elsewhere; here they only take capacity, displace
 * waiting jobs where those hold promises, and give back what is left when they are cancelled.
 */
import { assert } from "../base/index.ts";
import { isPlanning } from "../model/index.ts";
import { release as releaseIn, reserve as reserveIn, type Shortage } from "../profile/index.ts";
import { assertNeed, type FixedRectangle, type Machine, noteFreed, phase } from "./machine.ts";
import { enterPhase } from "./operations.ts";
import { displaceFor } from "./planning.ts";

/** Why a reservation was not made or not cancelled. */
export type ReservationRefusal =
  | {
      readonly kind: "startInPast";
      readonly startMs: number;
      readonly nowMs: number;
    }
  | { readonly kind: "conflict"; readonly shortage: Shortage }
  | { readonly kind: "idInUse"; readonly id: number }
  | { readonly kind: "unknownReservation"; readonly id: number };

/**
 * Makes a reservation. Possible wherever it conflicts with neither running jobs (to their estimated
 * ends) nor other reservations; waiting jobs are displaced if need be.
 */
export function reserve(
  machine: Machine,
  id: number,
  fixed: FixedRectangle,
  nowMs: number,
): ReservationRefusal | undefined {
  enterPhase(machine, phase.changes, nowMs);
  assert(fixed.durationMs > 0 && fixed.durationMs < Number.POSITIVE_INFINITY, "a reservation ends");
  assert(machine.pools[fixed.pool] !== undefined, "a reservation is in a pool that the site has");
  assertNeed(machine, fixed.need);
  if (fixed.startMs < nowMs) return { kind: "startInPast", startMs: fixed.startMs, nowMs };
  if (machine.reservations.has(id)) return { kind: "idInUse", id };
  const shortage = isPlanning(machine.rules.discipline)
    ? displaceFor(machine, fixed)
    : reserveIn(machine.pools[fixed.pool], fixed.need, fixed.durationMs, fixed.startMs);
  if (shortage !== undefined) return { kind: "conflict", shortage };
  machine.reservations.set(id, fixed);
  return undefined;
}

/** Cancels a reservation; its remaining capacity is available from now on. */
export function cancelReservation(
  machine: Machine,
  id: number,
  nowMs: number,
): ReservationRefusal | undefined {
  enterPhase(machine, phase.changes, nowMs);
  const fixed = machine.reservations.get(id);
  if (fixed === undefined) return { kind: "unknownReservation", id };
  const fromMs = Math.max(nowMs, fixed.startMs);
  const endMs = fixed.startMs + fixed.durationMs;
  releaseIn(machine.pools[fixed.pool], fixed.need, endMs - fromMs, fromMs);
  noteFreed(machine.freed, fixed.pool, fromMs, endMs);
  machine.cameFree = true;
  machine.reservations.delete(id);
  return undefined;
}
