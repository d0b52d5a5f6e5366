/**
 * Prices and waits of jobs with reservations, and their effect on queued jobs.
 */
import { lengthText, percentText } from "../../base/index.ts";
import type { ReservingSummary } from "../../model/index.ts";
import { paragraph, section } from "../../report/index.ts";
import { eachSite, type ReportMatter } from "./report-matter.ts";
import { type Column, hundredths, measuredRuns, runTable, wholeNumber } from "./run-columns.ts";

const OPENING = paragraph(
  "They hold a slot at its price instead of queueing: one SU for each SU of it, and f, the delays " +
    "that it caused in the queue when it was accepted, each times the processors of the delayed job. " +
    "Numbers are means over the replicates, of the jobs that count.",
);

const COLUMNS: readonly Column<ReservingSummary>[] = [
  { head: "reserved", value: ({ reservedJobs }) => reservedJobs, text: wholeNumber },
  { head: "mean f (SU)", value: ({ fixedMeanSu }) => fixedMeanSu, text: hundredths },
  { head: "paid per SU", value: ({ unitPrice }) => unitPrice, text: hundredths },
  { head: "f = 0", value: ({ freeShare }) => freeShare, text: percentText },
  { head: "they wait", value: ({ reservedWaitMeanSec }) => reservedWaitMeanSec, text: lengthText },
  { head: "queued wait", value: ({ queuedWaitMeanSec }) => queuedWaitMeanSec, text: lengthText },
  { head: "jobs delayed", value: ({ delayedJobs }) => delayedJobs, text: wholeNumber },
  { head: "mean delay", value: ({ delayMeanSec }) => delayMeanSec, text: lengthText },
  { head: "longest", value: ({ delayMaxSec }) => delayMaxSec, text: lengthText },
];

/** The section; empty where no job may reserve. */
export function reservingSection(matter: ReportMatter): string {
  const parts = eachSite(matter, (site) => {
    const caption = `Jobs that reserve at ${site}; waits and delays are means`;
    return runTable(
      caption,
      COLUMNS,
      measuredRuns(matter, site, ({ reserving }) => reserving),
    );
  });
  if (parts.every((part) => part === "")) return "";
  return section("Jobs that reserve", [OPENING, ...parts]);
}
