/** Functions on strings and versions. */
import { foldedOrder } from "../comparison.ts";
import { type ClassAdValue, type Evaluation, keyOf } from "../language.ts";
import { spend } from "../scope.ts";
import { booleanValue, ERROR, integerValue, listValue, stringValue, UNDEFINED } from "../values.ts";
import {
  type Builtin,
  type Builtins,
  demanding,
  eager,
  exceptional,
  stringsOf,
  textOf,
  undefinedFirst,
} from "./builtin.ts";

/** Most operands of a call. */
const MOST_OPERANDS = 1_000;

/** `strcat`, `join`, `substr`, `strcmp`, `split`, `toUpper` …, and `versioncmp` …. */
export const stringFunctions: Builtins = [
  ["strcat", eager(0, MOST_OPERANDS, strcat)],
  ["join", eager(0, MOST_OPERANDS, join)],
  ["substr", undefinedFirst(2, 3, substring)],
  ["strcmp", ofTexts(2, ([one, another]) => integerValue(order(one, another)))],
  ["stricmp", ofTexts(2, ([one, another]) => integerValue(Math.sign(foldedOrder(one, another))))],
  ["toupper", ofTexts(1, ([text]) => stringValue(upper(text)))],
  ["tolower", ofTexts(1, ([text]) => stringValue(keyOf(text)))],
  ["split", demanding(1, 2, split)],
  ["splitusername", demanding(1, 1, (operands, evaluation) => splitAtSign(operands, evaluation, "first"))],
  ["splitslotname", demanding(1, 1, (operands, evaluation) => splitAtSign(operands, evaluation, "second"))],
  ["versioncmp", ofTexts(2, ([one, another]) => integerValue(versionOrder(one, another)))],
  ["versiongt", ofVersions((sign) => sign > 0)],
  ["versionge", ofVersions((sign) => sign >= 0)],
  ["versionlt", ofVersions((sign) => sign < 0)],
  ["versionle", ofVersions((sign) => sign <= 0)],
  ["versioneq", ofVersions((sign) => sign === 0)],
  ["version_in_range", eager(3, 3, isVersionWithin)],
];

/** A function of the texts of its operands. */
function ofTexts(count: number, apply: (texts: readonly string[]) => ClassAdValue): Builtin {
  return undefinedFirst(count, count, (operands, evaluation) =>
    apply(operands.map((operand) => textOf(operand, evaluation))),
  );
}

function ofVersions(holds: (sign: number) => boolean): Builtin {
  return ofTexts(2, ([one, another]) => booleanValue(holds(versionOrder(one, another))));
}

/** `version_in_range(version, least, greatest)`: `undefined` for an undefined bound, else strict. */
function isVersionWithin(
  [version, least, greatest]: readonly ClassAdValue[],
  evaluation: Evaluation,
): ClassAdValue {
  if (least.kind === "undefined" || greatest.kind === "undefined") return UNDEFINED;
  const operands = [version, least, greatest];
  if (exceptional(operands) !== undefined) return ERROR;
  const [text, from, to] = operands.map((operand) => textOf(operand, evaluation));
  return booleanValue(versionOrder(from, text) <= 0 && versionOrder(text, to) <= 0);
}

/** Order by code units: the same in every locale. */
function order(one: string, another: string): number {
  if (one === another) return 0;
  return one < another ? -1 : 1;
}

function upper(text: string): string {
  return text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}

/** The first operand that is undefined or an error decides. */
function strcat(operands: readonly ClassAdValue[], evaluation: Evaluation): ClassAdValue {
  const exception = operands.find(({ kind }) => kind === "undefined" || kind === "error");
  return exception ?? joined(operands, "", evaluation);
}

function joined(values: readonly ClassAdValue[], separator: string, evaluation: Evaluation): ClassAdValue {
  const texts: string[] = [];
  let length = 0;
  for (const value of values) {
    const text = textOf(value, evaluation);
    // There is no separator behind nothing.
    if (length > 0) texts.push(separator);
    texts.push(text);
    length += text.length + (length > 0 ? separator.length : 0);
    // Checked before it is built: a thousand long texts would be a very long one.
    if (length > 1_000_000) return ERROR;
  }
  return stringValue(texts.join(""));
}

/**
 * `join(list)`, `join(separator, list)`, or `join(separator, value, …)`; undefined items are left out, and an
 * undefined separator is empty. `undefined` where operands are and none is left.
 */
