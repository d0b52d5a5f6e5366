/**
 * The report of a scenario as one HTML file: no scripts, nothing from elsewhere, every picture with its
 * table (rule SI-35).
 */
import { counted } from "../../base/index.ts";
import type { Scenario, ScenarioSummary } from "../../model/index.ts";
import type { SiteOutcome } from "../scenario/site-outcome.ts";
import { comparisonSection } from "./comparison-section.ts";
import { courseSection } from "./course-section.ts";
import { eventSection } from "./event-section.ts";
import { escaped } from "./markup.ts";
import { policiesSection } from "./policies-section.ts";
import type { ReportMatter } from "./report-matter.ts";
import { reservingSection } from "./reserving-section.ts";
import { runsSection } from "./runs-section.ts";
import { slotSection } from "./slot-section.ts";
import { STYLE } from "./style.ts";
import { waitSection } from "./wait-section.ts";

const SECTIONS = [
  comparisonSection,
  courseSection,
  waitSection,
  slotSection,
  reservingSection,
  policiesSection,
  eventSection,
  runsSection,
] as const;

/** The HTML text. */
export function scenarioReport(
  scenario: Scenario,
  summary: ScenarioSummary,
  outcomes: readonly SiteOutcome[],
): string {
  const matter: ReportMatter = { scenario, summary, outcomes };
  const sections =
    outcomes.length === 0
      ? ["<p>No simulation came to its end.</p>"]
      : SECTIONS.map((section) => section(matter)).filter((section) => section !== "");
  return (
    `<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n` +
    `<meta name="viewport" content="width=device-width,initial-scale=1">\n` +
    `<title>${escaped(scenario.name)}</title>\n<style>${STYLE}</style>\n</head>\n<body>\n` +
    `${opening(matter)}\n${sections.join("\n")}\n</body>\n</html>\n`
  );
}

function opening({ scenario, summary }: ReportMatter): string {
  const { runs, replicates, seed } = scenario;
  const { simulationsDone, simulationsPlanned, version } = summary;
  const sites = runs[0].sites.length;
  const size = [counted(runs.length, "run"), counted(sites, "site"), counted(replicates, "replicate")].join(
    ", ",
  );
  const missing = simulationsPlanned - simulationsDone;
  const stopped =
    missing === 0
      ? ""
      : `<p><strong>Stopped early:</strong> ${simulationsDone} of ${simulationsPlanned} simulations were ` +
        "done, and only they count here.</p>\n";
  return (
    `<header><h1>${escaped(scenario.name)}</h1>\n` +
    `<p class="faint">${size}; seed ${seed}; simulated by Stint ${escaped(version)}</p>\n${stopped}</header>`
  );
}
