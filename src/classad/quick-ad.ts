/**
 * Quick reading of ads as batch systems write them.
 *
 * Equivalent to {@link parseAd} in `parse.ts` where it gives an ad; for speed it differs in these ways. The
 * end of each expression is found by quotes and semicolons alone, numbers and texts become values without
 * tokens, and an expression that was read before, in another ad of the pool, is shared with it. Whatever is
 * unusual (comments, nested ads, quoted names, names given twice, any problem) is left to the parser.
 */
import { compileExpression, constantOf } from "./compile.ts";
import { type Attribute, type ClassAd, type Expression, keyOf, type Name, type Node } from "./language.ts";
import { expressionNode } from "./parser.ts";
import { beginParsing, HEIGHT_LIMIT, peek } from "./parser-state.ts";
import { UnreadableText } from "./problem.ts";
import { CODES, isDigit, isNameCode, nameEnd } from "./token-scan.ts";
import { FALSE, integerValue, STRING_LIMIT, TRUE } from "./values.ts";
import { isReserved, SCOPE_WORDS } from "./words.ts";

/** Parts shared among attributes with the same text. */
interface Compiled {
  readonly node: Node;
  readonly expression: Expression;
  readonly constant: Attribute["constant"];
}

/** Expressions by their text. Bounded in number and length; emptied when full. */
const shared = new Map<string, Compiled>();
const SHARED_LIMIT = 4_096;
const SHARED_LENGTH = 2_048;
/** Longest ad that is tried. */
const QUICK_LENGTH = 100_000;
/** Most digits of a number that is read at once. */
const PLAIN_DIGITS = 15;

const WORDS = {
  true: compiled({ kind: "literal", value: TRUE }),
  false: compiled({ kind: "literal", value: FALSE }),
};

interface Reading {
  readonly text: string;
  at: number;
  line: number;
  lineStart: number;
}

/** The ad of a text in brackets; undefined where the parser has to decide. */
export function quickAd(text: string): ClassAd | undefined {
  if (text.length > QUICK_LENGTH) return undefined;
  const reading: Reading = { text, at: 0, line: 1, lineStart: 0 };
  skipBlanks(reading);
  if (text.charCodeAt(reading.at) !== CODES.opening) return undefined;
  reading.at++;
  const attributes = new Map<string, Attribute>();
  const written: Attribute[] = [];
  for (;;) {
    skipBlanks(reading);
    const code = text.charCodeAt(reading.at);
    if (code === CODES.semicolon) reading.at++;
    else if (code === CODES.closing) break;
    else {
      const attribute = attributeAt(reading);
      if (attribute === undefined || attributes.has(attribute.key)) return undefined;
      attributes.set(attribute.key, attribute);
      written.push(attribute);
    }
  }
  reading.at++;
  skipBlanks(reading);
  if (reading.at < text.length) return undefined;
  return { node: { kind: "record", attributes: written }, attributes, namesScopes: false };
}

/** Reads `name = expression` up to its semicolon or the closing bracket; undefined is as above. */
function attributeAt(reading: Reading): Attribute | undefined {
  const { text, at } = reading;
  const first = text.charCodeAt(at);
  if (!isNameCode(first) || isDigit(first)) return undefined;
  reading.at = nameEnd(text, at);
  const { name, key, isOrdinary } = sharedName(text.slice(at, reading.at));
  if (!isOrdinary) return undefined;
  skipBlanks(reading);
  if (text.charCodeAt(reading.at) !== CODES.equals) return undefined;
  reading.at++;
  skipBlanks(reading);
  const { line, lineStart } = reading;
  const begin = reading.at;
  if (!isPlain(text.charCodeAt(begin))) return undefined;
  const end = expressionEnd(reading, CODES.semicolon);
  const found = end === undefined ? undefined : quickExpression(text, begin, end);
  if (found === undefined) return undefined;
  const { node, expression, constant } = found;
  return { name, key, node, line, column: begin - lineStart + 1, expression, constant };
}

/**
 * Moves to the separator behind an expression, or to the closing bracket of the ad. Returns the end of the
 * expression; undefined at brackets of ads, quotes of names and comments.
 */
