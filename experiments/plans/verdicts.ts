/**
 * The claims of [PROV] on plans, held against our points: ratios within 0.05, means within 10 %, directions
 * by a 95 % interval over submissions. If the mean has the claimed direction but the interval does not
 * exclude the opposite, the claim is not measured: it needs more submissions.
 */
import { cyberShake, measuresOf, workflowOf } from "../../src/plan/index.ts";
import { certain, isNear, outcomeOf, outcomeOfAll, type Verdict } from "../verdict.ts";
import type { Point } from "./measure.ts";
import type { Outcome } from "./plans.ts";
import {
  BUYS_TIME,
  CHEAPEST_IS_LATE,
  LEAST_TASKS,
  MORE_SITES_HELP,
  ONE_APPLICATION,
  SEISMIC_QUEUE,
  UNKNOWN_INSTANTS,
  WHOLE_SLOTS,
} from "./reasons.ts";

const RATIO = 0.05;
/** What is less is shown as no difference, and is none: rounding may be behind it. */
const LEAST = 0.005;
const MEAN_PERCENT = 10;
/** Quantiles of Student's distribution for 95 %, by degrees of freedom. */
const STUDENT = [12.71, 4.3, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26];
const BEYOND = 2.05;
const NOT_WHOLE = "only a part of the seismic workflow was planned; --submissions 20 plans the whole";

/** Mean of the ratios per submission, and half the width of its interval. */
export interface Ratio {
  readonly mean: number;
  readonly half: number;
  readonly values: readonly number[];
}

/** Plan over best effort, submission by submission. */
export function ratioOf({ planned, queued }: Point, key: keyof Outcome): Ratio {
  return intervalOf(planned.map((one, at) => one[key] / queued[at][key]));
}

function intervalOf(values: readonly number[]): Ratio {
  const mean = meanOf(values);
  const degrees = values.length - 1;
  if (degrees === 0) return { mean, half: Number.POSITIVE_INFINITY, values };
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / degrees;
  return { mean, half: (STUDENT[degrees - 1] ?? BEYOND) * Math.sqrt(variance / values.length), values };
}

/** Mean of numbers. */
export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Mean of one measure of outcomes. */
export function meanOutcome(outcomes: readonly Outcome[], key: keyof Outcome): number {
  return meanOf(outcomes.map((one) => one[key]));
}

/** All verdicts, by figure. */
export function verdictsOf(points: readonly Point[], isWholeSeismic: boolean): readonly Verdict[] {
  const of = (figure: string, place: string): readonly Point[] =>
    points.filter((one) => one.figures.includes(figure) && one.place === place);
  return [
    tableTwo(),
    ...["CTC", "SDSC"].flatMap((place) => [
      ...tradeOff(place, of("13", place), "Fig. 13", { CTC: 1.31, SDSC: 1.5 }[place] ?? 0),
      ...sizes(place, [...of("13", place), ...of("14", place)], "Fig. 14"),
      ...taskSizes(place, of("15", place), "Fig. 15"),
      ...loads(place, of("16", place), "Fig. 16"),
      ...tradeOff(place, of("52", place), "Fig. 52", { CTC: 2.3, SDSC: 7.2 }[place] ?? 0),
      flatness(place, of("52", place)),
      dearer(place, of("13", place), of("52", place)),
      ...sizes(place, [...of("52", place), ...of("53", place)], "Fig. 53"),
      ...taskSizes(place, of("54", place), "Fig. 54"),
      ...loads(place, of("55", place), "Fig. 55"),
    ]),
    ...saidOfTaskSizes(of("15", "CTC"), of("54", "CTC")),
    ...severalSites(of("19", "sites"), of("56", "sites")),
    ...seismic(of("18", "CTC")).map((one) =>
      isWholeSeismic ? one : { ...one, outcome: "not measured" as const, why: NOT_WHOLE },
    ),
  ];
}

