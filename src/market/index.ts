export { candidatesFor } from "./candidates.ts";
export { chooseStart, thinned } from "./choose.ts";
export { type DelayedJob, delaysBy } from "./delays.ts";
export { priceList, pricesAt } from "./price-list.ts";
export { PLAIN_PRICE, type PricedStart, type PriceRule, type WantedStart } from "./priced-slot.ts";
export { quoteOf } from "./quote-snapshot.ts";
export { machineOfSnapshot } from "./snapshot-machine.ts";
export { type PricedTogether, priceTogether, type SlotPart } from "./together.ts";
