/**
 * Partial evaluation (rule CA-53): what an ad decides alone is put in place, what depends on the other ad, on
 * time or on chance stays.
 *
 * Whether a part is decided is found by evaluating it: its value counts where neither the other ad nor the
 * context of the evaluation was asked for.
 */
import { compileExpression, constantOf } from "./compile.ts";
import { beginEvaluation } from "./evaluate.ts";
import { builtins } from "./functions/index.ts";
import type { Attribute, ClassAd, ClassAdValue, Evaluation, Expression, Node, Scope } from "./language.ts";
import { childrenOf, sizeOf } from "./node-size.ts";
import { LimitReached, rootScope, runWithin, WORK_LIMIT } from "./scope.ts";
import { truthOf } from "./values.ts";

/** Largest number of nodes that are looked at; those beyond stay as they are. */
const NODES = 5_000;
/** Largest size of a value that is put in place. */
const VALUE_SIZE = 1_000;
/** Largest height of the result, which can be read back. */
const HEIGHT = 1_000;
/** Work of all evaluations together. */
const WORK = 3 * WORK_LIMIT;

interface Flattening {
  readonly ad: ClassAd;
  /** Attributes whose expressions are being put in place, outermost first. */
  readonly within: Attribute[];
  nodesLeft: number;
  workLeft: number;
}

/** An expression with what the ad decides in place; in a match it has the same value. */
export function flattened(expression: Expression, ad: ClassAd): Node {
  return flat(expression.node, 0, { ad, within: [], nodesLeft: NODES, workLeft: WORK });
}

function flat(node: Node, level: number, state: Flattening): Node {
  if (--state.nodesLeft < 0 || node.kind === "literal") return node;
  const decided = decidedNode(node, state);
  if (decided !== undefined) return decided;
  const again = (one: Node): Node => flat(one, level + 1, state);
  switch (node.kind) {
    case "reference":
      return inlined(node, level, state);
    case "select":
      return node.of.kind === "scope" ? flatSelect(node, level, state) : { ...node, of: again(node.of) };
    case "subscript":
      return { ...node, of: again(node.of), index: again(node.index) };
    case "unary":
      return { ...node, operand: again(node.operand) };
    case "binary":
      return simplified({ ...node, left: again(node.left), right: again(node.right) });
    case "conditional":
      return flatConditional(node, again);
    case "elvis": {
      const first = again(node.first);
      const isAbsent = first.kind === "literal" && first.value.kind === "undefined";
      return isAbsent ? again(node.second) : { ...node, first, second: again(node.second) };
    }
    case "call":
      return isEager(node.key) ? { ...node, operands: node.operands.map(again) } : node;
    case "list":
      return { ...node, items: node.items.map(again) };
    // Names within a nested ad mean its own attributes first.
    default:
      return node;
  }
}

/** `self.name` is the name in the ad; of other words the name is looked up elsewhere, or not by this one. */
function flatSelect(node: Extract<Node, { kind: "select" }>, level: number, state: Flattening): Node {
  const isOwn = node.of.kind === "scope" && node.of.scope === "self" && !state.ad.namesScopes;
  return isOwn ? inlined(node, level, state) : node;
}

function flatConditional(node: Extract<Node, { kind: "conditional" }>, again: (node: Node) => Node): Node {
  const test = again(node.test);
  const value = constantOf(test);
  const truth = value === undefined ? undefined : truthOf(value);
  if (truth !== undefined) return again(truth ? node.then : node.otherwise);
  // biome-ignore lint/suspicious/noThenProperty: it is the name of the branch.
  return { ...node, test, then: again(node.then), otherwise: again(node.otherwise) };
}

/** Functions whose operands are values, evaluated where they stand. */
function isEager(key: string): boolean {
  return key === "ifthenelse" || builtins.get(key)?.kind === "eager";
}

