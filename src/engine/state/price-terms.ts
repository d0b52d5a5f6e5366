/**
 * By what a site's time is priced: its own price rules, and those that a reservation was sold by
 * (rule EN-84).
 */
import {
  baseCharge,
  constantTariff,
  type PricedSize,
  rateAt,
  rulesUsed,
  type Tariff,
  tariffOf,
} from "../../market/index.ts";
import {
  type PriceBook,
  type PricedResource,
  type ReservationRecord,
  type RuleUse,
  reservationRulesOf,
  type SlotKind,
  type WantedSlot,
} from "../../model/index.ts";
import type { SiteState } from "./site-state.ts";

/** Current tariff of a site for a consumer and one kind of slot. */
export function siteTariff({ spec }: Pick<SiteState, "spec">, consumer: string, kind: SlotKind): Tariff {
  return tariffOf(reservationRulesOf(spec), { consumer, kind });
}

/** Tariff by which a reservation was sold; more time and refunds use it whatever has changed since. */
export function ownTariff(record: ReservationRecord): Tariff {
  const { priceBook, consumer, together } = record;
  if (priceBook === undefined) return constantTariff(record);
  return tariffOf(priceBook, { consumer, kind: slotKind(record, together !== null) });
}

/** Slot kind of a reservation; a store or link keeps its kind in a co-reservation. */
export function slotKind({ resource }: Pick<WantedSlot, "resource">, isTogether: boolean): SlotKind {
  return resource?.kind ?? (isTogether ? "together" : "reservation");
}

/** Size of a slot for its price. */
export function pricedSize(slot: PricedSlot): PricedSize {
  const { procs, resource, startMs, durationMs } = slot;
  if (resource === undefined) return { procs, startMs, durationMs };
  return { procs: resource.amount, perProc: resource.perProc, startMs, durationMs };
}

/** A slot with what a store or a link of its site is priced in. */
export interface PricedSlot extends Pick<WantedSlot, "procs" | "startMs" | "durationMs"> {
  readonly resource?: PricedResource;
}

/** Price rules of its site that a reservation stores; empty where the site has none. */
export function soldBy({ spec }: Pick<SiteState, "spec">, rules: readonly RuleUse[]) {
  const { unitPriceThousandths, transactionProcMs, prices } = reservationRulesOf(spec);
  if (prices === undefined || prices.length === 0) return {};
  const priceBook: PriceBook = { unitPriceThousandths, transactionProcMs, prices };
  return { rules, priceBook };
}

/** The base price of a slot, and by what it is made. */
export function basePrice(tariff: Tariff, slot: PricedSlot) {
  const { unitPriceThousandths, transactionProcMs } = rateAt(tariff, slot.startMs);
  const baseProcMs = baseCharge(pricedSize(slot), tariff);
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
