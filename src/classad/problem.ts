/** Problems of a text: position, reason and remedy. */

/** Kinds of problems; stable, for scripts. */
type ClassAdProblemCode =
  | "unexpectedToken"
  | "unexpectedEnd"
  | "unknownCharacter"
  | "unterminatedString"
  | "unterminatedComment"
  | "badEscape"
  | "badNumber"
  | "reservedName"
  | "semicolonMissing"
  | "tooDeep"
  | "tooLong";

/** A problem with its position; line and column from 1, columns in UTF-16 code units. */
export interface ClassAdProblem {
  readonly code: ClassAdProblemCode;
  readonly line: number;
  readonly column: number;
  readonly what: string;
  readonly why: string;
  readonly remedy: string;
}

/** A problem without its position. */
export type ProblemWords = Omit<ClassAdProblem, "line" | "column">;

/** Ends the reading of a text; caught where reading began, never thrown out of this folder. */
export class UnreadableText extends Error {
  readonly offset: number;
  readonly words: ProblemWords;

  constructor(offset: number, words: ProblemWords) {
    super(words.what);
    this.name = "UnreadableText";
    this.offset = offset;
    this.words = words;
  }
}

/** Line and column of an offset, both from 1. */
export function placeOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  let line = 1;
  let lineStart = 0;
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) {
    line++;
    lineStart = at + 1;
  }
  return { line, column: offset - lineStart + 1 };
}