function tableTwo(): Verdict {
  const workflow = workflowOf(cyberShake());
  const { levels, tasks, workProcMs, criticalPathMs } = measuresOf(demand(workflow.ok && workflow.value));
  const su = Math.round(workProcMs / 3_600_000);
  const right = levels === 5 && tasks === 8039 && su === 14_572 && criticalPathMs === 89_021_000;
  return certain({
    figure: "Table 2",
    claim: "five levels, 8,039 tasks, 14,572 SU, critical path 89,021 s",
    outcome: outcomeOf(right),
    numbers: `${levels} levels, ${tasks} tasks, ${su} SU, ${criticalPathMs / 1000} s`,
  });
}

function tradeOff(place: string, all: readonly Point[], figure: string, most: number): readonly Verdict[] {
  const [costs, times] = [all.map((one) => ratioOf(one, "su")), all.map((one) => ratioOf(one, "hours"))];
  const [cheapest, dearest] = [costs[costs.length - 1], Math.max(...costs.map(({ mean }) => mean))];
  return [
    {
      figure,
      claim: `${place}: the makespan is below that of best effort for every α`,
      outcome: outcomeOfAll(times.map(isBelow)),
      numbers: `${listed(times)} of best effort for α = ${all.map(({ alpha }) => alpha).join(", ")}`,
      ...(figure === "Fig. 13" ? { why: CHEAPEST_IS_LATE } : {}),
    },
    {
      figure,
      claim: `${place}: the cost is below ${most} of best effort's, and about equal at α = 1`,
      outcome: outcomeOfAll([dearest < most, Math.abs(cheapest.mean - 1) <= RATIO]),
      numbers: `${listed(costs)} of best effort`,
      why: WHOLE_SLOTS,
    },
  ];
}

function flatness(place: string, all: readonly Point[]): Verdict {
  const means = all.map((one) => ratioOf(one, "hours").mean);
  return {
    figure: "Fig. 52",
    claim: `${place}: the makespan hardly depends on α`,
    outcome: outcomeOf(Math.max(...means) - Math.min(...means) <= RATIO),
    numbers: `${means.map(decimal).join(", ")} of best effort; within ${RATIO}`,
    why: BUYS_TIME,
  };
}

function dearer(place: string, slots: readonly Point[], priced: readonly Point[]): Verdict {
  const [one, other] = [demand(slots[0]), demand(priced[0])];
  const value = (point: Point, key: keyof Outcome): number => meanOutcome(point.planned, key);
  return {
    figure: "Fig. 52",
    claim: `${place}: faster and dearer than plans on advertised slots (figure 13), at α = 0`,
    outcome: outcomeOfAll([
      value(other, "hours") < value(one, "hours") * (1 - LEAST),
      value(other, "su") > value(one, "su") * (1 + LEAST),
    ]),
    numbers:
      `${decimal(value(other, "hours"))} h and ${value(other, "su").toFixed(0)} SU against ` +
      `${decimal(value(one, "hours"))} h and ${value(one, "su").toFixed(0)} SU`,
  };
}

function sizes(place: string, all: readonly Point[], figure: string): readonly Verdict[] {
  return [0, 1].map((alpha) => {
    const own = all.filter((one) => one.alpha === alpha).map((one) => ratioOf(one, "hours"));
    return {
      figure,
      claim: `${place}, α = ${alpha}: the gain grows with the size of the workflow`,
      outcome: outcomeOfAll([isFalling(own)]),
      numbers: `makespan ${listed(own)} of best effort for 100, 200, 400 tasks`,
      why: figure === "Fig. 14" && alpha === 1 ? CHEAPEST_IS_LATE : ONE_APPLICATION,
    };
  });
}

