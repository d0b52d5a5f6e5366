/**
 * Jobs as comma-separated values, for spreadsheets: the fields of the JSON, a column each (RFC 4180 [CSV]).
 */
import type { JobView } from "../api/client/index.ts";

const FIELDS = [
  "id",
  "state",
  "result",
  "exitCode",
  "signal",
  "timeLimit",
  "site",
  "attempt",
  "consumer",
  "owner",
  "executable",
  "arguments",
  "cpuNumber",
  "memoryBytes",
  "wallTimeSec",
  "userTags",
  "stdOutput",
  "stdError",
  "outputSandbox",
  "submittedAt",
  "startedAt",
  "endedAt",
  "cpuSec",
  "reason",
] as const satisfies readonly (keyof JobView)[];

/** A line of names, then a line a job; lists and tags as JSON, an empty cell where there is nothing. */
export function jobCsv(jobs: readonly JobView[]): string {
  const lines = jobs.map((job) => FIELDS.map((field) => csvCell(job[field])).join(","));
  return `${[FIELDS.join(","), ...lines].join("\r\n")}\r\n`;
}

function csvCell(value: unknown): string {
  if (value === null || value === undefined) return "";
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
}
