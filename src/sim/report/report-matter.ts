/**
 * Common input of the sections of a report.
 */
import type { Scenario, ScenarioSummary } from "../../model/index.ts";
import type { SiteOutcome } from "../scenario/site-outcome.ts";

/** A scenario and what came of it. */
export interface ReportMatter {
  readonly scenario: Scenario;
  readonly summary: ScenarioSummary;
  /** In the order of the summary's rows. */
  readonly outcomes: readonly SiteOutcome[];
  /** Short name of a run: its distinguishing settings. */
  readonly called: (run: string) => string;
}

/** A part of the report for each site; `where` is ` at NAME`, and empty where there is only one site. */
export function eachSite(
  { scenario }: ReportMatter,
  part: (site: string, where: string) => string,
): readonly string[] {
  const { sites } = scenario.runs[0];
  return sites.map(({ name }) => part(name, sites.length > 1 ? ` at ${name}` : ""));
}

/** Outcomes of a site, one per run: that of the run's first replicate that is done. */
export function firstOutcomes({ scenario, outcomes }: ReportMatter, site: string): readonly SiteOutcome[] {
  return scenario.runs.flatMap(({ name }): SiteOutcome[] => {
    const found = outcomes.find(({ row }) => row.run === name && row.site === site);
    return found === undefined ? [] : [found];
  });
}

/**
 * Names of runs without their common part: of equal settings those that vary, words alone and numbers with
 * their setting: `easy` for `discipline=easy`, but `load=0.8`.
 */
export function shortNames(names: readonly string[]): (run: string) => string {
  const all = names.map((name) => name.split(" ").map((part) => part.split("=")));
  const keys = (all[0] ?? []).map(([key]) => key);
  const isGrid = all.every(
    (parts) =>
      parts.length === keys.length && parts.every((part, at) => part.length === 2 && part[0] === keys[at]),
  );
  const varies = keys.map((_, at) => new Set(all.map((parts) => parts[at]?.[1])).size > 1);
  if (!isGrid || !varies.includes(true)) return (run) => run;
  const short = all.map((parts) =>
    parts.flatMap(([key, value = ""], at) => {
      if (!varies[at]) return [];
      return [/^[A-Za-z]/.test(value) ? value : `${key}=${value}`];
    }),
  );
  return (run) => short[names.indexOf(run)]?.join(" ") ?? run;
}
