/**
 * The price of a reservation, and refunds of it (rule MK-15). Amounts are whole processor-milliseconds:
 * charges are rounded up, refunds down.
 */
import { mulDiv } from "../base/index.ts";
import type { ReservationRules } from "../model/index.ts";
import { type PricedSize, type Tariff, tariffAmount } from "./tariff.ts";

const MILLION = 1_000_000;

/** A price in its two parts, base and fixed. */
export interface SlotCharge {
  /** Base price, n·d·c. */
  readonly baseProcMs: number;
  /** Fixed price, f. */
  readonly fixedProcMs: number;
}

/** The base price of a slot: n times the sum over its milliseconds of the c that holds then, rounded up. */
export function baseCharge(slot: PricedSize, tariff: Tariff): number {
  return tariffAmount(tariff, slot, "up");
}

/**
 * The penalty for cancelling a reservation before its start: p·f and, where the rules say so, a part of the
 * base.
 */
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

/** Refund and penalty of a reservation that is released before its end. */
export interface RelinquishedPrice {
  /** The base price of the remaining time. */
  readonly leftProcMs: number;
  /** Part of the refundable base price that the site keeps. */
  readonly penaltyProcMs: number;
}

/**
 * The refund for an active reservation that is released early, and the penalty on it. f is not refunded: the
 * delays have been caused.
 *
 * @param tariff the tariff by which its time was sold; absent: one price for all of it
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
