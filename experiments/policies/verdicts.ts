/**
 * The claims of [UP] on enforcement, held against our runs. The deck gives no numbers: bounds are ours.
 */
import { intervalOf } from "../../src/sim/scenario/intervals.ts";
import { type Outcome, outcomeOf, outcomeOfAll, type Verdict } from "../verdict.ts";
import type { Draws, GridThree, TwoSites } from "./measure.ts";
import { mean } from "./measure.ts";
import type { Violations } from "./play-sites.ts";

/** Everything that was measured. */
export interface Measured {
  readonly twoSites: readonly TwoSites[];
  readonly fiveSites: Draws<"with" | "without" | "ratio">;
  readonly enforcers: ReadonlyMap<string, Draws<keyof Violations>>;
  readonly gridThree: GridThree;
  readonly brokers: Draws<"artWith" | "artWithout" | "ajcWith" | "ajcWithout">;
}

/** Parts of the capacity as percent, with the interval of 95 % where chance had a part. */
export function told(values: readonly number[], factor = 100): string {
  const { mean: middle, low, high } = intervalOf(values, true);
  const half = low === null || high === null ? "" : ` ± ${(((high - low) / 2) * factor).toFixed(1)}`;
  return `${(middle * factor).toFixed(1)}${half}`;
}

/** Every verdict, in the order of the figures. */
export function verdictsOf({
  twoSites,
  fiveSites,
  enforcers,
  gridThree,
  brokers,
}: Measured): readonly Verdict[] {
  return [
    ...twoSites.flatMap((it) => (it.rule === "cap" ? [capped(it)] : [alone(it), together(it)])),
    ...twoSites.filter(({ form, rule }) => form === "ours" && rule === "entitlement").map(groups),
    five(fiveSites),
    ...epochs(enforcers),
    bursts(enforcers),
    ...grid(gridThree),
    ...brokering(brokers),
  ];
}

const NEAR = 0.1;

function alone({ form, draws: { vo0Alone, vo1Alone } }: TwoSites): Verdict {
  return {
    figure: "Fig. 2–5",
    claim: `each organisation is at its burst limit when alone (60 and 90 %), ${form}`,
    outcome: outcomeOfAll([isNearly(vo0Alone, 0.6), isNearly(vo1Alone, 0.9)]),
    numbers: `${told(vo0Alone)} and ${told(vo1Alone)} %; within 10 points`,
  };
}

function together({ form, draws: { vo0Together, vo1Together } }: TwoSites): Verdict {
  return {
    figure: "Fig. 2–5",
    claim: `each is at its epoch share in contention (20 and 80 %), ${form}`,
    outcome: outcomeOfAll([isNearly(vo0Together, 0.2), isNearly(vo1Together, 0.8)]),
    numbers: `${told(vo0Together)} and ${told(vo1Together)} %; within 10 points`,
  };
}

function capped({ form, draws: { vo0Epoch, vo0Alone } }: TwoSites): Verdict {
  return {
    figure: "Fig. 2–5",
    claim: `under a cap only until the epoch share (20 % of the hour) is used up, ${form}`,
    outcome: outcomeOfAll([isNearly(vo0Alone, 0.6), Math.abs(mean(vo0Epoch) - 0.2) <= 0.02]),
    numbers: `${told(vo0Alone)} % before, ${told(vo0Epoch)} % of the hour; within 10 and 2 points`,
  };
}

function groups({ draws: { group0, group1 } }: TwoSites): Verdict {
  return {
    figure: "Fig. 6–9",
    claim: "two groups with half of an organisation each have as much of it",
    outcome: outcomeOf(Math.abs(mean(group0) - mean(group1)) <= 0.03),
    numbers: `${told(group0)} and ${told(group1)} % of the site; within 3 points`,
  };
}

function five(draws: Measured["fiveSites"]): Verdict {
  return {
    figure: "Fig. 10–13",
    claim: "on five sites the overall utilisation is kept",
    outcome: outcomeOf(mean(draws.ratio) >= 0.95),
    numbers: `${told(draws.with)} % with policies, ${told(draws.without)} % without; at least 0.95 of it`,
  };
}

function epochs(enforcers: Measured["enforcers"]): readonly Verdict[] {
  const own = [...enforcers].filter(([name]) => name.endsWith("-like"));
  return ["S-PEP, literal", "S-PEP, ours, cap"].map((name) => {
    const ours = enforcers.get(name)?.epoch ?? [];
    const better = own.map(([, { epoch }]) => mean(ours) < mean(epoch));
    const numbers = own.map(([other, { epoch }]) => `${other} ${told(epoch)}`).join(", ");
    return {
      figure: "Fig. 14–21",
      claim: `S-PEP enforces epoch policies better (EUPV): ${name}`,
      outcome: outcomeOfAll(better),
      numbers: `${told(ours)} % against ${numbers}`,
    };
  });
}

function bursts(enforcers: Measured["enforcers"]): Verdict {
  const of = (name: string) => enforcers.get(name)?.burst ?? [];
  const [ours, maui, condor] = ["S-PEP, ours, cap", "Maui-like", "Condor-like"].map(of);
  return {
    figure: "Fig. 14–21",
    claim: "for burst policies no clear winner; PBS slightly better than Condor (BUPV)",
    outcome: outcomeOfAll([mean(ours) >= mean(maui) - 0.01, mean(maui) < mean(condor)]),
    numbers: `S-PEP ${told(ours)}, Maui-like ${told(maui)}, Condor-like ${told(condor)} %`,
    why:
      "Our enforcer never lets a burst be passed, and priorities know none: who is alone there " +
      "has the whole site. The source's enforcer watched real queues with a delay.",
  };
}

function grid({ draws: { whileBusy, ofIdle, afterReturn } }: GridThree): readonly Verdict[] {
  const say = (claim: string, holds: boolean, numbers: string): Verdict => {
    return { figure: "Slide 28", claim, outcome: outcomeOf(holds), numbers };
  };
  return [
    say(
      "the small one takes what is idle",
      mean(ofIdle) >= 0.9,
      `${told(ofIdle)} % of what the big one leaves; 90 at least`,
    ),
    say(
      "it is throttled back when the big one returns",
      mean(afterReturn) <= mean(whileBusy) + 0.1 && mean(afterReturn) <= 0.2,
      `${told(afterReturn)} % two hours after, ${told(whileBusy)} % before; 20 at most`,
    ),
  ];
}

function brokering({ artWith, artWithout, ajcWith, ajcWithout }: Measured["brokers"]): readonly Verdict[] {
  const lower = mean(artWith) < mean(artWithout);
  const found: Outcome = outcomeOf(!lower);
  return [
    {
      figure: "Slide 29",
      claim: "a better job completion rate with policy information (AJC)",
      outcome: outcomeOf(mean(ajcWith) > mean(ajcWithout)),
      numbers: `${told(ajcWith)} % against ${told(ajcWithout)} %`,
    },
    {
      figure: "Slide 29",
      claim: "“higher the response time” with policy information (ART)",
      outcome: found,
      numbers: `${told(artWith, 1)} min against ${told(artWithout, 1)} min: ${lower ? "lower" : "higher"}`,
      why: "Of the jobs completed within the time looked at; the source may mean that it is better.",
    },
  ];
}

function isNearly(values: readonly number[], said: number): boolean {
  return Math.abs(mean(values) - said) <= NEAR;
}
