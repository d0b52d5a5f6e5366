/**
 * The cases of one reservation of the source's twelve, in means over the days.
 */
import { AHEAD, type Case, HOURS, PROCS } from "./cases.ts";

/** What the figures show of one reservation on one cluster; costs are over n·D. */
export interface Tally {
  readonly cluster: string;
  readonly procs: number;
  readonly hours: number;
  readonly ahead: number;
  readonly days: number;
  /** Means over the days on which it came to something; NaN where there is none. */
  readonly virtual: number;
  readonly priced: number;
  readonly combined: number;
  /** Of the combined scheme over the days on which a priced one could be had. */
  readonly combinedWherePriced: number;
  /** The shares of days on which it did. */
  readonly virtualSuccess: number;
  readonly pricedSuccess: number;
  readonly combinedSuccess: number;
  /** The shares of the days with both on which the one was cheaper. */
  readonly virtualCheaper: number;
  readonly pricedCheaper: number;
}

/** One for each reservation, in order. */
export function talliesOf(cluster: string, all: readonly Case[]): readonly Tally[] {
  return PROCS.flatMap((procs) =>
    HOURS.flatMap((hours) =>
      AHEAD.map((ahead) => {
        const own = all.filter((it) => it.procs === procs && it.hours === hours && it.ahead === ahead);
        return { cluster, procs, hours, ahead, days: own.length, ...sharesOf(own) };
      }),
    ),
  );
}

function sharesOf(own: readonly Case[]) {
  const both = own.flatMap(({ virtual, priced }) =>
    virtual === undefined || priced === undefined ? [] : [{ virtual, priced }],
  );
  const shareOf = (isSo: (one: (typeof both)[number]) => boolean): number =>
    both.filter(isSo).length / both.length;
  const [virtual, priced, combined] = (["virtual", "priced", "combined"] as const).map((kind) =>
    own.flatMap((it) => it[kind] ?? []),
  );
  return {
    virtual: mean(virtual),
    priced: mean(priced),
    combined: mean(combined),
    combinedWherePriced: mean(own.flatMap((it) => (it.priced === undefined ? [] : (it.combined ?? [])))),
    virtualSuccess: virtual.length / own.length,
    pricedSuccess: priced.length / own.length,
    combinedSuccess: combined.length / own.length,
    virtualCheaper: shareOf((it) => it.virtual < it.priced),
    pricedCheaper: shareOf((it) => it.priced < it.virtual),
  };
}

/**
 * Mean prices of the wider reservations and of the narrower ones, over the days on which both can be had:
 * wider ones are had on fewer, and easier, days.
 */
export function pricesOfBoth(all: readonly Case[]): readonly (readonly [wide: number, narrow: number])[] {
  const [narrow, wide] = PROCS.map((procs) => all.filter((it) => it.procs === procs));
  return HOURS.flatMap((hours) =>
    AHEAD.map((ahead) => {
      const both = wide.flatMap(({ day, priced, ...it }) => {
        const beside = narrow.find(
          (one) => one.day === day && one.hours === hours && one.ahead === ahead,
        )?.priced;
        const isWanted = it.hours === hours && it.ahead === ahead;
        return !isWanted || priced === undefined || beside === undefined ? [] : [[priced, beside] as const];
      });
      return [mean(both.map(([price]) => price)), mean(both.map(([, price]) => price))] as const;
    }),
  );
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** How often the virtual one fails where the priced one does, and where it does not. */
export function failingTogether(all: readonly Case[]): readonly [number, number] {
  const failing = (cases: readonly Case[]): number =>
    cases.filter(({ virtual }) => virtual === undefined).length / Math.max(1, cases.length);
  return [
    failing(all.filter(({ priced }) => priced === undefined)),
    failing(all.filter(({ priced }) => priced !== undefined)),
  ];
}
