/** Arrays of jobs and DAGs for people: a line among jobs, the details of an array. */
import type { ArrayView, DagView } from "../api/client/index.ts";
import { counted, formatDuration, formatSize, lengthText } from "../base/index.ts";
import { datedText, whenOrNone, whenText } from "./instant-text.ts";
import { type JobColumnName, jobListing } from "./job-listing.ts";
import { commandText, dagStateText, isArray, isDag, type JobOrArray, statesText } from "./job-table.ts";
import type { Listing } from "./output-forms.ts";
import { printable } from "./text-table.ts";

/** One row per job, one per array, one per DAG. */
export function jobsAndArrays(nowMs: number, chosen?: readonly JobColumnName[]): Listing<JobOrArray> {
  const { columns, fields, record, name } = jobListing(nowMs, chosen);
  return {
    columns: columns.map((column) => ({
      ...column,
      cell: (item) => {
        if (isDag(item)) return DAG_CELLS[column.head]?.(item, nowMs) ?? "-";
        return isArray(item) ? (CELLS[column.head]?.(item, nowMs) ?? "-") : column.cell(item, nowMs);
      },
    })),
    fields,
    record: (item) => (isArray(item) || isDag(item) ? { ...item } : record(item)),
    name: (item) => (isArray(item) || isDag(item) ? item.id : name(item)),
  };
}

/** Arrays alone, for programs. */
export function arrayListing(nowMs: number): Listing<ArrayView> {
  const { columns } = jobsAndArrays(nowMs);
  return { columns, fields: FIELDS, record: (array) => ({ ...array }), name: ({ id }) => id };
}

/** Fields of the JSON, one per CSV column. */
const FIELDS = [
  ...["id", "array", "size", "atMost", "states", "failed", "name", "consumer", "owner", "executable"],
  ...["arguments", "procs", "memoryBytes", "wallTimeSec", "site", "after", "userTags", "submittedAt"],
  "endedAt",
];

/** Cells of an array by the head of their column; the others are empty. */
const CELLS: Readonly<Record<string, (array: ArrayView, nowMs: number) => string>> = {
  ID: ({ id }) => id,
  NAME: ({ name }) => name ?? "-",
  STATE: (array) => `${statesText(array)}${leftText(array)}`,
  SITE: ({ site }) => site ?? "-",
  PROCS: ({ procs }) => String(procs),
  OWNER: ({ owner }) => owner,
  CONSUMER: ({ consumer }) => consumer,
  SUBMITTED: ({ submittedAt }, nowMs) => whenText(submittedAt, nowMs),
  ENDED: ({ endedAt }, nowMs) => whenOrNone(endedAt, nowMs),
  COMMAND: commandText,
};

const DAG_CELLS: Readonly<Record<string, (dag: DagView, nowMs: number) => string>> = {
  ID: ({ id }) => id,
  NAME: ({ name }) => name ?? "-",
  STATE: dagStateText,
  OWNER: ({ owner }) => owner,
  CONSUMER: ({ consumer }) => consumer,
  SUBMITTED: ({ submittedAt }, nowMs) => whenText(submittedAt, nowMs),
  ENDED: ({ endedAt }, nowMs) => whenOrNone(endedAt, nowMs),
  COMMAND: ({ size }) => `DAG of ${counted(size, "node")}`,
};

/** Details of one array, a line each; empty fields are omitted. */
export function arrayDetails(array: ArrayView, nowMs: number): string {
  const tags = Object.entries(array.userTags).map(([key, value]) => (value === "" ? key : `${key}=${value}`));
  const lines: readonly (readonly [string, string | null])[] = [
    ["array", array.id],
    ["name", array.name],
    ["indexes", array.array],
    ["jobs", String(array.size)],
    ["at once", array.atMost === null ? null : String(array.atMost)],
    ["states", statesText(array)],
    ["time left", array.timeLeftSec === undefined ? null : `about ${lengthText(array.timeLeftSec)}`],
    ["sweep", array.sweep === undefined ? null : sweepText(array.sweep)],
    ...searchLines(array),
    ...scoutLines(array),
    ["command", commandText(array)],
    ["site", array.site],
    ["procs", String(array.procs)],
    ["memory", array.memoryBytes === null ? null : formatSize(array.memoryBytes)],
    ["time limit", array.wallTimeSec === null ? null : formatDuration(Math.round(array.wallTimeSec * 1000))],
    ["consumer", array.consumer],
    ["owner", array.owner],
    ["after", array.after.length === 0 ? null : array.after.join(", ")],
    ["tags", tags.length === 0 ? null : tags.join(", ")],
    ["submitted", datedText(array.submittedAt, nowMs)],
    ["ended", array.endedAt === null ? null : datedText(array.endedAt, nowMs)],
  ];
  return lines
    .flatMap(([name, value]) => (value === null ? [] : `${name.padEnd(12)}${printable(value)}\n`))
    .join("");
}

function leftText({ timeLeftSec, search }: ArrayView): string {
  const best = search?.best == null ? "" : `, best ${search.best.value}`;
  return `${best}${timeLeftSec === undefined ? "" : `, about ${lengthText(timeLeftSec)} left`}`;
}

function searchLines({ id, search }: ArrayView): readonly (readonly [string, string | null])[] {
  if (search === undefined) return [];
  const { method, goal, evaluations, evaluated, failed, best, end } = search;
  const values = Object.entries(best?.values ?? {}).map(([name, value]) => `${name}=${value}`);
  const without = failed === 0 ? "" : `, ${failed} failed`;
  return [
    ["search", `${method}, ${goal}: ${evaluated} of ${evaluations} points evaluated${without}`],
    ["best", best === null ? null : `${best.value} at ${values.join(" ")} (${id}-${best.index})`],
    ["search end", end === null ? null : end.text],
  ];
}

function scoutLines({ id, scouts }: ArrayView): readonly (readonly [string, string | null])[] {
  if (scouts === undefined) return [];
  const { jobs, ended, succeeded, longestSec, peakMemoryBytes, outcome, proposal } = scouts;
  const memory = peakMemoryBytes === null ? "" : `, at most ${formatSize(peakMemoryBytes)}`;
  const measured = succeeded === 0 ? "" : `: at most ${lengthText(longestSec)}${memory}`;
  const amounts = [
    ...(proposal?.wallTimeSec === undefined
      ? []
      : [`time limit ${formatDuration(Math.round(proposal.wallTimeSec * 1000))}`]),
    ...(proposal?.memoryBytes === undefined ? [] : [`memory ${formatSize(proposal.memoryBytes)}`]),
  ].join(", ");
  const proposed = amounts === "" ? "nothing" : amounts;
  return [
    ["scouts", `${ended} of ${jobs} ended, ${succeeded} succeeded${measured}`],
    ["proposed", outcome === null ? null : `${proposed}${proposalText(id, outcome, amounts !== "")}`],
  ];
}

function proposalText(
  id: string,
  outcome: NonNullable<NonNullable<ArrayView["scouts"]>["outcome"]>,
  isSome: boolean,
): string {
  if (outcome === "used") return " (in use)";
  const command = isSome ? `stint scouts ${id} --use, or --keep` : `stint scouts ${id} --keep`;
  if (outcome === "waiting") return `; the other jobs wait for ${command}`;
  return isSome ? ` (not in use; stint scouts ${id} --use)` : "";
}

/** Parameters with the numbers of their values: `t 3, seed 100`. */
function sweepText(sizes: Readonly<Record<string, number>>): string {
  return Object.entries(sizes)
    .map(([name, values]) => `${name} ${values}`)
    .join(", ");
}
