/** Mathematical functions and random numbers. */
import { drawFraction, drawInteger } from "../../base/index.ts";
import { compare } from "../comparison.ts";
import type { ClassAdValue, Evaluation } from "../language.ts";
import { spend } from "../scope.ts";
import { ERROR, exactInteger, exactOf, integerValue, realValue, truncated, truthOf } from "../values.ts";
import { type Builtins, demanding } from "./builtin.ts";
import { toReal } from "./types.ts";

/** `floor`, `ceiling`, `round`, `pow`, `quantize`, `random`. */
export const mathFunctions: Builtins = [
  ["floor", demanding(1, 1, ([value]) => rounded(value, Math.floor))],
  ["ceiling", demanding(1, 1, ([value]) => rounded(value, Math.ceil))],
  ["ceil", demanding(1, 1, ([value]) => rounded(value, Math.ceil))],
  ["round", demanding(1, 1, ([value]) => rounded(value, toNearest))],
  ["pow", demanding(2, 2, ([base, exponent]) => power(base, exponent))],
  ["quantize", demanding(2, 2, ([value, step], evaluation) => quantize(value, step, evaluation))],
  ["random", demanding(0, 1, ([most], evaluation) => drawn(most, evaluation))],
];

function rounded(value: ClassAdValue, round: (real: number) => number): ClassAdValue {
  if (value.kind === "integer") return value;
  const real = toReal(value);
  return real.kind === "real" ? truncated(round(real.value)) : ERROR;
}

/** The nearest integer, halves to the even one. */
function toNearest(real: number): number {
  const below = Math.floor(real);
  if (real - below !== 0.5) return Math.round(real);
  return below % 2 === 0 ? below : below + 1;
}

function power(base: ClassAdValue, exponent: ClassAdValue): ClassAdValue {
  const isWhole = base.kind === "integer" && exponent.kind === "integer" && exponent.value >= 0;
  if (isWhole) return wholePower(exactOf(base), exponent.value);
  const [one, another] = [toReal(base), toReal(exponent)];
  return one.kind === "real" && another.kind === "real" ? realValue(one.value ** another.value) : ERROR;
}

/** The exact power, or `error`: a base other than −1, 0 and 1 passes 64 bits within 64 factors. */
function wholePower(base: bigint, exponent: number): ClassAdValue {
  const isSmall = base >= -1n && base <= 1n;
  if (exponent > 64 && !isSmall) return ERROR;
  return exactInteger(base ** BigInt(isSmall && exponent > 2 ? 2 - (exponent % 2) : exponent));
}

type NumberValue = Extract<ClassAdValue, { kind: "integer" | "real" }>;

function isNumber(value: ClassAdValue): value is NumberValue {
  return value.kind === "integer" || value.kind === "real";
}

/**
 * The least multiple of a step that is not below the value; for a list of steps its first item that is not,
 * else a multiple of the last.
 */
function quantize(value: ClassAdValue, step: ClassAdValue, evaluation: Evaluation): ClassAdValue {
  if (!isNumber(value)) return ERROR;
  if (step.kind !== "list") return multiple(value, step);
  spend(evaluation, step.items.length);
  for (const item of step.items) {
    if (!isNumber(item)) return ERROR;
    if (truthOf(compare(">=", item, value)) === true) return item;
  }
  const last = step.items[step.items.length - 1];
  return last === undefined ? ERROR : multiple(value, last);
}

/** The least multiple of a step that is not below a value, of the kind of the step. */
function multiple(value: NumberValue, step: ClassAdValue): ClassAdValue {
  if (!isNumber(step) || step.value === 0) return ERROR;
  if (value.kind === "integer" && step.kind === "integer")
    return wholeMultiple(exactOf(value), exactOf(step));
  const size = Math.abs(step.value);
  const multiplied = Math.ceil(value.value / size) * size;
  return step.kind === "integer" ? truncated(multiplied) : realValue(multiplied);
}

function wholeMultiple(value: bigint, step: bigint): ClassAdValue {
  const size = step < 0n ? -step : step;
  const quotient = value / size;
  // Division cuts towards 0, which is downwards for a positive quotient.
  const isBelow = value % size !== 0n && value > 0n;
  return exactInteger((isBelow ? quotient + 1n : quotient) * size);
}

function drawn(most: ClassAdValue | undefined, { random }: Evaluation): ClassAdValue {
  if (random === undefined) return ERROR;
  if (most === undefined) return realValue(drawFraction(random));
  if (!isNumber(most) || !(most.value > 0)) return ERROR;
  if (most.kind === "integer") {
    return most.exact === undefined ? integerValue(drawInteger(random, 0, most.value - 1)) : ERROR;
  }
  return realValue(drawFraction(random) * most.value);
}
