/**
 * What the sections of a report are made of.
 */
import type { Scenario, ScenarioSummary } from "../../model/index.ts";
import type { SiteOutcome } from "../scenario/site-outcome.ts";

/** A scenario and what came of it. */
export interface ReportMatter {
  readonly scenario: Scenario;
  readonly summary: ScenarioSummary;
  /** In the order of the summary's rows. */
  readonly outcomes: readonly SiteOutcome[];
}

/** A part for each site; `namesSite` where there are others that it could be taken for. */
export function eachSite(
  { scenario }: ReportMatter,
  part: (site: string, namesSite: boolean) => string,
): readonly string[] {
  const { sites } = scenario.runs[0];
  return sites.map(({ name }) => part(name, sites.length > 1));
}

/** Of each run the first replicate of a site that is done. */
export function firstOutcomes({ scenario, outcomes }: ReportMatter, site: string): readonly SiteOutcome[] {
  return scenario.runs.flatMap(({ name }): SiteOutcome[] => {
    const found = outcomes.find(({ row }) => row.run === name && row.site === site);
    return found === undefined ? [] : [found];
  });
}
