/**
 * Reads one SWF line the plain way, and reports its problem.
 *
 * The definition of the format; `fast-row.ts` is the fast version. Used for every line that the fast reader
 * does not accept: malformed ones, and rare but legal numbers (exponents, a plus sign, over 15 digits).
 * Source: SWF 2.2, Chapin et al. 1999 [SWF].
 */
import { accepted, type Result, refused } from "../../base/index.ts";
import { echoText } from "../echo-text.ts";
import { swfField, swfFieldCount, swfFieldIsIntegral, swfFieldNames } from "./fields.ts";

/** Problem of a line; `column` counts characters from 1. */
export interface LineProblem {
  readonly code: string;
  readonly column: number;
  readonly what: string;
  readonly why: string;
  readonly remedy: string;
}

interface Token {
  readonly text: string;
  readonly column: number;
}

const fixTheLine = "correct the line, or skip malformed lines with --lenient";

/** The 18 values of a line (without its line end; not a comment, not blank), or the first problem. */
export function readPlainLine(text: string): Result<readonly number[], LineProblem> {
  const problem = controlByteProblem(text);
  if (problem !== undefined) return refused(problem);
  const tokens = Array.from(text.matchAll(/[^ \t]+/g), (match) => ({
    text: match[0],
    column: match.index + 1,
  }));
  const shape = trailingCommentProblem(tokens) ?? fieldCountProblem(tokens, text);
  if (shape !== undefined) return refused(shape);
  const values: number[] = [];
  for (const [index, token] of tokens.entries()) {
    const number = readNumber(token.text);
    const found = fieldProblem(token, index, number);
    if (found !== undefined) return refused(found);
    values.push(number);
  }
  return accepted(values);
}

/** The number that `text` spells, NaN when it spells none; never -0. */
function readNumber(text: string): number {
  return /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/.test(text) ? Number(text) + 0 : Number.NaN;
}

function fieldProblem(token: Token, index: number, number: number): LineProblem | undefined {
  const { text, column } = token;
  const field = `field ${index + 1} (${swfFieldNames[index]})`;
  const remedy = fixTheLine;
  if (Number.isNaN(number)) {
    return {
      code: "swfNotANumber",
      column,
      what: `${echoText(text)} is not a number`,
      why: `${field} must be a decimal number, -1 where unknown`,
      remedy,
    };
  }
  if (Math.abs(number) > Number.MAX_SAFE_INTEGER) {
    return {
      code: "swfNumberTooLarge",
      column,
      what: `the number ${echoText(text)} is out of range`,
      why: `${field} exceeds 9,007,199,254,740,991, the largest number up to which integers are exact`,
      remedy,
    };
  }
  const isProcs = index === swfField.allocatedProcs || index === swfField.requestedProcs;
  if (swfFieldIsIntegral[index] === true && !Number.isInteger(number)) {
    return {
      code: "swfFractionalField",
      column,
      what: `${echoText(text)} is ${isProcs ? "a fractional processor field" : "fractional"}`,
      why: `${field} must be a whole number`,
      remedy,
    };
  }
  if (index === swfField.submit && number < 0) {
    return {
      code: "swfNoSubmitTime",
      column,
      what: `no submit time: ${echoText(text)}`,
      why: "a job without a submit time (0 or later, in seconds) has no place in a workload",
      remedy,
    };
  }
  return undefined;
}

/** SWF allows comments on lines of their own only [SWF]. */
function trailingCommentProblem(tokens: readonly Token[]): LineProblem | undefined {
  const comment = tokens.find((token) => token.text.startsWith(";"));
  if (comment === undefined) return undefined;
  return {
    code: "swfTrailingComment",
    column: comment.column,
    what: "a comment after data",
    why: "in SWF a comment has a line of its own that begins with ;",
    remedy: "move the comment to its own line, or skip malformed lines with --lenient",
  };
}

function fieldCountProblem(tokens: readonly Token[], text: string): LineProblem | undefined {
  if (tokens.length === swfFieldCount) return undefined;
  return {
    code: "swfFieldCount",
    column: tokens[swfFieldCount]?.column ?? text.trimEnd().length + 1,
    what: `found ${tokens.length} of ${swfFieldCount} fields`,
    why: "a line of the Standard Workload Format 2.2 has exactly 18 numbers separated by blanks",
    remedy: fixTheLine,
  };
}

/** The problem of a control byte other than tab, which no text file has; undefined without one. */
export function controlByteProblem(text: string): LineProblem | undefined {
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 32 ? unit !== 9 : unit === 127) {
      return {
        code: "swfBinary",
        column: index + 1,
        what: "this does not look like an SWF text file",
        why: `it has the control byte 0x${unit.toString(16).padStart(2, "0")} here`,
        remedy: "give a text file in the Standard Workload Format, plain or packed with gzip",
      };
    }
  }
  return undefined;
}

/** The problem of a line longer than `maxLineBytes`, of which `head` is the beginning. */
export function overlongProblem(head: string, maxLineBytes: number): LineProblem {
  return (
    controlByteProblem(head) ?? {
      code: "swfLineTooLong",
      column: 1,
      what: `a line longer than ${maxLineBytes} bytes, beginning with ${echoText(head)}`,
      why: "18 numbers take a few hundred bytes; this is probably not a Standard Workload Format file",
      remedy: "check the file's format and line ends, or skip malformed lines with --lenient",
    }
  );
}
