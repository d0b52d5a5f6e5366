/**
 * Compilation of an expression tree: each node becomes a closure over those below it.
 *
 * Equivalent to walking the tree at each evaluation; for speed the kind of each node is tested once, and
 * literals are values already.
 */
import { applyUnary, calculate, combineBits } from "./arithmetic.ts";
import { compare, isIdentical } from "./comparison.ts";
import { builtins } from "./functions/index.ts";
import {
  type Attribute,
  type BinaryOperator,
  type ClassAd,
  type ClassAdValue,
  type Expression,
  keyOf,
  type Node,
  type RecordAttribute,
  type RecordNode,
  type Run,
} from "./language.ts";
import { sizeOfLimited, weightOf } from "./node-size.ts";
import { attributeOf, lookUp, nestedScope, rootOf, scopeNamed, spend, valueIn } from "./scope.ts";
import { booleanValue, ERROR, FALSE, listValue, TRUE, truthOf, UNDEFINED } from "./values.ts";
import { SCOPE_WORDS } from "./words.ts";

/** Compiles a tree: height and size at once, the function when it first runs. */
export function compileExpression(node: Node): Expression {
  if (node.kind === "literal") return { node, height: 1, size: weightOf(node), run: runLiteral };
  const { height, size } = sizeOfLimited(node);
  return { node, height, size, run: runFirst };
}

// Ads have thousands of expressions that never run: the two functions below are shared by all of them.

function runLiteral(this: { readonly node: NodeOf<"literal"> }): ClassAdValue {
  return this.node.value;
}

function runFirst(this: { readonly node: Node; run: Run }, ...[scope, evaluation]: Parameters<Run>) {
  this.run = compile(this.node);
  return this.run(scope, evaluation);
}

/** Compiles the attributes of an ad. */
export function compileAd(node: RecordNode): ClassAd {
  const attributes = new Map<string, Attribute>();
  let namesScopes = false;
  for (const attribute of node.attributes) {
    attributes.set(attribute.key, compileAttribute(attribute));
    namesScopes ||= SCOPE_WORDS.has(attribute.key);
  }
  return { node, attributes, namesScopes };
}

/** An ad of attributes that are compiled already; no two have one name. */
export function assembledAd(attributes: readonly Attribute[]): ClassAd {
  const byKey = new Map(attributes.map((attribute) => [attribute.key, attribute]));
  const namesScopes = attributes.some(({ key }) => SCOPE_WORDS.has(key));
  return { node: { kind: "record", attributes }, attributes: byKey, namesScopes };
}

/** An attribute with an expression that is compiled already. */
export function attributeOfText(place: Omit<RecordAttribute, "node">, expression: Expression): Attribute {
  const { node } = expression;
  return { ...place, node, expression, constant: constantOf(node) };
}

function compileAttribute({ name, key, node, line, column }: RecordAttribute): Attribute {
  return { name, key, node, line, column, expression: compileExpression(node), constant: constantOf(node) };
}

/** The value of a literal or of a list of literals; undefined for other nodes. */
export function constantOf(node: Node): ClassAdValue | undefined {
  if (node.kind === "literal") return node.value;
  if (node.kind !== "list") return undefined;
  const items = node.items.flatMap((item) => constantOf(item) ?? []);
  return items.length === node.items.length ? listValue(items) : undefined;
}

function compile(node: Node): Run {
  switch (node.kind) {
    case "literal":
      return () => node.value;
    case "reference":
      return (scope, evaluation) => lookUp(node.key, scope, evaluation);
    case "absolute":
      return (scope, evaluation) => attributeOf(node.key, rootOf(scope), evaluation);
    case "scope":
      return (scope, evaluation) => scopeNamed(node, scope, evaluation);
    case "select":
      return compileSelect(node);
    case "subscript":
      return compileSubscript(node);
    case "unary": {
      const operand = compile(node.operand);
      return (scope, evaluation) => applyUnary(node.operator, operand(scope, evaluation));
    }
    case "binary":
      return compileBinary(node.operator, compile(node.left), compile(node.right));
    case "conditional":
      return compileConditional(node);
    case "elvis": {
      const [first, second] = [compile(node.first), compile(node.second)];
      return (scope, evaluation) => {
        const value = first(scope, evaluation);
        return value.kind === "undefined" ? second(scope, evaluation) : value;
      };
    }
    case "call":
      return compileCall(node);
    case "list": {
      const items = node.items.map(compile);
      return (scope, evaluation) => listValue(items.map((item) => item(scope, evaluation)));
    }
    case "record": {
      const ad = compileAd(node);
      return (scope) => ({ kind: "ad", scope: nestedScope(scope, ad) });
    }
  }
}

type NodeOf<Kind extends Node["kind"]> = Extract<Node, { kind: Kind }>;

