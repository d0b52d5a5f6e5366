/**
 * Individual job records in the text that APEL's SSM messages have: `Key: value` lines, `%%` between records.
 *
 * Source: APEL, job record message 0.3. Times are seconds of Unix.
 */
import type { UsageRecord, UsageWriter } from "./usage-record.ts";

/** Writer of one message; APEL takes messages of up to 1,000 records well, and larger ones. */
export const apelWriter: UsageWriter = {
  head: "APEL-individual-job-message: v0.3\n",
  record: (record) => `${linesOf(record)}%%\n`,
  foot: "",
};

function linesOf(record: UsageRecord): string {
  const lines: readonly (readonly [string, string | number | null])[] = [
    ["Site", record.site],
    ["SubmitHost", record.submitHost],
    ["MachineName", record.site],
    ["Queue", record.queue],
    ["LocalJobId", record.localJobId],
    ["LocalUserId", record.localUserId],
    ["GlobalUserName", record.globalUserName],
    ["FQAN", record.group],
    ["VO", record.vo],
    ["VOGroup", record.group],
    ["WallDuration", record.wallSec],
    ["CpuDuration", record.cpuSec],
    ["Processors", record.processors],
    ["StartTime", unixSec(record.startedAt)],
    ["EndTime", unixSec(record.endedAt)],
    ["InfrastructureDescription", "APEL-STINT"],
    ["InfrastructureType", "grid"],
    ["ServiceLevelType", record.serviceLevel?.type ?? null],
    ["ServiceLevel", record.serviceLevel?.value ?? null],
  ];
  return lines.map(([key, value]) => (value === null ? "" : `${key}: ${oneLine(value)}\n`)).join("");
}

function unixSec(instant: string): number {
  return Math.floor(Date.parse(instant) / 1000);
}

/** A value ends at the end of its line, so that a name cannot begin another key or record. */
function oneLine(value: string | number): string {
  return String(value).replace(/\p{Cc}+/gu, " ");
}
