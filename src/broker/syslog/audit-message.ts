/**
 * Audit events as messages of syslog (RFC 5424): who ran what, when, where, under which account and by which
 * rule; what was denied; which access tokens were created and revoked.
 *
 * Facts are structured data with names from a fixed list, which has no hashes of secrets and no descriptions
 * of jobs. Only printable text is written, so that user text cannot start another message.
 */
import { type AuditRecord, eventSummary, identityRefusalText, type StintEvent } from "../../model/index.ts";
import type { RecordedEvent } from "../../runtime/index.ts";

/** Sender of messages. */
export interface SyslogSender {
  readonly hostName: string;
  readonly processId: number;
}

/** Facility `log audit`. */
const FACILITY = 13;
const SEVERITIES: Readonly<Record<string, number>> = {
  payloadAudited: 6,
  attemptEnded: 6,
  tokenCreated: 5,
  tokenRevoked: 5,
  identityDenied: 4,
  requestDenied: 4,
};
/** Id of the structured data, under the enterprise number that RFC 5612 reserves for examples. */
const DATA_ID = "stint@32473";
const FACTS = [
  ...[
    "job",
    "attempt",
    "site",
    "owner",
    "consumer",
    "executable",
    "mode",
    "pilot",
    "node",
    "account",
    "rule",
  ],
  ...["sha256", "token", "role", "by", "expiresAtMs", "who", "method", "route", "why", "unrecorded"],
];
/** Maximum length of a message, in bytes, which every receiver should accept (RFC 5424, 6.1). */
const MOST_BYTES = 2048;
const MOST_VALUE = 200;

/** True for an event that may be part of the audit. */
export function isAudited({ kind }: StintEvent): boolean {
  return Object.hasOwn(SEVERITIES, kind);
}

/** @param ended the audit record that an `attemptEnded` completes */
export function auditMessage(
  { seq, event, facts }: RecordedEvent,
  ended: AuditRecord | undefined,
  { hostName, processId }: SyslogSender,
): Buffer {
  const priority = FACILITY * 8 + (SEVERITIES[event.kind] ?? 6);
  const known: Readonly<Record<string, unknown>> = { ...ended, ...facts };
  const shown = FACTS.map((name) => [name, known[name]] as const).filter(([, value]) => isPlain(value));
  const data = [["seq", seq] as const, ...shown, ...endOf(ended)]
    .map(([name, value]) => `${name}="${escaped(String(value))}"`)
    .join(" ");
  const time = new Date(event.atMs).toISOString();
  const origin = `${nameOf(hostName)} stint ${processId} ${event.kind}`;
  const head = `<${priority}>1 ${time} ${origin} [${DATA_ID} ${data}]`;
  const text = printable(textOf(event));
  return shortened(Buffer.from(`${head} \uFEFF${text}`, "utf8"));
}

function textOf(event: StintEvent): string {
  if (event.kind !== "identityDenied") return eventSummary(event).text;
  return `${event.site} refuses job ${event.job}: ${identityRefusalText(event.refusal)}`;
}

function endOf(ended: AuditRecord | undefined): readonly (readonly [string, string | number])[] {
  if (ended?.end === undefined || ended.end === null) return [];
  const { cause, exitCode, cpuMs } = ended.end;
  return [
    ["cause", cause],
    ...(exitCode === null ? [] : [["exitCode", exitCode] as const]),
    ...(cpuMs === null ? [] : [["cpuMs", cpuMs] as const]),
    ...(ended.toMs === null ? [] : [["realMs", ended.toMs - ended.fromMs] as const]),
  ];
}

function isPlain(value: unknown): boolean {
  return typeof value === "string" || typeof value === "number";
}

function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ");
}

function escaped(value: string): string {
  return printable(value.slice(0, MOST_VALUE)).replace(/["\\\]]/g, "\\$&");
}

/** A host name without characters that would end the field; `-` if none is left. */
function nameOf(host: string): string {
  return host.replace(/[^\x21-\x7e]/g, "").slice(0, 255) || "-";
}

/** A message cut to the maximum length, at the end of a character. */
function shortened(message: Buffer): Buffer {
  if (message.length <= MOST_BYTES) return message;
  let end = MOST_BYTES;
  while ((message[end] ?? 0) >> 6 === 2) end--;
  return message.subarray(0, end);
}
