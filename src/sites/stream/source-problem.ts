/** Failures of a source: those that pass, and those that end the stream. */

/** Reasons for which bytes of a source did not come. */
type SourceProblemKind =
  /** Connection lost, server busy: another attempt may succeed. */
  | "temporary"
  /** No such data, or no right to them. */
  | "refused"
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
