/**
 * The claims of [UP] slide 26 on figures 14 to 21, held against real clusters. The deck gives no numbers:
 * bounds are ours.
 */

import { mean, told } from "../policies/draws.ts";
import type { Violations } from "../policies/play-sites.ts";
import { outcomeOf, outcomeOfAll, type Verdict } from "../verdict.ts";
import type { MeasuredPlay } from "./measure.ts";
import type { Way } from "./ways.ts";

/** A measure of one way, a value a seed. */
export function valuesOf(
  plays: readonly MeasuredPlay[],
  way: Way,
  measure: keyof Violations,
): readonly number[] {
  return plays
    .filter((play) => play.way === way)
    .sort((one, other) => one.seed - other.seed)
    .map(({ violations }) => violations[measure]);
}

/** Parts of the capacity by which two ways may differ and none is the winner. */
const NO_WINNER = 0.01;

/** Every verdict. */
export function verdictsOf(plays: readonly MeasuredPlay[]): readonly Verdict[] {
  const of = (measure: keyof Violations) => (way: Way) => valuesOf(plays, way, measure);
  const epoch = of("epoch");
  const burst = of("burst");
  const [ours, own, none] = [epoch("S-PEP"), epoch("Slurm's own shares"), epoch("nobody")];
  const wins = ours.filter((value, at) => value < own[at]).length;
  const differ = Math.abs(mean(burst("S-PEP")) - mean(burst("Slurm's own shares")));
  const figure = "Fig. 14–21";
  return [
    {
      figure,
      claim: "S-PEP enforces epoch policies better than the batch system's own shares (EUPV)",
      outcome: outcomeOfAll([mean(ours) < mean(own), wins * 2 > ours.length]),
      numbers: `${told(ours)} % against ${told(own)} %; lower in ${wins} of ${ours.length} plays`,
    },
    {
      figure,
      claim: "each of them is better than nobody (EUPV)",
      outcome: outcomeOfAll([mean(ours) < mean(none), mean(own) < mean(none)]),
      numbers: `${told(ours)} and ${told(own)} % against ${told(none)} %`,
    },
    {
      figure,
      claim: "for burst policies no clear winner (BUPV)",
      outcome: outcomeOf(differ <= NO_WINNER),
      numbers:
        `S-PEP ${told(burst("S-PEP"))}, Slurm ${told(burst("Slurm's own shares"))}, ` +
        `nobody ${told(burst("nobody"))} %; within a point`,
      why:
        "Slurm keeps a burst as a limit of the account, which the source's batch systems had not. A job " +
        "that finds room starts before the enforcer sees it, and is not stopped for a burst.",
    },
  ];
}
