/** Functions on lists that are written in one string: `"a, b, c"`. */

import { type ClassAdValue, type Evaluation, keyOf } from "../language.ts";
import { leadingNumber } from "../leading-number.ts";
import { spend } from "../scope.ts";
import {
  booleanValue,
  ERROR,
  FALSE,
  integerValue,
  realValue,
  TRUE,
  truncated,
  UNDEFINED,
} from "../values.ts";
import { type Apply, type Builtins, demanding, eager, strict, stringsOf } from "./builtin.ts";
import { average, greatest, least, sum } from "./lists.ts";
import { partsOf } from "./strings.ts";

/** Default delimiters of items. */
export const DELIMITERS = " ,";

/** `stringListSize`, `…Sum`, `…Avg`, `…Min`, `…Max`, `…Member`, `…IMember`, `…sIntersect`, `…SubsetMatch`. */
export const stringListFunctions: Builtins = [
  ["stringlistsize", ofItems((items) => integerValue(items.length))],
  ["stringlistsum", ofItems(overNumbers(realValue(0), sum))],
  ["stringlistavg", ofItems(overNumbers(realValue(0), average))],
  ["stringlistmin", ofItems(overNumbers(UNDEFINED, least))],
  ["stringlistmax", ofItems(overNumbers(UNDEFINED, greatest))],
  ["stringlistmember", eager(2, 3, (operands, evaluation) => isMember(operands, evaluation, same))],
  ["stringlistimember", eager(2, 3, (operands, evaluation) => isMember(operands, evaluation, keyOf))],
  ["stringlistsintersect", strict(2, 3, intersect)],
  ["stringlistintersect", strict(2, 3, intersect)],
  ["stringlistsubsetmatch", eager(2, 3, (operands, evaluation) => isSubset(operands, evaluation, same))],
  ["stringlistisubsetmatch", eager(2, 3, (operands, evaluation) => isSubset(operands, evaluation, keyOf))],
];

/** The items of a string list without blanks around them; their number is counted as cost. */
export function itemsOf(text: string, delimiters: string, evaluation: Evaluation): readonly string[] {
  const items = partsOf(text, delimiters)
    .map((item) => item.trim())
    .filter((item) => item !== "");
  spend(evaluation, items.length);
  return items;
}

function same(text: string): string {
  return text;
}

function ofItems(apply: (items: readonly string[]) => ClassAdValue) {
  const applied: Apply = (operands, evaluation) => {
    const [list, delimiters = DELIMITERS] = stringsOf(operands, evaluation) ?? [];
    return list === undefined ? ERROR : apply(itemsOf(list, delimiters, evaluation));
  };
  return demanding(1, 2, applied);
}

function overNumbers(
  ofNone: ClassAdValue,
  combine: (numbers: readonly ClassAdValue[]) => ClassAdValue,
): (items: readonly string[]) => ClassAdValue {
  return (items) => {
    const numbers = items.map(numberIn);
    if (items.length === 0) return ofNone;
    return numbers.some(({ kind }) => kind === "error") ? ERROR : combine(numbers);
  };
}

/** The number that an item begins with: an integer where the item has nothing but digits and signs. */
function numberIn(item: string): ClassAdValue {
  const read = leadingNumber(item);
  if (read === undefined) return ERROR;
  return /^[-+0-9]+$/.test(item) ? truncated(read.value) : realValue(read.value);
}

interface Lists {
  readonly item: string;
  readonly list: string;
  readonly delimiters: string;
}

/**
 * The strings of a test for membership, an undefined one of which is empty; the answer where there are none
 * or both are undefined.
 */
function listsOf(
  [item, list, delimiters]: readonly (ClassAdValue | undefined)[],
  evaluation: Evaluation,
): Lists | ClassAdValue {
  const given = [item, list, delimiters].flatMap((it) => (it && it.kind !== "undefined" ? [it] : []));
  if (stringsOf(given, evaluation) === undefined) return ERROR;
  if (item?.kind === "undefined" && list?.kind === "undefined") return UNDEFINED;
  const textOf = (value: ClassAdValue | undefined, otherwise: string) =>
    value?.kind === "string" ? value.value : otherwise;
  return { item: textOf(item, ""), list: textOf(list, ""), delimiters: textOf(delimiters, " ,\t\r\n") };
}

function isMember(
  operands: readonly ClassAdValue[],
  evaluation: Evaluation,
  fold: (text: string) => string,
): ClassAdValue {
  const lists = listsOf(operands, evaluation);
  if ("kind" in lists) return lists;
  const wanted = fold(lists.item);
  const items = itemsOf(lists.list, lists.delimiters, evaluation);
  return booleanValue(items.some((other) => fold(other) === wanted));
}

function intersect(operands: readonly ClassAdValue[], evaluation: Evaluation): ClassAdValue {
  const [one, another, delimiters = DELIMITERS] = stringsOf(operands, evaluation) ?? [];
  if (one === undefined || another === undefined) return ERROR;
  const marks = delimiters === "" ? DELIMITERS : delimiters;
  const items = partsOf(one, marks);
  spend(evaluation, items.length);
  const known = new Set(items);
  return booleanValue(partsOf(another, marks).some((item) => known.has(item)));
}

/** Subset test: nothing is part of every list; a first list of delimiters alone is no list. */
function isSubset(
  operands: readonly ClassAdValue[],
  evaluation: Evaluation,
  fold: (text: string) => string,
): ClassAdValue {
  const lists = listsOf(operands, evaluation);
  if ("kind" in lists) return lists;
  if (lists.item === "") return TRUE;
  const holds = new Set(itemsOf(lists.list, lists.delimiters, evaluation).map(fold));
  const items = itemsOf(lists.item, lists.delimiters, evaluation);
  return items.length === 0 ? FALSE : booleanValue(items.every((item) => holds.has(fold(item))));
}
