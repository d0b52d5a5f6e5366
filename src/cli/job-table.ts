/**
 * Jobs as people read them: many in a table, one in detail.
 */
import type { JobView } from "../api/client/index.ts";
import { formatDuration, formatSize } from "../base/index.ts";
import { type Column, printable, textTable } from "./text-table.ts";
import { formatSeconds } from "./times.ts";

const COLUMNS: readonly Column[] = [
  { head: "ID" },
  { head: "STATE" },
  { head: "SITE", isOptional: true },
  { head: "PROCS", align: "right", isOptional: true },
  { head: "SUBMITTED", isOptional: true },
  { head: "TIME", align: "right", isOptional: true },
  { head: "COMMAND", isFlexible: true },
];

/** Where and when a table is shown. */
export interface TableView {
  /** Width of the terminal; undefined off one. */
  readonly columns: number | undefined;
  readonly nowMs: number;
}

/** One line a job; TIME is how long it has run, or ran. */
export function jobTable(jobs: readonly JobView[], { columns, nowMs }: TableView): string {
  const rows = jobs.map((job) => [
    job.id,
    stateText(job),
    job.site ?? "-",
    String(job.cpuNumber),
    instantText(job.submittedAt),
    runTimeText(job, nowMs),
    commandText(job),
  ]);
  return textTable(COLUMNS, rows, columns);
}

/** Everything about one job, a line each; what there is not is left out. */
export function jobDetails(job: JobView, nowMs: number): string {
  const tags = Object.entries(job.userTags).map(([key, value]) => `${key}=${value}`);
  const lines: readonly (readonly [string, string | null])[] = [
    ["job", job.id],
    ["state", stateText(job)],
    ["reason", job.reason],
    ["command", commandText(job)],
    ["site", job.site],
    ["attempt", job.attempt > 1 ? String(job.attempt) : null],
    ["procs", String(job.cpuNumber)],
    ["memory", job.memoryBytes === null ? null : formatSize(job.memoryBytes)],
    ["time limit", job.wallTimeSec === null ? null : formatDuration(Math.round(job.wallTimeSec * 1000))],
    ["consumer", job.consumer],
    ["owner", job.owner],
    ["tags", tags.length === 0 ? null : tags.join(", ")],
    ["submitted", instantText(job.submittedAt)],
    ["started", job.startedAt === null ? null : instantText(job.startedAt)],
    ["ended", job.endedAt === null ? null : instantText(job.endedAt)],
    ["ran", job.startedAt === null ? null : runTimeText(job, nowMs)],
    ["cpu time", job.cpuSec === null ? null : formatSeconds(job.cpuSec)],
  ];
  const said = lines.flatMap(([name, value]) =>
    value === null ? [] : `${name.padEnd(12)}${printable(value)}\n`,
  );
  return said.join("");
}

/** The state, and of a job that is over how it ended: `DONE (exit 3)`, `DONE (time limit)`. */
export function stateText(job: JobView): string {
  if (job.state !== "DONE") return job.state;
  if (job.result === "ok") return "DONE (ok)";
  if (job.timeLimit) return "DONE (time limit)";
  return `DONE (${job.signal ?? `exit ${job.exitCode ?? "unknown"}`})`;
}

/** What it runs, with quotes where a word has blanks or is empty. */
export function commandText({ executable, arguments: words }: JobView): string {
  return [executable, ...words].map((word) => (/^[^\s'"]+$/.test(word) ? word : quoted(word))).join(" ");
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** An instant in the reader's own time zone: `2026-05-31 14:05:09`. */
export function instantText(iso: string): string {
  const at = new Date(iso);
  const day = [at.getFullYear(), at.getMonth() + 1, at.getDate()].map(twoDigits).join("-");
  return `${day} ${[at.getHours(), at.getMinutes(), at.getSeconds()].map(twoDigits).join(":")}`;
}

function runTimeText({ startedAt, endedAt }: JobView, nowMs: number): string {
  if (startedAt === null) return "-";
  const untilMs = endedAt === null ? nowMs : Date.parse(endedAt);
  return formatSeconds(Math.max(0, untilMs - Date.parse(startedAt)) / 1000);
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}
