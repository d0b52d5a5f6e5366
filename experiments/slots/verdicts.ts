/**
 * The claims of [PROV] 3.1 and its figures 4 to 8, held against our runs.
 *
 * The source gives numbers for the speed and for figure 4, words for the rest; what a word must mean at
 * least is said with each verdict.
 */
import { certain, isNear, outcomeOf, type Verdict } from "../verdict.ts";
import { type Measured, runOf } from "./measure.ts";
import { shareWithin } from "./observed.ts";

const NEAR_PERCENT = 10;
const SECONDS = 1000;
const HARDLY_EVER = 0.01;
/** The peaks that the source names. */
const PEAKS = [2, 8, 16, 32, 64];

/** Every verdict, in the order of the figures. */
export function verdictsOf(all: readonly Measured[]): readonly Verdict[] {
  const [ctc, sdsc] = ["CTC", "SDSC"].map((name) => runOf(all, name, "exact"));
  const both = [ctc, sdsc];
  return [
    ...both.map(speed),
    ...both.map(placement),
    ...both.map(mean),
    ...both.map(correlated),
    ...both.map(line),
    varied(ctc, sdsc),
    ...both.map(few),
    ...both.map(peaks),
    ...both.flatMap((exact) => inaccurate(exact, runOf(all, exact.cluster.name, "requested"))),
  ];
}

function speed({ cluster, report }: Measured): Verdict {
  const sec = report.simulationMs / SECONDS;
  const { simulationSec } = cluster.said;
  return {
    figure: "3.1",
    claim: `${cluster.name}: simulated in ${simulationSec} s`,
    outcome: outcomeOf(sec <= simulationSec),
    numbers: `${sec.toFixed(1)} s with all samples, on the machine at hand`,
  };
}

function placement({ cluster, placements }: Measured): Verdict {
  const claim = `${cluster.name}: a placement hardly ever takes over 1 ms, each timed singly`;
  if (placements === undefined) return { figure: "3.1", claim, outcome: "not measured", numbers: "" };
  const { count, medianMs, p99Ms, mostMs, slowShare } = placements;
  const [median, p99, most] = [medianMs, p99Ms, mostMs].map((ms) => ms.toFixed(3));
  return {
    figure: "3.1",
    claim,
    outcome: outcomeOf(slowShare <= HARDLY_EVER),
    numbers:
      `over 1 ms ${percent(slowShare)} of ${count}, with slots made anew after each; median ${median}, ` +
      `99th percentile ${p99}, longest ${most} ms; ${percent(HARDLY_EVER)} at most`,
  };
}

function mean({ cluster, slots }: Measured): Verdict {
  const { slots: said } = cluster.said;
  return {
    figure: "Fig. 4",
    claim: `${cluster.name}: ${said} slots are advertised on average`,
    outcome: outcomeOf(isNear(slots.count.mean, said, NEAR_PERCENT)),
    numbers: `${slots.count.mean.toFixed(1)}; within ${NEAR_PERCENT} % counts as reproduced`,
  };
}

function correlated({ cluster, slots }: Measured): Verdict {
  const found = slots.countJobsCorrelation ?? 0;
  return {
    figure: "Fig. 5",
    claim: `${cluster.name}: slots and jobs in the system are positively correlated`,
    outcome: outcomeOf(found >= 0.3),
    numbers: `correlation ${found.toFixed(2)}; at least 0.3`,
  };
}

function line({ cluster, observed }: Measured): Verdict {
  const share = observed.onLine / observed.extensible;
  return certain({
    figure: "Fig. 6",
    claim: `${cluster.name}: of the slots that nothing ends, start and duration add to 48 h`,
    outcome: outcomeOf(share >= 0.5),
    numbers: `${percent(share)} of them do, the others end 5 min after the last scheduled end; at least half`,
    why: "a slot that nothing ends is shown up to 48 h ahead, whatever the workload",
  });
}

function varied(ctc: Measured, sdsc: Measured): Verdict {
  const starts = [sdsc, ctc].map(({ observed }) => observed.starts.spread());
  const durations = [sdsc, ctc].map(({ observed }) => observed.durations.spread());
  const words = ([one, other]: readonly number[]) => `${one.toFixed(1)} h against ${other.toFixed(1)} h`;
  return {
    figure: "Fig. 6",
    claim: "starts and durations vary more on SDSC than on CTC",
    outcome: outcomeOf(starts[0] > starts[1] && durations[0] > durations[1]),
    numbers: `standard deviation of starts ${words(starts)}, of durations ${words(durations)}`,
  };
}

function few({ cluster, observed }: Measured): Verdict {
  const share = shareWithin(observed.procs, 1, 10);
  return {
    figure: "Fig. 7",
    claim: `${cluster.name}: a large percentage of slots has few processors (1–10)`,
    outcome: outcomeOf(share >= 0.5),
    numbers: `${percent(share)}; at least half`,
  };
}

function peaks({ cluster, observed }: Measured): Verdict {
  const at = (procs: number): number => observed.procs.counts.get(procs) ?? 0;
  const found = PEAKS.filter(
    (power) => at(power) > at(power + 1) && (power === 2 || at(power) > at(power - 1)),
  );
  return {
    figure: "Fig. 7",
    claim: `${cluster.name}: peaks at powers of two (${PEAKS.join(", ")})`,
    outcome: outcomeOf(found.length === PEAKS.length),
    numbers: `more slots than of the neighbouring sizes at ${found.join(", ") || "none"} (2: than at 3)`,
  };
}

/**
 * "Hardly" and "much" are ours: medians within a quarter; the 95th percentile at least half as much again.
 */
function inaccurate(exact: Measured, requested: Measured): readonly Verdict[] {
  const { name } = exact.cluster;
  const [before, after] = [exact, requested].map(({ slots }) => slots.durationSec.median / 3600);
  const [near, far] = [exact, requested].map(({ slots }) => slots.startSec.p95 / 3600);
  return [
    {
      figure: "Fig. 8",
      claim: `${name}: requested estimates hardly change how long slots are`,
      outcome: outcomeOf(isNear(after, before, 25)),
      numbers: `median ${before.toFixed(1)} h with exact, ${after.toFixed(1)} h with requested; within 25 %`,
    },
    {
      figure: "Fig. 8",
      claim: `${name}: requested estimates spread starts much wider`,
      outcome: outcomeOf(far >= 1.5 * near),
      numbers: `95th percentile ${near.toFixed(1)} h with exact, ${far.toFixed(1)} h with requested; 1.5 ×`,
    },
  ];
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
