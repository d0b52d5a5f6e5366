/**
 * Reports of an attempt as lines of its spool, and as values of the port.
 *
 * One growing file keeps them in order. Only the wrapper writes to it; when the wrapper is dead, the site
 * adds the end. Lines after the first "ended" are ignored.
 *
 * Imported by the wrapper: Node's own modules and types only.
 */
import type { RunFacts } from "../../model/index.ts";
import type { EndCause, SiteReport } from "../../runtime/index.ts";
import { parseJsonLines } from "./json-lines.ts";

/** One line of the spool. */
export type ReportLine =
  | { readonly kind: "running"; readonly atMs: number; readonly pid: number; readonly mark: string }
  | { readonly kind: "suspended" | "resumed"; readonly atMs: number }
  | EndedLine;

/** Last line of a spool. Absent fields are unknown or do not apply. */
export interface EndedLine {
  readonly kind: "ended";
  readonly atMs: number;
  readonly cause: EndCause;
  readonly exitCode?: number | undefined;
  readonly signal?: string | undefined;
  readonly cpuMs?: number | undefined;
  readonly detail?: string | undefined;
  readonly facts?: RunFacts | undefined;
}

/** Reports of a spool up to its end; partial and foreign lines are left out. */
export function parseReports(text: string): ReportLine[] {
  const lines = parseJsonLines(text).filter(isReport);
  const end = lines.findIndex(({ kind }) => kind === "ended");
  return end < 0 ? lines : lines.slice(0, end + 1);
}

/** True if the reports include the end. */
export function hasEnded(lines: readonly ReportLine[]): boolean {
  return lines.at(-1)?.kind === "ended";
}

/** A spool line as a report of the port. */
export function siteReport(token: string, line: ReportLine): SiteReport {
  const { atMs } = line;
  if (line.kind === "running") return { kind: line.kind, token, atMs, pid: line.pid };
  if (line.kind !== "ended") return { kind: line.kind, token, atMs };
  const { kind, cause, exitCode, signal, cpuMs, detail, facts } = line;
  const known = facts === undefined ? {} : { facts };
  return { kind, token, atMs, cause, exitCode, signal, cpuMs, detail, ...known };
}

const kinds: readonly unknown[] = ["running", "suspended", "resumed", "ended"];

const causes: readonly unknown[] = ["exited", "signalled", "timeLimit", "cancelled", "launchFailed", "lost"];

function isReport(line: object): line is ReportLine {
  const { kind, atMs }: { readonly kind?: unknown; readonly atMs?: unknown } = line;
  if (!kinds.includes(kind) || !Number.isSafeInteger(atMs)) return false;
  return kind !== "ended" || isEnd(line);
}

function isEnd(line: object): boolean {
  const {
    cause,
    exitCode = 0,
    signal = "",
    cpuMs = 0,
    detail = "",
    facts = {},
  }: Partial<Record<string, unknown>> = {
    ...line,
  };
  return (
    causes.includes(cause) &&
    [exitCode, cpuMs].every(Number.isSafeInteger) &&
    [signal, detail].every((text) => typeof text === "string") &&
    typeof facts === "object" &&
    facts !== null
  );
}
