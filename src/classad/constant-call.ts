/**
 * Calls that are how a value is written: `absTime("…")` with its zone, `relTime("…")`, `real("INF")`.
 */
import type { Node, Scalar } from "./language.ts";
import { parseNumber } from "./number-literal.ts";
import { parseAbsTime, parseRelTime } from "./time-text.ts";

/** The value that a call of the function `key` writes, where it depends on nothing else. */
export function constantCall(key: string, operands: readonly Node[]): Scalar | undefined {
  const [operand] = operands;
  if (operands.length !== 1 || operand.kind !== "literal" || operand.value.kind !== "string")
    return undefined;
  const text = operand.value.value;
  if (key === "abstime") return parseAbsTime(text, undefined);
  if (key === "reltime") return parseRelTime(text);
  return key === "real" && /^-?(?:INF|NaN)$/.test(text) ? parseNumber(text) : undefined;
}
