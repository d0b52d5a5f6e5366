/**
 * The claims of [UP] on enforcement, held against our runs. The deck gives no numbers: bounds are ours.
 */
import { type Outcome, outcomeOf, outcomeOfAll, type Verdict } from "../verdict.ts";
import { type Draws, mean, told } from "./draws.ts";
import type { FiveSites, FiveWay } from "./five-sites.ts";
import type { GridThree, GridWay } from "./measure.ts";
import type { Violations } from "./play-sites.ts";
import { fiveSitesVerdicts, gridVerdicts, twoSitesVerdicts } from "./site-verdicts.ts";
import type { TwoSites } from "./two-sites.ts";

/** Everything that was measured, beside its controls. */
export interface Measured {
  readonly twoSites: readonly TwoSites[];
  readonly fiveSites: ReadonlyMap<FiveWay, FiveSites>;
  readonly enforcers: ReadonlyMap<string, Draws<keyof Violations>>;
  readonly gridThree: ReadonlyMap<GridWay, GridThree>;
  readonly brokers: Draws<"artWith" | "artWithout" | "ajcWith" | "ajcWithout">;
}

/** Every verdict, in the order of the figures. */
export function verdictsOf(measured: Measured): readonly Verdict[] {
  return [
    ...twoSitesVerdicts(measured.twoSites),
    ...fiveSitesVerdicts(measured.fiveSites),
    ...epochs(measured.enforcers),
    bursts(measured.enforcers),
    ...gridVerdicts(measured.gridThree),
    ...brokering(measured.brokers),
  ];
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
