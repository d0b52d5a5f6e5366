/**
 * Bars of two schedules and what their charts need of them.
 *
 * Of tens of thousands of jobs they take some tenths of a second, so they are computed in steps while the
 * browser is idle; a chart that is drawn earlier takes the steps that are left at once.
 */
import { useEffect } from "react";
import type { SimulationSchedule } from "../../app/client.ts";
import { whenIdle } from "../../app/when-idle.ts";
import type { GanttBar } from "../../gantt/bar.ts";
import { prepareChart } from "../../gantt/prepare-chart.ts";
import type { MovedJob } from "../../parts/moved-jobs.ts";
import { simulationBars } from "../../parts/simulation-bars.ts";

/** Two schedules of one simulation, and the jobs whose starts differ. */
export interface Both {
  readonly moved: readonly MovedJob[];
  readonly schedules: readonly [first: SimulationSchedule, other: SimulationSchedule];
}

/** Bars of both charts. */
export interface TwoCharts {
  readonly above: readonly GanttBar[];
  readonly below: readonly GanttBar[];
  /** Ids of the jobs whose starts differ. */
  readonly different: ReadonlySet<string>;
  /** End of the later schedule. */
  readonly reaches: number;
}

type Steps = Generator<undefined, TwoCharts, undefined>;

/** By the moved jobs, which are made once for two schedules. */
const begun = new WeakMap<readonly MovedJob[], Steps>();
const made = new WeakMap<readonly MovedJob[], TwoCharts>();

/** The bars of both charts; made once. */
export function chartsOf(both: Both): TwoCharts {
  const known = made.get(both.moved);
  if (known !== undefined) return known;
  const steps = stepsOf(both);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Computes them while the browser is idle. */
export function usePreparedCharts(both: Both): void {
  const { moved } = both;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the moved jobs stand for both schedules
  useEffect(() => (made.has(moved) ? undefined : whenIdle(stepsOf(both))), [moved]);
}

function stepsOf(both: Both): Steps {
  const steps = begun.get(both.moved) ?? makeCharts(both);
  begun.set(both.moved, steps);
  return steps;
}

function* makeCharts({ moved, schedules: [first, other] }: Both): Steps {
  const byId = new Map(moved.map((job) => [job.id, job]));
  const different = new Set(byId.keys());
  yield;
  const above = simulationBars(first, byId);
  yield;
  const below = simulationBars(other, byId);
  yield;
  yield* prepareChart(above, first.procs);
  yield* prepareChart(below, other.procs);
  let reaches = 0;
  for (const bars of [above, below]) for (const { until } of bars) reaches = Math.max(reaches, until);
  const charts = { above, below, different, reaches };
  made.set(moved, charts);
  return charts;
}
