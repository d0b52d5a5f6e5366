/** Results of a verification in the words and units of people. */
import { formatDuration, lengthText } from "../base/index.ts";
import type {
  EvidenceDifference,
  JobFindings,
  LevelFindings,
  Parts,
  RecordedStretch,
  Stretch,
  Verdict,
} from "../policy/index.ts";
import { stateColour } from "./colours.ts";
import type { Listing } from "./output-forms.ts";
import type { Verified } from "./policy-verify-tools.ts";
import { printable } from "./text-table.ts";

export const VERDICT_WORDS: Readonly<Record<Verdict, string>> = {
  kept: "kept",
  keptWhereRecorded: "kept where recorded",
  violated: "violated",
  unknown: "not recorded",
};

/** Levels as rows. */
export const levelListing: Listing<LevelFindings> = {
  columns: [
    { head: "CONSUMER", isFlexible: true, cell: ({ consumer }) => consumer },
    { head: "RESOURCE", cell: ({ resource }) => resource },
    { head: "VERDICT", paint: stateColour, cell: verdictText },
    { head: "USED", align: "right", cell: ({ parts }) => percentText(parts.used) },
    { head: "BURST", align: "right", cell: ({ parts }) => percentText(parts.aboveBurst) },
    { head: "EPOCH", align: "right", cell: ({ parts }) => percentText(parts.aboveEpoch) },
    { head: "CONTENDED", align: "right", cell: ({ parts }) => percentText(parts.aboveEpochContended) },
    { head: "NOT GIVEN", align: "right", cell: ({ parts }) => percentText(parts.notGiven) },
    {
      head: "LENT EPOCH",
      align: "right",
      isWide: true,
      cell: ({ parts }) => percentText(parts.aboveEpochLent),
    },
    {
      head: "LENT GIVEN",
      align: "right",
      isWide: true,
      cell: ({ parts }) => percentText(parts.notGivenLent),
    },
    { head: "ART", align: "right", isOptional: true, cell: ({ jobs }) => responseText(jobs) },
    { head: "AJC", align: "right", isOptional: true, cell: ({ jobs }) => percentText(jobs.completedPart) },
    { head: "AGREED", isWide: true, cell: agreedText },
  ],
  fields: [
    ...["consumer", "resource", "verdict", "violated", "used", "aboveBurst", "aboveEpoch"],
    ...["aboveEpochContended", "aboveEpochLent", "notGiven", "notGivenLent"],
    ...["submitted", "completed", "completedPart", "meanResponseSec"],
  ],
  record: ({ consumer, resource, verdict, violated, parts, jobs }) => ({
    ...{ consumer, resource, verdict, violated: violated.map(violatedWord).join(" ") },
    ...{ ...parts, ...jobsValue(jobs) },
  }),
  name: ({ consumer, resource }) => `${consumer} ${resource}`,
};

/** Differences of two bundles as rows. */
export const differenceListing: Listing<EvidenceDifference> = {
  columns: [
    { head: "KIND", cell: ({ kind }) => kind },
    { head: "OF", cell: ({ of }) => of || "-" },
    { head: "WHAT", cell: ({ what }) => what },
    { head: "ONE", isFlexible: true, cell: ({ one }) => sideText(one) },
    { head: "OTHER", cell: ({ other }) => sideText(other) },
  ],
  fields: ["kind", "of", "what", "one", "other"],
  record: (difference) => ({ ...difference }),
  name: ({ kind, of, what }) => `${kind} ${of} ${what}`,
};

/** Lines above the table: period, verdict, definitions, gaps, remarks. */
export function verifiedLines({ findings, source, seal, head }: Verified): string {
  const { place, definitions, gaps, excluded, unmeasured, totals } = findings;
  const lines = [
    `${place}, ${stretchText(findings)}: ${VERDICT_WORDS[findings.verdict]}`,
    `source: ${source.name} (${source.kind})${head === null ? "" : `, events 1 to ${head.seq}`}`,
    `definitions: ${definitionsText(definitions)}`,
    ...totals.map(({ resource, parts }) => `in total, ${resource}: ${totalText(parts)}`),
    `jobs: ${jobsText(findings.jobs)}`,
    ...gaps.map((gap) => `gap: nothing is known of ${gapText(gap)}`),
    ...excluded.map(({ why, ...stretch }) => `left out for ${why}: ${stretchText(stretch)}`),
    ...unmeasured.map((name) => `not measured: ${name}, for nobody says how much of it ${place} has`),
    ...source.remarks.map((remark) => `remark: ${remark}`),
    `seal: ${seal}`,
  ];
  return `${lines.map(printable).join("\n")}\n\n`;
}

