/**
 * Faults: bad input, a missing file, a full disk.
 *
 * A fault has three sentences, printed as three lines: what happened, why, and what to do about it. `kind`
 * decides the exit code; `code` is stable for scripts.
 */
export type FaultKind = "badInput" | "notFound" | "notAllowed" | "refused" | "unreachable" | "failed";

/** The three sentences of a fault, with its stable code. */
export interface FaultFacts {
  readonly kind: FaultKind;
  /** Stable, for scripts: `swfFieldCount`, `fileNotFound`, … */
  readonly code: string;
  readonly what: string;
  readonly why: string;
  readonly remedy: string;
  readonly cause?: unknown;
}

/** A typed error of the environment or of input; see {@link FaultFacts}. */
export class Fault extends Error {
  readonly kind: FaultKind;
  readonly code: string;
  readonly what: string;
  readonly why: string;
  readonly remedy: string;

  constructor(facts: FaultFacts) {
    super(`${facts.what}: ${facts.why}`, { cause: facts.cause });
    this.name = "Fault";
    this.kind = facts.kind;
    this.code = facts.code;
    this.what = facts.what;
    this.why = facts.why;
    this.remedy = facts.remedy;
  }
}

/** A place in a text; line and column count from 1. */
export interface TextPosition {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** `file:line:column`, the form that editors turn into a link. */
export function formatPosition({ file, line, column }: TextPosition): string {
  return `${file}:${line}:${column}`;
}

/** The message of an error, or whatever else was thrown as text. */
export function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
