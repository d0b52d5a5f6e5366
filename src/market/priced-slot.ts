/** A slot with its price, and the terms that the price was computed from. */
import { constantTariff, type Tariff } from "./tariff.ts";

/** The terms of a price. */
export interface PriceTerms {
  /** c and f₀ through the week. */
  readonly tariff: Tariff;
  /** w, by handle, of the waiting jobs that have declared one; absent: none has. */
  readonly declared?: DeclaredCosts;
}

/** Declared delay costs by handle, in processors: SU for an hour of delay. */
export type DeclaredCosts = ReadonlyMap<number, number>;

/** Terms of a plain price: c = 1, f₀ = 0, no declared delay costs. */
export const PLAIN_PRICE: PriceTerms = {
  tariff: constantTariff({ unitPriceThousandths: 1000, transactionProcMs: 0 }),
};

/** A candidate start with its price. */
export interface PricedStart {
  readonly startMs: number;
  /** f, in processor-milliseconds; exact where it `isCounted` (rule MK-37). */
  readonly fixedProcMs: number;
  readonly delayedJobs: number;
  /** The part of f that pays for delays. */
  readonly delayProcMs: number;
}

/** The requested start; instants in ms. */
export type WantedStart =
  | { readonly kind: "at"; readonly startMs: number }
  | { readonly kind: "whenever" }
  | { readonly kind: "from"; readonly fromMs: number };
