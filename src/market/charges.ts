/**
 * What a reservation costs, and what is given back of it (rules MK-14 … MK-16). Everything is whole
 * processor-milliseconds; what does not come out even is rounded up for what is charged, down for what is
 * given back.
 */
import { mulDiv } from "../base/index.ts";
import type { ReservationRules, WantedSlot } from "../model/index.ts";

const MILLION = 1_000_000;

/** A price in its two parts. */
export interface SlotCharge {
  /** n·d·c. */
  readonly baseProcMs: number;
  /** f. */
  readonly fixedProcMs: number;
}

/** The base price of a slot. */
export function baseCharge(
  { procs, durationMs }: Pick<WantedSlot, "procs" | "durationMs">,
  { unitPriceThousandths }: Pick<ReservationRules, "unitPriceThousandths">,
): number {
  return mulDiv(mulDiv(procs, durationMs, 1, "down"), unitPriceThousandths, 1000, "up");
}

/** What cancelling it before its start costs. */
export function cancellationPenalty(
  { baseProcMs, fixedProcMs }: SlotCharge,
  { penaltyPpm, basePenaltyPpm }: Pick<ReservationRules, "penaltyPpm" | "basePenaltyPpm">,
): number {
  return mulDiv(fixedProcMs, penaltyPpm, MILLION, "up") + mulDiv(baseProcMs, basePenaltyPpm, MILLION, "up");
}

/**
 * What is given back when an active reservation is given up early: the base price of what is left of it, less
 * the penalty on that part. f stays: the delays were caused.
 */
export function relinquishedRefund(
  { baseProcMs }: SlotCharge,
  { startMs, durationMs }: Pick<WantedSlot, "startMs" | "durationMs">,
  { penaltyPpm }: Pick<ReservationRules, "penaltyPpm">,
  atMs: number,
): number {
  const leftMs = Math.max(0, startMs + durationMs - Math.max(atMs, startMs));
  const left = mulDiv(baseProcMs, leftMs, durationMs, "down");
  return left - mulDiv(left, penaltyPpm, MILLION, "up");
}
