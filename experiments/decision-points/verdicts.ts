/**
 * What can be expected of several decision points, held against our runs.
 */
import { outcomeOf, outcomeOfAll, type Verdict } from "../verdict.ts";
import type { Measured } from "./run-decision-points.ts";

/** The heading of all of them. */
export const FIGURE = "Decision points";
/** What counts as no more than chance between two intervals. */
const NOISE = 0.02;
const SELDOM_MIN = 30;
const HERD =
  "after an exchange all see the same site as the least used and send their jobs there, and none sees that " +
  "the others do; who knows of its own jobs alone spreads these evenly";
/** Every few minutes: of the wait of one point that knows all. */
const WAIT_FACTOR = 2;

/** Every verdict. */
export function verdictsOf(measured: readonly Measured[]): readonly Verdict[] {
  const of = (points: number): readonly Measured[] =>
    measured.filter((it) => it.points === points && it.selector === "leastUsed");
  const [alone] = of(1);
  const [random] = measured.filter(({ selector }) => selector === "random");
  const numbers = [...new Set(measured.map(({ points }) => points))].filter((points) => points > 1);
  return [
    asOne(numbers.map(of), alone),
    ...numbers.map((points) => fallsWith(of(points), points)),
    ...numbers.map((points) => isUseful(of(points), points, alone)),
    ...numbers.map((points) => beatsSilence(of(points), points)),
    ...numbers.map((points) => beatsChance(of(points), points, random)),
  ];
}

function asOne(settings: readonly (readonly Measured[])[], alone: Measured): Verdict {
  const atOnce = settings.map((some) => at(some, 0));
  return {
    figure: FIGURE,
    claim: "where all is told at once, several points send jobs where one would",
    outcome: outcomeOfAll(atOnce.map((it) => it.agreed === 1 && it.meanWaitMs === alone.meanWaitMs)),
    numbers: atOnce.map(({ points, agreed }) => `${points}: ${percent(agreed)}`).join(", "),
  };
}

function fallsWith(some: readonly Measured[], points: number): Verdict {
  const finite = some.filter(({ everyMin }) => Number.isFinite(everyMin));
  const agreed = finite.map((it) => it.agreed);
  return {
    figure: FIGURE,
    claim: `the seldomer ${points} points tell each other, the less accurate they are`,
    outcome: outcomeOf(agreed.every((value, i) => i === 0 || value <= agreed[i - 1] + NOISE)),
    numbers: some.map((it) => `${intervalText(it)} ${percent(it.agreed)}`).join(", "),
  };
}

function beatsSilence(some: readonly Measured[], points: number): Verdict {
  const seldom = at(some, SELDOM_MIN);
  const never = at(some, Number.POSITIVE_INFINITY);
  const holds = seldom.meanWaitMs <= never.meanWaitMs;
  return {
    figure: FIGURE,
    claim: `to tell each other every ${SELDOM_MIN} min is better than never to (${points} points)`,
    outcome: outcomeOf(holds),
    numbers: `waits ${seconds(seldom)}, never ${seconds(never)}`,
    ...(holds ? {} : { why: HERD }),
  };
}

function isUseful(some: readonly Measured[], points: number, alone: Measured): Verdict {
  const few = at(some, 3);
  return {
    figure: FIGURE,
    claim: `told every 3 min, ${points} points have jobs wait at most ${WAIT_FACTOR} × as long as one`,
    outcome: outcomeOf(few.meanWaitMs <= WAIT_FACTOR * alone.meanWaitMs),
    numbers: `${seconds(alone)} with one that knows all, ${seconds(few)} (at 1 min ${seconds(at(some, 1))})`,
  };
}

function beatsChance(some: readonly Measured[], points: number, random: Measured): Verdict {
  const never = at(some, Number.POSITIVE_INFINITY);
  return {
    figure: FIGURE,
    claim: `${points} points that never tell each other do better than chance`,
    outcome: outcomeOf(never.meanWaitMs < random.meanWaitMs),
    numbers:
      `waits ${seconds(never)}, at random ${seconds(random)}; ` +
      `right ${percent(never.agreed)} against ${percent(random.agreed)}`,
  };
}

function at(some: readonly Measured[], everyMin: number): Measured {
  const found = some.find((it) => it.everyMin === everyMin);
  if (found === undefined) throw new Error("what must hold: every setting was run");
  return found;
}

function intervalText({ everyMin }: Measured): string {
  return Number.isFinite(everyMin) ? `${everyMin} min` : "never";
}

function percent(part: number): string {
  return `${(part * 100).toFixed(1)} %`;
}

function seconds({ meanWaitMs }: Measured): string {
  return `${(meanWaitMs / 1000).toFixed(1)} s`;
}
