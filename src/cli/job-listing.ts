/** Jobs in a table, with the usual columns or those that somebody chooses. */
import type { JobView } from "../api/client/index.ts";
import { formatDuration, formatSize, lengthText } from "../base/index.ts";
import { stateColour } from "./colours.ts";
import { whenOrNone, whenText } from "./instant-text.ts";
import { commandText, runTimeText, stateText } from "./job-table.ts";
import type { Listing, ListingColumn } from "./output-forms.ts";

/** Fields of the JSON, one per CSV column. */
const FIELDS = [
  "id",
  "state",
  "result",
  "exitCode",
  "signal",
  "timeLimit",
  "site",
  "reservation",
  "siteJob",
  "attempt",
  "name",
  "consumer",
  "owner",
  "executable",
  "arguments",
  "procs",
  "memoryBytes",
  "gpus",
  "gpuDevices",
  "wallTimeSec",
  "delayCostSuPerHour",
  "after",
  "waitsFor",
  "userTags",
  "stdInput",
  "workingDirectory",
  "stdOutput",
  "stdError",
  "outputSandbox",
  "submittedAt",
  "startedAt",
  "endedAt",
  "ranSec",
  "runningSince",
  "cpuSec",
  "reason",
  "virtual",
] as const satisfies readonly (keyof JobView)[];

/** A column of jobs, with the fields that it stands for in a CSV. */
interface JobColumn extends ListingColumn<JobView> {
  readonly fields: readonly (keyof JobView)[];
  /** Shown only where it is chosen. */
  readonly isExtra?: true;
}

/** Columns by the names under which they are chosen; TIME is the run time so far, or in all. */
const COLUMNS = {
  id: { head: "ID", fields: ["id"], cell: ({ id }) => id },
  name: {
    ...{ head: "NAME", fields: ["name"], isOptional: true, isSparse: true },
    cell: ({ name }) => name ?? "-",
  },
  state: {
    ...{ head: "STATE", fields: ["state", "result", "exitCode", "signal", "timeLimit"] },
    ...{ paint: stateColour, cell: stateText },
  },
  site: { head: "SITE", fields: ["site"], isOptional: true, cell: ({ site }) => site ?? "-" },
  "site-job": {
    ...{ head: "SITE JOB", fields: ["siteJob"], isWide: true },
    cell: ({ siteJob }) => siteJob ?? "-",
  },
  procs: {
    ...{ head: "PROCS", fields: ["procs"], align: "right", isOptional: true },
    cell: ({ procs }) => String(procs),
  },
  consumer: { head: "CONSUMER", fields: ["consumer"], isWide: true, cell: ({ consumer }) => consumer },
  owner: { head: "OWNER", fields: ["owner"], isExtra: true, cell: ({ owner }) => owner },
  submitted: {
    ...{ head: "SUBMITTED", fields: ["submittedAt"], isOptional: true },
    cell: ({ submittedAt }, nowMs) => whenText(submittedAt, nowMs),
  },
  started: {
    ...{ head: "STARTED", fields: ["startedAt"], isWide: true },
    cell: ({ startedAt }, nowMs) => whenOrNone(startedAt, nowMs),
  },
  ended: {
    ...{ head: "ENDED", fields: ["endedAt"], isWide: true },
    cell: ({ endedAt }, nowMs) => whenOrNone(endedAt, nowMs),
  },
  time: {
    ...{ head: "TIME", fields: ["ranSec", "runningSince"], align: "right", isOptional: true },
    cell: runTimeText,
  },
  limit: {
    ...{ head: "LIMIT", fields: ["wallTimeSec"], align: "right", isExtra: true },
    cell: ({ wallTimeSec }) => (wallTimeSec === null ? "-" : formatDuration(Math.round(wallTimeSec * 1000))),
  },
  cpu: {
    ...{ head: "CPU TIME", fields: ["cpuSec"], align: "right", isExtra: true },
    cell: ({ cpuSec }) => (cpuSec === null ? "-" : lengthText(cpuSec)),
  },
  memory: {
    ...{ head: "MEMORY", fields: ["memoryBytes"], align: "right", isExtra: true },
    cell: ({ memoryBytes }) => (memoryBytes === null ? "-" : formatSize(memoryBytes)),
  },
  attempt: {
    ...{ head: "ATTEMPT", fields: ["attempt"], align: "right", isExtra: true },
    cell: ({ attempt }) => String(attempt),
  },
  reservation: {
    ...{ head: "RESERVATION", fields: ["reservation"], isExtra: true },
    cell: ({ reservation }) => reservation ?? "-",
  },
  tags: { head: "TAGS", fields: ["userTags"], isExtra: true, cell: tagsText },
  reason: { head: "REASON", fields: ["reason"], isExtra: true, cell: ({ reason }) => reason ?? "-" },
  command: {
    ...{ head: "COMMAND", fields: ["executable", "arguments"], isFlexible: true },
    cell: commandText,
  },
} as const satisfies Readonly<Record<string, JobColumn>>;

/** Name of a column of jobs. */
export type JobColumnName = keyof typeof COLUMNS;

/** Every name of a column of jobs. */
export const JOB_COLUMNS = Object.keys(COLUMNS) as readonly JobColumnName[];

/** One row per job, with the usual columns, or exactly the chosen ones. */
export function jobListing(nowMs: number, chosen?: readonly JobColumnName[]): Listing<JobView> {
  const all: Readonly<Record<JobColumnName, JobColumn>> = COLUMNS;
  const columns =
    chosen === undefined
      ? JOB_COLUMNS.map((name) => all[name]).filter(({ isExtra }) => isExtra !== true)
      : chosen.map((name) => asChosen(all[name]));
  const fields = chosen === undefined ? FIELDS : chosen.flatMap((name) => all[name].fields);
  return {
    columns: columns.map((column) => ({ ...column, cell: (job: JobView) => column.cell(job, nowMs) })),
    fields,
    record: (job) => ({ ...job }),
    name: ({ id }) => id,
  };
}

/** A chosen column is shown on every terminal, whatever its cells. */
function asChosen({ isOptional: _, isWide: __, isSparse: ___, ...column }: JobColumn): JobColumn {
  return column;
}

function tagsText({ userTags }: JobView): string {
  const tags = Object.entries(userTags).map(([key, value]) => (value === "" ? key : `${key}=${value}`));
  return tags.length === 0 ? "-" : tags.join(",");
}
