/**
 * What a price promises, held against what was measured. The bounds are ours, and were set before the runs.
 */
import { isNear, outcomeOf, type Verdict } from "../verdict.ts";
import { intervalText, type TruthSummary } from "./summary.ts";
import type { LimitUse } from "./workload.ts";

/** A ratio within so many percent of 1 is the same. */
const NEAR_PERCENT = 20;

/** The heading of a kind of workload. */
export const HEADINGS: Readonly<Record<LimitUse, string>> = {
  exact: "Exact limits",
  loose: "Loose limits",
};

/** Every verdict. */
export function verdictsOf(summaries: readonly TruthSummary[]): readonly Verdict[] {
  return summaries.flatMap(verdictsOn);
}

function verdictsOn({ use, ratio, netRatio, beyondControl, controlNet }: TruthSummary): readonly Verdict[] {
  const figure = HEADINGS[use];
  const isTrue = (one: TruthSummary["ratio"]): boolean =>
    one !== undefined && isNear(one.mean, 1, NEAR_PERCENT);
  const text = (one: TruthSummary["ratio"]): string => (one === undefined ? "–" : intervalText(one, 2));
  const bound = `bound: 1 ± ${NEAR_PERCENT / 100}`;
  return [
    {
      figure,
      claim: "over all slots, others were delayed by what was priced",
      outcome: outcomeOf(isTrue(ratio)),
      numbers: `measured ÷ priced ${text(ratio)}; ${bound}`,
    },
    {
      figure,
      claim: "the same, who started earlier taken off",
      outcome: outcomeOf(isTrue(netRatio)),
      numbers: `net measured ÷ priced ${text(netRatio)}; ${bound}`,
    },
    {
      figure,
      claim: "a slot delays others by more than chance does",
      outcome: outcomeOf((beyondControl.low ?? beyondControl.mean) > 0),
      numbers: `measured − control ${intervalText(beyondControl, 1)} processor-minutes`,
    },
    {
      figure,
      claim: "without a slot the two plays differ by chance alone",
      outcome: outcomeOf((controlNet.low ?? 0) <= 0 && (controlNet.high ?? 0) >= 0),
      numbers: `net control ${intervalText(controlNet, 1)} processor-minutes`,
    },
  ];
}
