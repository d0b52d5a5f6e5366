export { type HeldSlot, type ReservationBook, whyNotReserve } from "./admission.ts";
export { candidatesFor } from "./candidates.ts";
export {
  baseCharge,
  cancellationPenalty,
  relinquishedPrice,
} from "./charges.ts";
export { chooseStart, thinned } from "./choose.ts";
export { priceCoReservation } from "./co-reservation.ts";
export { countable, isCounted, MOST_PROC_MS } from "./counted.ts";
export {
  declaredBeyond,
  delayBudgetShortage,
} from "./delay-budget.ts";
export {
  balanceName,
  balanceOf,
  chargeEntries,
  consumerOf,
  createLedger,
  grantEntries,
  type Income,
  incomeOf,
  type Ledger,
  type LedgerEntry,
  levelsOf,
  post,
  refundEntries,
  shortageOf,
} from "./ledger.ts";
export { delayCosts, delaysBy, priceList, pricesAt, pricesOf } from "./price-list.ts";
export {
  type DeclaredCosts,
  PLAIN_PRICE,
  type PricedStart,
  type PriceTerms,
} from "./priced-slot.ts";
export { machineOfSnapshot, quoteOf } from "./quote-snapshot.ts";
export { rankBids } from "./rank-bids.ts";
export {
  constantTariff,
  type PricedSize,
  rateAt,
  rulesUsed,
  type Tariff,
  tariffOf,
} from "./tariff.ts";
