/**
 * What [PROV] chapters 5 and 8 say of users, held against our runs.
 */
import { outcomeOf, outcomeOfAll, type Verdict } from "../verdict.ts";
import { type MeasuredLie, type MeasuredUsers, SHARES } from "./measure.ts";

/** The heading of the first of them. */
export const BALANCE = "Load balancing";
const STRATEGIC = "Strategic users";
/** Of the mean wait: less is no gain. */
const GAIN = 0.02;

/** Every verdict. */
export function verdictsOf({ spreads, lies }: MeasuredUsers): readonly Verdict[] {
  return [...[0, 0.5].flatMap((alpha) => balance(spreads, alpha)), ...lies.map(paysNot)];
}

function balance(spreads: MeasuredUsers["spreads"], alpha: number): readonly Verdict[] {
  const both = SHARES.map((share) =>
    (["at home", "everywhere"] as const).map((looks) => {
      const one = spreads.find((it) => it.share === share && it.alpha === alpha && it.looks === looks);
      if (one === undefined) throw new Error("what must hold: every setting was run");
      return one;
    }),
  );
  const texts = (of: (spread: (typeof spreads)[number]) => number): string =>
    both.map(([home, all]) => `${of(home).toFixed(2)} → ${of(all).toFixed(2)}`).join(", ");
  const shares = `with ${SHARES.map((share) => share * 100).join(", ")} % of the jobs`;
  return [
    {
      figure: BALANCE,
      claim: `load spreads when users choose among sites by price and start (α = ${alpha})`,
      outcome: outcomeOfAll(both.map(([home, all]) => all.widest < home.widest)),
      numbers: `busiest − idlest utilisation ${texts(({ widest }) => widest)} ${shares}`,
    },
    {
      figure: BALANCE,
      claim: `and both kinds of jobs wait less (α = ${alpha})`,
      outcome: outcomeOfAll(
        both.flatMap(([home, all]) => [
          all.reservedWaitHours < home.reservedWaitHours,
          all.queuedWaitHours < home.queuedWaitHours,
        ]),
      ),
      numbers:
        `reserved ${texts(({ reservedWaitHours }) => reservedWaitHours)} h, ` +
        `queued ${texts(({ queuedWaitHours }) => queuedWaitHours)} h, ` +
        `f ${texts(({ fixedSu }) => fixedSu)} SU`,
    },
  ];
}

function paysNot(lie: MeasuredLie): Verdict {
  const { cluster, estimates, honestWaitHours, lyingWaitHours, lyingFixedSu } = lie;
  const waits = `${honestWaitHours.toFixed(2)} → ${lyingWaitHours.toFixed(2)} h`;
  const savedHours = honestWaitHours - lyingWaitHours;
  const gains = savedHours > GAIN * honestWaitHours;
  const isBuying = lie.lie === "reserve" && lie.amount < 1;
  const price =
    savedHours > 0 && lyingFixedSu > 0
      ? `; ${(lyingFixedSu / savedHours).toFixed(1)} SU for an hour less`
      : "";
  return {
    figure: STRATEGIC,
    claim: `${cluster}, ${estimates} estimates: ${claimOf(lie)}`,
    outcome: lie.liars === 0 ? "not measured" : outcomeOf(isBuying ? gains && lyingFixedSu > 0 : !gains),
    numbers: `${lie.liars} jobs wait ${waits}, f ${lyingFixedSu.toFixed(2)} SU each${price}`,
  };
}

function claimOf({ lie, amount }: MeasuredLie): string {
  switch (lie) {
    case "time":
      return `to ask for ${amount} × the run time does not pay`;
    case "delay cost":
      return `to declare ${amount} × the own delay cost, which costs nothing, does not pay`;
    case "reserve":
      return amount === 1
        ? "nobody gains by reserving what the queue gives anyway (α = 1, f = 0)"
        : `who reserves instead of queueing waits less, and pays for it (α = ${amount})`;
  }
}
