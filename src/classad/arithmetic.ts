/** Arithmetic and bit operators; an integer result that is not exact is `error`. */
import { exceptionOf } from "./comparison.ts";
import type { ClassAdValue, UnaryOperator } from "./language.ts";
import {
  absTimeValue,
  booleanValue,
  ERROR,
  integerValue,
  numberOf,
  realValue,
  relTimeValue,
  truthOf,
} from "./values.ts";

/** Arithmetic operators. */
export type ArithmeticOperator = "+" | "-" | "*" | "/" | "%";
/** Bit operators; booleans take those that do not shift. */
export type BitOperator = "&" | "|" | "^" | "<<" | ">>" | ">>>";

/** The result of an operator of arithmetic. */
export function calculate(
  operator: ArithmeticOperator,
  left: ClassAdValue,
  right: ClassAdValue,
): ClassAdValue {
  const exceptional = exceptionOf(left, right);
  if (exceptional !== undefined) return exceptional;
  if (isTime(left) || isTime(right)) return calculateTimes(operator, left, right);
  const a = numberOf(left);
  const b = numberOf(right);
  if (a === undefined || b === undefined) return ERROR;
  const isReal = left.kind === "real" || right.kind === "real";
  return isReal ? realValue(calculateReals(operator, a, b)) : calculateIntegers(operator, a, b);
}

function calculateIntegers(operator: ArithmeticOperator, a: number, b: number): ClassAdValue {
  switch (operator) {
    case "+":
      return integerValue(a + b);
    case "-":
      return integerValue(a - b);
    case "*":
      return integerValue(a * b);
    case "/":
      return b === 0 ? ERROR : integerValue((a - (a % b)) / b);
    case "%":
      return b === 0 ? ERROR : integerValue(a % b);
  }
}

function calculateReals(operator: ArithmeticOperator, a: number, b: number): number {
  switch (operator) {
    case "+":
      return a + b;
    case "-":
      return a - b;
    case "*":
      return a * b;
    case "/":
      return a / b;
    case "%":
      return a % b;
  }
}

function isTime(value: ClassAdValue): boolean {
  return value.kind === "absTime" || value.kind === "relTime";
}

function calculateTimes(operator: ArithmeticOperator, left: ClassAdValue, right: ClassAdValue): ClassAdValue {
  if (left.kind === "absTime") {
    const { seconds, offsetSeconds } = left;
    if (right.kind === "absTime") return operator === "-" ? relTimeValue(seconds - right.seconds) : ERROR;
    if (right.kind !== "relTime") return ERROR;
    if (operator === "+") return absTimeValue(seconds + right.seconds, offsetSeconds);
    return operator === "-" ? absTimeValue(seconds - right.seconds, offsetSeconds) : ERROR;
  }
  if (right.kind === "absTime") {
    const isSum = operator === "+" && left.kind === "relTime";
    return isSum ? absTimeValue(left.seconds + right.seconds, right.offsetSeconds) : ERROR;
  }
  return calculateLengths(operator, left, right);
}

/** Lengths are added to lengths, and multiplied and divided by numbers. */
function calculateLengths(
  operator: ArithmeticOperator,
  left: ClassAdValue,
  right: ClassAdValue,
): ClassAdValue {
  if (left.kind === "relTime" && right.kind === "relTime") {
    if (operator === "+") return relTimeValue(left.seconds + right.seconds);
    return operator === "-" ? relTimeValue(left.seconds - right.seconds) : ERROR;
  }
  const factor = numberOf(left.kind === "relTime" ? right : left);
  const length = left.kind === "relTime" ? left : right;
  if (factor === undefined || length.kind !== "relTime") return ERROR;
  if (operator === "*") return relTimeValue(length.seconds * factor);
  return operator === "/" && left.kind === "relTime" ? relTimeValue(length.seconds / factor) : ERROR;
}

/** Two integers, or for an operator that does not shift two booleans; `error` for other kinds. */
export function combineBits(operator: BitOperator, left: ClassAdValue, right: ClassAdValue): ClassAdValue {
  const exceptional = exceptionOf(left, right);
  if (exceptional !== undefined) return exceptional;
  if (left.kind === "boolean" && right.kind === "boolean") {
    return combineBooleans(operator, left.value, right.value);
  }
  if (left.kind !== "integer" || right.kind !== "integer") return ERROR;
  return combineIntegers(operator, left.value, right.value);
}

function combineBooleans(operator: BitOperator, a: boolean, b: boolean): ClassAdValue {
  if (operator === "&") return booleanValue(a && b);
  if (operator === "|") return booleanValue(a || b);
  return operator === "^" ? booleanValue(a !== b) : ERROR;
}

/** Bits of 64-bit two's complement; a result beyond ±(2^53 − 1) is `error`. */
function combineIntegers(operator: BitOperator, a: number, b: number): ClassAdValue {
  const isShift = operator === "<<" || operator === ">>" || operator === ">>>";
  if (isShift && (b < 0 || b > 63)) return ERROR;
  return integerValue(Number(BigInt.asIntN(64, combined(operator, BigInt(a), BigInt(b)))));
}

function combined(operator: BitOperator, a: bigint, b: bigint): bigint {
  switch (operator) {
    case "&":
      return a & b;
    case "|":
      return a | b;
    case "^":
      return a ^ b;
    case "<<":
      return a << b;
    case ">>":
      return a >> b;
    case ">>>":
      return BigInt.asUintN(64, a) >> b;
  }
}

/** The result of an operator with one operand. */
export function applyUnary(operator: UnaryOperator, operand: ClassAdValue): ClassAdValue {
  if (operand.kind === "undefined" || operand.kind === "error") return operand;
  if (operator === "!") {
    const truth = truthOf(operand);
    return truth === undefined ? ERROR : booleanValue(!truth);
  }
  if (operator === "~") {
    return operand.kind === "integer" ? combineIntegers("^", operand.value, -1) : ERROR;
  }
  if (operand.kind === "relTime") {
    return operator === "-" ? relTimeValue(-operand.seconds) : operand;
  }
  if (operand.kind === "real") return operator === "-" ? realValue(-operand.value) : operand;
  const number = numberOf(operand);
  if (number === undefined) return ERROR;
  return integerValue(operator === "-" ? -number : number);
}
