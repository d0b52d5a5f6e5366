/**
 * Means over replicates with their confidence intervals, and runs against the baseline (rule SI-32).
 *
 * Runs share their random numbers: replicate r of every run has the same workload where its rules allow,
 * so runs are compared replicate by replicate, which takes out what the workloads have in common.
 */
import {
  type Interval,
  isByChance,
  SCENARIO_METRICS,
  type Scenario,
  type ScenarioDifference,
  type ScenarioEstimate,
  type ScenarioMeasures,
  type ScenarioMetric,
  type ScenarioRow,
  type ScenarioRun,
  type ScenarioSite,
} from "../../model/index.ts";
import { studentT } from "./student-t.ts";

const CONFIDENCE = 0.95;

/** The mean of at least one value; an interval where there are two and chance had a part in them. */
export function intervalOf(values: readonly number[], hasChance: boolean): Interval {
  const count = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  if (count < 2 || !hasChance) return { mean, low: null, high: null, count };
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const half = studentT(CONFIDENCE, count - 1) * Math.sqrt(squares / (count - 1) / count);
  return { mean, low: mean - half, high: mean + half, count };
}

/** The metrics of each run and site of which a replicate is done. */
export function estimatesOf(scenario: Scenario, rows: readonly ScenarioRow[]): ScenarioEstimate[] {
  return eachSite(scenario).flatMap(({ run, site }): ScenarioEstimate[] => {
    const own = rowsOf(rows, run.name, site.name);
    if (own.length === 0) return [];
    const metrics = Object.fromEntries(
      SCENARIO_METRICS.map((metric) => [
        metric,
        intervalOf(
          own.map((row) => row[metric]),
          isByChance(site),
        ),
      ]),
    ) as Record<ScenarioMetric, Interval>;
    return [{ run: run.name, site: site.name, settings: run.settings, metrics }];
  });
}

/** Every run but the baseline less the baseline, over the replicates that both have. */
export function differencesOf(scenario: Scenario, rows: readonly ScenarioRow[]): ScenarioDifference[] {
  const { baseline, compare } = scenario;
  return eachSite(scenario).flatMap(({ run, site }): ScenarioDifference[] => {
    if (run.name === baseline) return [];
    const other = new Map(rowsOf(rows, baseline, site.name).map((row) => [row.replicate, row]));
    const pairs = rowsOf(rows, run.name, site.name).flatMap((row): [ScenarioMeasures, ScenarioMeasures][] => {
      const paired = other.get(row.replicate);
      return paired === undefined ? [] : [[row, paired]];
    });
    if (pairs.length === 0) return [];
    return compare.map((metric) => ({
      run: run.name,
      baseline,
      site: site.name,
      metric,
      ...intervalOf(
        pairs.map(([one, base]) => one[metric] - base[metric]),
        isByChance(site),
      ),
    }));
  });
}

function eachSite({ runs }: Scenario): { readonly run: ScenarioRun; readonly site: ScenarioSite }[] {
  return runs.flatMap((run) => run.sites.map((site) => ({ run, site })));
}

function rowsOf(rows: readonly ScenarioRow[], run: string, site: string): readonly ScenarioRow[] {
  return rows.filter((row) => row.run === run && row.site === site);
}
