/**
 * The price list of slots at a site: [PROV] ch. 5 (rule MK-1).
 *
 * The delays are those that the site's own machine computes; here they become a price.
 * Cost: see `queue/impact`; measured in bench/pricing.
 */
import {
  type FixedRectangle,
  type ReservationShape,
  startsBeside,
  type TriedMachine,
  type TriedReservations,
  tryReservations,
} from "../queue/index.ts";
import { candidatesFor } from "./candidates.ts";
import { countable } from "./counted.ts";
import type { DeclaredCosts, PricedStart, PriceTerms, WantedStart } from "./priced-slot.ts";
import { rateAt, type Tariff } from "./tariff.ts";

/** The possible starts of a slot, with their prices, ascending. */
export function priceList(
  tried: TriedMachine,
  shape: ReservationShape,
  wanted: WantedStart,
  terms: PriceTerms,
): readonly PricedStart[] {
  return pricesAt(tried, shape, candidatesFor(tried, wanted, terms.tariff), terms);
}

/**
 * Prices of a slot at the given instants, which are ascending and not in the past; impossible ones are left
 * out.
 */
export function pricesAt(
  tried: TriedMachine,
  shape: ReservationShape,
  startsMs: Float64Array,
  { tariff, declared }: PriceTerms,
): readonly PricedStart[] {
  return pricesOf(startsMs, tryReservations(tried, shape, startsMs, delayCosts(tried, declared)), tariff);
}

/** Prices of the possible instants, when the effect of each on the queue is known. */
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

/** w by handle: the declared delay cost, else the source's implicit one, the job's processors. */
export function delayCosts({ machine, present }: TriedMachine, declared?: DeclaredCosts): Float64Array {
  const [procs] = machine.jobs.need;
  return Float64Array.from(present.handles, (handle) => declared?.get(handle) ?? procs[handle]);
}

/** A waiting job that would start later. */
export interface DelayedJob {
  readonly handle: number;
  /** v: its planned start without the slot. */
  readonly plannedMs: number;
  readonly delayMs: number;
  /** Part of the fixed price for this delay, in processor-milliseconds. */
  readonly costProcMs: number;
}

/** The jobs that would start later, in queue order; undefined where the slot is not possible. */
export function delaysBy(
  tried: TriedMachine,
  slot: FixedRectangle,
  declared?: DeclaredCosts,
): readonly DelayedJob[] | undefined {
  const starts = startsBeside(tried, slot);
  if (!(starts instanceof Float64Array)) return undefined;
  const { machine, present } = tried;
  const [procs] = machine.jobs.need;
  return Array.from(present.handles, (handle, at) => {
    const plannedMs = present.startMs[at];
    const delayMs = starts[at] - plannedMs;
    return { handle, plannedMs, delayMs, costProcMs: delayMs * (declared?.get(handle) ?? procs[handle]) };
  }).filter(({ delayMs }) => delayMs > 0);
}
