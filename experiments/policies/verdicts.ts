/**
 * The claims of [UP] on enforcement, held against our runs. The deck gives no numbers: bounds are ours.
 */
import { type Outcome, outcomeOf, type Verdict } from "../verdict.ts";
import { type Draws, mean, told } from "./draws.ts";
import { enforcerVerdicts } from "./enforcer-verdicts.ts";
import type { Enforced } from "./enforcers.ts";
import type { FiveSites, FiveWay } from "./five-sites.ts";
import type { GridThree, GridWay } from "./measure.ts";
import { fiveSitesVerdicts, gridVerdicts, twoSitesVerdicts } from "./site-verdicts.ts";
import type { TwoSites } from "./two-sites.ts";

/** Everything that was measured, beside its controls. */
export interface Measured {
  readonly twoSites: readonly TwoSites[];
  readonly fiveSites: ReadonlyMap<FiveWay, FiveSites>;
  readonly enforcers: Enforced;
  readonly gridThree: ReadonlyMap<GridWay, GridThree>;
  readonly brokers: Draws<"artWith" | "artWithout" | "ajcWith" | "ajcWithout">;
}

/** Every verdict, in the order of the figures. */
export function verdictsOf(measured: Measured): readonly Verdict[] {
  return [
    ...twoSitesVerdicts(measured.twoSites),
    ...fiveSitesVerdicts(measured.fiveSites),
    ...enforcerVerdicts(measured.enforcers),
    ...gridVerdicts(measured.gridThree),
    ...brokering(measured.brokers),
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
