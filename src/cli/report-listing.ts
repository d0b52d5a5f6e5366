/** Sums of jobs in a table: columns by name, chosen ones, and rows in the order of one of them. */
import type { JobReportRow } from "../api/client/index.ts";
import { lengthText, percentText } from "../base/index.ts";
import type { ReportDimension } from "../model/index.ts";
import type { Listing, ListingColumn } from "./output-forms.ts";
import { hoursText } from "./proc-hours.ts";

interface SumColumn extends Omit<ListingColumn<JobReportRow>, "cell"> {
  /** Those of the CSV for which it stands. */
  readonly fields: readonly string[];
  readonly value: (row: JobReportRow) => number | null;
  readonly text: (value: number) => string;
}

const count = { text: String } as const;
const hours = { text: hoursText } as const;
const percent = { isOptional: true, text: (part: number) => percentText(part, 0).replace(" ", "") } as const;
const length = { text: lengthText } as const;

/** Columns by the names under which they are chosen and sorted by. */
const COLUMNS = {
  jobs: { head: "JOBS", fields: ["jobs"], ...count, value: ({ jobs }) => jobs },
  ok: { head: "OK", fields: ["ok"], ...count, isWide: true, value: ({ ok }) => ok },
  failed: {
    head: "FAILED",
    fields: ["failed", "aborted"],
    ...count,
    value: ({ failed, aborted }) => failed + aborted,
  },
  "time-limit": {
    ...{ head: "TIME LIMIT", fields: ["timeLimit"], ...count, isWide: true },
    value: ({ timeLimit }) => timeLimit,
  },
  cancelled: {
    ...{ head: "CANCELLED", fields: ["cancelled"], ...count, isWide: true },
    value: ({ cancelled }) => cancelled,
  },
  unfinished: {
    ...{ head: "UNFINISHED", fields: ["unfinished"], ...count, isWide: true },
    value: ({ unfinished }) => unfinished,
  },
  used: { head: "USED", fields: ["usedProcSec"], ...hours, value: ({ usedProcSec }) => usedProcSec },
  requested: {
    ...{ head: "REQUESTED", fields: ["askedProcSec"], ...hours, isOptional: true },
    value: ({ askedProcSec }) => askedProcSec,
  },
  limit: { head: "LIMIT%", fields: ["limitUse"], ...percent, value: ({ limitUse }) => limitUse },
  cpu: {
    head: "CPU%",
    fields: ["cpuSec", "cpuEfficiency"],
    ...percent,
    value: ({ cpuEfficiency }) => cpuEfficiency,
  },
  wait: { head: "WAIT", fields: ["waitMedianSec"], ...length, value: ({ wait }) => wait?.medianSec ?? null },
  mean: {
    ...{ head: "MEAN", fields: ["waitMeanSec"], ...length, isWide: true },
    value: ({ wait }) => wait?.meanSec ?? null,
  },
  max: {
    ...{ head: "MAX", fields: ["waitMaxSec"], ...length, isOptional: true },
    value: ({ wait }) => wait?.maxSec ?? null,
  },
  cost: {
    ...{ head: "COST", fields: ["costSu", "costProcMs"], ...hours, isOptional: true },
    value: ({ costProcMs }) => costProcMs / 1000,
  },
} as const satisfies Readonly<Record<string, SumColumn>>;

/** A column of sums. */
export type ReportColumn = keyof typeof COLUMNS;

/** A column to sort by, with - before it descending. */
export type ReportSortWord = ReportColumn | `-${ReportColumn}`;

/** Names of the columns, in the order of the table. */
export const REPORT_COLUMNS = Object.keys(COLUMNS) as readonly ReportColumn[];

/** Rows in the order of a column; equal ones stay in theirs, those without a value come last. */
export function sortedRows(rows: readonly JobReportRow[], word: ReportSortWord): readonly JobReportRow[] {
  const sign = word.startsWith("-") ? -1 : 1;
  const { value } = COLUMNS[word.replace(/^-/, "") as ReportColumn];
  return [...rows].sort((one, other) => {
    const [first, second] = [value(one), value(other)];
    if (first === null || second === null) return Number(first === null) - Number(second === null);
    return sign * (first - second);
  });
}

/** Listing of sums by these dimensions: the columns of the dimensions, then the `chosen` ones. */
export function reportListing(
  by: readonly ReportDimension[],
  chosen: readonly ReportColumn[] | undefined,
): Listing<JobReportRow> {
  const keys = by.map((dimension) => ({
    head: dimension.startsWith("tag:") ? dimension : dimension.toUpperCase(),
    cell: ({ group }: JobReportRow) => group[dimension] ?? "-",
  }));
  return {
    columns: [...keys, ...(chosen ?? REPORT_COLUMNS).map((name) => shownColumn(name, chosen !== undefined))],
    fields: [...by, ...(chosen?.flatMap((name) => COLUMNS[name].fields) ?? ALL_FIELDS)],
    record: ({ group, wait, ...sums }) => ({
      ...{ ...group, ...sums },
      ...{ waitMeanSec: wait?.meanSec, waitMedianSec: wait?.medianSec, waitMaxSec: wait?.maxSec },
    }),
    name: ({ group }) => by.map((dimension) => group[dimension] ?? "-").join(" "),
  };
}

const ALL_FIELDS = [
  ...["jobs", "ok", "failed", "timeLimit", "cancelled", "aborted", "unfinished"],
  ...["usedProcSec", "askedProcSec", "limitUse", "cpuSec", "cpuEfficiency"],
  ...["waitMeanSec", "waitMedianSec", "waitMaxSec", "costSu", "costProcMs"],
];

function shownColumn(name: ReportColumn, isChosen: boolean): ListingColumn<JobReportRow> {
  const { head, value, text, isWide = false, isOptional = false }: SumColumn = COLUMNS[name];
  return {
    ...{ head, align: "right", isWide: isWide && !isChosen, isOptional: isOptional && !isChosen },
    cell: (row) => {
      const found = value(row);
      return found === null ? "-" : text(found);
    },
  };
}
