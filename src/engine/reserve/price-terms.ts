/**
 * By what a site's time is priced: its own price rules, and those that a reservation was sold by
 * (rule EN-84).
 */
import { baseCharge, constantTariff, rateAt, rulesUsed, type Tariff, tariffOf } from "../../market/index.ts";
import {
  type PriceBook,
  type ReservationRecord,
  type RuleUse,
  reservationRulesOf,
  type SlotKind,
  type WantedSlot,
} from "../../model/index.ts";
import type { SiteState } from "../site-state.ts";

/** What a site asks of a consumer for one kind of slot, now. */
export function siteTariff({ spec }: Pick<SiteState, "spec">, consumer: string, kind: SlotKind): Tariff {
  return tariffOf(reservationRulesOf(spec), { consumer, kind });
}

/** What a reservation was sold by: its more, and what is left of it, cost the same whatever came since. */
export function ownTariff(record: ReservationRecord): Tariff {
  const { priceBook, consumer, together } = record;
  if (priceBook === undefined) return constantTariff(record);
  return tariffOf(priceBook, { consumer, kind: together === null ? "reservation" : "together" });
}

/** What a reservation keeps of its site's price rules; nothing where that has none. */
export function soldBy({ spec }: Pick<SiteState, "spec">, rules: readonly RuleUse[]) {
  const { unitPriceThousandths, transactionProcMs, prices } = reservationRulesOf(spec);
  if (prices === undefined || prices.length === 0) return {};
  const priceBook: PriceBook = { unitPriceThousandths, transactionProcMs, prices };
  return { rules, priceBook };
}

/** The base price of a slot, and by what it is made. */
export function basePrice(tariff: Tariff, slot: Pick<WantedSlot, "procs" | "startMs" | "durationMs">) {
  const { unitPriceThousandths, transactionProcMs } = rateAt(tariff, slot.startMs);
  const baseProcMs = baseCharge(slot, tariff);
  return { unitPriceThousandths, transactionProcMs, rules: rulesUsed(tariff, slot), baseProcMs };
}

/** The uses of two slots in one. */
export function usesOfBoth(first: readonly RuleUse[], then: readonly RuleUse[]): readonly RuleUse[] {
  const more = then.filter(({ rule }) => !first.some((it) => it.rule === rule));
  const grown = first.map((use) => {
    const moreMs = then.find(({ rule }) => rule === use.rule)?.durationMs ?? 0;
    return { ...use, durationMs: use.durationMs + moreMs };
  });
  return [...grown, ...more];
}
