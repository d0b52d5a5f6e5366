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

/** Output style of a text: canonical, or as in the conversion functions of the language. */
interface Style {
  readonly realText: (value: number) => string;
  readonly quoted: (text: string) => string;
  /** Between items of a list and operands of a call. */
  readonly comma: string;
  /** Around nothing. */
  readonly nothing: string;
  readonly operators: ReadonlyMap<string, string>;
  readonly beforeSign: string;
}

const CANONICAL: Style = {
  realText: shortestReal,
  quoted: (text) => quoted(text, '"'),
  comma: ", ",
  nothing: "",
  operators: new Map(),
  beforeSign: "",
};

/** The form of HTCondor's library, which strings in real ads contain. */
const STRING_FORM: Style = {
  realText: fullReal,
  quoted: quotedBytes,
  comma: ",",
  nothing: "  ",
  operators: new Map([
    ["=?=", "is"],
    ["=!=", "isnt"],
  ]),
  beforeSign: " ",
};

/** The canonical text of an expression. */
export function unparse(node: Node): string {
  return nodeText(node, CANONICAL);
}

/** The text of an expression that the function `unparse` gives. */
export function unparsedString(node: Node): string {
  return nodeText(node, STRING_FORM);
}

/** The canonical text of a value; attributes of an ad are written as expressions. */
export function valueText(value: ClassAdValue): string {
  return styledText(value, CANONICAL);
}

/** The string that functions make of a value; a string in a list is in quotation marks. */
export function stringForm(value: ClassAdValue): string {
  if (value.kind === "string") return value.value;
  if (value.kind === "absTime") return absTimeText(value);
  return value.kind === "relTime" ? relTimeText(value.seconds) : styledText(value, STRING_FORM);
}

function styledText(value: ClassAdValue, style: Style): string {
  if (value.kind === "list")
    return listText(
      value.items.map((item) => styledText(item, style)),
      style,
    );
  if (value.kind !== "ad") return scalarText(value, style);
  return style === CANONICAL ? adText(value.scope.ad) : nodeText(value.scope.ad.node, style);
}

/** Cached texts of ads, which never change. */
const adTexts = new WeakMap<ClassAd, string>();

/** The canonical text of an ad. */
export function adText(ad: ClassAd): string {
  const text = adTexts.get(ad) ?? unparse(ad.node);
  adTexts.set(ad, text);
  return text;
}

function within(node: Node, power: number, style: Style): string {
  const text = nodeText(node, style);
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

function nodeText(node: Node, style: Style): string {
  const textOf = (part: Node) => nodeText(part, style);
  switch (node.kind) {
    case "literal":
      return scalarText(node.value, style);
    case "reference":
      return nameText(node.name);
    case "absolute":
      return `.${nameText(node.name)}`;
    case "scope":
      return node.key;
    case "select":
      return `${within(node.of, POSTFIX_POWER, style)}.${nameText(node.name)}`;
    case "subscript":
      return `${within(node.of, POSTFIX_POWER, style)}[${textOf(node.index)}]`;
    case "unary":
      return `${style.beforeSign}${node.operator}${within(node.operand, UNARY_POWER, style)}`;
    case "binary":
      return binaryText(node, style);
    case "conditional":
      return `${tested(node.test, style)} ? ${textOf(node.then)} : ${textOf(node.otherwise)}`;
    case "elvis":
      return `${tested(node.first, style)} ?: ${textOf(node.second)}`;
    case "call":
      return `${nameText(node.name)}(${node.operands.map(textOf).join(style.comma)})`;
    case "list":
      return listText(node.items.map(textOf), style);
    case "record":
      return recordText(node.attributes, style);
  }
}

function binaryText(node: Extract<Node, { kind: "binary" }>, style: Style): string {
  const power = powerOf(node);
  const operator = style.operators.get(node.operator) ?? node.operator;
  return `${within(node.left, power, style)} ${operator} ${within(node.right, power + 1, style)}`;
}

/** The text of the condition before a question mark. */
function tested(node: Node, style: Style): string {
  return within(node, CONDITIONAL_POWER + 1, style);
}

function listText(items: readonly string[], { comma, nothing }: Style): string {
  return items.length === 0 ? `{${nothing}}` : `{ ${items.join(comma)} }`;
}

function recordText(attributes: readonly RecordAttribute[], style: Style): string {
  if (attributes.length === 0) return `[${style.nothing}]`;
  const texts = attributes.map(({ name, node }) => `${nameText(name)} = ${nodeText(node, style)}`);
  return `[ ${texts.join("; ")} ]`;
}

/** A name, in quotation marks where it needs them. */
export function nameText(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) && !isReserved(keyOf(name)) ? name : quoted(name, "'");
}

function scalarText(value: Scalar, style: Style): string {
  switch (value.kind) {
    case "undefined":
    case "error":
      return value.kind;
    case "boolean":
      return String(value.value);
    case "integer":
      return String(value.exact ?? value.value);
    case "real":
      return realText(value.value, style);
    case "string":
      return style.quoted(value.value);
    case "absTime":
      return `absTime("${absTimeText(value)}")`;
    case "relTime":
      return `relTime("${relTimeText(value.seconds)}")`;
  }
}

function realText(value: number, style: Style): string {
  if (Number.isNaN(value)) return 'real("NaN")';
  if (!Number.isFinite(value)) return value > 0 ? 'real("INF")' : 'real("-INF")';
  if (value === 0) return Object.is(value, -0) ? "-0.0" : "0.0";
  return style.realText(value);
}

/** The shortest text that reads back as the same real, always with a point or an exponent. */
function shortestReal(value: number): string {
  const text = String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

/** A real in 16 digits: `1.500000000000000E+00`. */
function fullReal(value: number): string {
  return value
    .toExponential(15)
    .replace(/e([+-])(\d+)$/, (_, sign: string, digits: string) => `E${sign}${digits.padStart(2, "0")}`);
}

/** A string in quotation marks with all bytes but printable ones as octal codes. */
function quotedBytes(text: string): string {
  const inside = quoted(text, '"').slice(1, -1);
  return `"${inside.replace(/[^\0-\x7f]+/g, (characters) =>
    encodeURIComponent(characters.replace(/\p{Surrogate}/gu, "\ufffd")).replace(
      /%(..)/g,
      (_, code: string) => `\\${Number.parseInt(code, 16).toString(8).padStart(3, "0")}`,
    ),
  )}"`;
}