/** What remains of the expression of an own attribute, where that depends on nothing else of the ad. */
function inlined(
  node: Extract<Node, { kind: "reference" | "select" }>,
  level: number,
  state: Flattening,
): Node {
  const attribute = state.ad.attributes.get(node.key);
  if (attribute === undefined || state.within.includes(attribute)) return node;
  if (level + attribute.expression.height > HEIGHT) return node;
  state.within.push(attribute);
  const rest = flat(attribute.node, level, state);
  state.within.pop();
  return isForeign(rest, state.ad) ? rest : node;
}

/** True where only names of the other ad remain: own ones might lead back to the attribute put in place. */
function isForeign(node: Node, ad: ClassAd): boolean {
  switch (node.kind) {
    case "reference":
      return !ad.attributes.has(node.key);
    case "scope":
      return node.scope === "other" && !ad.namesScopes;
    case "absolute":
    case "record":
      return false;
    case "call":
      return isEager(node.key) && node.operands.every((operand) => isForeign(operand, ad));
    default:
      return childrenOf(node).every((child) => isForeign(child, ad));
  }
}

/** `true && a`, `a && true`, `false || a` and `a || false` are `a` where that is a truth value. */
function simplified(node: Extract<Node, { kind: "binary" }>): Node {
  if (node.operator !== "&&" && node.operator !== "||") return node;
  const { left, right } = node;
  const isNeutral = (one: Node) => one.kind === "literal" && truthOf(one.value) === (node.operator === "&&");
  if (isNeutral(left) && isTruth(right)) return right;
  return isNeutral(right) && isTruth(left) ? left : node;
}

const TRUTHS = new Set(["&&", "||", "==", "!=", "=?=", "=!=", "<", "<=", ">", ">="]);

/** True for operations that give a boolean, `undefined` or `error`. */
function isTruth(node: Node): boolean {
  return node.kind === "binary" && TRUTHS.has(node.operator);
}

/** The value of a node as a node; undefined where more than the ad decides it, or it is or has an ad. */
function decidedNode(node: Node, state: Flattening): Node | undefined {
  const value = decidedValue(compileExpression(node), state);
  const put = value === undefined ? undefined : nodeOf(value);
  return put !== undefined && sizeOf(put).size <= VALUE_SIZE ? put : undefined;
}

function decidedValue(expression: Expression, state: Flattening): ClassAdValue | undefined {
  const watch = { isAsked: false };
  const scope = watchedScope(state.ad, watch);
  const evaluation = watchedEvaluation(Math.min(WORK_LIMIT, state.workLeft), watch);
  // Attributes in progress are errors to themselves, as where they are evaluated.
  for (const [at, attribute] of state.within.entries()) {
    evaluation.scopes[at] = scope;
    evaluation.attributes[at] = attribute;
  }
  evaluation.depth = state.within.length;
  const before = evaluation.workLeft;
  try {
    const value = runWithin(expression, scope, evaluation);
    return watch.isAsked ? undefined : value;
  } catch (error) {
    if (error instanceof LimitReached) return undefined;
    throw error;
  } finally {
    state.workLeft -= before - evaluation.workLeft;
  }
}

interface Watch {
  isAsked: boolean;
}

/** The scope of an ad without another; asking for the other is noted. */
function watchedScope(ad: ClassAd, watch: Watch): Scope {
  return Object.defineProperty(rootScope(ad), "other", noting(watch));
}

/** An evaluation without time, zone, chance and maps; asking for them is noted. */
function watchedEvaluation(workLimit: number, watch: Watch): Evaluation {
  const evaluation = beginEvaluation({ workLimit });
  return Object.defineProperties(evaluation, {
    nowSeconds: noting(watch),
    random: noting(watch),
    userMap: noting(watch),
    zoneOffsetSeconds: noting(watch, 0),
  });
}

function noting(watch: Watch, value?: number): PropertyDescriptor {
  const get = () => {
    watch.isAsked = true;
    return value;
  };
  // Functions that lend an ad another one ask for its own first.
  return { get, set: get, enumerable: true };
}

function nodeOf(value: ClassAdValue): Node | undefined {
  if (value.kind === "ad") return undefined;
  if (value.kind !== "list") return { kind: "literal", value };
  const items = value.items.flatMap((item) => nodeOf(item) ?? []);
  return items.length === value.items.length ? { kind: "list", items } : undefined;
}
