/**
 * The claims of [PROV] 6.3 and 6.4, figures 38 to 49, held against our cases, cluster by cluster.
 */
import { certain, isLess, outcomeOf, outcomeOfAll, type Verdict } from "../verdict.ts";
import { AHEAD, type Case, HOURS, PROCS } from "./cases.ts";
import { failingTogether, pricesOfBoth, type Tally, talliesOf } from "./tally.ts";

/** Of n·D: nearer than this is "little difference". */
const LITTLE = 1;
const ALIKE = 0.25;
/** Of a priced one, on average. */
const WELL_BELOW = 0.8;

/** All verdicts of a cluster. */
export function verdictsOf(cluster: string, cases: readonly Case[]): readonly Verdict[] {
  const all = talliesOf(cluster, cases);
  return [
    ...costs(cluster, ofProcs(all, 32), "Fig. 38"),
    successes(cluster, ofProcs(all, 32), "Fig. 39"),
    ...cheaper(cluster, all),
    ...costs(cluster, ofProcs(all, 64), "Fig. 41"),
    ...wider(cluster, all, cases),
    successes(cluster, ofProcs(all, 64), "Fig. 43"),
    together(cluster, cases),
    ...PROCS.flatMap((procs) => [
      neverDearer(
        cluster,
        cases.filter((it) => it.procs === procs),
      ),
      ...combined(cluster, ofProcs(all, procs)),
    ]),
  ];
}

function ofProcs(all: readonly Tally[], procs: number): readonly Tally[] {
  return all.filter((it) => it.procs === procs);
}

function listed(all: readonly Tally[], value: (tally: Tally) => number): string {
  return all.map((it) => decimal(value(it))).join(", ");
}

/** A dash where nothing succeeded, and there is no mean. */
function decimal(value: number): string {
  return Number.isFinite(value) ? value.toFixed(2) : "–";
}

const ORDER = `${HOURS.join(" and ")} h long, ${AHEAD.join(", ")} h ahead each`;

function costs(cluster: string, all: readonly Tally[], figure: string): readonly Verdict[] {
  const [virtuals, prices] = [listed(all, ({ virtual }) => virtual), listed(all, ({ priced }) => priced)];
  const numbers = `VAR ${virtuals}; priced ${prices} of n·D, ${ORDER}`;
  const verdicts: Verdict[] = [
    {
      figure,
      claim: `${cluster}: VAR is cheaper on average`,
      outcome: outcomeOfAll(all.map(({ virtual, priced }) => isLess(virtual, priced))),
      numbers,
    },
  ];
  if (figure !== "Fig. 38") return verdicts;
  const ratios = HOURS.map((hours) => {
    const own = all.filter((it) => it.hours === hours).map(({ virtual, priced }) => priced / virtual);
    return own.some(Number.isNaN) ? undefined : own[0] === Math.max(...own);
  });
  const last = all.filter(({ hours, ahead }) => hours === 1 && ahead === 8)[0];
  return [
    ...verdicts,
    {
      figure,
      claim: `${cluster}: most so 1 h ahead; 8 h ahead for 1 h there is little difference`,
      outcome: outcomeOfAll([...ratios, isLess(Math.abs(last.priced - last.virtual), LITTLE)]),
      numbers:
        `priced ÷ VAR ${listed(all, ({ virtual, priced }) => priced / virtual)}; ` +
        `little is ${LITTLE} n·D`,
    },
  ];
}

function successes(cluster: string, all: readonly Tally[], figure: string): Verdict {
  return {
    figure,
    claim: `${cluster}: priced reservations succeed more often than VAR`,
    outcome: outcomeOfAll(all.map((it) => it.pricedSuccess >= it.virtualSuccess)),
    numbers:
      `priced ${listed(all, ({ pricedSuccess }) => pricedSuccess)}, ` +
      `VAR ${listed(all, ({ virtualSuccess }) => virtualSuccess)}, ${ORDER}`,
  };
}

function cheaper(cluster: string, all: readonly Tally[]): readonly Verdict[] {
  const short = all.filter(({ procs, hours }) => procs === 32 && hours === 1);
  const long = all.filter(({ procs, hours }) => procs === 32 && hours === 4);
  const wide = ofProcs(all, 64);
  const numbers = (of: readonly Tally[]): string =>
    `priced cheaper in ${listed(of, ({ pricedCheaper }) => pricedCheaper)}, ` +
    `VAR in ${listed(of, ({ virtualCheaper }) => virtualCheaper)} of the days with both`;
  const virtualWins = ({ virtualCheaper, pricedCheaper }: Tally) => isLess(pricedCheaper, virtualCheaper);
  const pricedWins = ({ virtualCheaper, pricedCheaper }: Tally) => isLess(virtualCheaper, pricedCheaper);
  return [
    {
      figure: "Fig. 40",
      claim: `${cluster}: for 32 processors × 1 h priced ones are cheaper in most cases`,
      outcome: outcomeOfAll(short.map(pricedWins)),
      numbers: numbers(short),
    },
    {
      figure: "Fig. 40",
      claim: `${cluster}: for 32 processors × 4 h VAR is`,
      outcome: outcomeOfAll(long.map(virtualWins)),
      numbers: numbers(long),
      why: "where nobody is in the way a priced one costs nothing, and VAR waits idle",
    },
    {
      figure: "Fig. 44",
      claim: `${cluster}: for 64 processors VAR is cheaper in most cases`,
      outcome: outcomeOfAll(wide.map(virtualWins)),
      numbers: numbers(wide),
    },
  ];
}

