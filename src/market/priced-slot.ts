/**
 * A slot with its price, and the rule that the price was made by.
 */

/** What a site charges beside the delays that a slot causes. */
export interface PriceRule {
  /** c, in thousandths of one SU for one SU of use; ≥ 1000. */
  readonly unitPriceThousandths: number;
  /** f₀, in processor-milliseconds; ≥ 0. */
  readonly transactionProcMs: number;
}

/** One SU for one SU, and nothing for the transaction. */
export const PLAIN_PRICE: PriceRule = { unitPriceThousandths: 1000, transactionProcMs: 0 };

/** A candidate start with what it costs. */
export interface PricedStart {
  readonly startMs: number;
  /** f, in processor-milliseconds; exact up to 2^53. */
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
