/**
 * What a reservation costs, and what is given back of it (rules MK-14 … MK-16). Everything is whole
 * processor-milliseconds; what does not come out even is rounded up for what is charged, down for what is
 * given back.
 */
import { mulDiv } from "../base/index.ts";
import type { ReservationRules } from "../model/index.ts";
import { type PricedSize, type Tariff, tariffAmount } from "./tariff.ts";

const MILLION = 1_000_000;

/** A price in its two parts. */
export interface SlotCharge {
  /** n·d·c. */
  readonly baseProcMs: number;
  /** f. */
  readonly fixedProcMs: number;
}

/** The base price of a slot: each of its milliseconds at the c that holds then. */
export function baseCharge(slot: PricedSize, tariff: Tariff): number {
  return tariffAmount(tariff, slot, "up");
}

/** What cancelling it before its start costs. */
export function cancellationPenalty(
  { baseProcMs, fixedProcMs }: SlotCharge,
  { penaltyPpm, basePenaltyPpm }: Pick<ReservationRules, "penaltyPpm" | "basePenaltyPpm">,
): number {
  return mulDiv(fixedProcMs, penaltyPpm, MILLION, "up") + mulDiv(baseProcMs, basePenaltyPpm, MILLION, "up");
}

/** A reservation as it was sold. */
export interface SoldSlot
  extends Pick<SlotCharge, "baseProcMs">,
    PricedSize,
    Pick<ReservationRules, "penaltyPpm"> {}

/** What becomes of the price of a reservation that is given up early. */
export interface RelinquishedPrice {
  /** The base price of what is left. */
  readonly leftProcMs: number;
  /** What is kept of that. */
  readonly penaltyProcMs: number;
}

/**
 * What is given back when an active reservation is given up early, and the penalty on it. f stays: the delays
 * were caused.
 *
 * @param tariff what its time was sold by; absent: all of it at the same price
 */
export function relinquishedPrice(sold: SoldSlot, atMs: number, tariff?: Tariff): RelinquishedPrice {
  const { baseProcMs, startMs, durationMs, penaltyPpm } = sold;
  const fromMs = Math.max(atMs, startMs);
  const leftMs = Math.max(0, startMs + durationMs - fromMs);
  const leftProcMs =
    tariff === undefined
      ? mulDiv(baseProcMs, leftMs, durationMs, "down")
      : tariffAmount(tariff, { ...sold, startMs: fromMs, durationMs: leftMs }, "down");
  return { leftProcMs, penaltyProcMs: mulDiv(leftProcMs, penaltyPpm, MILLION, "up") };
}
