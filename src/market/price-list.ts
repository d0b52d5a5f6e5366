/**
 * What slots cost at a site: the price list of [PROV] ch. 5 (rules MK-1 … MK-6).
 *
 * The delays are what the site's own machine says they would be; here they become a price.
 * Cost: see `queue/impact`; measured in bench/pricing.
 */
import {
  type ReservationShape,
  type TriedMachine,
  type TriedReservations,
  tryReservations,
} from "../queue/index.ts";
import { candidatesFor } from "./candidates.ts";
import { countable } from "./counted.ts";
import type { DeclaredCosts, PricedStart, PriceTerms, WantedStart } from "./priced-slot.ts";
import { rateAt, type Tariff } from "./tariff.ts";

/** The possible starts of a slot, with their prices, in order of start. */
export function priceList(
  tried: TriedMachine,
  shape: ReservationShape,
  wanted: WantedStart,
  terms: PriceTerms,
): readonly PricedStart[] {
  return pricesAt(tried, shape, candidatesFor(tried, wanted, terms.tariff), terms);
}

/** The same for instants that are told, ascending and none in the past. */
export function pricesAt(
  tried: TriedMachine,
  shape: ReservationShape,
  startsMs: Float64Array,
  { tariff, declared }: PriceTerms,
): readonly PricedStart[] {
  return pricesOf(startsMs, tryReservations(tried, shape, startsMs, delayCosts(tried, declared)), tariff);
}

/** What those of them cost that are possible, when it is known what each would do to the queue. */
export function pricesOf(
  startsMs: Float64Array,
  { isPossible, delayedJobs, weightedDelayMs }: TriedReservations,
  tariff: Tariff,
): readonly PricedStart[] {
  return Array.from(startsMs, (startMs, at) => ({
    startMs,
    isPossible: isPossible[at] === 1,
    fixedProcMs: countable(rateAt(tariff, startMs).transactionProcMs + weightedDelayMs[at]),
    delayedJobs: delayedJobs[at],
    delayProcMs: countable(weightedDelayMs[at]),
  }))
    .filter((it) => it.isPossible)
    .map(({ isPossible: _, ...priced }) => priced);
}

/** w: what was declared, else the source's implicit delay cost, a job's processors (rule MK-23). */
export function delayCosts({ machine, present }: TriedMachine, declared?: DeclaredCosts): Float64Array {
  const [procs] = machine.jobs.need;
  return Float64Array.from(present.handles, (handle) => declared?.get(handle) ?? procs[handle]);
}
