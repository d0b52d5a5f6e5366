/**
 * The ClassAd language read off its rules (src/classad/README.md), by walking the tree.
 *
 * The oracle for the compiled evaluator: no limits, integers as bigint, every rule where it is needed, each
 * attribute evaluated anew.
 */
import type { Node, RecordNode } from "../../src/classad/language.ts";
import { call } from "./classad-functions.ts";

/** A value: its kind, then what there is to say of it. */
export type Plain =
  | readonly ["undefined" | "error"]
  | readonly ["boolean", boolean]
  | readonly ["integer", bigint]
  | readonly ["real", number]
  | readonly ["string", string]
  | readonly ["list", readonly Plain[]]
  | readonly ["ad", Place];

/** An ad where it stands. */
export interface Place {
  readonly record: RecordNode;
  readonly around: Place | undefined;
  /** Of the outermost ad: the one opposite. */
  other?: Place;
  /** Attributes in progress in the whole evaluation: place by place, name by name. */
  readonly busy: [RecordNode, string][];
}

export const U: Plain = ["undefined"];
export const E: Plain = ["error"];

/** The value of an expression in one ad, opposite another. */
export function plainValue(node: Node, self: RecordNode, other?: RecordNode): Plain {
  const busy: [RecordNode, string][] = [];
  const place: Place = { record: self, around: undefined, busy };
  if (other !== undefined) place.other = { record: other, around: undefined, busy, other: place };
  return valueAt(node, place);
}

/** The value of an expression somewhere. */
export function valueAt(node: Node, place: Place): Plain {
  switch (node.kind) {
    case "literal":
      return literal(node.value);
    case "reference":
      return bareName(node.key, place);
    case "absolute":
      return attribute(outermost(place), node.key) ?? U;
    case "scope":
      return scopeWord(node, place);
    case "select":
      return select(valueAt(node.of, place), node.key);
    case "subscript":
      return subscript(valueAt(node.of, place), valueAt(node.index, place));
    case "unary":
      return unary(node.operator, valueAt(node.operand, place));
    case "binary":
      if (node.operator === "&&" || node.operator === "||") return logic(node, place);
      return binary(node.operator, valueAt(node.left, place), valueAt(node.right, place));
    case "conditional":
      return choice(valueAt(node.test, place), node, place);
    case "elvis": {
      const first = valueAt(node.first, place);
      return first[0] === "undefined" ? valueAt(node.second, place) : first;
    }
    case "call":
      return call(node, place, valueAt);
    case "list":
      return ["list", node.items.map((item) => valueAt(item, place))];
    case "record":
      return ["ad", { record: node, around: place, busy: place.busy }];
  }
}

function literal(value: Extract<Node, { kind: "literal" }>["value"]): Plain {
  if (value.kind === "integer") return ["integer", BigInt(value.value)];
  if (value.kind === "real") return ["real", value.value];
  if (value.kind === "string") return ["string", value.value];
  if (value.kind === "boolean") return ["boolean", value.value];
  return value.kind === "undefined" ? U : E;
}

function outermost(place: Place): Place {
  return place.around === undefined ? place : outermost(place.around);
}

/** CA-16 */
function bareName(key: string, place: Place): Plain {
  for (let at: Place | undefined = place; at !== undefined; at = at.around) {
    const found = attribute(at, key);
    if (found !== undefined) return found;
  }
  const { other } = outermost(place);
  return (other && attribute(other, key)) ?? U;
}

/** The value of an attribute of just this ad, nothing where it has none; CA-18. */
function attribute(place: Place, key: string): Plain | undefined {
  const written = place.record.attributes.find((one) => one.key === key);
  if (written === undefined) return undefined;
  if (place.busy.some(([record, name]) => record === place.record && name === key)) return E;
  place.busy.push([place.record, key]);
  const value = valueAt(written.node, place);
  place.busy.pop();
  return value;
}

/** CA-17 */
function scopeWord(node: Extract<Node, { kind: "scope" }>, place: Place): Plain {
  let found: Place | undefined = place;
  if (node.scope === "other") found = outermost(place).other;
  for (let level = 0; level < node.levels; level++) found = found?.around;
  return found === undefined ? U : ["ad", found];
}

/** CA-15 */
function select(value: Plain, key: string): Plain {
  if (value[0] === "list") return ["list", value[1].map((item) => selectOne(item, key))];
  return selectOne(value, key);
}

function selectOne(value: Plain, key: string): Plain {
  if (value[0] === "ad") return attribute(value[1], key) ?? U;
  return value[0] === "undefined" ? U : E;
}

function subscript(value: Plain, index: Plain): Plain {
  const special = exception(value, index);
  if (special !== undefined) return special;
  if (value[0] === "list" && index[0] === "integer") return value[1][Number(index[1])] ?? E;
  if (value[0] === "ad" && index[0] === "string") return attribute(value[1], index[1].toLowerCase()) ?? E;
  return E;
}

/** CA-8: what strict operators begin with. */
export function exception(...values: readonly Plain[]): Plain | undefined {
  if (values.some(([kind]) => kind === "error")) return E;
  return values.some(([kind]) => kind === "undefined") ? U : undefined;
}

/** A number, booleans as 1 and 0; nothing where it is none. */
export function number(value: Plain): bigint | number | undefined {
  if (value[0] === "boolean") return value[1] ? 1n : 0n;
  return value[0] === "integer" || value[0] === "real" ? value[1] : undefined;
}

/** CA-12: true, false, undefined or error. */
export function truth(value: Plain): boolean | "undefined" | "error" {
  if (value[0] === "undefined") return "undefined";
  const counted = number(value);
  // biome-ignore lint/suspicious/noDoubleEquals: 0 and 0n alike
  return counted === undefined ? "error" : counted != 0;
}

