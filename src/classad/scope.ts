/**
 * Lookup of names, and its cost.
 *
 * Each attribute entered costs its size, and adds its height while it is in progress, so that neither a long
 * circle of ads nor a giant list takes long or overflows the stack.
 */

import { columnOf } from "./ad-table.ts";
import type {
  Attribute,
  ClassAd,
  ClassAdValue,
  Evaluation,
  Expression,
  Scope,
  ScopeWord,
} from "./language.ts";
import { ERROR, integerValue, UNDEFINED } from "./values.ts";

/** Default work limit of one evaluation. */
export const WORK_LIMIT = 100_000;
/** Largest sum of the heights of expressions in progress. */
export const HEIGHT_LIMIT = 2_000;

/** Ends an evaluation that exceeds a limit; caught where it began, where it becomes `error`. */
export class LimitReached extends Error {}

const limitReached = new LimitReached("an evaluation cost more than it may");

/** Counts work. @throws LimitReached where none is left */
export function spend(evaluation: Evaluation, work: number): void {
  evaluation.workLeft -= work;
  if (evaluation.workLeft < 0) throw limitReached;
}

/** The scope of an outermost ad. */
export function rootScope(ad: ClassAd): Scope {
  return { ad, table: undefined, row: 0, parent: undefined, other: undefined, nested: undefined };
}

/** The outermost ad around a scope. */
export function rootOf(scope: Scope): Scope {
  let root = scope;
  while (root.parent !== undefined) root = root.parent;
  return root;
}

/** The scope of an ad nested in another; the same one at every call. */
export function nestedScope(parent: Scope, ad: ClassAd): Scope {
  parent.nested ??= new Map();
  let scope = parent.nested.get(ad);
  if (scope === undefined) {
    scope = { ad, table: undefined, row: 0, parent, other: undefined, nested: undefined };
    parent.nested.set(ad, scope);
  }
  return scope;
}

/** The value of a name: from the ads around it, innermost first; in the outermost ad also from the other. */
export function lookUp(key: string, scope: Scope, evaluation: Evaluation): ClassAdValue {
  for (let place: Scope | undefined = scope; place !== undefined; place = place.parent) {
    const attribute = place.ad.attributes.get(key);
    if (attribute !== undefined) return enter(attribute, place, evaluation);
  }
  const { other } = scope;
  const attribute = other?.ad.attributes.get(key);
  if (other !== undefined && attribute !== undefined) return enter(attribute, other, evaluation);
  return key === "currenttime" ? now(evaluation) : UNDEFINED;
}

/** The value of a name in an ad, or else in the ads around it; `undefined` where none has it. */
export function valueIn(key: string, scope: Scope, evaluation: Evaluation): ClassAdValue {
  let place = scope;
  while (place.parent !== undefined) {
    const attribute = place.ad.attributes.get(key);
    if (attribute !== undefined) return enter(attribute, place, evaluation);
    place = place.parent;
  }
  return attributeOf(key, place, evaluation);
}

/** Meaning of a name of an ad: an attribute of that name, or else the ad. */
export function scopeNamed(
  { scope: word, key }: { readonly scope: ScopeWord; readonly key: string },
  scope: Scope,
  evaluation: Evaluation,
): ClassAdValue {
  let place: Scope = scope;
  for (;;) {
    const attribute = place.ad.namesScopes ? place.ad.attributes.get(key) : undefined;
    if (attribute !== undefined) return enter(attribute, place, evaluation);
    // The other ad is as an attribute of an ad around the outermost one; the other words hold everywhere.
    if (word !== "other" || place.parent === undefined) break;
    place = place.parent;
  }
  const meant = { self: scope, parent: scope.parent, root: rootOf(scope), other: place.other }[word];
  return meant === undefined ? UNDEFINED : { kind: "ad", scope: meant };
}

/** The time of the evaluation in seconds; `error` where it has none. */
export function now({ nowSeconds }: Evaluation): ClassAdValue {
  return nowSeconds === undefined ? ERROR : integerValue(Math.floor(nowSeconds));
}

/** The value of an attribute of one ad; `undefined` where there is none of that name. */
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
  // The lists keep their length, since truncating them would reallocate them each time.
  scopes[depth] = scope;
  attributes[depth] = attribute;
  evaluation.depth = depth + 1;
  const value = runWithin(attribute.expression, scope, evaluation);
  evaluation.depth = depth;
  return value;
}

/** Evaluates an expression within an evaluation: counts its size, and its height meanwhile. */
export function runWithin(expression: Expression, scope: Scope, evaluation: Evaluation): ClassAdValue {
  const { size, height } = expression;
  spend(evaluation, size);
  evaluation.height += height;
  if (evaluation.height > HEIGHT_LIMIT) throw limitReached;
  const value = expression.run(scope, evaluation);
  evaluation.height -= height;
  return value;
}
