/**
 * A verification as one HTML file: no scripts, no external resources, a table for every chart; fit for
 * printing.
 */
import {
  agreedText,
  definitionsText,
  gapText,
  jobsText,
  percentText,
  stretchText,
  totalText,
  VERDICT_WORDS,
  type Verified,
  verdictText,
} from "../cli/index.ts";
import {
  type LevelFindings,
  type LevelState,
  type Stretch,
  type UseSeries,
  useSeriesOf,
  type Verification,
} from "../policy/index.ts";
import {
  type Cell,
  escaped,
  figure,
  htmlPage,
  htmlTable,
  numberCell,
  paragraph,
  section,
  tableBehind,
} from "../report/index.ts";
import { type UsePanel, useChart } from "./use-panels.ts";

/** Content of a page. */
export interface PageMatter extends Pick<Verified, "findings" | "source" | "seal" | "head"> {
  readonly verification: Verification;
}

/** Parts of the period: one for each two points of a chart's width. */
const PARTS = 320;
/** Largest number of rows in the table of a chart. */
const ROWS = 40;
/** Largest number of violations that are listed for each level. */
const MOST_LISTED = 5;

/** HTML text of the page. */
export function verificationPage(matter: PageMatter): string {
  const { findings, verification } = matter;
  const title = `Verification of ${findings.place}`;
  const parts = findings.levels.map((level, at) => levelPart(level, verification.levels[at], matter));
  return htmlPage(title, [opening(title, matter), measureTable(findings.levels), ...parts, closing(matter)]);
}

function opening(title: string, { findings, source }: PageMatter): string {
  const { verdict, gaps, excluded, unmeasured, totals, place } = findings;
  const items = [
    ...gaps.map((gap) => `Gap: nothing is known of ${gapText(gap)}.`),
    ...excluded.map(({ why, ...stretch }) => `Left out for ${why}: ${stretchText(stretch)}.`),
    ...unmeasured.map((name) => `Not measured: ${name}, for nobody says how much of it ${place} has.`),
    ...source.remarks.map((remark) => `${remark}.`),
  ];
  const list = items.map((item) => `<li>${escaped(item)}</li>`).join("\n");
  const inTotal = totals.map(({ resource, parts }) =>
    paragraph(`In total, ${resource}: ${totalText(parts)}.`),
  );
  return (
    `<header><h1>${escaped(title)}: ${escaped(VERDICT_WORDS[verdict])}</h1>\n` +
    `<p class="faint">${escaped(stretchText(findings))}; from ${escaped(source.name)}</p></header>\n` +
    `${inTotal.join("")}${paragraph(`Jobs: ${jobsText(findings.jobs)}.`)}` +
    (items.length === 0 ? paragraph("The record has no gap in this period.") : `<ul>${list}</ul>\n`)
  );
}

function measureTable(levels: readonly LevelFindings[]): string {
  const heads: Cell[] = [
    ...[{ text: "consumer" }, { text: "resource" }, { text: "verdict" }],
    ...["used (ARU)", "above burst (BUPV)", "above epoch (EUPV)", "contended", "not given", "AJC"].map(
      (text) => numberCell(text),
    ),
  ];
  const rows = levels.map((level): Cell[] => {
    const { parts, jobs } = level;
    const measures = [
      parts.used,
      parts.aboveBurst,
      parts.aboveEpoch,
      parts.aboveEpochContended,
      parts.notGiven,
    ];
    return [
      { text: level.consumer },
      { text: level.resource },
      { text: verdictText(level) },
      ...[...measures, jobs.completedPart].map((part) => numberCell(percentText(part))),
    ];
  });
  const table = htmlTable("In parts of the capacity over what is recorded", heads, rows);
  return section("Measures", [table]);
}

function levelPart(level: LevelFindings, state: LevelState, { findings, verification }: PageMatter): string {
  const { gaps, excluded } = findings;
  const course = useSeriesOf(verification, state, PARTS);
  const own = gaps.filter(({ resource = level.resource }) => resource === level.resource);
  const chart = levelChart({ level, course, period: findings, gaps: [...own, ...excluded] });
  const words = "Hatched: no record, or left out. Marked below each panel: where the line was passed.";
  const caption = `${agreedText(level)}. ${words}`;
  return section(`${level.consumer}, ${level.resource}: ${verdictText(level)}`, [
    figure("Against its limits", chart, caption),
    stretchTable(level),
    courseTable(level, course, findings.fromMs),
  ]);
}

