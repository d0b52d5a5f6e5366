/**
 * The ClassAd language as docs/reference/classads.md says it, by walking the tree.
 *
 * The oracle for the compiled evaluator: no limits, integers as bigint, every rule where it is needed, each
 * attribute evaluated anew.
 */
import type { Node, RecordNode } from "../../src/classad/language.ts";
import { call } from "./classad-functions.ts";
import { binary, E, exception, ofTruth, type Place, type Plain, truth, U, unary } from "./classad-values.ts";

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
  if (value.kind === "integer") return ["integer", value.exact ?? BigInt(value.value)];
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
  return (place.other && attribute(place.other, key)) ?? U;
}

/** The value of an attribute of just this ad, nothing where it has none; `error` in a circle. */
function attribute(place: Place, key: string): Plain | undefined {
  const written = place.record.attributes.find((one) => one.key === key);
  if (written === undefined) return undefined;
  if (place.busy.some(([record, name]) => record === place.record && name === key)) return E;
  place.busy.push([place.record, key]);
  const value = valueAt(written.node, place);
  place.busy.pop();
  return value;
}

/** */
function scopeWord(node: Extract<Node, { kind: "scope" }>, place: Place): Plain {
  return wordAt(node.key, node.scope, place);
}

/** A word for an ad in an ad: an attribute of that name (of any ad around for `other`), or else the ad. */
function wordAt(key: string, word: string, place: Place): Plain {
  for (let at: Place | undefined = place; at !== undefined; at = word === "other" ? at.around : undefined) {
    const found = attribute(at, key);
    if (found !== undefined) return found;
  }
  const places: Readonly<Record<string, Place | undefined>> = {
    self: place,
    parent: place.around,
    root: outermost(place),
    other: outermost(place).other,
  };
  const meant = places[word];
  return meant === undefined ? U : ["ad", meant];
}

/** */
function select(value: Plain, key: string): Plain {
  if (value[0] === "list") return ["list", value[1].map((item) => selectOne(item, key))];
  return selectOne(value, key);
}

function selectOne(value: Plain, key: string): Plain {
  if (value[0] !== "ad") return value[0] === "undefined" ? U : E;
  if (["self", "other", "parent"].includes(key)) return wordAt(key, key, value[1]);
  for (let at: Place | undefined = value[1]; at !== undefined; at = at.around) {
    const found = attribute(at, key);
    if (found !== undefined) return found;
  }
  return U;
}

function subscript(value: Plain, index: Plain): Plain {
  const special = exception(value, index);
  if (special !== undefined) return special;
  if (value[0] === "list" && index[0] === "integer") return value[1][Number(index[1])] ?? E;
  if (value[0] === "ad" && index[0] === "string") return attribute(value[1], index[1].toLowerCase()) ?? U;
  return E;
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
