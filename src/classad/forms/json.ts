/**
 * The JSON form: an object for each ad, in a list or one after the other. Strings `\/Expr(…)\/` are
 * expressions; after tools that rewrite JSON they are `/Expr(…)/`, and a string of that form is written as an
 * expression itself.
 */
import { accepted, type Result, refused } from "../../base/index.ts";
import { compileAd } from "../compile.ts";
import { type ClassAd, keyOf, type Node, type RecordAttribute, type RecordNode } from "../language.ts";
import { parseExpression } from "../parse.ts";
import { type ClassAdProblem, placeOf, UnreadableText } from "../problem.ts";
import { unparse } from "../unparse.ts";
import { FALSE, stringValue, TRUE, UNDEFINED } from "../values.ts";

interface Reading {
  readonly text: string;
  at: number;
  depth: number;
}

/** Deepest nesting of lists and objects. */
const DEPTH_LIMIT = 500;
const BLANKS = /\s*/y;
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /[A-Za-z]+/y;
const EXPRESSION = /^\/Expr\(([\s\S]*)\)\/$/;

/** The ads of a text in the JSON form. */
export function readJson(text: string): Result<readonly ClassAd[], ClassAdProblem> {
  const reading: Reading = { text, at: 0, depth: 0 };
  const ads: ClassAd[] = [];
  try {
    while (!isAtEnd(reading)) {
      if (take(reading, ",")) continue;
      const begin = reading.at;
      const node = valueAt(reading);
      for (const one of node.kind === "list" ? node.items : [node]) {
        if (one.kind !== "record") throw new UnreadableText(begin, NO_AD);
        ads.push(compileAd(one));
      }
    }
    return accepted(ads);
  } catch (error) {
    if (!(error instanceof UnreadableText)) throw error;
    return refused({ ...error.words, ...placeOf(text, error.offset) });
  }
}

const NO_AD = {
  code: "unexpectedToken" as const,
  what: "this is not an ad",
  why: "ads in JSON are objects, one after the other or in a list",
  remedy: 'write [ { "Name": value, … }, … ]',
};

function isAtEnd(reading: Reading): boolean {
  reading.at += match(BLANKS, reading).length;
  return reading.at >= reading.text.length;
}

function match(pattern: RegExp, { text, at }: Reading): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? "";
}

function take(reading: Reading, mark: string): boolean {
  isAtEnd(reading);
  const isThere = reading.text[reading.at] === mark;
  if (isThere) reading.at++;
  return isThere;
}

function expect(reading: Reading, mark: string, where: string): void {
  if (!take(reading, mark)) throw problem(reading, `${mark} ${where}`);
}

function problem({ text, at }: Reading, needed: string): UnreadableText {
  const isEnd = at >= text.length;
  return new UnreadableText(at, {
    code: isEnd ? "unexpectedEnd" : "unexpectedToken",
    what: isEnd ? "unexpected end of the text" : `unexpected ${JSON.stringify(text[at])}`,
    why: `expected ${needed}`,
    remedy: "correct the JSON, or name the form of the file with --from",
  });
}

function valueAt(reading: Reading): Node {
  isAtEnd(reading);
  if (++reading.depth > DEPTH_LIMIT)
    throw problem(reading, `at most ${DEPTH_LIMIT} nested lists and objects`);
  const node = anyValueAt(reading);
  reading.depth--;
  return node;
}

function anyValueAt(reading: Reading): Node {
  if (take(reading, "{")) return recordAt(reading);
  if (take(reading, "[")) return listAt(reading);
  const begin = reading.at;
  if (reading.text[begin] === '"') return stringNode(stringAt(reading), begin);
  const number = match(NUMBER, reading);
  reading.at += number.length;
  if (number !== "") return expressionNode(number, begin);
  const word = match(WORD, reading);
  const constant = { true: TRUE, false: FALSE, null: UNDEFINED }[word];
  if (constant === undefined)
    throw problem(reading, "a value: a string, number, list, object, true, false or null");
  reading.at += word.length;
  return { kind: "literal", value: constant };
}

function recordAt(reading: Reading): RecordNode {
  const attributes = new Map<string, RecordAttribute>();
  while (!take(reading, "}")) {
    if (attributes.size > 0) expect(reading, ",", "or } behind an attribute");
    isAtEnd(reading);
    if (reading.text[reading.at] !== '"') throw problem(reading, 'the name of an attribute, in "…"');
    const name = stringAt(reading);
    expect(reading, ":", "and a value behind the name");
    isAtEnd(reading);
    const key = keyOf(name);
    attributes.set(key, { name, key, node: valueAt(reading), line: 1, column: 1 });
  }
  return { kind: "record", attributes: [...attributes.values()] };
}

function listAt(reading: Reading): Node {
  const items: Node[] = [];
  while (!take(reading, "]")) {
    if (items.length > 0) expect(reading, ",", "or ] behind an item");
    items.push(valueAt(reading));
  }
  return { kind: "list", items };
}

function stringAt(reading: Reading): string {
  const source = reading.text.slice(reading.at, stringEnd(reading));
  if (!source.endsWith('"') || source.length < 2)
    throw problem(reading, 'a string that ends with " on the same line');
  try {
    const value: unknown = JSON.parse(source);
    reading.at += source.length;
    return String(value);
  } catch {
    throw problem(reading, "a string with the escapes of JSON");
  }
}

function stringEnd({ text, at }: Reading): number {
  let end = at + 1;
  while (end < text.length && text[end] !== '"' && text[end] !== "\n") end += text[end] === "\\" ? 2 : 1;
  return end + 1;
}

function stringNode(text: string, begin: number): Node {
  const expression = EXPRESSION.exec(text);
  if (expression !== null) return expressionNode(expression[1], begin);
  const value = stringValue(text);
  if (value.kind === "error") throw new UnreadableText(begin, TOO_LONG);
  return { kind: "literal", value };
}

const TOO_LONG = {
  code: "tooLong" as const,
  what: "the string is too long",
  why: "strings have at most 65536 characters",
  remedy: "put the text into a file, and name the file",
};

function expressionNode(text: string, begin: number): Node {
  const read = parseExpression(text);
  if (read.ok) return read.value.node;
  throw new UnreadableText(begin, { ...read.refusal, what: `in the expression: ${read.refusal.what}` });
}

/** Ads in the JSON form. */
export function writeJson(ads: readonly ClassAd[]): string {
  const objects = ads.map(({ node }) => objectText(node, "\n  ", "\n"));
  return `[\n${objects.join(",\n")}\n]\n`;
}

function objectText({ attributes }: RecordNode, before: string, last: string): string {
  const texts = attributes.map(({ name, node }) => `${before}${JSON.stringify(name)}: ${jsonOf(node)}`);
  return texts.length === 0 ? "{}" : `{${texts.join(",")}${last}}`;
}

function jsonOf(node: Node): string {
  if (node.kind === "list") return `[${node.items.map(jsonOf).join(", ")}]`;
  if (node.kind === "record") return objectText(node, " ", " ");
  if (node.kind === "literal") {
    const { value } = node;
    if (value.kind === "undefined") return "null";
    if (value.kind === "boolean") return String(value.value);
    if (value.kind === "string" && !EXPRESSION.test(value.value)) return JSON.stringify(value.value);
    const isNumber = value.kind === "integer" || (value.kind === "real" && Number.isFinite(value.value));
    if (isNumber) return unparse(node);
  }
  return `"\\/Expr(${JSON.stringify(unparse(node)).slice(1, -1)})\\/"`;
}
