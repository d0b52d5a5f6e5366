/**
 * What slots cost at a site: the price list of [PROV] ch. 5 (rules MK-1 … MK-6).
 *
 * The delays are what the site's own machine says they would be; here they become a price.
 * Cost: see `queue/trial`; measured in bench/pricing.
 */
import { type ReservationShape, type TriedMachine, tryReservations } from "../queue/index.ts";
import { candidatesFor } from "./candidates.ts";
import type { PricedStart, PriceRule, WantedStart } from "./priced-slot.ts";

/** The possible starts of a slot, with their prices, in order of start. */
export function priceList(
  tried: TriedMachine,
  shape: ReservationShape,
  wanted: WantedStart,
  rule: PriceRule,
): readonly PricedStart[] {
  return pricesAt(tried, shape, candidatesFor(tried, wanted), rule);
}

/** The same for instants that are told, ascending and none in the past. */
export function pricesAt(
  tried: TriedMachine,
  shape: ReservationShape,
  startsMs: Float64Array,
  { transactionProcMs }: PriceRule,
): readonly PricedStart[] {
  const { isPossible, delayedJobs, weightedDelayMs } = tryReservations(
    tried,
    shape,
    startsMs,
    delayCosts(tried),
  );
  return Array.from(startsMs, (startMs, at) => ({
    startMs,
    isPossible: isPossible[at] === 1,
    fixedProcMs: transactionProcMs + weightedDelayMs[at],
    delayedJobs: delayedJobs[at],
    delayProcMs: weightedDelayMs[at],
  }))
    .filter((it) => it.isPossible)
    .map(({ isPossible: _, ...priced }) => priced);
}

/** w: the source's implicit delay cost, a job's processors. */
function delayCosts({ machine, present }: TriedMachine): Float64Array {
  const [procs] = machine.jobs.need;
  return Float64Array.from(present.handles, (handle) => procs[handle]);
}