function taskSizes(place: string, all: readonly Point[], figure: string): readonly Verdict[] {
  return [0, 1].map((alpha) => {
    const own = all.filter((one) => one.alpha === alpha);
    const [times, costs] = [own.map((one) => ratioOf(one, "hours")), own.map((one) => ratioOf(one, "su"))];
    return {
      figure,
      claim: `${place}, α = ${alpha}: makespan and cost get better with larger tasks`,
      outcome: outcomeOfAll([isFalling(times), alpha === 1 ? undefined : isFalling(costs)]),
      numbers:
        `makespan ${listed(times)}, cost ${listed(costs)} of best effort for ` +
        `${own.map(({ x }) => x).join(", ")} processors`,
      why: figure === "Fig. 15" && alpha === 1 ? CHEAPEST_IS_LATE : ONE_APPLICATION,
    };
  });
}

function saidOfTaskSizes(moga: readonly Point[], greedy: readonly Point[]): readonly Verdict[] {
  const said = [
    ["Fig. 15", moga, 3, 0, 0.87, 1.5],
    ["Fig. 15", moga, 3, 1, 0.92, 1],
    ["Fig. 15", moga, 30, 0, 0.577, 1.003],
    ["Fig. 15", moga, 30, 1, 0.585, 1],
    ["Fig. 54", greedy, 3, 0, 0.85, 2.2],
    ["Fig. 54", greedy, 3, 1, 0.89, 1],
  ] as const;
  return said.map(([figure, points, x, alpha, time, cost]) => {
    const point = demand(points.find((one) => one.x === x && one.alpha === alpha));
    const [hours, su] = [ratioOf(point, "hours"), ratioOf(point, "su")];
    return {
      figure,
      claim: `CTC, ${x} processors, α = ${alpha}: makespan ${time}, cost ${cost} of best effort`,
      outcome: outcomeOfAll([Math.abs(hours.mean - time) <= RATIO, Math.abs(su.mean - cost) <= RATIO]),
      numbers: `${text(hours)} and ${text(su)}; within ${RATIO}`,
      why: figure === "Fig. 15" && alpha === 1 ? CHEAPEST_IS_LATE : UNKNOWN_INSTANTS,
    };
  });
}

function loads(place: string, all: readonly Point[], figure: string): readonly Verdict[] {
  const [times, costs] = [all.map((one) => ratioOf(one, "hours")), all.map((one) => ratioOf(one, "su").mean)];
  const at = all.map(({ x }) => x).join(", ");
  const isStill = Math.max(...costs) - Math.min(...costs) <= RATIO;
  return [
    {
      figure,
      claim: `${place}: the makespan over that of best effort falls with the load`,
      outcome: outcomeOfAll([isFalling(times)]),
      numbers: `${listed(times)} at ${at} %`,
      why: UNKNOWN_INSTANTS,
    },
    ...(figure === "Fig. 16"
      ? [
          {
            figure,
            claim: `${place}: the cost hardly moves with the load`,
            outcome: outcomeOf(isStill),
            numbers: `${costs.map(decimal).join(", ")} of best effort at ${at} %; within ${RATIO}`,
            why: WHOLE_SLOTS,
          },
        ]
      : []),
  ];
}

