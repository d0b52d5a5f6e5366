/** Arithmetic and bit operators; an integer result beyond 64 bits is `error`. */
import { exceptionOf } from "./comparison.ts";
import type { ClassAdValue, IntegerValue, UnaryOperator } from "./language.ts";
import {
  absTimeValue,
  booleanValue,
  ERROR,
  exactInteger,
  exactOf,
  integerValue,
  numberOf,
  realValue,
  relTimeValue,
  truthOf,
} from "./values.ts";

/** Arithmetic operators. */
export type ArithmeticOperator = "+" | "-" | "*" | "/" | "%";
/** Bit operators. */
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
  if (left.kind === "real" || right.kind === "real") return calculateReals(operator, a, b);
  if ((operator === "/" || operator === "%") && b === 0) return ERROR;
  const result = calculateIntegers(operator, a, b);
  // Where an operand or the result is beyond ±(2^53 − 1), so may be the result in numbers.
  return Number.isSafeInteger(result) && Number.isSafeInteger(a) && Number.isSafeInteger(b)
    ? integerValue(result)
    : exactInteger(calculateExactly(operator, bigintOf(left), bigintOf(right)));
}

function calculateIntegers(operator: ArithmeticOperator, a: number, b: number): number {
  switch (operator) {
    case "+":
      return a + b;
    case "-":
      return a - b;
    case "*":
      return a * b;
    case "/":
      return (a - (a % b)) / b;
    case "%":
      return a % b;
  }
}

function calculateExactly(operator: ArithmeticOperator, a: bigint, b: bigint): bigint {
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

/** The integer of an integer or a boolean. */
function bigintOf(value: ClassAdValue): bigint {
  return value.kind === "integer" ? exactOf(value) : BigInt(numberOf(value) ?? 0);
}

/** Reals have no remainder; a result that is infinite upwards is `error`. */
function calculateReals(operator: ArithmeticOperator, a: number, b: number): ClassAdValue {
  if (operator === "%") return ERROR;
  const result = operator === "/" ? a / b : calculateIntegers(operator, a, b);
  return result === Number.POSITIVE_INFINITY ? ERROR : realValue(result);
}

function isTime(value: ClassAdValue): boolean {
  return value.kind === "absTime" || value.kind === "relTime";
}

function calculateTimes(operator: ArithmeticOperator, left: ClassAdValue, right: ClassAdValue): ClassAdValue {
  if (left.kind === "absTime") {
    const { seconds, offsetSeconds } = left;
    if (right.kind === "absTime") return operator === "-" ? relTimeValue(seconds - right.seconds) : ERROR;
    if (right.kind !== "relTime") return ERROR;
    const whole = Math.trunc(right.seconds);
    if (operator === "+") return absTimeValue(seconds + whole, offsetSeconds);
    return operator === "-" ? absTimeValue(seconds - whole, offsetSeconds) : ERROR;
  }
  if (right.kind === "absTime") {
    const isSum = operator === "+" && left.kind === "relTime";
    return isSum ? absTimeValue(Math.trunc(left.seconds) + right.seconds, right.offsetSeconds) : ERROR;
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
  const factor = left.kind === "relTime" ? right : left;
  const length = left.kind === "relTime" ? left : right;
  if ((factor.kind !== "integer" && factor.kind !== "real") || length.kind !== "relTime") return ERROR;
  if (operator === "*") return relTimeValue(length.seconds * factor.value);
  return operator === "/" && left.kind === "relTime" ? relTimeValue(length.seconds / factor.value) : ERROR;
}

/** Two integers; `error` for other kinds. */
export function combineBits(operator: BitOperator, left: ClassAdValue, right: ClassAdValue): ClassAdValue {
  const exceptional = exceptionOf(left, right);
  if (exceptional !== undefined) return exceptional;
  if (left.kind !== "integer" || right.kind !== "integer") return ERROR;
  return combineIntegers(operator, left, right);
}

/** Bits of 64-bit two's complement. */
function combineIntegers(operator: BitOperator, a: IntegerValue, b: IntegerValue): ClassAdValue {
  const isShift = operator === "<<" || operator === ">>" || operator === ">>>";
  if (isShift && (b.value < 0 || b.value > 63)) return ERROR;
  return exactInteger(BigInt.asIntN(64, combined(operator, exactOf(a), exactOf(b))));
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
    return operand.kind === "integer" ? exactInteger(~exactOf(operand)) : ERROR;
  }
  return operator === "-" ? negated(operand) : signed(operand);
}

/** `+a` of a number or a length of time. */
function signed(operand: ClassAdValue): ClassAdValue {
  return operand.kind === "integer" || operand.kind === "real" || operand.kind === "relTime"
    ? operand
    : ERROR;
}

/** `-a` of a number or a length of time. */
function negated(operand: ClassAdValue): ClassAdValue {
  switch (operand.kind) {
    case "integer":
      return operand.exact === undefined ? integerValue(-operand.value) : exactInteger(-operand.exact);
    case "real":
      return realValue(-operand.value);
    case "relTime":
      return relTimeValue(-operand.seconds);
    default:
      return ERROR;
  }
}
