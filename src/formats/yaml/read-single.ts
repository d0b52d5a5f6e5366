/**
 * Reads single values by their shape: texts, numbers, quantities, notations, paths.
 */
import { isAbsolute, join } from "node:path";
import type { Result } from "../../base/index.ts";
import type { Mismatch, ShapeOf } from "../../contract/files/index.ts";
import { echoText } from "../echo-text.ts";
import { NOTATIONS } from "./notations.ts";
import { durationOf, numberOrText, rateOf, sizeOf, wholeNumberOf } from "./quantities.ts";
import type { Words } from "./remark.ts";
import { type NamedValue, oneText, shown, wrongType } from "./shapes.ts";
import type { FileState } from "./text-file.ts";

/** A value with what would be right in its place: `procs: 128`. */
export interface Asked extends NamedValue {
  readonly example: string;
}

/** The world around a file. */
export interface Surroundings {
  /** Where relative paths begin: the folder of the file, absolute. */
  readonly folder: string;
  /** State of a path for this process. */
  readonly fileState: (path: string) => FileState;
  /** Files that a text names in a folder, where directories and patterns can be expanded. */
  readonly expandInput?: (text: string, folder: string) => Result<readonly string[], Words>;
}

/** A text as it was written, of the pattern. */
export function readText(
  asked: Asked,
  { pattern, mismatch = noText, isStrict = false }: ShapeOf<"text">,
): string | undefined {
  const { value } = asked;
  if (isStrict && value.kind === "scalar" && typeof value.value !== "string") {
    if (!Number.isSafeInteger(value.value)) return tellWrongType(asked);
  }
  const written = oneText(asked, asked.example);
  if (written === undefined || pattern === undefined) return written?.text;
  if (expressionOf(pattern).test(written.text)) return written.text;
  asked.notes.problem(written.at, mismatchWords(asked, written.text, mismatch));
  return undefined;
}

const expressions = new Map<string, RegExp>();

/** The regular expression of a shape, made once: a file has many lines of few shapes. */
export function expressionOf(pattern: string): RegExp {
  const known = expressions.get(pattern);
  if (known !== undefined) return known;
  const made = new RegExp(pattern, "u");
  expressions.set(pattern, made);
  return made;
}

const noText: Mismatch = {
  code: "badText",
  noun: "text for this",
  why: "it has characters that are not allowed",
};

/** The words for a text that is not as it should be. */
export function mismatchWords(
  { name, example }: Pick<Asked, "name" | "example">,
  text: string,
  { code, noun, why, remedy = `write for instance ${example}` }: Mismatch,
): Words {
  return { code, what: `${shown(name)}: ${echoText(text)} is no ${noun}`, why, remedy };
}

/** True or false. */
export function readFlag(asked: Asked): boolean | undefined {
  const { value } = asked;
  if (value.kind === "scalar" && typeof value.value === "boolean") return value.value;
  return tellWrongType(asked);
}

/** A whole number in its range. */
export function readCount(asked: Asked, { least, most }: ShapeOf<"count">): number | undefined {
  return wholeNumberOf(asked, { least, most, example: asked.example });
}

/** A number in its range, or how many parts it is. */
export function readNumber(asked: Asked, shape: ShapeOf<"number">): number | undefined {
  const { name, value, notes, example } = asked;
  if (value.kind !== "scalar" || typeof value.value !== "number") return tellWrongType(asked);
  const { least, most, perOne = 1, isRounded = perOne === 1, noun = "a number", code, isAbove } = shape;
  const number = value.value;
  const isInRange = (isAbove ? number > least : number >= least) && number <= most;
  const parts = number * perOne;
  const whole = perOne === 1 ? number : Math.round(parts);
  // The nearest double to a decimal that comes out even is that near; one that does not is not.
  const isFine = isRounded || Math.abs(parts - whole) < 1e-6 * Math.max(1, number);
  if (isInRange && isFine) return whole;
  const range = rangeText(shape);
  notes.problem(value.at, {
    code: code ?? (isRounded ? "outOfRange" : "notFraction"),
    what: `${shown(name)}: ${echoText(value.text)} is ${isInRange ? "too fine" : "out of range"}`,
    why: isInRange ? `it is finer than one part in ${perOne}` : `it is ${noun}, ${range}`,
    remedy: `write for instance ${example}`,
  });
  return undefined;
}

function rangeText({ least, most, isAbove = false }: ShapeOf<"number">): string {
  if (isAbove) return `above ${least}${most === Number.MAX_SAFE_INTEGER ? "" : ` and at most ${most}`}`;
  return most === Number.MAX_SAFE_INTEGER ? `${least} or more` : `from ${least} to ${most}`;
}

const QUANTITIES = { size: sizeOf, rate: rateOf, duration: durationOf } as const;

/** A size, a rate or a length of time; or a word instead. */
export function readQuantity(
  asked: Asked,
  { unit, ifZero, words = [] }: ShapeOf<"quantity">,
): number | string | undefined {
  const { example, value } = asked;
  const said = value.kind === "scalar" ? value.text.trim().toLowerCase() : "";
  if (words.includes(said)) return said;
  return QUANTITIES[unit](asked, ifZero === undefined ? { example } : { example, ifZero });
}

/** Value of a notation. */
export function readNotation(asked: Asked, { notation, pattern, mismatch }: ShapeOf<"notation">): unknown {
  const written = numberOrText(asked, asked.example);
  if (written === undefined) return undefined;
  const isOf = expressionOf(pattern).test(written.text);
  const read = isOf ? NOTATIONS[notation].read(written.text) : undefined;
  if (read === undefined) asked.notes.problem(written.at, mismatchWords(asked, written.text, mismatch));
  return read;
}

/** A path, absolute; those in the file are relative to its folder. */
export function readPath(
  asked: Asked,
  { unreadable }: ShapeOf<"path">,
  { folder, fileState }: Surroundings,
): string | undefined {
  const { name, notes, value, example } = asked;
  const text = oneText(asked, example)?.text;
  if (text === undefined) return undefined;
  if (text === "" || text.startsWith("~")) {
    const why = text === "" ? "it is empty" : "no shell reads it, so ~ stands for no home directory";
    const remedy = "write the whole path, or one that begins at the folder of this file";
    notes.problem(value.at, mismatchWords(asked, text, { code: "badPath", noun: "path", why, remedy }));
    return undefined;
  }
  const path = isAbsolute(text) ? text : join(folder, text);
  const state = unreadable === undefined ? "readable" : fileState(path);
  if (unreadable === undefined || state === "readable") return path;
  const { code, noun, remedy } = unreadable;
  notes.problem(value.at, {
    code,
    what: `${shown(name)}: ${noun} cannot be read`,
    why: `${UNREADABLE[state]}, looked for at ${path}`,
    remedy,
  });
  return undefined;
}

/** Why a file that is named is of no use. */
export const UNREADABLE: Readonly<Record<Exclude<FileState, "readable">, string>> = {
  missing: "there is no such file",
  directory: "it is a directory",
  notReadable: "you are not allowed to read it",
};

/** Undefined, with the problem of a wrong type. */
export function tellWrongType({ name, value, notes, example }: Asked): undefined {
  notes.problem(value.at, wrongType(name, value, example));
  return undefined;
}
