/** Failures of a source: those that pass, and those that end the stream. */

/** Reasons for which bytes of a source did not come. */
type SourceProblemKind =
  /** Connection lost, server busy: another attempt may succeed. */
  | "temporary"
  /** No right to the data, or an address that cannot be used. */
  | "refused"
  /** No such data, or not yet. */
  | "missing"
  /** A file that is to grow does not exist yet. */
  | "awaited"
  /** The data are not those that the stream began with. */
  | "changed";

/** A source did not give what was asked for. */
export class SourceProblem extends Error {
  readonly kind: SourceProblemKind;

  constructor(kind: SourceProblemKind, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "SourceProblem";
    this.kind = kind;
  }
}

/** A failure with its block, where a source is to blame. */
export function problemOfBlock(seq: number, cause: unknown): unknown {
  if (!(cause instanceof SourceProblem)) return cause;
  return new SourceProblem(cause.kind, `block ${seq}: ${cause.message}`, cause);
}