function expressionEnd(reading: Reading, separator: number): number | undefined {
  const { text } = reading;
  for (let at = reading.at; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > CODES.closing) continue;
    if (code === separator || code === CODES.closing) {
      reading.at = at;
      return blanksBegin(text, at);
    }
    if (code === CODES.doubleQuote) {
      at = stringEnd(text, at);
      if (at === -1) return undefined;
    } else if (code === CODES.newLine) {
      reading.line++;
      reading.lineStart = at + 1;
    } else if (code === CODES.opening || code === CODES.quote || code === CODES.hash) return undefined;
    else if (code === CODES.slash && isComment(text.charCodeAt(at + 1))) return undefined;
  }
  return undefined;
}

function isComment(code: number): boolean {
  return code === CODES.slash || code === CODES.star;
}

function stringEnd(text: string, at: number): number {
  for (let end = at + 1; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (code === CODES.doubleQuote) return end;
    if (code === CODES.newLine) return -1;
    if (code === CODES.backslash) end++;
  }
  return -1;
}

function blanksBegin(text: string, at: number): number {
  let end = at;
  while (isBlank(text.charCodeAt(end - 1))) end--;
  return end;
}

function skipBlanks(reading: Reading): void {
  const { text } = reading;
  for (;;) {
    const code = text.charCodeAt(reading.at);
    if (!isBlank(code)) return;
    reading.at++;
    if (code === CODES.newLine) {
      reading.line++;
      reading.lineStart = reading.at;
    }
  }
}

/** True for the blanks of ads in use; others are left to the parser. */
function isBlank(code: number): boolean {
  return code === CODES.blank || code === CODES.newLine || code === CODES.tab || code === CODES.return;
}

/** False for a blank that is seldom used, before which an expression does not begin. */
function isPlain(code: number): boolean {
  return code > CODES.blank && code < 127;
}

interface SharedName extends Name {
  /** False for words that mean more than an attribute. */
  readonly isOrdinary: boolean;
}

const names = new Map<string, SharedName>();

/** A name and its key, as one string for all ads that have it. */
function sharedName(text: string): SharedName {
  const known = names.get(text);
  if (known !== undefined) return known;
  if (names.size >= SHARED_LIMIT) names.clear();
  const name = apart(text);
  const key = keyOf(name);
  const found = { name, key, isOrdinary: !isReserved(key) && !SCOPE_WORDS.has(key) };
  if (name.length <= 64) names.set(name, found);
  return found;
}

/** A string that does not keep the text alive of which it is a part. */
function apart(text: string): string {
  return text.length < 13 ? text : JSON.parse(JSON.stringify(text));
}

/** The expression between two offsets; undefined where it is none. */
export function quickExpression(text: string, begin: number, end: number): Compiled | undefined {
  const literal = quickLiteral(text, begin, end);
  if (literal !== undefined) return literal;
  const source = text.slice(begin, end);
  const known = shared.get(source);
  if (known !== undefined) return known;
  const node = nodeOf(source);
  if (node === undefined) return undefined;
  const found = compiled(node);
  if (source.length <= SHARED_LENGTH) {
    if (shared.size >= SHARED_LIMIT) shared.clear();
    shared.set(apart(source), found);
  }
  return found;
}

function quickLiteral(text: string, begin: number, end: number): Compiled | undefined {
  const first = text.charCodeAt(begin);
  if (first === CODES.doubleQuote) {
    const closing = text.indexOf('"', begin + 1);
    if (closing !== end - 1 || end - begin > STRING_LIMIT) return undefined;
    const value = text.slice(begin + 1, closing);
    return value.includes("\\") ? undefined : compiled({ kind: "literal", value: { kind: "string", value } });
  }
  if (!isDigit(first)) return quickWord(text, begin, end);
  if ((first === CODES.zero && end - begin > 1) || end - begin > PLAIN_DIGITS) return undefined;
  for (let at = begin + 1; at < end; at++) if (!isDigit(text.charCodeAt(at))) return undefined;
  return compiled({ kind: "literal", value: integerValue(Number(text.slice(begin, end))) });
}

function quickWord(text: string, begin: number, end: number): Compiled | undefined {
  if (end - begin === 4 && text.startsWith("true", begin)) return WORDS.true;
  return end - begin === 5 && text.startsWith("false", begin) ? WORDS.false : undefined;
}

function compiled(node: Node): Compiled {
  return { node, expression: compileExpression(node), constant: constantOf(node) };
}

function nodeOf(source: string): Node | undefined {
  try {
    const state = beginParsing(source);
    if (state.tokens.length > HEIGHT_LIMIT) return undefined;
    const node = expressionNode(state);
    return peek(state).kind === "end" ? node : undefined;
  } catch (error) {
    if (error instanceof UnreadableText) return undefined;
    throw error;
  }
}
