/**
 * Usage records of the Open Grid Forum, format 2 (GFD.204): blocks for the record, the subject, the job and
 * its computing.
 */
import type { UsageRecord, UsageWriter } from "./usage-record.ts";

const NAMESPACE = "http://schema.ogf.org/urf/2013/04/urf";

/** Writer of one document. */
export const usageRecordWriter: UsageWriter = {
  head: `<?xml version="1.0" encoding="UTF-8"?>\n<urf:UsageRecords xmlns:urf="${NAMESPACE}">\n`,
  record: recordXml,
  foot: "</urf:UsageRecords>\n",
};

function recordXml(record: UsageRecord): string {
  const { serviceLevel } = record;
  const level =
    serviceLevel === null
      ? ""
      : element("ServiceLevel", serviceLevel.value, ` urf:type="${escaped(serviceLevel.type)}"`);
  return block("UsageRecord", 1, [
    block("RecordIdentityBlock", 2, [
      element("RecordId", record.recordId),
      element("CreateTime", record.createdAt),
      element("Site", record.site),
    ]),
    block("SubjectIdentityBlock", 2, [
      element("LocalUserId", record.localUserId),
      element("GlobalUserId", record.globalUserName),
      element("GlobalGroupId", record.vo),
      element("GlobalGroupAttribute", record.group, ' urf:type="FQAN"'),
    ]),
    block("JobUsageBlock", 2, [
      element("GlobalJobId", record.globalJobId),
      element("LocalJobId", record.localJobId),
      record.jobName === null ? "" : element("JobName", record.jobName),
      element("SubmitHost", record.submitHost),
      element("Queue", record.queue),
      level,
      element("Status", record.status),
      record.exitStatus === null ? "" : element("ExitStatus", String(record.exitStatus)),
    ]),
    block("ComputeUsageBlock", 2, [
      record.cpuSec === null ? "" : element("CpuDuration", `PT${record.cpuSec}S`, ' urf:usageType="all"'),
      element("WallDuration", `PT${record.wallSec}S`),
      element("StartTime", record.startedAt),
      element("EndTime", record.endedAt),
      element("Processors", String(record.processors)),
    ]),
  ]);
}

function block(name: string, depth: number, parts: readonly string[]): string {
  const indent = "  ".repeat(depth);
  const inner = parts.map((part) => (part.startsWith("<") ? `${indent}  ${part}` : part)).join("");
  return `${indent}<urf:${name}>\n${inner}${indent}</urf:${name}>\n`;
}

function element(name: string, text: string, attributes = ""): string {
  return `<urf:${name}${attributes}>${escaped(text)}</urf:${name}>\n`;
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Characters that XML 1.0 cannot have become spaces. */
function escaped(text: string): string {
  return text.replace(/\p{Cc}/gu, " ").replace(/[&<>"]/g, (letter) => ENTITIES[letter] ?? letter);
}
