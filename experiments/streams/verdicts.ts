/** What the runs say of the claims on streams. */
import { intervalOf } from "../../src/sim/scenario/intervals.ts";
import type { StreamVariant } from "../../src/stream/index.ts";
import { controlled, outcomeOf, outcomeOfAll, type Verdict } from "../verdict.ts";
import { LOADS, type Played } from "./play-streams.ts";

/** All claims stand below one picture. */
export const FIGURE = "Streams";
const BASELINES: readonly StreamVariant[] = ["processors-only", "equal-share", "staged", "reserved"];
const STORAGE_AWARE: readonly StreamVariant[] = ["exact", "genetic", "literal", "staged", "reserved"];
const TOLERANCE = 0.05;

/** What was measured apart from the runs. */
export interface Measured {
  /** Largest loss of the genetic algorithm, as a part of the optimum. */
  readonly loss: number;
  readonly cases: number;
  readonly gain: { readonly measured: number; readonly expected: number };
}

/** A verdict on each claim. */
export function verdictsOf(played: readonly Played[], { loss, cases, gain }: Measured): readonly Verdict[] {
  return [
    ...BASELINES.map((baseline) => bytesAgainst(played, baseline)),
    noOverflow(played),
    {
      figure: FIGURE,
      claim: "the genetic algorithm's utility is within 1 % of the exact one for 100 sessions",
      outcome: outcomeOf(loss <= 0.01),
      numbers: `at most ${(loss * 100).toFixed(3)} % below it in ${cases} cases, without the exact seed`,
    },
    {
      figure: FIGURE,
      claim:
        "assignment by trial gains the best over the mean speed of the classes against random assignment",
      outcome: outcomeOf(Math.abs(gain.measured / gain.expected - 1) <= TOLERANCE),
      numbers: `${gain.measured.toFixed(3)}, expected ${gain.expected} ± 5 %`,
    },
  ];
}

function find(played: readonly Played[], load: number, variant: StreamVariant): Played {
  const found = played.find((it) => it.load === load && it.variant === variant);
  if (found === undefined) throw new Error(`${variant} was played at load ${load}`);
  return found;
}

/** Bytes of exact against a baseline: paired over the seeds, at every load. */
function bytesAgainst(played: readonly Played[], baseline: StreamVariant): Verdict {
  const parts = LOADS.map((load) => {
    const [ours, theirs] = [find(played, load, "exact"), find(played, load, baseline)];
    const ratios = ours.reports.map((it, at) => it.processedBytes / theirs.reports[at].processedBytes - 1);
    return { load, interval: intervalOf(ratios, true) };
  });
  const percent = (part: number | null) => (part === null ? "?" : (part * 100).toFixed(2));
  const texts = parts.map(
    ({ load, interval: { mean, low, high } }) =>
      `${percent(mean)} % [${percent(low)}, ${percent(high)}] at load ${load}`,
  );
  const outcome = outcomeOfAll(parts.map(({ interval: { mean } }) => mean >= 0));
  const isLess = outcome === "reproduced" ? {} : { why: WHY_LESS };
  return {
    ...{ figure: FIGURE, claim: `exact processes at least as many bytes as ${baseline}, at every load` },
    ...{ outcome, numbers: `more by ${texts.join(", ")}` },
    ...isLess,
  };
}

const WHY_LESS =
  "What is maximised is the sum of weighted logarithms, not bytes: heavy streams are given bandwidth that " +
  "light ones would turn into more bytes.";

function noOverflow(played: readonly Played[]): Verdict {
  const overflow = (variants: readonly StreamVariant[]) =>
    played
      .filter(({ variant }) => variants.includes(variant))
      .flatMap(({ reports }) => reports)
      .reduce((sum, { overflowBytes }) => sum + overflowBytes, 0);
  const [ours, control] = [overflow(STORAGE_AWARE), overflow(["equal-share"])];
  return controlled(
    { figure: FIGURE, claim: "nothing overflows in any storage-aware variant" },
    { outcome: outcomeOf(ours === 0), numbers: `${ours} bytes` },
    [
      {
        system: "equal-share, which never halts",
        outcome: outcomeOf(control === 0),
        numbers: `${(control / 1e9).toFixed(1)} GB`,
      },
    ],
  );
}
