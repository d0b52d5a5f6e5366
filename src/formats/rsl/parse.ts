/**
 * The grammar of RSL: `&(attribute=value …)…`, several requests behind `+`, `$(VARIABLE)`, quotes, comments.
 *
 * Source: Globus Toolkit 2.4, The Globus Resource Specification Language. Depth and length are bounded.
 */

/** A value: a text of parts, or a list in parentheses. */
export type RslValue =
  | { readonly kind: "text"; readonly parts: readonly RslPart[] }
  | { readonly kind: "list"; readonly values: readonly RslValue[] };

/** A part of a text: literal, or a variable with its default. */
export type RslPart =
  | { readonly text: string }
  | { readonly variable: string; readonly usual: string | undefined };

/** `(attribute operator values)`. */
export interface RslRelation {
  readonly at: number;
  readonly end: number;
  readonly name: string;
  readonly operator: string;
  readonly values: readonly RslValue[];
}

/** A request: its relations, and requests within it. */
export interface RslRequest {
  readonly at: number;
  readonly operator: "&" | "+" | "|";
  readonly relations: readonly RslRelation[];
  readonly requests: readonly RslRequest[];
}

/** Why a text is no RSL, and where. */
export interface RslFault {
  readonly at: number;
  readonly why: string;
}

const MOST_DEPTH = 50;

/** Reads a request. */
export function parseRsl(text: string): RslRequest | RslFault {
  const cursor = { text, at: 0, depth: 0 };
  try {
    const request = requestAt(cursor);
    skip(cursor);
    if (cursor.at < text.length) return { at: cursor.at, why: "text follows the end of the request" };
    return request;
  } catch (error) {
    if (error instanceof Stop) return { at: error.at, why: error.message };
    throw error;
  }
}

interface Cursor {
  readonly text: string;
  at: number;
  depth: number;
}

/** End of the reading, caught where it begins. */
class Stop extends Error {
  readonly at: number;
  constructor(at: number, why: string) {
    super(why);
    this.at = at;
  }
}

/** Passes blanks and comments, `(* … *)`. */
function skip(cursor: Cursor): void {
  const { text } = cursor;
  for (;;) {
    while (/\s/.test(text[cursor.at] ?? "")) cursor.at++;
    if (!text.startsWith("(*", cursor.at)) return;
    const end = text.indexOf("*)", cursor.at + 2);
    if (end === -1) throw new Stop(cursor.at, "a comment is not closed by *)");
    cursor.at = end + 2;
  }
}

function requestAt(cursor: Cursor): RslRequest {
  skip(cursor);
  const at = cursor.at;
  const mark = cursor.text[at] ?? "";
  const operator = mark === "+" || mark === "|" ? mark : "&";
  if (mark === "&" || mark === "+" || mark === "|") cursor.at++;
  if (++cursor.depth > MOST_DEPTH) throw new Stop(at, `it is nested more than ${MOST_DEPTH} levels deep`);
  const relations: RslRelation[] = [];
  const requests: RslRequest[] = [];
  skip(cursor);
  while (cursor.text[cursor.at] === "(") {
    const begin = cursor.at++;
    skip(cursor);
    if (/[&+|(]/.test(cursor.text[cursor.at] ?? "")) {
      requests.push(requestAt(cursor));
      skip(cursor);
      if (cursor.text[cursor.at] !== ")") throw new Stop(cursor.at, "a ) is missing");
      cursor.at++;
    } else relations.push(relationAt(cursor, begin));
    skip(cursor);
  }
  if (relations.length + requests.length === 0) throw new Stop(cursor.at, "a ( is missing");
  cursor.depth--;
  return { at, operator, relations, requests };
}

function relationAt(cursor: Cursor, begin: number): RslRelation {
  const name = /^["']?([\w.-]+)["']?/.exec(cursor.text.slice(cursor.at, cursor.at + 200));
  if (name === null) throw new Stop(cursor.at, "the name of an attribute is missing");
  cursor.at += name[0].length;
  skip(cursor);
  const operator = /^(?:!=|>=|<=|=|<|>)/.exec(cursor.text.slice(cursor.at, cursor.at + 2))?.[0];
  if (operator === undefined) throw new Stop(cursor.at, "a = is missing");
  cursor.at += operator.length;
  const values = valuesAt(cursor);
  return { at: begin, end: cursor.at, name: name[1], operator, values };
}

/** Values up to the closing parenthesis, which is passed. */
function valuesAt(cursor: Cursor): readonly RslValue[] {
  if (++cursor.depth > MOST_DEPTH)
    throw new Stop(cursor.at, `it is nested more than ${MOST_DEPTH} levels deep`);
  const values: RslValue[] = [];
  for (;;) {
    skip(cursor);
    const mark = cursor.text[cursor.at];
    if (mark === undefined) throw new Stop(cursor.at, "a ) is missing");
    if (mark === ")") {
      cursor.at++;
      cursor.depth--;
      return values;
    }
    if (mark === "(") {
      cursor.at++;
      values.push({ kind: "list", values: valuesAt(cursor) });
    } else values.push({ kind: "text", parts: partsAt(cursor) });
  }
}

/** Parts that stand together, or have `#` between them. */
function partsAt(cursor: Cursor): readonly RslPart[] {
  const parts: RslPart[] = [];
  for (;;) {
    parts.push(partAt(cursor));
    const behind = cursor.at;
    skip(cursor);
    if (cursor.text[cursor.at] === "#") {
      cursor.at++;
      skip(cursor);
    } else if (cursor.at !== behind || /[\s()]|^$/.test(cursor.text[cursor.at] ?? "")) return parts;
  }
}

const WORD = /[^\s+&|()=<>!"'^#$]+/y;

function partAt(cursor: Cursor): RslPart {
  const { text } = cursor;
  const mark = text[cursor.at] ?? "";
  if (mark === '"' || mark === "'") return { text: quotedAt(cursor, mark, cursor.at + 1) };
  if (mark === "^") return { text: quotedAt(cursor, text[cursor.at + 1] ?? "", cursor.at + 2) };
  if (text.startsWith("$(", cursor.at)) return variableAt(cursor);
  WORD.lastIndex = cursor.at;
  const word = WORD.exec(text)?.[0];
  if (word === undefined) throw new Stop(cursor.at, "a value has these characters in quotes alone");
  cursor.at += word.length;
  return { text: word };
}

/** Text up to the next single mark; two of them are one. */
function quotedAt(cursor: Cursor, mark: string, begin: number): string {
  const start = cursor.at;
  const pieces: string[] = [];
  let from = begin;
  for (;;) {
    const end = mark === "" ? -1 : cursor.text.indexOf(mark, from);
    if (end === -1) throw new Stop(start, "a quote is not closed");
    pieces.push(cursor.text.slice(from, end));
    cursor.at = end + 1;
    if (cursor.text[end + 1] !== mark) return pieces.join(mark);
    from = end + 2;
  }
}

/** `$(NAME)`, `$(NAME default)`. */
function variableAt(cursor: Cursor): RslPart {
  const begin = cursor.at;
  cursor.at += 2;
  const values = valuesAt(cursor);
  const [name, usual] = values.map((value) => (value.kind === "text" ? literal(value.parts) : undefined));
  if (name === undefined) throw new Stop(begin, "the name of a variable is missing");
  return { variable: name, usual };
}

function literal(parts: readonly RslPart[]): string {
  return parts.map((part) => ("text" in part ? part.text : "")).join("");
}