const KINDS = [
  ["aboveBurst", "above the burst line"],
  ["aboveEpoch", "above the epoch line"],
  ["contended", "above it while others waited for theirs"],
  ["notGiven", "entitled, waited for, and not given"],
] as const;

function stretchTable({ stretches }: LevelFindings): string {
  const rows = KINDS.map(([kind, words]): Cell[] => {
    const all = stretches[kind];
    const longest = all.toSorted((one, other) => other.toMs - other.fromMs - (one.toMs - one.fromMs));
    const listed = longest.slice(0, MOST_LISTED).sort((one, other) => one.fromMs - other.fromMs);
    const seconds = all.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0) / 1000;
    const texts = listed.map(stretchText).join("; ");
    return [
      { text: words },
      numberCell(String(all.length)),
      numberCell(String(seconds)),
      { text: texts || "never" },
    ];
  });
  const heads = [{ text: "" }, numberCell("times"), numberCell("seconds"), { text: "the longest" }];
  return htmlTable("When", heads, rows);
}

function courseTable({ burstShare, epochShare }: LevelFindings, course: UseSeries, fromMs: number): string {
  const each = course.inUse.length / ROWS;
  const heads = [
    { text: "from" },
    ...["in use", "burst line", "over the epoch", "epoch line"].map((it) => numberCell(it)),
  ];
  const rows = Array.from({ length: ROWS }, (_, row): Cell[] => {
    const some = course.inUse.slice(row * each, (row + 1) * each);
    const mean = some.reduce((sum, value) => sum + value, 0) / some.length;
    const beginsMs = Math.round(fromMs + row * each * course.partMs);
    const values = [mean, burstShare, course.overEpoch[(row + 1) * each - 1], epochShare];
    return [
      { text: new Date(beginsMs).toISOString() },
      ...values.map((value) => numberCell(percentText(value))),
    ];
  });
  return tableBehind(
    `Means over ${ROWS} parts of the period; over the epoch at the end of each`,
    heads,
    rows,
  );
}

function closing({ findings, source, seal, head }: PageMatter): string {
  const facts = [
    `Definitions: ${definitionsText(findings.definitions)}.`,
    "BUPV: use above the burst limit in each bucket. EUPV: use above what a use that keeps to the epoch's " +
      "limit would have used; contended, while another consumer waited for what it was entitled to. " +
      "Not given: entitled at once, waited for by jobs that would have stayed within it, and not in use.",
    `Source: ${source.name}${source.sha256 === null ? "" : `, SHA-256 ${source.sha256}`}.`,
    ...(head === null ? [] : [`Log: events 1 to ${head.seq}, head ${head.hash}.`]),
    `Seal of the evidence: ${seal}.`,
  ];
  return section("How this was measured", facts.map(paragraph));
}

// The source's usage-versus-policy charts: use now against the burst line, use over the epoch against the
// epoch line; gaps hatched, violations marked below.

interface DrawnLevel {
  readonly level: LevelFindings;
  readonly course: UseSeries;
  readonly period: Stretch;
  /** Intervals without data, or left out. */
  readonly gaps: readonly Stretch[];
}

/** The two panels of a level, one below the other. */
function levelChart({ level, course, period, gaps }: DrawnLevel): string {
  const panels: readonly UsePanel[] = [
    {
      ...{ name: "in use now", lineName: "burst", values: course.inUse },
      ...{ limit: level.burstShare, marks: level.stretches.aboveBurst },
    },
    {
      ...{ name: "used over the epoch", lineName: "epoch", values: course.overEpoch },
      ...{ limit: level.epochShare, marks: level.stretches.aboveEpoch },
    },
  ];
  const title = `Use of ${level.resource} by ${level.consumer} against its policy`;
  const description = "Above: in use now and the burst line; below: used over the epoch and the epoch line.";
  return useChart({ title, description }, panels, { period, gaps, partMs: course.partMs });
}
