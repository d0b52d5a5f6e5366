/** Reserved words of the language: names only when quoted. */
import type { BinaryOperator, Scalar } from "./language.ts";
import { ERROR, FALSE, TRUE, UNDEFINED } from "./values.ts";

/** Reserved words that are values, by key. */
export const CONSTANT_WORDS: ReadonlyMap<string, Scalar> = new Map([
  ["true", TRUE],
  ["false", FALSE],
  ["undefined", UNDEFINED],
  ["error", ERROR],
]);

/** Reserved words that are ads, by key; two of them have a second spelling. */
export const SCOPE_WORDS: ReadonlyMap<string, "other" | "self" | "parent"> = new Map([
  ["other", "other"],
  ["target", "other"],
  ["self", "self"],
  ["my", "self"],
  ["parent", "parent"],
]);

/** Reserved words that are operators, with their canonical spelling. */
export const OPERATOR_WORDS: ReadonlyMap<string, BinaryOperator> = new Map([
  ["is", "=?="],
  ["isnt", "=!="],
]);

/** True for reserved words. */
export function isReserved(key: string): boolean {
  return CONSTANT_WORDS.has(key) || SCOPE_WORDS.has(key) || OPERATOR_WORDS.has(key);
}
