/**
 * The claims of [PROV] 5.3, its figures 23 to 31, held against our runs.
 *
 * The source gives curves and words; what a word must mean at least is said with each verdict.
 */
import { certain, type Outcome, outcomeOf, outcomeOfAll, type Verdict } from "../verdict.ts";
import { ALPHAS, found, LOADS, type Measured, type Setting, SHARES, VARIANTS } from "./measure.ts";
import { type Priced, waitRatioOf } from "./play.ts";

const NAMES = ["CTC", "SDSC"] as const;
/** Below the α at which f is 0 by definition. */
const PAID = ALPHAS.filter((alpha) => alpha < 1);
const FAR_BELOW = 0.5;
const SIMILAR = 0.25;

/** Every verdict, in the order of the figures. */
export function verdictsOf(all: readonly Measured[]): readonly Verdict[] {
  const hasWhole = all.some(({ period }) => period === "whole log");
  const periods: readonly Setting["period"][] = hasWhole ? ["first days", "whole log"] : ["first days"];
  return [
    ...periods.flatMap((period) => NAMES.map((name) => falls(all, name, { period }))),
    ...periods.flatMap((period) => NAMES.map((name) => freeAtOne(all, name, { period }))),
    ...periods.map((period) => dearer(all, period)),
    ...periods.flatMap((period) => NAMES.map((name) => waits(all, name, { period }))),
    ...NAMES.map((name) => loadPrices(all, name)),
    ...NAMES.map((name) => loadWaits(all, name)),
    ...NAMES.map((name) => sharePrices(all, name)),
    ...periods.flatMap((period) => NAMES.map((name) => halfReserved(all, name, period))),
    ...NAMES.flatMap((name) => aggressive(all, name)),
    equalLoad(all),
    ...periods.flatMap((period) => NAMES.map((name) => inaccuratePrices(all, name, period))),
    ...periods.flatMap((period) => NAMES.flatMap((name) => inaccurateWaits(all, name, period))),
    ...VARIANTS.map((variant) => whichVariant(all, variant)),
  ];
}

function overAlpha(all: readonly Measured[], name: string, more: Partial<Setting>): readonly Priced[] {
  return ALPHAS.map((alpha) => found(all, name, { ...more, alpha }));
}

function isFalling(values: readonly number[]): boolean {
  return values.every((value, at) => at === 0 || value <= values[at - 1]);
}

function listed(values: readonly number[], digits = 1): string {
  return values.map((value) => value.toFixed(digits)).join(", ");
}

function of(name: string, { period }: Partial<Setting>): string {
  return period === "whole log" ? `${name}, whole log` : name;
}

function falls(all: readonly Measured[], name: string, more: Partial<Setting>): Verdict {
  const prices = overAlpha(all, name, more).map(({ fixedSu }) => fixedSu);
  return {
    figure: "Fig. 23",
    claim: `${of(name, more)}: the mean price falls as α grows`,
    outcome: outcomeOfAll([isFalling(prices), prices[0] > 0]),
    numbers: `${listed(prices)} SU at α = ${ALPHAS.join(", ")}`,
  };
}

function freeAtOne(all: readonly Measured[], name: string, more: Partial<Setting>): Verdict {
  const price = found(all, name, { ...more, alpha: 1 }).fixedSu;
  return certain({
    figure: "Fig. 23",
    claim: `${of(name, more)}: at α = 1 the price is 0`,
    outcome: outcomeOf(price === 0),
    numbers: `${price.toFixed(1)} SU`,
    why: "every list of prices has a start that delays nobody, and α = 1 takes it",
  });
}

function dearer(all: readonly Measured[], period: Setting["period"]): Verdict {
  const [ctc, sdsc] = NAMES.map((name) => PAID.map((alpha) => found(all, name, { period, alpha }).fixedSu));
  const parts = PAID.map((_, at) => sdsc[at] > ctc[at]);
  return {
    figure: "Fig. 23",
    claim: `${period}: for the same α the price at SDSC is higher than at CTC`,
    outcome: outcomeOfAll(parts),
    numbers: `SDSC ${listed(sdsc)} SU, CTC ${listed(ctc)} SU at α = ${PAID.join(", ")}`,
  };
}

