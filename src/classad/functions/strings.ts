/** Functions on strings and versions. */
import { foldedOrder } from "../comparison.ts";
import { type ClassAdValue, type Evaluation, keyOf } from "../language.ts";
import { booleanValue, ERROR, integerValue, listValue, stringValue } from "../values.ts";
import { type Apply, type Builtins, eager, exceptional, strict, stringsOf, textOf } from "./builtin.ts";

/** `strcat`, `join`, `substr`, `strcmp`, `split`, `toUpper` …, and `versioncmp` …. */
export const stringFunctions: Builtins = [
  ["strcat", strict(0, 1_000, (operands, evaluation) => joined("", operands, evaluation))],
  ["join", eager(1, 1_000, join)],
  ["substr", strict(2, 3, substring)],
  [
    "strcmp",
    strict(
      2,
      2,
      ofTexts(([one, another]) => integerValue(order(one, another))),
    ),
  ],
  [
    "stricmp",
    strict(
      2,
      2,
      ofTexts(([one, another]) => integerValue(Math.sign(foldedOrder(one, another)))),
    ),
  ],
  [
    "toupper",
    strict(
      1,
      1,
      ofTexts(([text]) => stringValue(upper(text))),
    ),
  ],
  [
    "tolower",
    strict(
      1,
      1,
      ofTexts(([text]) => stringValue(keyOf(text))),
    ),
  ],
  ["split", strict(1, 2, split)],
  ["splitusername", strict(1, 1, (operands, evaluation) => splitAtSign(operands, evaluation, "first"))],
  ["splitslotname", strict(1, 1, (operands, evaluation) => splitAtSign(operands, evaluation, "second"))],
  [
    "versioncmp",
    strict(
      2,
      2,
      ofTexts(([one, another]) => integerValue(versionOrder(one, another))),
    ),
  ],
  ["versiongt", ofVersions((sign) => sign > 0)],
  ["versionge", ofVersions((sign) => sign >= 0)],
  ["versionlt", ofVersions((sign) => sign < 0)],
  ["versionle", ofVersions((sign) => sign <= 0)],
  ["versioneq", ofVersions((sign) => sign === 0)],
  [
    "version_in_range",
    strict(
      3,
      3,
      ofTexts(([version, least, greatest]) =>
        booleanValue(versionOrder(least, version) <= 0 && versionOrder(version, greatest) <= 0),
      ),
    ),
  ],
];

/** A function of the texts of its operands. */
function ofTexts(apply: (texts: readonly string[]) => ClassAdValue): Apply {
  return (operands, evaluation) => apply(operands.map((operand) => textOf(operand, evaluation)));
}

function ofVersions(holds: (sign: number) => boolean) {
  return strict(
    2,
    2,
    ofTexts(([one, another]) => booleanValue(holds(versionOrder(one, another)))),
  );
}

/** Order by code units: the same in every locale. */
function order(one: string, another: string): number {
  if (one === another) return 0;
  return one < another ? -1 : 1;
}

function upper(text: string): string {
  return text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}

function joined(separator: string, values: readonly ClassAdValue[], evaluation: Evaluation): ClassAdValue {
  const texts = values.map((value) => textOf(value, evaluation));
  const length = texts.reduce((total, text) => total + text.length + separator.length, 0);
  // Checked before it is built: a thousand long texts would be a very long one.
  return length > 1_000_000 ? ERROR : stringValue(texts.join(separator));
}

/** `join(list)`, `join(separator, list)`, or `join(separator, value, …)`; undefined items are left out. */
function join(operands: readonly ClassAdValue[], evaluation: Evaluation): ClassAdValue {
  const last = operands[operands.length - 1];
  const isOfList = operands.length <= 2 && last.kind === "list";
  const [separator, ...values] = isOfList && operands.length === 1 ? [stringValue(""), last] : operands;
  const items = isOfList && last.kind === "list" ? last.items : values;
  const present = items.filter(({ kind }) => kind !== "undefined");
  return exceptional([separator, ...present]) ?? joined(textOf(separator, evaluation), present, evaluation);
}

/**
 * Substring as in Perl: a negative offset counts from the end, a negative length drops characters at the end.
 */
function substring(
  [whole, offset, length]: readonly (ClassAdValue | undefined)[],
  evaluation: Evaluation,
): ClassAdValue {
  if (whole?.kind !== "string" || offset?.kind !== "integer") return ERROR;
  if (length !== undefined && length.kind !== "integer") return ERROR;
  const text = textOf(whole, evaluation);
  const begin = offset.value < 0 ? text.length + offset.value : offset.value;
  const size = length?.value ?? text.length;
  const end = size < 0 ? text.length + size : begin + size;
  const from = Math.max(0, begin);
  return stringValue(text.slice(from, Math.max(from, Math.min(end, text.length))));
}

function split(operands: readonly ClassAdValue[], evaluation: Evaluation): ClassAdValue {
  const [text, marks = " \t\n\v\f\r"] = stringsOf(operands, evaluation) ?? [];
  return text === undefined ? ERROR : listValue(partsOf(text, marks).map(stringValue));
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
 * −1, 0 or 1. Where the first difference is within digits, the numbers there are compared; the one with more
 * zeros before it comes first. `000 < 00 < 01 < 010 < 09 < 0 < 1 < 9 < 10`.
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
  if (zerosA !== zerosB) return zerosA > zerosB ? -1 : 1;
  if (zerosA === 0 && a.length !== b.length) return a.length < b.length ? -1 : 1;
  return characterOrder(one, another, at);
}

/** Order at one position; a text that has ended comes before a longer one. */
function characterOrder(one: string, another: string, at: number): number {
  return Math.sign(codeAt(one, at) - codeAt(another, at));
}

function codeAt(text: string, at: number): number {
  return at < text.length ? text.charCodeAt(at) : -1;
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
