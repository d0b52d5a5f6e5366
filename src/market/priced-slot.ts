/**
 * A slot with its price, and what the price was made by.
 */
import { constantTariff, type Tariff } from "./tariff.ts";

/** By what the slots of a question are priced. */
export interface PriceTerms {
  /** c and f₀ through the week. */
  readonly tariff: Tariff;
  /** w, by handle, of the waiting jobs that have declared one; absent: none has. */
  readonly declared?: DeclaredCosts;
}

/** Declared delay costs by handle, in processors: SU for an hour of delay. */
export type DeclaredCosts = ReadonlyMap<number, number>;

/** One SU for one SU, nothing for the transaction, and nobody has declared anything. */
export const PLAIN_PRICE: PriceTerms = {
  tariff: constantTariff({ unitPriceThousandths: 1000, transactionProcMs: 0 }),
};

/** A candidate start with what it costs. */
export interface PricedStart {
  readonly startMs: number;
  /** f, in processor-milliseconds; exact where it is counted (MK-37). */
  readonly fixedProcMs: number;
  /** How many waiting jobs would start later. */
  readonly delayedJobs: number;
  /** The part of f that is for their delays. */
  readonly delayProcMs: number;
}

/** When a slot is wanted. Instants in ms. */
export type WantedStart =
  | { readonly kind: "at"; readonly startMs: number }
  | { readonly kind: "whenever" }
  | { readonly kind: "from"; readonly fromMs: number };
