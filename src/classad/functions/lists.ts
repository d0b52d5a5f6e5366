/** Functions on lists. */
import { calculate } from "../arithmetic.ts";
import { type Comparison, compare, isIdentical } from "../comparison.ts";
import type { ClassAdValue, Evaluation } from "../language.ts";
import { spend } from "../scope.ts";
import { booleanValue, ERROR, integerValue, numberOf, realValue, UNDEFINED } from "../values.ts";
import { type Apply, type Builtins, eager, isScalar, strict, undefinedFirst } from "./builtin.ts";

/** `member`, `identicalMember`, `anyCompare`, `allCompare`, `size`, `sum`, `avg`, `min`, `max`. */
export const listFunctions: Builtins = [
  ["member", undefinedFirst(2, 2, isMember)],
  ["identicalmember", eager(2, 2, isIdenticalMember)],
  ["anycompare", eager(3, 3, (operands, evaluation) => compareEach(operands, evaluation, "any"))],
  ["allcompare", eager(3, 3, (operands, evaluation) => compareEach(operands, evaluation, "all"))],
  ["size", strict(1, 1, ([value]) => sizeOf(value))],
  ["sum", strict(1, 1, overNumbers(integerValue(0), sum))],
  ["avg", strict(1, 1, overNumbers(integerValue(0), average))],
  ["min", strict(1, 1, overNumbers(UNDEFINED, least))],
  ["max", strict(1, 1, overNumbers(UNDEFINED, greatest))],
];

function isMember([value, list]: readonly ClassAdValue[], evaluation: Evaluation): ClassAdValue {
  if (!isScalar(value) || list.kind !== "list") return ERROR;
  spend(evaluation, list.items.length);
  return booleanValue(list.items.some((item) => isTrue(compare("==", item, value))));
}

function isIdenticalMember([value, list]: readonly ClassAdValue[], evaluation: Evaluation): ClassAdValue {
  if (list.kind === "undefined") return UNDEFINED;
  if (!isScalar(value) || list.kind !== "list") return ERROR;
  spend(evaluation, list.items.length);
  return booleanValue(list.items.some((item) => isIdentical(item, value)));
}

type Compare = (item: ClassAdValue, value: ClassAdValue) => ClassAdValue;

const comparisons = new Map<string, Compare>([
  ...(["<", "<=", "==", "!=", ">=", ">"] as const).map((operator: Comparison): [string, Compare] => [
    operator,
    (item, value) => compare(operator, item, value),
  ]),
  ["is", (item, value) => booleanValue(isIdentical(item, value))],
  ["isnt", (item, value) => booleanValue(!isIdentical(item, value))],
]);

/** An item whose comparison is undefined counts as false; one that cannot be compared is an `error`. */
function compareEach(
  [operator, list, value]: readonly ClassAdValue[],
  evaluation: Evaluation,
  wanted: "any" | "all",
): ClassAdValue {
  if (operator.kind === "undefined") return UNDEFINED;
  const holds = operator.kind === "string" ? comparisons.get(operator.value) : undefined;
  if (holds === undefined) return ERROR;
  if (list.kind !== "list") return list.kind === "undefined" ? UNDEFINED : ERROR;
  spend(evaluation, list.items.length);
  for (const item of list.items) {
    const result = holds(item, value);
    if (result.kind === "error") return ERROR;
    if (isTrue(result) === (wanted === "any")) return booleanValue(wanted === "any");
  }
  return booleanValue(wanted === "all");
}

function isTrue(value: ClassAdValue): boolean {
  return value.kind === "boolean" && value.value;
}

function sizeOf(value: ClassAdValue): ClassAdValue {
  if (value.kind === "string") return integerValue(value.value.length);
  if (value.kind === "list") return integerValue(value.items.length);
  return value.kind === "ad" ? integerValue(value.scope.ad.attributes.size) : ERROR;
}

/**
 * Applies a function to the numbers of a list, booleans as 1 and 0; undefined items are left out, other
 * non-numbers give `error`.
 */
function overNumbers(
  ofNone: ClassAdValue,
  combine: (numbers: readonly ClassAdValue[]) => ClassAdValue,
): Apply {
  return ([list], evaluation) => {
    if (list.kind !== "list") return ERROR;
    spend(evaluation, list.items.length);
    const numbers: ClassAdValue[] = [];
    for (const item of list.items) {
      if (item.kind === "undefined") continue;
      const number = numberOf(item);
      if (number === undefined) return ERROR;
      numbers.push(item.kind === "boolean" ? integerValue(number) : item);
    }
    return numbers.length === 0 ? ofNone : combine(numbers);
  };
}

/** The sum of numbers: a real where one of them is. */
export function sum(numbers: readonly ClassAdValue[]): ClassAdValue {
  return numbers.reduce((total, number) => calculate("+", total, number), integerValue(0));
}

/** The mean of numbers, a real. */
export function average(numbers: readonly ClassAdValue[]): ClassAdValue {
  return calculate("/", sum(numbers), realValue(numbers.length));
}

/** The least of numbers: a real where one of them is. */
export function least(numbers: readonly ClassAdValue[]): ClassAdValue {
  return extreme(numbers, "<");
}

/** The greatest of numbers: a real where one of them is. */
export function greatest(numbers: readonly ClassAdValue[]): ClassAdValue {
  return extreme(numbers, ">");
}

function extreme(numbers: readonly ClassAdValue[], operator: "<" | ">"): ClassAdValue {
  const best = numbers.reduce((chosen, number) =>
    isTrue(compare(operator, number, chosen)) ? number : chosen,
  );
  const isReal = numbers.some(({ kind }) => kind === "real");
  return isReal && best.kind === "integer" ? realValue(best.value) : best;
}
