/**
 * Choice by α among the starts of several sites. Base prices may differ from site to site, so the whole price
 * is weighed against the start; at one site, and wherever they are equal, that is the same as weighing the
 * fixed part alone.
 */
import { chooseStart, type PricedStart } from "../market/index.ts";
import type { LivePrice, PriceCoReservation, SiteQuote } from "../model/index.ts";

/** A start at a site. */
export interface ChosenStart {
  readonly site: string;
  readonly startMs: number;
}

/** Preferences of a choice. */
export interface Choosing {
  /** From 0, only time matters, to 1, only cost. */
  readonly alpha: number;
  /** Limit on the price. */
  readonly mostProcMs: number;
}

/** Choice among the starts without a hindrance; undefined where there is none. */
export function chooseAmongSites(
  quotes: readonly SiteQuote[],
  { alpha, mostProcMs }: Choosing,
): ChosenStart | undefined {
  const siteOf = new Map<PricedStart, string>();
  for (const { site, starts } of quotes) {
    for (const start of starts) {
      const isDear = start.baseProcMs + start.fixedProcMs > mostProcMs;
      if (start.hindrance === null && !isDear) siteOf.set(asPriced(start), site);
    }
  }
  const chosen = chooseStart([...siteOf.keys()], Math.round(alpha * 1_000_000));
  const site = chosen === undefined ? undefined : siteOf.get(chosen);
  return chosen === undefined || site === undefined ? undefined : { site, startMs: chosen.startMs };
}

/** Choice among the starts of co-reservations without a hindrance; undefined where there is none. */
export function chooseCoReservation(
  list: readonly PriceCoReservation[],
  { alpha, mostProcMs }: Choosing,
): Pick<ChosenStart, "startMs"> | undefined {
  const free = list.filter(({ baseProcMs, fixedProcMs, parts }) => {
    const isDear = baseProcMs + fixedProcMs > mostProcMs;
    return !isDear && parts.every(({ hindrance }) => hindrance === null);
  });
  return chooseStart(free.map(asPriced), Math.round(alpha * 1_000_000));
}

type Price = Pick<LivePrice, "startMs" | "baseProcMs" | "fixedProcMs" | "delaysJobs" | "delayProcMs">;

function asPriced({ startMs, baseProcMs, fixedProcMs, delaysJobs, delayProcMs }: Price): PricedStart {
  return { startMs, fixedProcMs: baseProcMs + fixedProcMs, delayedJobs: delaysJobs, delayProcMs };
}
