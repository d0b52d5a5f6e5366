/**
 * One start for slots at several sites or pools. The candidates are the union of those of the parts, the
 * price is the sum, and a start is possible where every part is.
 */
import type { ReservationShape, TriedMachine } from "../queue/index.ts";
import { candidatesFor } from "./candidates.ts";
import { countable } from "./counted.ts";
import { pricesAt } from "./price-list.ts";
import type { PricedStart, PriceTerms, WantedStart } from "./priced-slot.ts";

/** A slot in one pool. */
export interface SlotPart {
  readonly tried: TriedMachine;
  readonly shape: ReservationShape;
  readonly terms: PriceTerms;
}

/** A start at which all parts are possible. */
export interface PricedCoReservation extends PricedStart {
  /** Prices of the parts, in the order of the request; the price of the whole is their sum. */
  readonly parts: readonly PricedStart[];
}

/** The starts at which every part is possible, ascending. */
export function priceCoReservation(
  parts: readonly SlotPart[],
  wanted: WantedStart,
): readonly PricedCoReservation[] {
  const nowMs = Math.max(...parts.map(({ tried }) => tried.machine.nowMs));
  const instants = new Set(
    parts.flatMap(({ tried, terms }) => [...candidatesFor(tried, wanted, terms.tariff)]),
  );
  const startsMs = Float64Array.from(instants)
    .filter((startMs) => startMs >= nowMs)
    .sort();
  const lists = parts.map(
    ({ tried, shape, terms }) =>
      new Map(pricesAt(tried, shape, startsMs, terms).map((it) => [it.startMs, it])),
  );
  return Array.from(startsMs).flatMap((startMs) => {
    const priced = lists.flatMap((list) => list.get(startMs) ?? []);
    return priced.length < parts.length ? [] : [summed(startMs, priced)];
  });
}

function summed(startMs: number, parts: readonly PricedStart[]): PricedCoReservation {
  const sum = (of: (part: PricedStart) => number) => parts.reduce((total, part) => total + of(part), 0);
  return {
    startMs,
    fixedProcMs: countable(sum(({ fixedProcMs }) => fixedProcMs)),
    delayedJobs: sum(({ delayedJobs }) => delayedJobs),
    delayProcMs: countable(sum(({ delayProcMs }) => delayProcMs)),
    parts,
  };
}
