/** Functions of the language: the number of operands, and the implementation. */
import type { ClassAdValue, Evaluation, Expression, Node, Run } from "../language.ts";
import { spend } from "../scope.ts";
import { stringForm } from "../unparse.ts";
import { ERROR, UNDEFINED } from "../values.ts";

/** A function; called with fewer or more operands it is `error`. */
export type Builtin = { readonly fewest: number; readonly most: number } & (
  | { readonly kind: "eager"; readonly apply: Apply }
  /** A function that does not evaluate all its operands, or not in the usual scope. */
  | { readonly kind: "lazy"; readonly build: Build }
);

/** Makes the implementation of a call from its compiled operands; `compile` is for parts of them. */
export type Build = (operands: readonly Expression[], compile: (node: Node) => Expression) => Run;

/** The result of an eager function for the values of its operands. */
export type Apply = (operands: readonly ClassAdValue[], evaluation: Evaluation) => ClassAdValue;

/** Functions by key. */
export type Builtins = readonly (readonly [string, Builtin])[];

/** A function of the values of its operands, `undefined` and `error` included. */
export function eager(fewest: number, most: number, apply: Apply): Builtin {
  return { kind: "eager", fewest, most, apply };
}

/** A function that is `error` where an operand is, else `undefined` where one is (rule CA-20). */
export function strict(fewest: number, most: number, apply: Apply): Builtin {
  return eager(fewest, most, (operands, evaluation) => exceptional(operands) ?? apply(operands, evaluation));
}

/** A function that is `undefined` where an operand is, else `error` where one is. */
export function undefinedFirst(fewest: number, most: number, apply: Apply): Builtin {
  return eager(fewest, most, (operands, evaluation) => {
    if (operands.some(({ kind }) => kind === "undefined")) return UNDEFINED;
    return exceptional(operands) ?? apply(operands, evaluation);
  });
}

/** A function that is `error` where an operand is undefined too. */
export function demanding(fewest: number, most: number, apply: Apply): Builtin {
  return eager(fewest, most, (operands, evaluation) =>
    exceptional(operands) === undefined ? apply(operands, evaluation) : ERROR,
  );
}

/** `error` where one of the values is, else `undefined` where one is; undefined without either. */
export function exceptional(values: readonly ClassAdValue[]): ClassAdValue | undefined {
  let found: ClassAdValue | undefined;
  for (const { kind } of values) {
    if (kind === "error") return ERROR;
    if (kind === "undefined") found = UNDEFINED;
  }
  return found;
}

/** The string that is made of a value. Its cost is counted first. */
export function textOf(value: ClassAdValue, evaluation: Evaluation): string {
  payForText(value, evaluation);
  return stringForm(value);
}

function payForText(value: ClassAdValue, evaluation: Evaluation): void {
  if (value.kind === "string") spend(evaluation, Math.ceil(value.value.length / 64));
  else if (value.kind === "list") for (const item of value.items) payForText(item, evaluation);
  else if (value.kind === "ad")
    for (const it of value.scope.ad.attributes.values()) spend(evaluation, it.expression.size);
  else spend(evaluation, 1);
}

/**
 * The strings where all values are strings, with their length counted as cost; undefined where one is not.
 */
export function stringsOf(
  values: readonly ClassAdValue[],
  evaluation: Evaluation,
): readonly string[] | undefined {
  const texts = values.flatMap((value) => (value.kind === "string" ? [value.value] : []));
  if (texts.length < values.length) return undefined;
  for (const text of texts) spend(evaluation, Math.ceil(text.length / 64));
  return texts;
}

/** True for every kind but lists and ads. */
export function isScalar({ kind }: ClassAdValue): boolean {
  return kind !== "list" && kind !== "ad";
}
