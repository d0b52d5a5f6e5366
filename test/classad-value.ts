/** What an expression is worth, as its canonical text: for tables of tests. */
import { createRandom } from "../src/base/index.ts";
import {
  type EvaluationContext,
  evaluate,
  parseAd,
  parseExpression,
  valueText,
} from "../src/classad/index.ts";

/** The value of a text as a text; a text that cannot be read fails the test. */
export function worth(text: string, context: EvaluationContext = {}): string {
  const read = parseExpression(text);
  if (!read.ok) throw new Error(`${text}: ${JSON.stringify(read.refusal)}`);
  return valueText(evaluate(read.value, { nowMs: 1_000_000_000_000, random: createRandom(7), ...context }));
}

/** An ad from its text. */
export function adFrom(text: string) {
  const read = parseAd(text);
  if (!read.ok) throw new Error(`${text}: ${JSON.stringify(read.refusal)}`);
  return read.value;
}

/** What is wrong with a text: `code line:column`. */
export function problemOf(text: string, as: "expression" | "ad" = "expression"): string {
  const read = as === "ad" ? parseAd(text) : parseExpression(text);
  if (read.ok) return "nothing";
  const { code, line, column } = read.refusal;
  return `${code} ${line}:${column}`;
}