function ofTruth(verdict: boolean | "undefined" | "error"): Plain {
  if (verdict === "undefined") return U;
  return verdict === "error" ? E : ["boolean", verdict];
}

/** The tables of CA-12, row by row. */
function logic(node: Extract<Node, { kind: "binary" }>, place: Place): Plain {
  const decisive = node.operator === "||";
  const left = truth(valueAt(node.left, place));
  if (left === decisive || left === "error") return ofTruth(left);
  const right = truth(valueAt(node.right, place));
  if (right === decisive || right === "error") return ofTruth(right);
  return left === "undefined" || right === "undefined" ? U : ["boolean", !decisive];
}

function choice(test: Plain, node: Extract<Node, { kind: "conditional" }>, place: Place): Plain {
  const verdict = truth(test);
  if (verdict === true) return valueAt(node.then, place);
  return verdict === false ? valueAt(node.otherwise, place) : ofTruth(verdict);
}

function unary(operator: string, operand: Plain): Plain {
  const special = exception(operand);
  if (special !== undefined) return special;
  if (operator === "!") {
    const verdict = truth(operand);
    return typeof verdict === "boolean" ? ["boolean", !verdict] : ofTruth(verdict);
  }
  if (operator === "~") return operand[0] === "integer" ? integer(~operand[1]) : E;
  const counted = number(operand);
  if (counted === undefined) return E;
  if (operator === "+") return typeof counted === "bigint" ? integer(counted) : ["real", counted];
  return typeof counted === "bigint" ? integer(-counted) : ["real", -counted];
}

/** Exact up to 2^53 − 1, else an error. */
export function integer(value: bigint): Plain {
  return value > 2n ** 53n - 1n || value < 1n - 2n ** 53n ? E : ["integer", value];
}

/** Every operator with two operands but the logical ones. */
export function binary(operator: string, left: Plain, right: Plain): Plain {
  if (operator === "=?=") return ["boolean", identical(left, right)];
  if (operator === "=!=") return ["boolean", !identical(left, right)];
  const special = exception(left, right);
  if (special !== undefined) return special;
  if (["&", "|", "^", "<<", ">>", ">>>"].includes(operator)) return bits(operator, left, right);
  if (["==", "!=", "<", "<=", ">", ">="].includes(operator)) return comparison(operator, left, right);
  const [a, b] = [number(left), number(right)];
  if (a === undefined || b === undefined) return E;
  if (typeof a === "bigint" && typeof b === "bigint") return ofIntegers(operator, a, b);
  return ["real", ofReals(operator, Number(a), Number(b))];
}

/** CA-11 */
export function identical(left: Plain, right: Plain): boolean {
  if (left[0] !== right[0]) return false;
  if (left[0] === "list" && right[0] === "list") {
    const items = right[1];
    return left[1].length === items.length && left[1].every((item, at) => identical(item, items[at]));
  }
  if (left[0] === "ad" && right[0] === "ad") {
    return JSON.stringify(bare(left[1].record)) === JSON.stringify(bare(right[1].record));
  }
  return left[1] === right[1];
}

/** A tree without places and keys: what its text depends on. */
function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare);
  if (typeof value === "number") return Object.is(value, -0) ? "-0" : String(value);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !["key", "line", "column"].includes(name));
  return kept.map(([name, part]) => [name, bare(part)]);
}

function ofIntegers(operator: string, a: bigint, b: bigint): Plain {
  if (operator === "+") return integer(a + b);
  if (operator === "-") return integer(a - b);
  if (operator === "*") return integer(a * b);
  if (b === 0n) return E;
  return integer(operator === "/" ? a / b : a % b);
}

function ofReals(operator: string, a: number, b: number): number {
  if (operator === "+") return a + b;
  if (operator === "-") return a - b;
  if (operator === "*") return a * b;
  return operator === "/" ? a / b : a % b;
}

/** CA-14 */
function bits(operator: string, left: Plain, right: Plain): Plain {
  if (left[0] === "boolean" && right[0] === "boolean") {
    if (operator === "&") return ["boolean", left[1] && right[1]];
    if (operator === "|") return ["boolean", left[1] || right[1]];
    return operator === "^" ? ["boolean", left[1] !== right[1]] : E;
  }
  if (left[0] !== "integer" || right[0] !== "integer") return E;
  const [a, b] = [left[1], right[1]];
  if (operator === "&") return integer(a & b);
  if (operator === "|") return integer(a | b);
  if (operator === "^") return integer(a ^ b);
  if (b < 0n || b > 63n) return E;
  if (operator === "<<") return integer(BigInt.asIntN(64, a << b));
  return integer(operator === ">>" ? a >> b : BigInt.asIntN(64, BigInt.asUintN(64, a) >> b));
}

/** CA-10 */
function comparison(operator: string, left: Plain, right: Plain): Plain {
  let [a, b]: readonly (string | bigint | number | undefined)[] = [number(left), number(right)];
  if (left[0] === "string" && right[0] === "string") [a, b] = [folded(left[1]), folded(right[1])];
  if (a === undefined || b === undefined) return E;
  const below = a < b;
  // biome-ignore lint/suspicious/noDoubleEquals: 3 and 3n alike
  const equal = a == b;
  const verdicts: Readonly<Record<string, boolean>> = {
    "==": equal,
    "!=": !equal,
    "<": below,
    "<=": below || equal,
    ">": a > b,
    ">=": a > b || equal,
  };
  return ["boolean", verdicts[operator] ?? false];
}

/** A–Z as a–z, nothing else. */
export function folded(text: string): string {
  return [...text].map((one) => (one >= "A" && one <= "Z" ? one.toLowerCase() : one)).join("");
}
