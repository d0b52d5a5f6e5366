/**
 * The report of a scenario as one HTML file: no scripts, nothing from elsewhere, every picture with its
 * table (rule SI-35).
 */
import { basename } from "node:path";
import { counted, lengthText, MS_PER_HOUR, MS_PER_SECOND, percentText } from "../../base/index.ts";
import {
  isProgram,
  type Scenario,
  type ScenarioCut,
  type ScenarioRow,
  type ScenarioSite,
  type ScenarioSummary,
  type WorkloadFacts,
} from "../../model/index.ts";
import {
  type Cell,
  escaped,
  htmlPage,
  htmlTable,
  numberAxis,
  numberCell,
  paragraph,
  section,
  shareAxis,
} from "../../report/index.ts";
import type { SiteOutcome } from "../scenario/site-outcome.ts";
import { bestText } from "./best-text.ts";
import { comparisonSection } from "./comparison-section.ts";
import { coursePart, type RunSeries, type SeriesMeasure } from "./course-part.ts";
import { groupSection } from "./group-section.ts";
import { metricLabel, metricValue } from "./metric-text.ts";
import { outcomeText } from "./outcome-text.ts";
import { policiesSection } from "./policies-section.ts";
import { eachSite, firstOutcomes, type ReportMatter, shortNames } from "./report-matter.ts";
import { reservingSection } from "./reserving-section.ts";
import { slotSection } from "./slot-section.ts";
import { waitSection } from "./wait-section.ts";

const SECTIONS = [
  comparisonSection,
  courseSection,
  waitSection,
  groupSection,
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
  const called = shortNames(scenario.runs.map(({ name }) => name));
  const matter: ReportMatter = { scenario, summary, outcomes, called };
  const sections =
    outcomes.length === 0
      ? ["<p>No simulation came to its end.</p>"]
      : SECTIONS.map((sectionOf) => sectionOf(matter));
  return htmlPage(scenario.name, [opening(matter), ...sections]);
}

function opening(matter: ReportMatter): string {
  const { scenario, summary } = matter;
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
  const best = eachSite(matter, (site, where) => bestText(matter, site, where));
  const outcomes = eachSite(matter, (site, where) => outcomeText(matter, site, where));
  return (
    `<header><h1>${escaped(scenario.name)}</h1>\n` +
    `<p class="faint">${size}; seed ${seed}; simulated by Stint ${escaped(version)}</p>\n${stopped}` +
    `${[...best, ...outcomes]
      .filter((text) => text !== "")
      .map(paragraph)
      .join("")}</header>`
  );
}

/** The section. */
function courseSection(matter: ReportMatter): string {
  return section(
    "Over time",
    eachSite(matter, (site, where) => sitePart(matter, site, where)),
  );
}

interface Measure extends SeriesMeasure {
  readonly values: (outcome: SiteOutcome) => readonly number[];
}

const MEASURES: readonly Measure[] = [
  {
    title: "Utilisation",
    values: ({ course }) => course.busy,
    axis: () => shareAxis(1, 2),
    text: percentText,
    ofNothing: "No processor was busy.",
  },
  {
    title: "Jobs waiting",
    values: ({ course }) => course.waiting,
    axis: (most) => numberAxis(most, 4, "jobs"),
    text: (value) => value.toFixed(1),
    ofNothing: "No job waited.",
  },
];

function sitePart(matter: ReportMatter, site: string, where: string): string {
  return MEASURES.map((measure) => {
    const courses = firstOutcomes(matter, site).map((outcome): RunSeries => {
      const { stepSec, fromSec, untilSec } = outcome.course;
      const name = matter.called(outcome.row.run);
      return { name, stepSec, values: measure.values(outcome), fromSec, untilSec };
    });
    return coursePart({ ...measure, title: `${measure.title}${where}` }, courses);
  }).join("\n");
}

const COLUMNS: readonly (readonly [head: string, value: (facts: WorkloadFacts) => string])[] = [
  ["cancelled", ({ cancelled }) => String(cancelled.waiting + cancelled.running)],
  ["outages", ({ outages }) => String(outages)],
  ["stopped", ({ stopped }) => String(stopped)],
  ["came again", ({ requeued }) => String(requeued)],
  ["lost", ({ lost }) => String(lost)],
  ["SU wasted", ({ wastedProcSec }) => serviceUnits(wastedProcSec)],
  ["SU down", ({ downProcSec }) => serviceUnits(downProcSec)],
];