function lowAndHigh(ratios: readonly number[]): Outcome {
  const last = ratios[ratios.length - 1];
  return outcomeOfAll([ratios[0] <= FAR_BELOW, Math.abs(last - 1) <= SIMILAR]);
}

function waits(all: readonly Measured[], name: string, more: Partial<Setting>): Verdict {
  const ratios = overAlpha(all, name, more).map(waitRatioOf);
  return {
    figure: "Fig. 24",
    claim: `${of(name, more)}: who reserves waits far less than who queues at low α, about as long at high α`,
    outcome: lowAndHigh(ratios),
    numbers: `reserved ÷ queued ${listed(ratios, 2)}; at most ${FAR_BELOW} at 0, within ${SIMILAR} of 1 at 1`,
  };
}

function loadPrices(all: readonly Measured[], name: string): Verdict {
  const byAlpha = PAID.map((alpha) => LOADS.map((added) => found(all, name, { alpha, added }).fixedSu));
  const rises = byAlpha.map(([first, second, third]) => first < second && second < third);
  const texts = byAlpha.map((prices) => listed(prices));
  return {
    figure: "Fig. 25",
    claim: `${name}: the price rises with the load, whatever α`,
    outcome: outcomeOfAll(rises),
    numbers: `${texts.join("; ")} SU at α = ${PAID.join("; ")}; utilisation ${loadsOf(all, name)}`,
  };
}

function loadsOf(all: readonly Measured[], name: string): string {
  const shares = LOADS.map((added) => found(all, name, { alpha: 0, added }).utilisation * 100);
  return `${listed(shares)} %`;
}

function loadWaits(all: readonly Measured[], name: string): Verdict {
  const byAlpha = ALPHAS.map((alpha) =>
    LOADS.map((added) => waitRatioOf(found(all, name, { alpha, added }))),
  );
  return {
    figure: "Fig. 26",
    claim: `${name}: with more load who reserves waits less beside who queues`,
    outcome: outcomeOfAll(byAlpha.map((ratios) => ratios[2] < ratios[0])),
    numbers: `reserved ÷ queued ${byAlpha.map((it) => listed(it, 2)).join("; ")} at α = ${ALPHAS.join("; ")}`,
    why: "counted is whether the ratio at the highest load is below that at the recorded one",
  };
}

function sharePrices(all: readonly Measured[], name: string): Verdict {
  const prices = SHARES.map((share) => found(all, name, { share }).fixedSu);
  return {
    figure: "Fig. 27",
    claim: `${name}: the more jobs reserve, the lower the price (α = 0)`,
    outcome: outcomeOfAll([isFalling(prices), prices[prices.length - 1] < prices[0]]),
    numbers: `${listed(prices)} SU at ${SHARES.map((share) => share * 100).join(", ")} % of the jobs`,
  };
}

function halfReserved(all: readonly Measured[], name: string, period: Setting["period"]): Verdict {
  const runs = overAlpha(all, name, { share: 0.5, period });
  const queued = runs.map(({ queuedWaitHours }) => queuedWaitHours);
  return {
    figure: "Fig. 28",
    claim: `${of(name, { period })}: with 50 % reservations who queues waits less as α grows`,
    outcome: outcomeOfAll([queued[queued.length - 1] < queued[0], isFalling(queued)]),
    numbers: `queued ${listed(queued, 2)} h, reserved ${listed(
      runs.map(({ reservedWaitHours }) => reservedWaitHours),
      2,
    )} h`,
  };
}

function aggressive(all: readonly Measured[], name: string): readonly Verdict[] {
  const [cb, ab] = (["conservative", "easy"] as const).map((discipline) =>
    LOADS.map((added) => found(all, name, { discipline, added, alpha: "random" }).fixedSu),
  );
  const gaps = ab.map((price, at) => price - cb[at]);
  const numbers = `EASY ${listed(ab)} SU, conservative ${listed(cb)} SU with the load`;
  return [
    {
      figure: "Fig. 29",
      claim: `${name}: aggressive backfilling is dearer than conservative`,
      outcome: outcomeOfAll(gaps.map((gap) => gap > 0)),
      numbers,
    },
    {
      figure: "Fig. 29",
      claim: `${name}: the difference grows with the load`,
      outcome: outcomeOf(gaps[2] > gaps[1] && gaps[1] > gaps[0]),
      numbers: `differences ${listed(gaps)} SU`,
    },
  ];
}

