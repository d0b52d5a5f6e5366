/**
 * Canonical text of expressions and values (rule CA-7): it reads back as the same, and equal trees have equal
 * texts.
 */
import { quoted } from "./escapes.ts";
import {
  type ClassAd,
  type ClassAdValue,
  keyOf,
  type Node,
  type RecordAttribute,
  type Scalar,
} from "./language.ts";

import { BINARY_POWERS, CONDITIONAL_POWER, POSTFIX_POWER, UNARY_POWER } from "./powers.ts";
import { absTimeText, relTimeText } from "./time-text.ts";
import { isReserved } from "./words.ts";

/** The canonical text of an expression. */
export function unparse(node: Node): string {
  return within(node, 0);
}

/** The canonical text of a value; attributes of an ad are written as expressions. */
export function valueText(value: ClassAdValue): string {
  if (value.kind === "list") return listText(value.items.map(valueText));
  return value.kind === "ad" ? adText(value.scope.ad) : scalarText(value);
}

/** Cached texts of ads, which never change. */
const adTexts = new WeakMap<ClassAd, string>();

/** The canonical text of an ad. */
export function adText(ad: ClassAd): string {
  const text = adTexts.get(ad) ?? unparse(ad.node);
  adTexts.set(ad, text);
  return text;
}

function within(node: Node, power: number): string {
  const text = nodeText(node);
  return powerOf(node) < power ? `(${text})` : text;
}

function powerOf(node: Node): number {
  switch (node.kind) {
    case "binary":
      return BINARY_POWERS.get(node.operator) ?? 0;
    case "conditional":
    case "elvis":
      return CONDITIONAL_POWER;
    case "unary":
      return UNARY_POWER;
    // A point behind a number would belong to it, and a sign before one would not apply to what follows.
    case "literal":
      return /^(?:integer|real)$/.test(node.value.kind) ? UNARY_POWER : POSTFIX_POWER;
    default:
      return POSTFIX_POWER;
  }
}

function nodeText(node: Node): string {
  switch (node.kind) {
    case "literal":
      return scalarText(node.value);
    case "reference":
      return nameText(node.name);
    case "absolute":
      return `.${nameText(node.name)}`;
    case "scope":
      return node.scope === "parent" ? Array(node.levels).fill("parent").join(".") : node.scope;
    case "select":
      return `${within(node.of, POSTFIX_POWER)}.${nameText(node.name)}`;
    case "subscript":
      return `${within(node.of, POSTFIX_POWER)}[${unparse(node.index)}]`;
    case "unary":
      return `${node.operator}${within(node.operand, UNARY_POWER)}`;
    case "binary": {
      const power = powerOf(node);
      return `${within(node.left, power)} ${node.operator} ${within(node.right, power + 1)}`;
    }
    case "conditional":
      return `${tested(node.test)} ? ${unparse(node.then)} : ${unparse(node.otherwise)}`;
    case "elvis":
      return `${tested(node.first)} ?: ${unparse(node.second)}`;
    case "call":
      return `${node.name}(${node.operands.map(unparse).join(", ")})`;
    case "list":
      return listText(node.items.map(unparse));
    case "record":
      return recordText(node.attributes);
  }
}

/** The text of the condition before a question mark. */
function tested(node: Node): string {
  return within(node, CONDITIONAL_POWER + 1);
}

function listText(items: readonly string[]): string {
  return items.length === 0 ? "{}" : `{ ${items.join(", ")} }`;
}

function recordText(attributes: readonly RecordAttribute[]): string {
  if (attributes.length === 0) return "[]";
  return `[ ${attributes.map(({ name, node }) => `${nameText(name)} = ${unparse(node)}`).join("; ")} ]`;
}

function nameText(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) && !isReserved(keyOf(name)) ? name : quoted(name, "'");
}

function scalarText(value: Scalar): string {
  switch (value.kind) {
    case "undefined":
    case "error":
      return value.kind;
    case "boolean":
    case "integer":
      return String(value.value);
    case "real":
      return realText(value.value);
    case "string":
      return quoted(value.value, '"');
    case "absTime":
      return `absTime("${absTimeText(value)}")`;
    case "relTime":
      return `relTime("${relTimeText(value.seconds)}")`;
  }
}

/** The shortest text that reads back as the same real, always with a point or an exponent. */
function realText(value: number): string {
  if (Number.isNaN(value)) return 'real("NaN")';
  if (!Number.isFinite(value)) return value > 0 ? 'real("INF")' : 'real("-INF")';
  const text = Object.is(value, -0) ? "-0" : String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}
