/** The XML form of `condor_q -xml`: `<classads>` with a `<c>` for each ad. Entities of a DTD are not read. */
import { accepted, type Result, refused } from "../../base/index.ts";
import { compileAd } from "../compile.ts";
import { type ClassAd, keyOf, type Node, type RecordAttribute, type RecordNode } from "../language.ts";
import { parseExpression } from "../parse.ts";
import { type ClassAdProblem, placeOf, UnreadableText } from "../problem.ts";
import { absTimeText, relTimeText } from "../time-text.ts";
import { unparse } from "../unparse.ts";
import { ERROR, FALSE, stringValue, TRUE, UNDEFINED } from "../values.ts";

interface Reading {
  readonly text: string;
  at: number;
  depth: number;
}

interface Tag {
  readonly name: string;
  /** The one attribute that tags of this form have: a name, or the value of a boolean. */
  readonly value: string | undefined;
  readonly isClosing: boolean;
  readonly isEmpty: boolean;
  readonly at: number;
}

/** Deepest nesting of ads and lists. */
const DEPTH_LIMIT = 500;
const IGNORED = /(?:\s+|<\?[\s\S]*?\?>|<!--[\s\S]*?-->|<![A-Za-z][^[>]*>)*/y;
const TAG = /<(\/?)([a-z]+)(?:\s+[a-z]+\s*=\s*(?:"([^"]*)"|'([^']*)'))?\s*(\/?)>/y;
const TEXT = /[^<]*/y;

/** The ads of a text in the XML form. */
export function readXml(text: string): Result<readonly ClassAd[], ClassAdProblem> {
  const reading: Reading = { text, at: 0, depth: 0 };
  const ads: ClassAd[] = [];
  try {
    skip(IGNORED, reading);
    while (reading.at < text.length) {
      const tag = tagAt(reading);
      if (tag.name === "c" && !tag.isClosing) ads.push(compileAd(recordAt(reading, tag)));
      else if (tag.name !== "classads") throw unexpected(tag, "<classads> or <c>");
      skip(IGNORED, reading);
    }
    return accepted(ads);
  } catch (error) {
    if (!(error instanceof UnreadableText)) throw error;
    return refused({ ...error.words, ...placeOf(text, error.offset) });
  }
}

function skip(pattern: RegExp, reading: Reading): string {
  pattern.lastIndex = reading.at;
  const found = pattern.exec(reading.text)?.[0] ?? "";
  reading.at += found.length;
  return found;
}

function tagAt(reading: Reading): Tag {
  skip(IGNORED, reading);
  const { text, at } = reading;
  TAG.lastIndex = at;
  const found = TAG.exec(text);
  if (found === null) throw unreadable(text, at, 'a tag: <c>, <a n="…"> or the type of a value');
  reading.at += found[0].length;
  const [, slash, name, double, single, empty] = found;
  const raw = double ?? single;
  const value = raw === undefined ? undefined : decoded(raw, at);
  return { name, value, isClosing: slash === "/", isEmpty: empty === "/", at };
}

function unreadable(text: string, at: number, needed: string): UnreadableText {
  const isEnd = at >= text.length;
  return new UnreadableText(at, {
    code: isEnd ? "unexpectedEnd" : "unexpectedToken",
    what: isEnd ? "unexpected end of the text" : `unexpected ${JSON.stringify(text.slice(at, at + 20))}`,
    why: `expected ${needed}`,
    remedy: "correct the XML, or name the form of the file with --from",
  });
}

function unexpected({ name, isClosing, at }: Tag, needed: string): UnreadableText {
  return new UnreadableText(at, {
    code: "unexpectedToken",
    what: `unexpected <${isClosing ? "/" : ""}${name}>`,
    why: `expected ${needed}`,
    remedy: "correct the XML, or name the form of the file with --from",
  });
}

function recordAt(reading: Reading, opened: Tag): RecordNode {
  const attributes = new Map<string, RecordAttribute>();
  for (let tag = nextIn(reading, opened); tag !== undefined; tag = nextIn(reading, opened)) {
    if (tag.name !== "a" || tag.value === undefined) throw unexpected(tag, '<a n="…">, an attribute');
    const name = tag.value;
    const node = valueAt(reading, tagAt(reading));
    close(reading, "a");
    const key = keyOf(name);
    attributes.set(key, { name, key, node, line: 1, column: 1 });
  }
  return { kind: "record", attributes: [...attributes.values()] };
}

/** The next tag inside of one; undefined at its end. */
function nextIn(reading: Reading, opened: Tag): Tag | undefined {
  if (opened.isEmpty) return undefined;
  const tag = tagAt(reading);
  if (!tag.isClosing) return tag;
  if (tag.name === opened.name) return undefined;
  throw unexpected(tag, `</${opened.name}>`);
}

function close(reading: Reading, name: string): void {
  const tag = tagAt(reading);
  if (!tag.isClosing || tag.name !== name) throw unexpected(tag, `</${name}>`);
}

function valueAt(reading: Reading, tag: Tag): Node {
  if (++reading.depth > DEPTH_LIMIT) throw unexpected(tag, `at most ${DEPTH_LIMIT} nested ads and lists`);
  const node = anyValue(reading, tag);
  reading.depth--;
  return node;
}

function anyValue(reading: Reading, tag: Tag): Node {
  if (tag.isClosing) throw unexpected(tag, "a value");
  if (tag.name === "c") return recordAt(reading, tag);
  if (tag.name === "l") return listAt(reading, tag);
  const begin = reading.at;
  const inside = tag.isEmpty ? "" : decoded(skip(TEXT, reading), begin);
  if (!tag.isEmpty) close(reading, tag.name);
  switch (tag.name) {
    case "s": {
      const value = stringValue(inside);
      if (value.kind === "error") throw unexpected(tag, "a string of at most 65536 characters");
      return { kind: "literal", value };
    }
    case "i":
    case "r":
    case "e":
      return expression(tag.name === "r" ? realText(inside) : inside, begin);
    case "at":
      return expression(`absTime("${inside.trim()}")`, begin);
    case "rt":
      return expression(`relTime("${inside.trim()}")`, begin);
    case "b":
      return { kind: "literal", value: /^t/i.test(tag.value ?? inside) ? TRUE : FALSE };
    case "un":
      return { kind: "literal", value: UNDEFINED };
    case "er":
      return { kind: "literal", value: ERROR };
    default:
      throw unexpected(tag, "a value: i, r, s, b, e, l, c, at, rt, un or er");
  }
}

function listAt(reading: Reading, opened: Tag): Node {
  const items: Node[] = [];
  for (let tag = nextIn(reading, opened); tag !== undefined; tag = nextIn(reading, opened)) {
    items.push(valueAt(reading, tag));
  }
  return { kind: "list", items };
}

/** A real is one even where it is written without a point. */
function realText(text: string): string {
  const said = text.trim();
  if (/^[+-]?\d+$/.test(said)) return `${said}.0`;
  return /^-?(?:INF|NaN)$/.test(said) ? `real("${said}")` : said;
}

function expression(text: string, begin: number): Node {
  const read = parseExpression(text);
  if (read.ok) return read.value.node;
  throw new UnreadableText(begin, { ...read.refusal, what: `in the expression: ${read.refusal.what}` });
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function decoded(raw: string, offset: number): string {
  if (!raw.includes("&")) return raw;
  return raw.replace(/&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|(\w{1,8}));?|&/g, (found, ...parts) => {
    const [decimal, hex, name, at] = parts;
    const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
    const isCharacter = code > 0 && code <= 0x10_ff_ff;
    const character = isCharacter ? String.fromCodePoint(code) : ENTITIES[name ?? ""];
    if (character !== undefined && found.endsWith(";")) return character;
    throw new UnreadableText(offset + Number(at), {
      code: "badEscape",
      what: `${found} is not a character`,
      why: "XML of ads has &amp; &lt; &gt; &quot; &apos; and the codes of characters, &#10; or &#xa;",
      remedy: "write &amp; for & itself",
    });
  });
}

/** Ads in the XML form. */
export function writeXml(ads: readonly ClassAd[]): string {
  const texts = ads.map(({ node }) => `${recordXml(node, "\n    ", "\n")}\n`);
  const head = '<?xml version="1.0"?>\n<!DOCTYPE classads SYSTEM "classads.dtd">\n';
  return `${head}<classads>\n${texts.join("")}</classads>\n`;
}

function recordXml({ attributes }: RecordNode, before: string, last: string): string {
  const texts = attributes.map(({ name, node }) => `${before}<a n="${encoded(name)}">${xmlOf(node)}</a>`);
  return `<c>${texts.join("")}${last}</c>`;
}

function xmlOf(node: Node): string {
  if (node.kind === "list") return `<l>${node.items.map(xmlOf).join("")}</l>`;
  if (node.kind === "record") return recordXml(node, "", "");
  if (node.kind !== "literal") return `<e>${encoded(unparse(node))}</e>`;
  const { value } = node;
  switch (value.kind) {
    case "undefined":
      return "<un/>";
    case "error":
      return "<er/>";
    case "boolean":
      return `<b v="${value.value ? "t" : "f"}"/>`;
    case "integer":
      return `<i>${unparse(node)}</i>`;
    case "real":
      return Number.isFinite(value.value) ? `<r>${unparse(node)}</r>` : `<e>${encoded(unparse(node))}</e>`;
    case "absTime":
      return `<at>${absTimeText(value)}</at>`;
    case "relTime":
      return `<rt>${relTimeText(value.seconds)}</rt>`;
    case "string":
      // Characters that XML cannot have are in the escapes of an expression.
      return isPlain(value.value) ? `<s>${encoded(value.value)}</s>` : `<e>${encoded(unparse(node))}</e>`;
  }
}

function isPlain(text: string): boolean {
  return !/(?![\t\n\r])\p{Cc}|\p{Cs}|[\ufffe\uffff]/u.test(text);
}

function encoded(text: string): string {
  return text.replace(/[&<>"\r\n\t]/g, (mark) => `&#${mark.charCodeAt(0)};`);
}
