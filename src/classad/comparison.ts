/** Comparison of values: `==`, `<` and so on, which need equal kinds, and `=?=`, which always decides. */
import type { ClassAdValue } from "./language.ts";
import { adText } from "./unparse.ts";
import { booleanValue, ERROR, exactOf, numberOf, UNDEFINED } from "./values.ts";

/** Comparison operators. */
export type Comparison = "<" | "<=" | "==" | "!=" | ">=" | ">";

/** Compares two values; `error` where their kinds are not comparable. */
export function compare(operator: Comparison, left: ClassAdValue, right: ClassAdValue): ClassAdValue {
  // The two most frequent cases come first.
  if (left.kind === "integer" && right.kind === "integer") {
    // Of integers that are equal as numbers, the exact ones decide.
    const isClose = left.value === right.value && (left.exact ?? right.exact) !== undefined;
    return isClose
      ? booleanValue(compareNumbers(operator, Number(exactOf(left) - exactOf(right)), 0))
      : booleanValue(compareNumbers(operator, left.value, right.value));
  }
  if (left.kind === "string" && right.kind === "string") {
    return booleanValue(compareNumbers(operator, foldedOrder(left.value, right.value), 0));
  }
  const exceptional = exceptionOf(left, right);
  if (exceptional !== undefined) return exceptional;
  if (left.kind === "absTime" && right.kind === "absTime") {
    return booleanValue(compareNumbers(operator, left.seconds, right.seconds));
  }
  if (left.kind === "relTime" && right.kind === "relTime") {
    return booleanValue(compareNumbers(operator, left.seconds, right.seconds));
  }
  const a = numberOf(left);
  const b = numberOf(right);
  return a === undefined || b === undefined ? ERROR : booleanValue(compareNumbers(operator, a, b));
}

/** `error` where either value is, else `undefined` where either is: the result of a strict operator. */
export function exceptionOf(left: ClassAdValue, right: ClassAdValue): ClassAdValue | undefined {
  if (left.kind === "error" || right.kind === "error") return ERROR;
  return left.kind === "undefined" || right.kind === "undefined" ? UNDEFINED : undefined;
}

/** True for values of one kind with one value; strings are compared with case. */
export function isIdentical(left: ClassAdValue, right: ClassAdValue): boolean {
  switch (left.kind) {
    case "undefined":
    case "error":
      return right.kind === left.kind;
    case "integer":
      return right.kind === "integer" && right.value === left.value && right.exact === left.exact;
    case "boolean":
    case "real":
    case "string":
      return right.kind === left.kind && right.value === left.value;
    case "absTime":
      return (
        right.kind === "absTime" &&
        right.seconds === left.seconds &&
        right.offsetSeconds === left.offsetSeconds
      );
    case "relTime":
      return right.kind === "relTime" && right.seconds === left.seconds;
    case "list":
      return (
        right.kind === "list" &&
        right.items.length === left.items.length &&
        left.items.every((item, at) => isIdentical(item, right.items[at]))
      );
    case "ad":
      return right.kind === "ad" && adText(left.scope.ad) === adText(right.scope.ad);
  }
}

/** Order of two texts by code units, with A–Z as a–z: below 0, 0 or above 0. */
export function foldedOrder(left: string, right: string): number {
  if (left === right) return 0;
  const shared = Math.min(left.length, right.length);
  for (let at = 0; at < shared; at++) {
    const difference = folded(left.charCodeAt(at)) - folded(right.charCodeAt(at));
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

function folded(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code;
}

/** IEEE 754 comparison: NaN is not equal, below or above anything. */
function compareNumbers(operator: Comparison, a: number, b: number): boolean {
  switch (operator) {
    case "<":
      return a < b;
    case "<=":
      return a <= b;
    case "==":
      return a === b;
    case "!=":
      return a !== b;
    case ">=":
      return a >= b;
    case ">":
      return a > b;
  }
}
