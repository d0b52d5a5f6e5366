export { type HeldSlot, type ReservationBook, type ReservationRequest, whyNotReserve } from "./admission.ts";
export { candidatesFor } from "./candidates.ts";
export {
  baseCharge,
  cancellationPenalty,
  relinquishedPrice,
  type SlotCharge,
  type SoldSlot,
} from "./charges.ts";
export { chooseStart, thinned } from "./choose.ts";
export { type PricedCoReservation, priceCoReservation, type SlotPart } from "./co-reservation.ts";
export { countable, isCounted, MOST_PROC_MS } from "./counted.ts";
export {
  type DelayBudgetShortage,
  declaredBeyond,
  delayBudgetShortage,
} from "./delay-budget.ts";
export { type DelayedJob, delaysBy } from "./delays.ts";
export {
  type AccountShortage,
  balanceName,
  balanceOf,
  chargeEntries,
  consumerOf,
  createLedger,
  grantEntries,
  INCOME_KINDS,
  type Income,
  type IncomeKind,
  incomeOf,
  type Ledger,
  type LedgerEntry,
  levelsOf,
  post,
  refundEntries,
  shortageOf,
} from "./ledger.ts";
export { delayCosts, priceList, pricesAt, pricesOf } from "./price-list.ts";
export {
  type DeclaredCosts,
  PLAIN_PRICE,
  type PricedStart,
  type PriceTerms,
  type WantedStart,
} from "./priced-slot.ts";
export { quoteOf } from "./quote-snapshot.ts";
export { machineOfSnapshot } from "./snapshot-machine.ts";
export {
  constantTariff,
  type PricedSize,
  type Rate,
  rateAt,
  rulesUsed,
  type Tariff,
  tariffOf,
} from "./tariff.ts";