/** The section; empty where no workload has events. */
function eventSection({ summary, called }: ReportMatter): string {
  const rows = summary.rows.flatMap((row: ScenarioRow): Cell[][] => {
    const { run, site, workload } = row;
    if (workload === undefined) return [];
    return [
      [{ text: called(run) }, { text: site }, ...COLUMNS.map(([, value]) => numberCell(value(workload)))],
    ];
  });
  if (rows.length === 0) return "";
  const heads: Cell[] = [{ text: "run" }, { text: "site" }, ...COLUMNS.map(([head]) => numberCell(head))];
  const opening =
    "Of the whole of each workload; jobs that were stopped came again or were lost. Everything else in " +
    "this report is of the jobs that came to their end.";
  const table = htmlTable("Jobs and processor time", heads, rows);
  return section("Cancellations and outages", [paragraph(opening), table]);
}

function serviceUnits(procSec: number): string {
  return ((procSec * MS_PER_SECOND) / MS_PER_HOUR).toFixed(1);
}

/** The section. */
function runsSection({ scenario, summary, called }: ReportMatter): string {
  const { compare, warmUp, coolDown } = scenario;
  const what = scenario.runs.flatMap(({ name, sites }) =>
    sites.map((site): Cell[] => {
      const row = summary.rows.find((one) => one.run === name && one.site === site.name);
      const pools = site.pools.length === 0 ? [row?.procs ?? "?"] : site.pools.map(({ procs }) => procs);
      return [
        { text: name },
        { text: site.name },
        { text: pools.join(" + ") },
        { text: site.discipline },
        { text: priorityText(site) },
        { text: `${site.estimates}, ${site.overrun}` },
        { text: workloadText(site) },
      ];
    }),
  );
  const words = ["run", "site", "procs", "discipline", "priority", "estimates, overrun", "workload"];
  const heads = words.map((text) => ({ text }));
  const rows = summary.rows.map((row): Cell[] => [
    { text: called(row.run) },
    { text: row.site },
    numberCell(String(row.replicate)),
    numberCell(String(row.seed)),
    numberCell(`${row.jobsCounted} of ${row.jobs}`),
    ...compare.map((metric) => numberCell(metricValue(metric, row[metric]))),
  ]);
  const rowHeads: Cell[] = [
    { text: "run" },
    { text: "site" },
    ...["replicate", "seed", "jobs counted"].map((text) => numberCell(text)),
    ...compare.map((metric) => numberCell(metricLabel(metric))),
  ];
  const cut =
    `Not counted, though simulated: ${cutText(warmUp)} at the beginning of each workload, ` +
    `${cutText(coolDown)} at its end. Sites are independent of each other.`;
  return [
    section("What was run", [paragraph(cut), htmlTable("The runs", heads, what)]),
    section("Every simulation", [
      htmlTable("One row for each; runs.csv has all their numbers", rowHeads, rows),
    ]),
  ].join("\n");
}

function cutText(cut: ScenarioCut): string {
  if (cut.kind === "jobs") return cut.count === 0 ? "nothing" : `${cut.count} jobs`;
  return cut.lengthMs === 0 ? "nothing" : `what was submitted in ${lengthText(cut.lengthMs / 1000)}`;
}

function priorityText({ priority, discipline }: ScenarioSite): string {
  if (isProgram(discipline)) return "the program's";
  if (priority === undefined) return "order of arrival";
  const { name, config } = priority;
  return config === undefined ? name : `${name} (${basename(config)})`;
}

function workloadText({ workload, reservations, stoppedJobs }: ScenarioSite): string {
  if (workload.kind === "lines") {
    return `${basename(workload.trace)}${stoppedJobs === undefined ? "" : `, stopped jobs ${stoppedJobs}`}`;
  }
  const { load, scale } = workload;
  const brought = load === undefined ? "" : `, load ${load} by ${scale}`;
  const reserved = reservations === undefined ? "" : `; reservations of ${basename(reservations)}`;
  if (workload.kind === "recorded") return `${basename(workload.trace)}${brought}${reserved}`;
  const { model, set, jobs, requests } = workload;
  const parameters = Object.entries(workload.parameters).map(([name, value]) => `, ${name} ${value}`);
  const asked = requests === undefined ? "" : `, ${requests} requests`;
  const variant = model === "lublin" ? ` (${set})` : "";
  return `${jobs} jobs of ${model}${variant}${brought}${asked}${parameters.join("")}${reserved}`;
}
