/** The group that a job belongs to in a report: a value for each dimension. */
import { unreachable } from "../../base/index.ts";
import { type JobRecord, REPORT_DIMENSIONS, type ReportDimension } from "../../model/index.ts";

const DAY_MS = 24 * 3_600_000;
const TAG = "tag:";

/** Values of the dimensions for a job, null where it has none. @param atMs the instant of its day */
export function keysOf(
  job: JobRecord,
  by: readonly ReportDimension[],
  atMs: number | null,
): readonly (string | null)[] {
  return by.map((dimension) => keyOf(job, dimension, atMs));
}

function keyOf(job: JobRecord, dimension: ReportDimension, atMs: number | null): string | null {
  const word = REPORT_DIMENSIONS.find((it) => it === dimension);
  switch (word) {
    case undefined:
      return job.description.userTags[dimension.slice(TAG.length)] ?? null;
    case "user":
      return job.consumer;
    case "group":
      return job.consumer.includes("/") ? job.consumer.slice(0, job.consumer.lastIndexOf("/")) : null;
    case "vo":
      return job.consumer.split("/", 1)[0] ?? null;
    case "owner":
      return job.owner;
    case "site":
      return job.site;
    case "name":
      return job.description.name ?? null;
    case "state":
      return job.state;
    case "day":
      return atMs === null ? null : new Date(atMs).toISOString().slice(0, "2026-11-20".length);
    case "week":
      return atMs === null ? null : isoWeek(atMs);
    case "month":
      return atMs === null ? null : new Date(atMs).toISOString().slice(0, "2026-11".length);
    default:
      return unreachable(word);
  }
}

/** Week of ISO 8601 in UTC, `2026-W01`: it begins on a Monday, and belongs to the year of its Thursday. */
export function isoWeek(atMs: number): string {
  const day = Math.floor(atMs / DAY_MS);
  // Day 0 was a Thursday, the third day after a Monday.
  const thursday = day - ((((day + 3) % 7) + 7) % 7) + 3;
  const year = new Date(thursday * DAY_MS).getUTCFullYear();
  const first = Date.UTC(year, 0, 1) / DAY_MS;
  const week = 1 + Math.floor((thursday - first) / 7);
  return `${year}-W${String(week).padStart(2, "0")}`;
}