function compileSelect({ of, key }: NodeOf<"select">): Run {
  if (of.kind === "scope" && !SCOPE_WORDS.has(key)) {
    if (of.scope === "other") return compileSelectOfOther(of, key);
    if (of.scope === "self") {
      return (scope, evaluation) =>
        scope.ad.namesScopes
          ? selected(scopeNamed(of, scope, evaluation), key, evaluation)
          : valueIn(key, scope, evaluation);
    }
  }
  const whole = compile(of);
  return (scope, evaluation) => selected(whole(scope, evaluation), key, evaluation);
}

function compileSelectOfOther(of: NodeOf<"scope">, key: string): Run {
  return (scope, evaluation) => {
    let root = scope;
    for (;;) {
      if (root.ad.namesScopes) return selected(scopeNamed(of, scope, evaluation), key, evaluation);
      if (root.parent === undefined) break;
      root = root.parent;
    }
    return attributeOf(key, root.other, evaluation);
  };
}

/** An attribute of an ad, or of each item of a list. */
function selected(value: ClassAdValue, key: string, evaluation: Parameters<Run>[1]): ClassAdValue {
  if (value.kind !== "list") return select(value, key, evaluation);
  spend(evaluation, value.items.length);
  return listValue(value.items.map((item) => select(item, key, evaluation)));
}

function select(value: ClassAdValue, key: string, evaluation: Parameters<Run>[1]): ClassAdValue {
  if (value.kind !== "ad") return value.kind === "undefined" ? UNDEFINED : ERROR;
  const word = SCOPE_WORDS.get(key);
  return word === undefined
    ? valueIn(key, value.scope, evaluation)
    : scopeNamed({ scope: word, key }, value.scope, evaluation);
}

function compileSubscript(node: NodeOf<"subscript">): Run {
  const [of, at] = [compile(node.of), compile(node.index)];
  return (scope, evaluation) => {
    const whole = of(scope, evaluation);
    const index = at(scope, evaluation);
    if (whole.kind === "error" || index.kind === "error") return ERROR;
    if (whole.kind === "undefined" || index.kind === "undefined") return UNDEFINED;
    if (whole.kind === "list" && index.kind === "integer") return whole.items[index.value] ?? ERROR;
    const isName = whole.kind === "ad" && index.kind === "string";
    return isName ? attributeOf(keyOf(index.value), whole.scope, evaluation) : ERROR;
  };
}

function compileBinary(operator: BinaryOperator, left: Run, right: Run): Run {
  switch (operator) {
    case "&&":
      return compileLogical(left, right, { decides: FALSE, continues: TRUE });
    case "||":
      return compileLogical(left, right, { decides: TRUE, continues: FALSE });
    case "=?=":
      return (scope, evaluation) =>
        booleanValue(isIdentical(left(scope, evaluation), right(scope, evaluation)));
    case "=!=":
      return (scope, evaluation) =>
        booleanValue(!isIdentical(left(scope, evaluation), right(scope, evaluation)));
    case "==":
    case "!=":
    case "<":
    case "<=":
    case ">":
    case ">=":
      return (scope, evaluation) => compare(operator, left(scope, evaluation), right(scope, evaluation));
    case "+":
    case "-":
    case "*":
    case "/":
    case "%":
      return (scope, evaluation) => calculate(operator, left(scope, evaluation), right(scope, evaluation));
    default:
      return (scope, evaluation) => combineBits(operator, left(scope, evaluation), right(scope, evaluation));
  }
}

interface Logic {
  /** The value that decides the result on either side. */
  readonly decides: ClassAdValue;
  readonly continues: ClassAdValue;
}

function compileLogical(left: Run, right: Run, { decides, continues }: Logic): Run {
  const decisive = decides === TRUE;
  return (scope, evaluation) => {
    const first = left(scope, evaluation);
    const truth = truthOf(first);
    if (truth === decisive) return decides;
    if (truth === undefined && first.kind !== "undefined") return ERROR;
    const second = right(scope, evaluation);
    const further = truthOf(second);
    if (further === decisive) return decides;
    if (further === undefined) return second.kind === "undefined" ? UNDEFINED : ERROR;
    return truth === undefined ? UNDEFINED : continues;
  };
}

function compileConditional(node: NodeOf<"conditional">): Run {
  const [test, then, otherwise] = [compile(node.test), compile(node.then), compile(node.otherwise)];
  return (scope, evaluation) => {
    const value = test(scope, evaluation);
    const truth = truthOf(value);
    if (truth === undefined) return value.kind === "undefined" ? UNDEFINED : ERROR;
    return truth ? then(scope, evaluation) : otherwise(scope, evaluation);
  };
}

function compileCall({ key, operands }: NodeOf<"call">): Run {
  const builtin = builtins.get(key);
  if (builtin === undefined) return () => ERROR;
  if (operands.length < builtin.fewest || operands.length > builtin.most) return () => ERROR;
  if (builtin.kind === "lazy") return builtin.build(operands.map(compileExpression), compileExpression);
  const { apply } = builtin;
  const runs = operands.map(compile);
  return (scope, evaluation) =>
    apply(
      runs.map((run) => run(scope, evaluation)),
      evaluation,
    );
}
