/** Words of the language: reserved ones, which are names only when quoted, and those for ads. */
import type { BinaryOperator, Scalar, ScopeWord } from "./language.ts";
import { ERROR, FALSE, TRUE, UNDEFINED } from "./values.ts";

/** Reserved words that are values, by key. */
export const CONSTANT_WORDS: ReadonlyMap<string, Scalar> = new Map([
  ["true", TRUE],
  ["false", FALSE],
  ["undefined", UNDEFINED],
  ["error", ERROR],
]);

/** Words for ads, by key. They are not reserved: an attribute of that name comes first. */
export const SCOPE_WORDS: ReadonlyMap<string, ScopeWord> = new Map([
  ["other", "other"],
  ["target", "other"],
  ["self", "self"],
  ["my", "self"],
  ["parent", "parent"],
  ["root", "root"],
  ["toplevel", "root"],
]);

/** Reserved words that are operators, with their canonical spelling. */
export const OPERATOR_WORDS: ReadonlyMap<string, BinaryOperator> = new Map([
  ["is", "=?="],
  ["isnt", "=!="],
]);

/** True for reserved words. */
export function isReserved(key: string): boolean {
  return CONSTANT_WORDS.has(key) || OPERATOR_WORDS.has(key);
}