function equalLoad(all: readonly Measured[]): Verdict {
  const ctc = found(all, "CTC", { alpha: "random", added: 0.4 });
  const sdsc = found(all, "SDSC", { alpha: "random", added: 0.2 });
  const at = ({ fixedSu, utilisation }: Priced): string =>
    `${fixedSu.toFixed(1)} SU at ${(utilisation * 100).toFixed(1)} %`;
  return {
    figure: "Fig. 29",
    claim: "at equal utilisation CTC is dearer than SDSC (78.8 and 77.8 % there)",
    outcome: outcomeOf(ctc.fixedSu > sdsc.fixedSu),
    numbers: `CTC ${at(ctc)}, SDSC ${at(sdsc)}`,
  };
}

function inaccuratePrices(all: readonly Measured[], name: string, period: Setting["period"]): Verdict {
  const [exact, requested] = (["exact", "requested"] as const).map((estimates) =>
    PAID.map((alpha) => found(all, name, { estimates, alpha, period }).fixedSu),
  );
  return {
    figure: "Fig. 30",
    claim: `${of(name, { period })}: prices are generally higher with inaccurate estimates`,
    outcome: outcomeOfAll(exact.map((price, at) => requested[at] > price)),
    numbers: `requested ${listed(requested)} SU, exact ${listed(exact)} SU at α = ${PAID.join(", ")}`,
  };
}

function inaccurateWaits(all: readonly Measured[], name: string, period: Setting["period"]): Verdict[] {
  const exact = overAlpha(all, name, { period });
  const requested = overAlpha(all, name, { estimates: "requested", period });
  const reserved = (runs: readonly Priced[]) => runs.map(({ reservedWaitHours }) => reservedWaitHours);
  const queued = (runs: readonly Priced[]) => runs.map(({ queuedWaitHours }) => queuedWaitHours);
  const last = requested[requested.length - 1];
  const longer = (of: (runs: readonly Priced[]) => number[]): boolean =>
    of(requested).every((wait, at) => wait > of(exact)[at]);
  const hours = (runs: readonly Priced[]): string =>
    `reserved ${listed(reserved(runs), 2)} h, queued ${listed(queued(runs), 2)} h`;
  return [
    {
      figure: "Fig. 31",
      claim: `${of(name, { period })}: with inaccurate estimates both wait longer than with exact ones`,
      outcome: outcomeOfAll([longer(reserved), longer(queued)]),
      numbers: `requested: ${hours(requested)}; exact: ${hours(exact)}`,
    },
    {
      figure: "Fig. 31",
      claim: `${of(name, { period })}: at α = 1 who reserves waits longer than who queues`,
      outcome: outcomeOf(last.reservedWaitHours > last.queuedWaitHours),
      numbers: `${last.reservedWaitHours.toFixed(2)} h against ${last.queuedWaitHours.toFixed(2)} h`,
    },
  ];
}

/** The source says of figures 23 and 24 both that backfilling is conservative and that it is aggressive. */
function whichVariant(all: readonly Measured[], variant: (typeof VARIANTS)[number]): Verdict {
  const parts = [
    ...NAMES.map((name) => falls(all, name, variant).outcome === "reproduced"),
    ...NAMES.map((name) => lowAndHigh(overAlpha(all, name, variant).map(waitRatioOf)) === "reproduced"),
    PAID.every((alpha) => {
      const [ctc, sdsc] = NAMES.map((name) => found(all, name, { ...variant, alpha }).fixedSu);
      return sdsc > ctc;
    }),
  ];
  const prices = NAMES.map((name) => `${name} ${found(all, name, variant).fixedSu.toFixed(1)} SU`);
  return {
    figure: "Which variant",
    claim: `${variant.discipline}, ${variant.estimates} estimates: all that figures 23 and 24 show`,
    outcome: outcomeOfAll(parts),
    numbers: `${parts.filter(Boolean).length} of ${parts.length} parts; at α = 0 ${prices.join(", ")}`,
    why: "the source's curves begin below 40 SU, the end of its axis, SDSC above CTC",
  };
}