function wider(cluster: string, all: readonly Tally[], cases: readonly Case[]): readonly Verdict[] {
  const prices = pricesOfBoth(cases);
  const [narrow, wide] = PROCS.map((procs) => ofProcs(all, procs));
  const ratios = wide.map((it, at) => it.virtual / narrow[at].virtual);
  return [
    {
      figure: "Fig. 41",
      claim: `${cluster}: priced ones are generally dearer for 64 processors than for 32 (over n·D)`,
      outcome: outcomeOfAll(prices.map(([wider, narrower]) => isLess(narrower, wider))),
      numbers:
        `64: ${prices.map(([price]) => decimal(price)).join(", ")}; ` +
        `32: ${prices.map(([, price]) => decimal(price)).join(", ")}, on the days on which both can be had`,
    },
    {
      figure: "Fig. 41",
      claim: `${cluster}: VAR costs about the same for both`,
      outcome: outcomeOfAll(ratios.map((ratio) => isLess(Math.abs(ratio - 1), ALIKE))),
      numbers: `64 ÷ 32: ${ratios.map(decimal).join(", ")}; within ${ALIKE} of 1`,
    },
  ];
}

function together(cluster: string, cases: readonly Case[]): Verdict {
  const [whereFailing, elsewhere] = failingTogether(cases);
  return {
    figure: "Fig. 43",
    claim: `${cluster}: failures are correlated: VAR fails more often where a priced one cannot be had`,
    outcome: outcomeOf(whereFailing > elsewhere),
    numbers: `VAR fails in ${decimal(whereFailing)} of these cases, in ${decimal(elsewhere)} of the others`,
  };
}

/**
 * Case by case; a cancelled one costs its penalty, and is cancelled only where that is made up for. True of
 * any prices and waits: checked, and not counted.
 */
function neverDearer(cluster: string, cases: readonly Case[]): Verdict {
  const both = cases.flatMap(({ procs, combined, priced }) =>
    combined === undefined || priced === undefined ? [] : [{ procs, dearer: combined > priced }],
  );
  const dearer = both.filter((it) => it.dearer).length;
  return certain({
    figure: cases[0]?.procs === 64 ? "Fig. 48" : "Fig. 46",
    claim: `${cluster}: the combined scheme never pays more than the priced reservation`,
    outcome: both.length === 0 ? "not measured" : outcomeOf(dearer === 0),
    numbers: `it does in ${dearer} of ${both.length} cases`,
    why: "it keeps whichever of the two costs less",
  });
}

function combined(cluster: string, all: readonly Tally[]): readonly Verdict[] {
  const [{ procs }] = all;
  const [cost, success] = procs === 32 ? ["Fig. 46", "Fig. 47"] : ["Fig. 48", "Fig. 49"];
  const isOdd = ({ hours, ahead }: Tally): boolean => hours === 1 && ahead === 8 && procs === 32;
  const exception = procs === 32 ? ", but for 1 h 8 h ahead, where it is cheapest" : "";
  const numbers =
    `combined ${listed(all, (it) => it.combined)}, VAR ${listed(all, ({ virtual }) => virtual)}, ` +
    "each on the days on which it succeeds";
  const betterOf = ({ virtualSuccess, pricedSuccess }: Tally): number =>
    Math.max(virtualSuccess, pricedSuccess);
  return [
    {
      figure: cost,
      claim: `${cluster}: the combined scheme is well below priced ones on average`,
      // That it is not above is so by construction; "well" is what it may fail.
      outcome: outcomeOfAll(all.map((it) => isLess(it.combinedWherePriced, WELL_BELOW * it.priced))),
      numbers:
        `combined ${listed(all, (it) => it.combinedWherePriced)}, ` +
        `priced ${listed(all, ({ priced }) => priced)}, on the days on which a priced one can be had; ` +
        `below ${WELL_BELOW} of it`,
    },
    {
      figure: cost,
      claim: `${cluster}: and dearer than VAR${exception}`,
      outcome: outcomeOfAll(
        all.map((it) => (isOdd(it) ? isLess(it.combined, it.virtual) : isLess(it.virtual, it.combined))),
      ),
      numbers,
    },
    certain({
      figure: success,
      claim: `${cluster}: it succeeds at least as often as the better of both`,
      outcome: outcomeOfAll(all.map((it) => it.combinedSuccess >= betterOf(it))),
      numbers:
        `${listed(all, ({ combinedSuccess }) => combinedSuccess)}, ` +
        `better of both ${listed(all, betterOf)}`,
      why: "it has whatever either of the two has",
    }),
  ];
}