function severalSites(moga: readonly Point[], greedy: readonly Point[]): readonly Verdict[] {
  const times = moga.map((one) => ratioOf(one, "hours"));
  const last = times[times.length - 1];
  const queued = moga.map(({ queued: own }) => meanOutcome(own, "hours"));
  const priced = greedy.map(({ planned }) => meanOutcome(planned, "hours"));
  const costs = greedy.map((one) => ratioOf(one, "su").mean);
  const numbers = `${queued.map(decimal).join(", ")} h with 2, 4, 6 sites`;
  return [
    {
      figure: "Fig. 19",
      claim: "the makespan is about 30 % of that of best effort with two sites, 45 % with six",
      outcome: outcomeOfAll([Math.abs(times[0].mean - 0.3) <= RATIO, Math.abs(last.mean - 0.45) <= RATIO]),
      numbers: `${listed(times)} with 2, 4, 6 sites`,
      why: LEAST_TASKS,
    },
    {
      figure: "Fig. 19",
      claim: "best effort gets faster with more sites",
      outcome: outcomeOf(queued[0] > queued[1] && queued[1] > queued[2]),
      numbers,
      why: LEAST_TASKS,
    },
    {
      figure: "Fig. 56",
      claim: "greedy plans hardly depend on the sites, and are faster than those of figure 19",
      outcome: outcomeOfAll([
        Math.max(...priced) <= Math.min(...priced) * (1 + MEAN_PERCENT / 100),
        priced.every((hours, at) => hours < meanOutcome(moga[at].planned, "hours")),
      ]),
      numbers: `${priced.map(decimal).join(", ")} h with 2, 4, 6 sites`,
      why: MORE_SITES_HELP,
    },
    {
      figure: "Fig. 56",
      claim: "the cost is 43 % above best effort with two sites, and falls",
      outcome: outcomeOfAll([Math.abs(costs[0] - 1.43) <= RATIO, costs[2] < costs[0]]),
      numbers: `${costs.map(decimal).join(", ")} of best effort with 2, 4, 6 sites`,
      why: MORE_SITES_HELP,
    },
  ];
}

function seismic(all: readonly Point[]): readonly Verdict[] {
  const times = all.map((one) => ratioOf(one, "hours"));
  const queuedSec = 3600 * meanOutcome(demand(all[0]).queued, "hours");
  const costs = all.map((one) => ratioOf(one, "su").mean);
  return [
    {
      figure: "Fig. 18",
      claim: "best effort takes 476,811 s at 63 %",
      outcome: outcomeOf(isNear(queuedSec, 476_811, MEAN_PERCENT)),
      numbers: `${queuedSec.toFixed(0)} s; within ${MEAN_PERCENT} %`,
      why: SEISMIC_QUEUE,
    },
    {
      figure: "Fig. 18",
      claim: "the plan is 23 % faster at 63 %, 50 % at 88 %",
      outcome: outcomeOfAll([
        Math.abs(times[0].mean - 0.77) <= RATIO,
        Math.abs(times[2].mean - 0.5) <= RATIO,
      ]),
      numbers: `makespan ${listed(times)} of best effort at 63, 76, 88 %`,
      why: SEISMIC_QUEUE,
    },
    {
      figure: "Fig. 18",
      claim: "the cost is about that of best effort",
      outcome: outcomeOf(costs.every((cost) => Math.abs(cost - 1) <= RATIO)),
      numbers: `${costs.map(decimal).join(", ")} of best effort; within ${RATIO}`,
    },
  ];
}

/**
 * True where the mean is surely below 1, by more than rounding; undefined where it is below, and the
 * submissions are too few or too different to be sure.
 */
export function isBelow({ mean, half }: Ratio): boolean | undefined {
  if (mean > 1 - LEAST) return false;
  return mean + half < 1 ? true : undefined;
}

/** At every step, submission by submission; undefined where the means fall, and it is not sure. */
function isFalling(ratios: readonly Ratio[]): boolean | undefined {
  const steps = ratios.slice(1).map(({ values }, at) => {
    const before = ratios[at].values;
    return isBelow(intervalOf(values.map((value, of) => 1 + value - before[of])));
  });
  if (steps.includes(false)) return false;
  return steps.includes(undefined) ? undefined : true;
}

function listed(ratios: readonly Ratio[]): string {
  return ratios.map(text).join(", ");
}

function text({ mean, half }: Ratio): string {
  return Number.isFinite(half) ? `${decimal(mean)} ± ${decimal(half)}` : decimal(mean);
}

function decimal(value: number): string {
  return value.toFixed(2);
}

function demand<Item>(item: Item | undefined | false): Item {
  if (item === undefined || item === false) throw new Error("a point of a figure is missing");
  return item;
}
