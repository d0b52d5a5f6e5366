/**
 * Outcome of each site in one sentence: the first metric that is compared, against the baseline.
 */
import { some } from "../../base/index.ts";
import type { ScenarioDifference } from "../../model/index.ts";
import { type Clearness, clearnessOf } from "./comparison-section.ts";
import { metricHeading, metricValue } from "./metric-text.ts";
import type { ReportMatter } from "./report-matter.ts";

/** Words for a difference: by its interval where it has one, else by its sign alone. */
const WORDS: readonly (readonly [Clearness, sign: number | undefined, words: string])[] = [
  ["lower", undefined, "clearly lower"],
  ["higher", undefined, "clearly higher"],
  ["unclear", undefined, "not clearly different"],
  ["unknown", -1, "lower"],
  ["unknown", 1, "higher"],
  ["unknown", 0, "the same"],
];

/** The sentence; empty where nothing is done. */
export function outcomeText(
  { scenario, summary, called }: ReportMatter,
  site: string,
  where: string,
): string {
  const [metric] = scenario.compare;
  const own = summary.estimates.filter((estimate) => estimate.site === site);
  if (metric === undefined || own.length === 0) return "";
  const withValue = (run: string): string => {
    const mean = own.find((estimate) => estimate.run === run)?.metrics[metric].mean;
    return mean === undefined ? called(run) : `${called(run)} (${metricValue(metric, mean)})`;
  };
  const heading = `${metricHeading(metric)}${where}`;
  const compared = summary.differences.filter((one) => one.site === site && one.metric === metric);
  if (compared.length === 0) return `${heading}: ${some(own.map(({ run }) => withValue(run)))}.`;
  const groups = WORDS.flatMap(([clearness, sign, words]) => {
    const runs = compared.filter((one) => fits(one, clearness, sign));
    return runs.length === 0 ? [] : [`${words} with ${some(runs.map(({ run }) => withValue(run)))}`];
  });
  const { baseline } = summary;
  const there = own.find(({ run }) => run === baseline)?.metrics[metric].mean;
  const value = there === undefined ? "" : `${metricValue(metric, there)} `;
  return `${heading}: ${value}with ${called(baseline)}, the baseline; ${groups.join("; ")}.`;
}

function fits(one: ScenarioDifference, clearness: Clearness, sign: number | undefined): boolean {
  return clearnessOf(one) === clearness && (sign === undefined || Math.sign(one.mean) === sign);
}
