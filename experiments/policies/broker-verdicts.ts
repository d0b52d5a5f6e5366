/**
 * The claims of [UP] slide 29, on the same draws with and without the verdicts of policies.
 */
import { intervalOf } from "../../src/sim/scenario/intervals.ts";
import { controlled, type Finding, outcomeOf, type Verdict } from "../verdict.ts";
import type { Brokered, BrokerWay } from "./brokers.ts";
import { told } from "./draws.ts";

/** Of one draw alone: of the jobs; in minutes. */
const CLEAR = { ajc: 0.01, art: 0.5 } as const;

/** Both of them; the control is sites that let everybody do as he likes. */
export function brokerVerdicts(all: ReadonlyMap<BrokerWay, Brokered>): readonly Verdict[] {
  const [knowing, blind, freeKnowing, freeBlind] = (
    ["with", "without", "with, unenforced", "without, unenforced"] as const
  ).map((way) => inWay(all, way));
  const say = (claim: string, measure: keyof Brokered, factor: number, why?: string): Verdict =>
    controlled(
      { figure: "Slide 29", claim, ...(why === undefined ? {} : { why }) },
      higher(measure, factor, knowing, blind),
      [{ system: "sites that limit nobody", ...higher(measure, factor, freeKnowing, freeBlind) }],
    );
  return [
    say("a better job completion rate with policy information (AJC, %)", "ajc", 100),
    say(
      "“higher the response time” with policy information (ART, min)",
      "art",
      1,
      "Of the jobs completed within the time looked at; the source may mean that it is better.",
    ),
  ];
}

function higher(measure: keyof Brokered, factor: number, one: Brokered, other: Brokered): Finding {
  const { mean, low } = intervalOf(
    one[measure].map((it, at) => it - other[measure][at]),
    true,
  );
  return {
    outcome: outcomeOf(low === null ? mean > CLEAR[measure] : low > 0),
    numbers:
      `${told(one[measure], factor)} against ${told(other[measure], factor)}; ` +
      `difference ${told(differences(one[measure], other[measure]), factor)}`,
  };
}

function differences(one: readonly number[], other: readonly number[]): readonly number[] {
  return one.map((it, at) => it - other[at]);
}

function inWay(all: ReadonlyMap<BrokerWay, Brokered>, way: BrokerWay): Brokered {
  const found = all.get(way);
  if (found === undefined) throw new Error(`what must hold: ${way} was played`);
  return found;
}