function join(operands: readonly ClassAdValue[], evaluation: Evaluation): ClassAdValue {
  const last = operands.at(-1);
  const isOfList = operands.length <= 2 && last?.kind === "list";
  const [separator, ...values] = isOfList
    ? [operands.length === 1 ? stringValue("") : operands[0], ...last.items]
    : operands;
  if (separator === undefined) return stringValue("");
  const present = values.filter(({ kind }) => kind !== "undefined");
  if ([separator, ...present].some(({ kind }) => kind === "error")) return ERROR;
  const isMissing = present.length < values.length || separator.kind === "undefined";
  if (isMissing && present.length === 0) return UNDEFINED;
  return joined(present, separator.kind === "undefined" ? "" : textOf(separator, evaluation), evaluation);
}

/**
 * Substring as in Perl: a negative offset counts from the end, a negative length drops characters at the end.
 * What lies before the beginning begins there.
 */
function substring(
  [whole, offset, length]: readonly (ClassAdValue | undefined)[],
  evaluation: Evaluation,
): ClassAdValue {
  if (whole?.kind !== "string" || offset?.kind !== "integer") return ERROR;
  if (length !== undefined && length.kind !== "integer") return ERROR;
  const text = textOf(whole, evaluation);
  const begin = Math.max(0, offset.value < 0 ? text.length + offset.value : offset.value);
  const size = length?.value ?? text.length;
  const end = size < 0 ? text.length + size : begin + size;
  return stringValue(text.slice(begin, Math.max(begin, Math.min(end, text.length))));
}

const BLANKS = " \t\n\v\f\r";

/**
 * The parts of a text between any of the marks. There is nothing between blanks, nor between a blank and
 * another mark, but an empty part between two of the same other mark.
 */
function split(operands: readonly ClassAdValue[], evaluation: Evaluation): ClassAdValue {
  const [text, marks = BLANKS] = stringsOf(operands, evaluation) ?? [];
  if (text === undefined) return ERROR;
  const parts: string[] = [];
  let begin = 0;
  let before = "";
  for (let at = 0; at < text.length; at++) {
    const mark = text[at];
    if (!marks.includes(mark)) continue;
    if (at > begin) parts.push(text.slice(begin, at));
    else if (mark === before) parts.push("");
    if (!BLANKS.includes(mark)) before = mark;
    begin = at + 1;
  }
  if (begin < text.length) parts.push(text.slice(begin));
  spend(evaluation, parts.length);
  return listValue(parts.map(stringValue));
}

/** The non-empty parts of a text between any of the delimiters. */
export function partsOf(text: string, marks: string): readonly string[] {
  const parts: string[] = [];
  let begin = 0;
  for (let at = 0; at <= text.length; at++) {
    if (at < text.length && !marks.includes(text[at])) continue;
    if (at > begin) parts.push(text.slice(begin, at));
    begin = at + 1;
  }
  return parts;
}

/** The parts before and behind the first `@`; without one the whole text is the first or the second part. */
function splitAtSign(
  operands: readonly ClassAdValue[],
  evaluation: Evaluation,
  whole: "first" | "second",
): ClassAdValue {
  const [text] = stringsOf(operands, evaluation) ?? [];
  if (text === undefined) return ERROR;
  const at = text.indexOf("@");
  const halves = whole === "first" ? [text, ""] : ["", text];
  return listValue((at === -1 ? halves : [text.slice(0, at), text.slice(at + 1)]).map(stringValue));
}

/**
 * Below 0, 0 or above 0. Where the first difference is within digits, the numbers there are compared; the one
 * with more zeros before it comes first. `000 < 00 < 01 < 010 < 09 < 0 < 1 < 9 < 10`.
 */
function versionOrder(one: string, another: string): number {
  if (one === another) return 0;
  let at = 0;
  while (at < one.length && one[at] === another[at]) at++;
  let begin = at;
  while (begin > 0 && isDigit(one[begin - 1])) begin--;
  const [a, b] = [digitsFrom(one, begin), digitsFrom(another, begin)];
  if (a === "" || b === "") return characterOrder(one, another, at);
  const [zerosA, zerosB] = [leadingZeros(a), leadingZeros(b)];
  if (zerosA !== zerosB) return zerosB - zerosA;
  if (zerosA === 0 && a.length !== b.length) return a.length - b.length;
  return characterOrder(one, another, at);
}

/** Order at one position; a text that has ended comes before a longer one. */
function characterOrder(one: string, another: string, at: number): number {
  return codeAt(one, at) - codeAt(another, at);
}

function codeAt(text: string, at: number): number {
  return at < text.length ? text.charCodeAt(at) : 0;
}

function isDigit(character: string): boolean {
  return character >= "0" && character <= "9";
}

function digitsFrom(text: string, begin: number): string {
  let end = begin;
  while (end < text.length && isDigit(text[end])) end++;
  return text.slice(begin, end);
}

/** Number of leading zeros; the last zero of 0 is its digit. */
function leadingZeros(digits: string): number {
  let zeros = 0;
  while (zeros < digits.length - 1 && digits[zeros] === "0") zeros++;
  return zeros;
}
