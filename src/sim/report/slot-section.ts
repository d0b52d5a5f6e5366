/**
 * Slots that each site still offered at sampling times, where a scenario samples them.
 */
import { lengthText, percentText } from "../../base/index.ts";
import type { SlotSummary } from "../../model/index.ts";
import { numberAxis, paragraph, section } from "../../report/index.ts";
import { coursePart, type RunSeries } from "./course-part.ts";
import { eachSite, firstOutcomes, type ReportMatter } from "./report-matter.ts";
import { type Column, hundredths, measuredRuns, runTable } from "./run-columns.ts";

const OPENING = paragraph(
  "Slots are the free rectangles that the whole queue leaves: what a site could have advertised at a " +
    "sample without delaying anybody. Numbers are means over the replicates, of samples in the time that " +
    "is counted; slots-*.csv, where they are written, have every slot.",
);

const CAPTION =
  "how many, how many jobs ran or waited, and the correlation of the two, over samples; then over slots";

const COLUMNS: readonly Column<SlotSummary>[] = [
  { head: "samples", value: ({ samples }) => samples, text: (value) => String(Number(value.toFixed(1))) },
  { head: "slots", value: ({ count }) => count.mean, text: hundredths },
  { head: "jobs there", value: ({ jobsInSystem }) => jobsInSystem.mean, text: hundredths },
  { head: "correlation", value: ({ countJobsCorrelation }) => countJobsCorrelation, text: hundredths },
  { head: "procs", value: ({ procs }) => procs.mean, text: hundredths },
  { head: "starts in", value: ({ startSec }) => startSec.mean, text: lengthText },
  { head: "lasts", value: ({ durationSec }) => durationSec.mean, text: lengthText },
  { head: "extensible", value: ({ extensibleShare }) => extensibleShare, text: percentText },
];

/** The section; empty without samples of slots. */
export function slotSection(matter: ReportMatter): string {
  const parts = eachSite(matter, (site, where) => sitePart(matter, site, where));
  return parts.every((part) => part === "") ? "" : section("Slots", [OPENING, ...parts]);
}

function sitePart(matter: ReportMatter, site: string, where: string): string {
  const courses = firstOutcomes(matter, site).flatMap(({ row, course, slotCourse }): RunSeries[] => {
    if (slotCourse === undefined || slotCourse.counts.length === 0) return [];
    const { stepSec, counts: values } = slotCourse;
    return [{ ...course, name: matter.called(row.run), stepSec, values }];
  });
  if (courses.length === 0) return "";
  const measure = {
    title: `Slots advertised${where}`,
    axis: (most: number) => numberAxis(most, 4, "slots"),
    text: (value: number) => value.toFixed(1),
    ofNothing: "No slot was free at any sample.",
  };
  const runs = measuredRuns(matter, site, ({ slots }) => slots);
  return coursePart(measure, courses) + runTable(`Slots at ${site}: ${CAPTION}`, COLUMNS, runs);
}
