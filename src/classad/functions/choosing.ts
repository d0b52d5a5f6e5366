/** Functions of expressions, not only of their values. */
import type { Attribute, ClassAdValue, Evaluation, Expression, Name, Node, Run, Scope } from "../language.ts";
import { childrenOf } from "../node-size.ts";
import { rootOf, runWithin, spend } from "../scope.ts";
import { stringForm, unparsedString } from "../unparse.ts";
import { booleanValue, ERROR, integerValue, listValue, stringValue, truthOf, UNDEFINED } from "../values.ts";
import { type Build, type Builtin, type Builtins, eager, exceptional } from "./builtin.ts";
import { searchText } from "./regexps.ts";

function lazy(fewest: number, most: number, build: Build): Builtin {
  return { kind: "lazy", fewest, most, build };
}

/** `ifThenElse`, `eval`, `unparse`, `unresolved`, `evalInEachContext`, `countMatches`, `anyMatch` …. */
export const choosingFunctions: Builtins = [
  ["ifthenelse", lazy(3, 3, buildIfThenElse)],
  ["eval", lazy(1, 1, buildEval)],
  ["unparse", lazy(1, 1, buildUnparse)],
  ["unresolved", lazy(1, 2, buildUnresolved)],
  ["evalineachcontext", lazy(2, 2, buildEvalInEachContext)],
  ["countmatches", lazy(2, 2, buildCountMatches)],
  ["anymatch", buildMatching("any")],
  ["allmatch", buildMatching("all")],
  ["whichmatch", buildMatching("which")],
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

/** A string is read and evaluated there; so is the text of a time. Another value is itself. */
function buildEval([operand]: readonly Expression[]): Run {
  return (scope, evaluation) => {
    const value = operand.run(scope, evaluation);
    if (value.kind === "undefined") return ERROR;
    if (value.kind !== "string" && value.kind !== "absTime" && value.kind !== "relTime") return value;
    const text = stringForm(value);
    spend(evaluation, text.length);
    const expression = evaluation.parse(text);
    return expression === undefined ? ERROR : runWithin(expression, scope, evaluation);
  };
}

/** The text of an attribute of the innermost ad; empty where there is none. */
function buildUnparse([{ node }]: readonly Expression[]): Run {
  return (scope) => {
    if (!isReference(node)) return ERROR;
    const attribute = node.kind === "reference" ? scope.ad.attributes.get(node.key) : undefined;
    return stringValue(attribute === undefined ? "" : unparsedString(attribute.node));
  };
}

function buildUnresolved([operand, pattern]: Parameters<Build>[0], compile: Parameters<Build>[1]): Run {
  const referred = referring(operand.node, compile);
  if (referred === undefined) return () => ERROR;
  return (scope, evaluation) => {
    const attribute = referred(scope, evaluation);
    if (attribute === undefined) return UNDEFINED;
    spend(evaluation, attribute.expression.size);
    const names = unresolvedNames(attribute.node, scope);
    if (pattern === undefined) return stringValue(names.join(","));
    const searched = pattern.run(scope, evaluation);
    if (searched.kind !== "string") return ERROR;
    const found = names.map((name) => searchText(searched.value, name, evaluation));
    return found.includes(undefined) ? ERROR : booleanValue(found.includes(true));
  };
}

/**
 * The values of an expression in each ad of a list; a name takes the expression of its attribute. What is no
 * ad has the value `error`, but nothing defined is undefined.
 */
function buildEvalInEachContext(
  [expression, contexts]: readonly Expression[],
  compile: Parameters<Build>[1],
): Run {
  const referred = referring(expression.node, compile);
  return (scope, evaluation) => {
    const list = contexts.run(scope, evaluation);
    if (list.kind !== "list") return list.kind === "undefined" ? UNDEFINED : ERROR;
    const asked = referred?.(scope, evaluation)?.expression ?? expression;
    return listValue(list.items.map((item) => valueInContext(asked, item, evaluation)));
  };
}

function buildCountMatches(
  [expression, contexts]: readonly Expression[],
  compile: Parameters<Build>[1],
): Run {
  const referred = referring(expression.node, compile);
  return (scope, evaluation) => {
    const list = contexts.run(scope, evaluation);
    if (list.kind === "undefined") return integerValue(0);
    if (list.kind !== "list") return ERROR;
    const asked = referred?.(scope, evaluation)?.expression ?? expression;
    const values = list.items.map((item) => valueInContext(asked, item, evaluation));
    return integerValue(values.filter((value) => truthOf(value) === true).length);
  };
}

/** Evaluates an expression in an ad, where bare names may be those of the other ad of a match too. */
function valueInContext(asked: Expression, item: ClassAdValue, evaluation: Evaluation): ClassAdValue {
  if (item.kind !== "ad") return item.kind === "undefined" ? UNDEFINED : ERROR;
  const { scope } = item;
  const { other } = scope;
  scope.other = rootOf(scope).other;
  try {
    return runWithin(asked, scope, evaluation);
  } finally {
    scope.other = other;
  }
}

type Matching = "any" | "all" | "which";

/**
 * `anyMatch(ads, condition)` of JDL, where `target` in the condition is each ad of the list: whether it holds
 * for any of them, for all, and for which.
 */
function buildMatching(wanted: Matching): Builtin {
  return lazy(2, 2, ([ads, condition]) => (scope, evaluation) => {
    const list = ads.run(scope, evaluation);
    if (list.kind !== "list") return list.kind === "undefined" ? UNDEFINED : ERROR;
    const values = list.items.map((item) => valueOpposite(condition, scope, item, evaluation));
    if (wanted === "which") return listValue(list.items.filter((_, at) => truthOf(values[at]) === true));
    const decisive = wanted === "any";
    if (values.some((value) => truthOf(value) === decisive)) return booleanValue(decisive);
    const isUnknown = (value: ClassAdValue) => truthOf(value) === undefined;
    return exceptional(values) ?? (values.some(isUnknown) ? ERROR : booleanValue(!decisive));
  });
}

/** Evaluates a condition with an item as the other ad. */
function valueOpposite(
  condition: Expression,
  scope: Scope,
  item: ClassAdValue,
  evaluation: Evaluation,
): ClassAdValue {
  if (item.kind !== "ad") return item.kind === "undefined" ? UNDEFINED : ERROR;
  const root = rootOf(scope);
  const { other } = root;
  root.other = item.scope;
  try {
    return runWithin(condition, scope, evaluation);
  } finally {
    root.other = other;
  }
}

function isReference({ kind }: Node): boolean {
  return kind === "reference" || kind === "absolute" || kind === "select" || kind === "scope";
}

type Referred = (scope: Scope, evaluation: Evaluation) => Attribute | undefined;

/** Finds the attribute that a reference means; undefined for nodes that are none. */
function referring(node: Node, compile: (node: Node) => Expression): Referred | undefined {
  switch (node.kind) {
    case "reference":
      return (scope) => attributeInScope(node.key, scope) ?? scope.other?.ad.attributes.get(node.key);
    case "scope":
      return (scope) => scope.ad.attributes.get(node.key);
    case "absolute":
      return (scope) => rootOf(scope).ad.attributes.get(node.key);
    case "select": {
      const of = compile(node.of);
      return (scope, evaluation) => {
        const ad = runWithin(of, scope, evaluation);
        return ad.kind === "ad" ? attributeInScope(node.key, ad.scope) : undefined;
      };
    }
    default:
      return undefined;
  }
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
