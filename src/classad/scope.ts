/**
 * Looking names up, and what that may cost.
 *
 * Each attribute that is entered is paid for by its size, and counted by its height while it is in progress:
 * so neither a long circle of ads nor a giant list can take long or use up the stack.
 */

import { columnOf } from "./ad-table.ts";
import type { Attribute, ClassAd, ClassAdValue, Evaluation, Expression, Scope } from "./language.ts";
import { ERROR, integerValue, UNDEFINED } from "./values.ts";

/** The work that one evaluation may cost unless its context says otherwise. */
export const WORK_LIMIT = 100_000;
/** The heights of expressions that may be in progress at once. */
export const HEIGHT_LIMIT = 2_000;

/** Ends an evaluation that costs too much; caught where it began, where it becomes `error`. */
export class LimitReached extends Error {}

const limitReached = new LimitReached("an evaluation cost more than it may");

/** Pays for work. @throws LimitReached where none is left */
export function spend(evaluation: Evaluation, work: number): void {
  evaluation.workLeft -= work;
  if (evaluation.workLeft < 0) throw limitReached;
}

/** The scope of an ad that is in no other. */
export function rootScope(ad: ClassAd): Scope {
  return { ad, table: undefined, row: 0, parent: undefined, other: undefined, nested: undefined };
}

/** The outermost ad around a place. */
export function rootOf(scope: Scope): Scope {
  let root = scope;
  while (root.parent !== undefined) root = root.parent;
  return root;
}

/** The scope of an ad that is written in another: the same one whenever it is asked for. */
export function nestedScope(parent: Scope, ad: ClassAd): Scope {
  parent.nested ??= new Map();
  let scope = parent.nested.get(ad);
  if (scope === undefined) {
    scope = { ad, table: undefined, row: 0, parent, other: undefined, nested: undefined };
    parent.nested.set(ad, scope);
  }
  return scope;
}

/** The value of a name: of the ads around it from the innermost outwards, then of the other ad. */
export function lookUp(key: string, scope: Scope, evaluation: Evaluation): ClassAdValue {
  for (let place: Scope | undefined = scope; place !== undefined; place = place.parent) {
    const attribute = place.ad.attributes.get(key);
    if (attribute !== undefined) return enter(attribute, place, evaluation);
  }
  const { other } = rootOf(scope);
  const attribute = other?.ad.attributes.get(key);
  if (other !== undefined && attribute !== undefined) return enter(attribute, other, evaluation);
  return key === "currenttime" ? now(evaluation) : UNDEFINED;
}

/** The time of the evaluation in seconds; `error` where it was given none. */
export function now({ nowSeconds }: Evaluation): ClassAdValue {
  return nowSeconds === undefined ? ERROR : integerValue(Math.floor(nowSeconds));
}

/** The value of an attribute of one ad; `undefined` where it has none of that name. */
export function attributeOf(key: string, scope: Scope | undefined, evaluation: Evaluation): ClassAdValue {
  if (scope === undefined) return UNDEFINED;
  if (scope.table !== undefined) {
    const { values, costs } = columnOf(scope.table, key);
    const value = values[scope.row];
    if (value !== undefined) {
      spend(evaluation, costs[scope.row]);
      return value;
    }
  }
  const attribute = scope.ad.attributes.get(key);
  return attribute === undefined ? UNDEFINED : enter(attribute, scope, evaluation);
}

/** Evaluates an attribute in its ad; `error` where it is being evaluated already. */
export function enter(attribute: Attribute, scope: Scope, evaluation: Evaluation): ClassAdValue {
  const { constant } = attribute;
  if (constant !== undefined) {
    spend(evaluation, attribute.expression.size);
    return constant;
  }
  const { scopes, attributes, depth } = evaluation;
  for (let at = depth - 1; at >= 0; at--) {
    if (attributes[at] === attribute && scopes[at] === scope) return ERROR;
  }
  // The lists keep their length: making them shorter would have them allocated anew each time.
  scopes[depth] = scope;
  attributes[depth] = attribute;
  evaluation.depth = depth + 1;
  const value = runWithin(attribute.expression, scope, evaluation);
  evaluation.depth = depth;
  return value;
}

/** Evaluates an expression within an evaluation: pays for its size, and counts its height meanwhile. */
export function runWithin(expression: Expression, scope: Scope, evaluation: Evaluation): ClassAdValue {
  const { size, height, run } = expression;
  spend(evaluation, size);
  evaluation.height += height;
  if (evaluation.height > HEIGHT_LIMIT) throw limitReached;
  const value = run(scope, evaluation);
  evaluation.height -= height;
  return value;
}
