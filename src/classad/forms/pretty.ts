/** The new form for people: nested ads, lists of ads and long conditions on several lines. */
import type { Node, RecordNode } from "../language.ts";
import { nameText, unparse } from "../unparse.ts";

/** Longest line with a condition of several parts. */
const WIDTH = 100;
/** Deepest nesting that is indented; deeper parts stay on one line. */
const DEPTH = 20;

/** An ad on several lines; it reads back as the same. */
export function prettyRecord({ attributes }: RecordNode, depth = 0): string {
  if (attributes.length === 0) return "[]";
  const lines = attributes.map(({ name, node }) => {
    const begin = `${indent(depth + 1)}${nameText(name)} = `;
    return `${begin}${prettyNode(node, depth + 1, begin.length)};\n`;
  });
  return `[\n${lines.join("")}${indent(depth)}]`;
}

function prettyNode(node: Node, depth: number, column: number): string {
  if (depth > DEPTH) return unparse(node);
  if (node.kind === "record") return prettyRecord(node, depth);
  if (node.kind === "list" && node.items.some(({ kind }) => kind === "record")) {
    const items = node.items.map((item) => indent(depth + 1) + prettyNode(item, depth + 1, 0));
    return `{\n${items.join(",\n")}\n${indent(depth)}}`;
  }
  const text = unparse(node);
  return column + text.length <= WIDTH ? text : operandsOf(node).join(` &&\n${indent(depth + 1)}`);
}

/** The operands of a chain of `&&`, in brackets where they need them; another expression by itself. */
function operandsOf(node: Node): readonly string[] {
  const operands: string[] = [];
  let left = node;
  for (; left.kind === "binary" && left.operator === "&&"; left = left.left) {
    operands.unshift(operandText(left.right, true));
  }
  return operands.length === 0 ? [unparse(node)] : [operandText(left, false), ...operands];
}

function operandText(node: Node, isRight: boolean): string {
  const isWeaker = node.kind === "conditional" || node.kind === "elvis";
  const isBinary = node.kind === "binary";
  const needs = isWeaker || (isBinary && (node.operator === "||" || (isRight && node.operator === "&&")));
  return needs ? `(${unparse(node)})` : unparse(node);
}

function indent(depth: number): string {
  return "  ".repeat(depth);
}
