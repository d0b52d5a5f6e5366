/** Functions that test and convert the kind of a value. */
import type { ClassAdValue, Scalar } from "../language.ts";
import { leadingNumber, unitOf } from "../leading-number.ts";
import { booleanValue, ERROR, numberOf, realValue, stringValue, truncated, UNDEFINED } from "../values.ts";
import { type Builtins, eager, strict, textOf } from "./builtin.ts";

const kinds: readonly (readonly [string, ClassAdValue["kind"]])[] = [
  ["isundefined", "undefined"],
  ["iserror", "error"],
  ["isstring", "string"],
  ["isinteger", "integer"],
  ["isreal", "real"],
  ["isboolean", "boolean"],
  ["isabstime", "absTime"],
  ["isreltime", "relTime"],
  ["islist", "list"],
  ["isclassad", "ad"],
];

/** `isUndefined` …, `int`, `real`, `string`, `bool`. */
export const typeFunctions: Builtins = [
  ...kinds.map(([key, kind]) => [key, eager(1, 1, ([value]) => booleanValue(value.kind === kind))] as const),
  ["int", strict(1, 1, ([value]) => toInteger(value))],
  ["real", strict(1, 1, ([value]) => toReal(value))],
  ["string", strict(1, 1, ([value], evaluation) => stringValue(textOf(value, evaluation)))],
  ["bool", strict(1, 1, ([value]) => toBoolean(value))],
];

/** A value as an integer, cut towards 0; of a text the number that it begins with, cut before its unit. */
export function toInteger(value: ClassAdValue): Scalar {
  if (value.kind === "integer") return value;
  if (value.kind === "string") {
    const read = leadingNumber(value.value);
    return read === undefined ? ERROR : truncated(Math.trunc(read.value) * unitOf(read.rest));
  }
  const real = toReal(value);
  return real.kind === "real" ? truncated(real.value) : real;
}

/** A value as a real, of a text the number that it begins with; `error` where it has none. */
export function toReal(value: ClassAdValue): Scalar {
  if (value.kind === "absTime" || value.kind === "relTime") return realValue(value.seconds);
  if (value.kind === "string") {
    const read = leadingNumber(value.value);
    return read === undefined ? ERROR : realValue(read.value * unitOf(read.rest));
  }
  const number = numberOf(value);
  return number === undefined ? ERROR : realValue(number);
}

function toBoolean(value: ClassAdValue): Scalar {
  if (value.kind === "string") {
    const word = value.value.toLowerCase();
    return word === "true" || word === "false" ? booleanValue(word === "true") : UNDEFINED;
  }
  if (value.kind === "relTime") return booleanValue(Math.trunc(value.seconds) !== 0);
  const number = numberOf(value);
  return number === undefined ? ERROR : booleanValue(number !== 0);
}
