/** Mathematical functions and random numbers. */
import { drawFraction, drawInteger } from "../../base/index.ts";
import type { ClassAdValue, Evaluation } from "../language.ts";
import { spend } from "../scope.ts";
import { ERROR, integerValue, realValue } from "../values.ts";
import { type Builtins, strict } from "./builtin.ts";
import { toReal } from "./types.ts";

/** `floor`, `ceiling`, `round`, `pow`, `quantize`, `random`. */
export const mathFunctions: Builtins = [
  ["floor", strict(1, 1, ([value]) => rounded(value, Math.floor))],
  ["ceiling", strict(1, 1, ([value]) => rounded(value, Math.ceil))],
  ["ceil", strict(1, 1, ([value]) => rounded(value, Math.ceil))],
  ["round", strict(1, 1, ([value]) => rounded(value, toNearest))],
  ["pow", strict(2, 2, ([base, exponent]) => power(base, exponent))],
  ["quantize", strict(2, 2, ([value, step], evaluation) => quantize(value, step, evaluation))],
  ["random", strict(0, 1, ([most], evaluation) => drawn(most, evaluation))],
];

function rounded(value: ClassAdValue, round: (real: number) => number): ClassAdValue {
  if (value.kind === "integer") return value;
  const real = toReal(value);
  return real.kind === "real" ? integerValue(round(real.value)) : ERROR;
}

/** The nearest integer, halves to the even one. */
function toNearest(real: number): number {
  const below = Math.floor(real);
  if (real - below !== 0.5) return Math.round(real);
  return below % 2 === 0 ? below : below + 1;
}

function power(base: ClassAdValue, exponent: ClassAdValue): ClassAdValue {
  if (!isNumber(base) || !isNumber(exponent)) return ERROR;
  const isWhole = base.kind === "integer" && exponent.kind === "integer" && exponent.value >= 0;
  return isWhole ? wholePower(base.value, exponent.value) : realValue(base.value ** exponent.value);
}

/** The exact power, or `error`: a base other than −1, 0 and 1 passes 2^53 within 53 factors. */
function wholePower(base: number, exponent: number): ClassAdValue {
  if (Math.abs(base) <= 1) return integerValue(exponent === 0 ? 1 : base ** (2 - (exponent % 2)));
  let product = 1;
  for (let factor = 0; factor < exponent && Number.isSafeInteger(product); factor++) product *= base;
  return integerValue(product);
}

type NumberValue = Extract<ClassAdValue, { kind: "integer" | "real" }>;

function isNumber(value: ClassAdValue): value is NumberValue {
  return value.kind === "integer" || value.kind === "real";
}

/**
 * The least multiple of a step that is not below the value; for a list of steps, its first item that is not.
 */
function quantize(value: ClassAdValue, step: ClassAdValue, evaluation: Evaluation): ClassAdValue {
  if (!isNumber(value)) return ERROR;
  if (step.kind !== "list") return multiple(value, step);
  spend(evaluation, step.items.length);
  for (const item of step.items) {
    if (!isNumber(item)) return ERROR;
    if (item.value >= value.value) return item;
  }
  const last = step.items[step.items.length - 1];
  return last === undefined ? ERROR : multiple(value, last);
}

function multiple(value: NumberValue, step: ClassAdValue): ClassAdValue {
  if (!isNumber(step) || step.value === 0) return ERROR;
  const multiplied = Math.ceil(value.value / step.value) * step.value;
  return step.kind === "integer" ? integerValue(multiplied) : realValue(multiplied);
}

function drawn(most: ClassAdValue | undefined, { random }: Evaluation): ClassAdValue {
  if (random === undefined) return ERROR;
  if (most === undefined) return realValue(drawFraction(random));
  if (!isNumber(most) || !(most.value > 0)) return ERROR;
  if (most.kind === "integer") return integerValue(drawInteger(random, 0, most.value - 1));
  return realValue(drawFraction(random) * most.value);
}
