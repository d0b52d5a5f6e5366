/**
 * The reports of an attempt as they lie in its spool, one JSON line each, and as the port words them.
 *
 * One file that grows keeps them in order. The wrapper alone writes to it; when the wrapper is dead, the
 * site adds the end. The first "ended" is the last word: nothing behind it is read.
 * Imported by the wrapper: Node's own modules and types only.
 */
import type { EndCause, SiteReport } from "../../runtime/index.ts";
import { parseJsonLines } from "./json-lines.ts";

/** A line of the spool. */
export type ReportLine =
  | { readonly kind: "running"; readonly atMs: number; readonly pid: number; readonly mark: string }
  | { readonly kind: "suspended" | "resumed"; readonly atMs: number }
  | EndedLine;

/** The last line. Absent is what is not known or does not apply. */
export interface EndedLine {
  readonly kind: "ended";
  readonly atMs: number;
  readonly cause: EndCause;
  readonly exitCode?: number | undefined;
  readonly signal?: string | undefined;
  readonly cpuMs?: number | undefined;
  readonly detail?: string | undefined;
}

/** The lines of a spool up to its end; what is torn or foreign is left out. */
export function parseReports(text: string): ReportLine[] {
  const lines = parseJsonLines(text).filter(isReport);
  const end = lines.findIndex(({ kind }) => kind === "ended");
  return end < 0 ? lines : lines.slice(0, end + 1);
}

/** Whether the last word was said. */
export function hasEnded(lines: readonly ReportLine[]): boolean {
  return lines.at(-1)?.kind === "ended";
}

/** A line in the words of the port. */
export function siteReport(token: string, line: ReportLine): SiteReport {
  const { atMs } = line;
  if (line.kind === "running") return { kind: line.kind, token, atMs, pid: line.pid };
  if (line.kind !== "ended") return { kind: line.kind, token, atMs };
  const { kind, cause, exitCode, signal, cpuMs, detail } = line;
  return { kind, token, atMs, cause, exitCode, signal, cpuMs, detail };
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
  }: Partial<Record<string, unknown>> = {
    ...line,
  };
  return (
    causes.includes(cause) &&
    [exitCode, cpuMs].every(Number.isSafeInteger) &&
    [signal, detail].every((text) => typeof text === "string")
  );
}