/** A fraction: `12.34%`; a dash where there is none. */
export function percentText(part: number | null): string {
  if (part === null) return "-";
  if (part > 0 && part < 0.00005) return "<0.01%";
  return `${(part * 100).toFixed(2)}%`;
}

/** A period on the clock of UTC. */
export function stretchText({ fromMs, toMs }: Stretch): string {
  return `${instantText(fromMs)} to ${instantText(toMs)}`;
}

/** A gap: of all resources, or of one. */
export function gapText({ resource, ...gap }: RecordedStretch): string {
  return resource === undefined ? stretchText(gap) : `${resource} from ${stretchText(gap)}`;
}

/** Kind of a violation; of a guaranteed share, that it was not given. */
function violatedWord(promised: LevelFindings["violated"][number]): string {
  return promised === "given" ? "notGiven" : promised;
}

/** A verdict: `violated: burst, epoch`. */
export function verdictText({ verdict, violated }: LevelFindings): string {
  const which = violated.map((one) => (one === "given" ? "not given" : one)).join(", ");
  return violated.length === 0 ? VERDICT_WORDS[verdict] : `violated: ${which}`;
}

/** An agreement: `20% of 1h, burst 60% by 5s; entitlement, shared`. */
export function agreedText({ epochShare, burstShare, window, bucketMs, rule, mode }: LevelFindings): string {
  const over = window.kind === "sliding" ? formatDuration(window.lengthMs) : `the ${window.unit}`;
  const [epoch, burst] = [epochShare, burstShare].map((part) => `${Number((part * 100).toFixed(4))}%`);
  return `${epoch} of ${over}, burst ${burst} by ${formatDuration(bucketMs)}; ${rule}, ${mode}`;
}

/** Definitions in words. */
export function definitionsText(definitions: Verified["findings"]["definitions"]): string {
  const { downtime, drain, nodeFailure, time, tolerancePpm } = definitions;
  return [
    `downtime ${downtime}`,
    `drain ${drain}`,
    "demand is waiting work that could start at once",
    `a node's failure is the ${nodeFailure}'s`,
    `${time} time`,
    `nothing up to ${tolerancePpm / 10_000}% is a violation`,
  ].join("; ");
}

/** Jobs: `12 submitted, 11 completed (91.67%), mean response 3m20s`. */
export function jobsText(jobs: JobFindings): string {
  const { submitted, completed, completedPart } = jobs;
  const part = completedPart === null ? "" : ` (AJC ${percentText(completedPart)})`;
  return `${submitted} submitted, ${completed} completed${part}, mean response ${responseText(jobs)}`;
}

/** Parts of a total in words. */
export function totalText(parts: Parts): string {
  return [
    `used ${percentText(parts.used)} (ARU)`,
    `above burst ${percentText(parts.aboveBurst)} (BUPV)`,
    `above epoch ${percentText(parts.aboveEpoch)} (EUPV)`,
    `contended ${percentText(parts.aboveEpochContended)}`,
    `not given ${percentText(parts.notGiven)}`,
  ].join(", ");
}

function jobsValue({ submitted, completed, completedPart, meanResponseMs }: JobFindings) {
  const meanResponseSec = meanResponseMs === null ? null : meanResponseMs / 1000;
  return { submitted, completed, completedPart, meanResponseSec };
}

function responseText({ meanResponseMs }: JobFindings): string {
  return meanResponseMs === null ? "-" : lengthText(meanResponseMs / 1000);
}

function instantText(ms: number): string {
  return new Date(ms).toISOString().replace(/\.000Z$/, "Z");
}

function sideText(value: unknown): string {
  if (value === null) return "(not there)";
  return typeof value === "string" ? value : JSON.stringify(value);
}
