/**
 * Utilisation and queue length over time, of the first replicate of each run.
 */
import { percentText } from "../../base/index.ts";
import type { SiteOutcome } from "../scenario/site-outcome.ts";
import { coursePart, type RunSeries, type SeriesMeasure } from "./course-part.ts";
import { eachSite, firstOutcomes, type ReportMatter } from "./report-matter.ts";
import { numberAxis, shareAxis } from "./ticks.ts";

/** The section. */
export function courseSection(matter: ReportMatter): string {
  const parts = eachSite(matter, (site, namesSite) => sitePart(site, firstOutcomes(matter, site), namesSite));
  return `<section><h2>Over time</h2>\n${parts.join("\n")}</section>`;
}

interface Measure extends SeriesMeasure {
  readonly values: (outcome: SiteOutcome) => readonly number[];
}

const MEASURES: readonly Measure[] = [
  {
    title: "Utilisation",
    values: ({ course }) => course.busy,
    axis: () => shareAxis(1, 2),
    text: (value) => percentText(value),
  },
  {
    title: "Jobs waiting",
    values: ({ course }) => course.waiting,
    axis: (most) => numberAxis(most, 4, "jobs"),
    text: (value) => value.toFixed(1),
  },
];

function sitePart(site: string, outcomes: readonly SiteOutcome[], namesSite: boolean): string {
  return MEASURES.map((measure) => {
    const title = namesSite ? `${measure.title} at ${site}` : measure.title;
    const courses = outcomes.map((outcome): RunSeries => {
      const { stepSec, fromSec, untilSec } = outcome.course;
      return { name: outcome.row.run, stepSec, values: measure.values(outcome), fromSec, untilSec };
    });
    return coursePart({ ...measure, title }, courses);
  }).join("\n");
}
