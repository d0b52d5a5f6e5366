/** Functions on lists that are written in one string: `"a, b, c"`. */
import { type ClassAdValue, type Evaluation, keyOf } from "../language.ts";
import { parseNumber } from "../number-literal.ts";
import { spend } from "../scope.ts";
import { booleanValue, ERROR, FALSE, integerValue, realValue, TRUE, UNDEFINED } from "../values.ts";
import { type Apply, type Builtins, eager, strict, stringsOf } from "./builtin.ts";
import { average, extreme, sum } from "./lists.ts";
import { partsOf } from "./strings.ts";

/** Default delimiters of items. */
export const DELIMITERS = " ,";

/** `stringListSize`, `…Sum`, `…Avg`, `…Min`, `…Max`, `…Member`, `…IMember`, `…sIntersect`, `…SubsetMatch`. */
export const stringListFunctions: Builtins = [
  [
    "stringlistsize",
    strict(
      1,
      2,
      ofItems((items) => integerValue(items.length)),
    ),
  ],
  ["stringlistsum", strict(1, 2, ofItems(overNumbers(integerValue(0), sum)))],
  ["stringlistavg", strict(1, 2, ofItems(overNumbers(realValue(0), average)))],
  ["stringlistmin", strict(1, 2, ofItems(overNumbers(UNDEFINED, (numbers) => extreme(numbers, "<"))))],
  ["stringlistmax", strict(1, 2, ofItems(overNumbers(UNDEFINED, (numbers) => extreme(numbers, ">"))))],
  [
    "stringlistmember",
    strict(
      2,
      3,
      ofItem((text) => text),
    ),
  ],
  ["stringlistimember", strict(2, 3, ofItem(keyOf))],
  ["stringlistsintersect", strict(2, 3, intersect)],
  ["stringlistintersect", strict(2, 3, intersect)],
  ["stringlistsubsetmatch", eager(2, 3, (operands, evaluation) => subset(operands, evaluation, same))],
  ["stringlistisubsetmatch", eager(2, 3, (operands, evaluation) => subset(operands, evaluation, keyOf))],
];

/** The items of a string list; their number is counted as cost. */
export function itemsOf(text: string, delimiters: string, evaluation: Evaluation): readonly string[] {
  const items = partsOf(text, delimiters);
  spend(evaluation, items.length);
  return items;
}

function same(text: string): string {
  return text;
}

function ofItems(apply: (items: readonly string[]) => ClassAdValue): Apply {
  return (operands, evaluation) => {
    const [list, delimiters = DELIMITERS] = stringsOf(operands, evaluation) ?? [];
    return list === undefined ? ERROR : apply(itemsOf(list, delimiters, evaluation));
  };
}

function overNumbers(
  ofNone: ClassAdValue,
  combine: (numbers: readonly ClassAdValue[]) => ClassAdValue,
): (items: readonly string[]) => ClassAdValue {
  return (items) => {
    const numbers = items.flatMap((item) => parseNumber(item) ?? []);
    if (items.length === 0) return ofNone;
    return numbers.length === items.length ? combine(numbers) : ERROR;
  };
}

function ofItem(fold: (text: string) => string): Apply {
  return (operands, evaluation) => {
    const [item, list, delimiters = DELIMITERS] = stringsOf(operands, evaluation) ?? [];
    if (item === undefined || list === undefined) return ERROR;
    const wanted = fold(item);
    return booleanValue(itemsOf(list, delimiters, evaluation).some((other) => fold(other) === wanted));
  };
}

function intersect(operands: readonly ClassAdValue[], evaluation: Evaluation): ClassAdValue {
  const [one, another, delimiters = DELIMITERS] = stringsOf(operands, evaluation) ?? [];
  if (one === undefined || another === undefined) return ERROR;
  const items = new Set(itemsOf(one, delimiters, evaluation));
  return booleanValue(itemsOf(another, delimiters, evaluation).some((item) => items.has(item)));
}

/** Subset test: an undefined first list is empty, an undefined second list contains nothing. */
function subset(
  [one, another, delimiters = { kind: "string", value: DELIMITERS }]: readonly ClassAdValue[],
  evaluation: Evaluation,
  fold: (text: string) => string,
): ClassAdValue {
  const given = [one, another, delimiters].filter(({ kind }) => kind !== "undefined");
  if (stringsOf(given, evaluation) === undefined || delimiters.kind !== "string") return ERROR;
  if (another.kind !== "string") return one.kind === "undefined" ? UNDEFINED : FALSE;
  if (one.kind !== "string") return TRUE;
  const holds = new Set(itemsOf(another.value, delimiters.value, evaluation).map(fold));
  const items = itemsOf(one.value, delimiters.value, evaluation);
  return booleanValue(items.every((item) => holds.has(fold(item))));
}
