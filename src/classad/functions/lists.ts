/** Functions on lists. */
import { calculate } from "../arithmetic.ts";
import { type Comparison, compare, isIdentical } from "../comparison.ts";
import type { ClassAdValue, Evaluation } from "../language.ts";
import { spend } from "../scope.ts";
import { booleanValue, ERROR, integerValue, realValue, UNDEFINED } from "../values.ts";
import { type Apply, type Builtins, eager, isScalar, strict } from "./builtin.ts";

/** `member`, `identicalMember`, `anyCompare`, `allCompare`, `size`, `sum`, `avg`, `min`, `max`. */
export const listFunctions: Builtins = [
  ["member", strict(2, 2, isMember)],
  ["identicalmember", eager(2, 2, isIdenticalMember)],
  ["anycompare", strict(3, 3, (operands, evaluation) => compareEach(operands, evaluation, "any"))],
  ["allcompare", strict(3, 3, (operands, evaluation) => compareEach(operands, evaluation, "all"))],
  ["size", strict(1, 1, ([value]) => sizeOf(value))],
  ["sum", strict(1, 1, overNumbers(integerValue(0), sum))],
  ["avg", strict(1, 1, overNumbers(realValue(0), average))],
  [
    "min",
    strict(
      1,
      1,
      overNumbers(UNDEFINED, (numbers) => extreme(numbers, "<")),
    ),
  ],
  [
    "max",
    strict(
      1,
      1,
      overNumbers(UNDEFINED, (numbers) => extreme(numbers, ">")),
    ),
  ],
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

const comparisons = new Map<string, (item: ClassAdValue, value: ClassAdValue) => boolean>([
  ...(["<", "<=", "==", "!=", ">=", ">"] as const).map(
    (operator: Comparison) =>
      [
        operator,
        (item: ClassAdValue, value: ClassAdValue) => isTrue(compare(operator, item, value)),
      ] as const,
  ),
  ["is", isIdentical],
  ["=?=", isIdentical],
  ["isnt", (item, value) => !isIdentical(item, value)],
  ["=!=", (item, value) => !isIdentical(item, value)],
]);

function compareEach(
  [operator, list, value]: readonly ClassAdValue[],
  evaluation: Evaluation,
  wanted: "any" | "all",
): ClassAdValue {
  const holds = operator.kind === "string" ? comparisons.get(operator.value.toLowerCase()) : undefined;
  if (holds === undefined || list.kind !== "list" || !isScalar(value)) return ERROR;
  spend(evaluation, list.items.length);
  const isHolding = (item: ClassAdValue) => holds(item, value);
  return booleanValue(wanted === "any" ? list.items.some(isHolding) : list.items.every(isHolding));
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
 * Applies a function to the numbers of a list; undefined items are left out, other non-numbers give `error`.
 */
function overNumbers(
  ofNone: ClassAdValue,
  combine: (numbers: readonly ClassAdValue[]) => ClassAdValue,
): Apply {
  return ([list], evaluation) => {
    if (list.kind !== "list") return ERROR;
    spend(evaluation, list.items.length);
    if (list.items.length === 0) return ofNone;
    const numbers = list.items.filter(({ kind }) => kind !== "undefined");
    if (numbers.length === 0) return UNDEFINED;
    return numbers.every(({ kind }) => kind === "integer" || kind === "real") ? combine(numbers) : ERROR;
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

/** The least or greatest of numbers: a real where one of them is. */
export function extreme(numbers: readonly ClassAdValue[], operator: "<" | ">"): ClassAdValue {
  const best = numbers.reduce((chosen, number) =>
    isTrue(compare(operator, number, chosen)) ? number : chosen,
  );
  const isReal = numbers.some(({ kind }) => kind === "real");
  return isReal && best.kind === "integer" ? realValue(best.value) : best;
}
