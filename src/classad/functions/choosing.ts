/** Functions of expressions, not only of their values. */
import type { AdValue, Attribute, ClassAdValue, Expression, Name, Node, Run, Scope } from "../language.ts";
import { childrenOf } from "../node-size.ts";
import { runWithin, spend } from "../scope.ts";
import { unparse } from "../unparse.ts";
import { booleanValue, ERROR, integerValue, listValue, stringValue, truthOf, UNDEFINED } from "../values.ts";
import { type Builtin, type Builtins, eager } from "./builtin.ts";
import { searchText } from "./regexps.ts";

function lazy(fewest: number, most: number, build: (operands: readonly Expression[]) => Run): Builtin {
  return { kind: "lazy", fewest, most, build };
}

/** `ifThenElse`, `eval`, `unparse`, `unresolved`, `evalInEachContext`, `countMatches`, `debug`. */
export const choosingFunctions: Builtins = [
  ["ifthenelse", lazy(3, 3, buildIfThenElse)],
  ["eval", lazy(1, 1, buildEval)],
  ["unparse", lazy(1, 1, buildUnparse)],
  ["unresolved", lazy(1, 2, buildUnresolved)],
  ["evalineachcontext", lazy(2, 2, buildEvalInEachContext)],
  ["countmatches", lazy(2, 2, buildCountMatches)],
  ["debug", eager(1, 1, ([value]) => value)],
];

function buildIfThenElse([test, then, otherwise]: readonly Expression[]): Run {
  return (scope, evaluation) => {
    const value = test.run(scope, evaluation);
    const truth = truthOf(value);
    if (truth === undefined) return value.kind === "undefined" ? UNDEFINED : ERROR;
    return (truth ? then : otherwise).run(scope, evaluation);
  };
}

function buildEval([operand]: readonly Expression[]): Run {
  return (scope, evaluation) => {
    const value = operand.run(scope, evaluation);
    if (value.kind !== "string") return value;
    spend(evaluation, value.value.length);
    const expression = evaluation.parse(value.value);
    return expression === undefined ? ERROR : runWithin(expression, scope, evaluation);
  };
}

function buildUnparse([{ node }]: readonly Expression[]): Run {
  return (scope) => {
    if (node.kind !== "reference") return ERROR;
    const attribute = attributeInScope(node.key, scope);
    return stringValue(attribute === undefined ? "" : unparse(attribute.node));
  };
}

function buildUnresolved([{ node }, ...[pattern]]: readonly Expression[]): Run {
  return (scope, evaluation) => {
    if (node.kind !== "reference") return ERROR;
    const attribute = attributeInScope(node.key, scope);
    if (attribute === undefined) return UNDEFINED;
    spend(evaluation, attribute.expression.size);
    const names = unresolvedNames(attribute.node, scope);
    if (pattern === undefined) return stringValue(names.join(","));
    const searched = pattern.run(scope, evaluation);
    if (searched.kind !== "string") return searched.kind === "undefined" ? UNDEFINED : ERROR;
    const found = names.map((name) => searchText(searched.value, name, evaluation));
    return found.includes(undefined) ? ERROR : booleanValue(found.includes(true));
  };
}

function buildEvalInEachContext([expression, contexts]: readonly Expression[]): Run {
  return (scope, evaluation) => {
    const list = contexts.run(scope, evaluation);
    if (list.kind !== "list") return ERROR;
    const ads = list.items.filter(isAd);
    if (ads.length < list.items.length) return ERROR;
    return listValue(ads.map((ad) => runWithin(expression, ad.scope, evaluation)));
  };
}

function buildCountMatches([expression, contexts]: readonly Expression[]): Run {
  return (scope, evaluation) => {
    const list = contexts.run(scope, evaluation);
    if (list.kind === "undefined") return integerValue(0);
    if (list.kind !== "list") return ERROR;
    const ads = list.items.filter(isAd);
    return integerValue(ads.filter((ad) => isTrue(runWithin(expression, ad.scope, evaluation))).length);
  };
}

function isAd(value: ClassAdValue): value is AdValue {
  return value.kind === "ad";
}

function isTrue(value: ClassAdValue): boolean {
  return value.kind === "boolean" && value.value;
}

/** The attribute that a name refers to in the ads around a scope, from the innermost outwards. */
function attributeInScope(key: string, scope: Scope): Attribute | undefined {
  for (let place: Scope | undefined = scope; place !== undefined; place = place.parent) {
    const attribute = place.ad.attributes.get(key);
    if (attribute !== undefined) return attribute;
  }
  return undefined;
}

/** The names that an expression looks up in the other ad, or that no ad has; each once, sorted. */
function unresolvedNames(node: Node, scope: Scope): readonly string[] {
  const found = new Map<string, string>();
  const visit = (part: Node): void => {
    const asked = askedName(part, scope);
    if (asked !== undefined && !found.has(asked.key)) found.set(asked.key, asked.name);
    for (const child of childrenOf(part)) visit(child);
  };
  visit(node);
  return [...found].sort(([one], [another]) => (one < another ? -1 : 1)).map(([, name]) => name);
}

function askedName(node: Node, scope: Scope): Name | undefined {
  if (node.kind === "select" && node.of.kind === "scope" && node.of.scope === "other") return node;
  return node.kind === "reference" && attributeInScope(node.key, scope) === undefined ? node : undefined;
}
