/**
 * The claims of [UP] slide 26, on simulated batch systems: the same draws, compared one by one.
 */
import { intervalOf } from "../../src/sim/scenario/intervals.ts";
import { controlled, type Finding, outcomeOfAll, type Verdict } from "../verdict.ts";
import { told } from "./draws.ts";
import type { Enforced, EnforcerName } from "./enforcers.ts";

const FIGURE = "Fig. 14–21";
const OTHERS = ["Maui-like", "Condor-like", "Slurm-like"] as const;
/** Of the capacity: nearer than this is no clear difference. */
const CLEAR = 0.01;

/** All of them. */
export function enforcerVerdicts(all: Enforced): readonly Verdict[] {
  return [...epochs(all), noWinner(all), maui(all)];
}

function epochs(all: Enforced): readonly Verdict[] {
  return (["S-PEP, literal", "S-PEP, ours, cap"] as const).map((name) =>
    controlled(
      { figure: FIGURE, claim: `S-PEP enforces epoch policies better (EUPV): ${name}` },
      isBetterThanAll(all, name),
      [{ system: "nobody instead of it", ...isBetterThanAll(all, "nobody") }],
    ),
  );
}

function isBetterThanAll(all: Enforced, name: EnforcerName): Finding {
  const texts = OTHERS.map((other) => `${other} ${told(drawsOf(all, other).epoch)}`);
  return {
    outcome: outcomeOfAll(OTHERS.map((other) => isLessEachTime(all, "epoch", [name, other]))),
    numbers: `${told(drawsOf(all, name).epoch)} % against ${texts.join(", ")}`,
  };
}

/** Neither the S-PEP nor each batch system is better than the others by more than a hundredth. */
function noWinner(all: Enforced): Verdict {
  const check = (others: readonly EnforcerName[]): Finding => {
    const own = drawsOf(all, "S-PEP, ours, cap").burst;
    const differences = others.map((other) => drawsOf(all, other).burst.map((it, at) => it - own[at]));
    const texts = others.map((other) => `${other} ${told(drawsOf(all, other).burst)}`);
    return {
      outcome: outcomeOfAll(differences.map((it) => Math.abs(intervalOf(it, true).mean) <= CLEAR)),
      numbers: `S-PEP ${told(own)}, ${texts.join(", ")} %; within a point of it`,
    };
  };
  return controlled(
    {
      figure: FIGURE,
      claim: "for burst policies there is no clear winner (BUPV)",
      why: "Maui and Slurm have a limit on what runs at once, which Condor has not.",
    },
    check(OTHERS),
    [{ system: "nobody instead of the batch systems", ...check(["nobody"]) }],
  );
}

function maui(all: Enforced): Verdict {
  const check = (name: EnforcerName): Finding => ({
    outcome: outcomeOfAll([isLessEachTime(all, "burst", [name, "Condor-like"])]),
    numbers: [name, "Condor-like" as const].map((it) => `${it} ${told(drawsOf(all, it).burst)} %`).join(", "),
  });
  return controlled(
    { figure: FIGURE, claim: "PBS/Maui is better than Condor at burst policies (BUPV)" },
    check("Maui-like"),
    [{ system: "Maui-like without MAXPROC", ...check("Maui-like without limits") }],
  );
}

/** By more than chance, where there are several draws; of one, clearly. */
function isLessEachTime(
  all: Enforced,
  measure: "epoch" | "burst",
  [one, other]: readonly [EnforcerName, EnforcerName],
): boolean {
  const less = drawsOf(all, one)[measure];
  const { mean, low } = intervalOf(
    drawsOf(all, other)[measure].map((it, at) => it - less[at]),
    true,
  );
  return low === null ? mean > CLEAR : low > 0;
}

function drawsOf(all: Enforced, name: EnforcerName) {
  const found = all.get(name);
  if (found === undefined) throw new Error(`what must hold: ${name} was played`);
  return found;
}
