/**
 * What the sections of a report are made of.
 */
import type { Scenario, ScenarioSummary } from "../../model/index.ts";
import type { SiteOutcome } from "../scenario/simulate-site.ts";

/** A scenario and what came of it. */
export interface ReportMatter {
  readonly scenario: Scenario;
  readonly summary: ScenarioSummary;
  /** In the order of the summary's rows. */
  readonly outcomes: readonly SiteOutcome[];
}
