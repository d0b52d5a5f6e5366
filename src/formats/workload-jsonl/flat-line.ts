/**
 * Reads one line of JSON that holds one flat object, and remembers the column of every key and value.
 *
 * `JSON.parse` knows no columns and takes a key twice; here each mistake has its place. Accepted are
 * texts, numbers, `true`, `false`, `null`, and lists of texts; nothing nested, for a workload needs none.
 */
import { accepted, type Result, refused } from "../../base/index.ts";
import { echoText } from "../echo-text.ts";
import type { Entry, Value } from "../yaml/index.ts";

/** Why a line is no flat object, and where. */
export interface LineRefusal {
  readonly column: number;
  readonly what: string;
  readonly why: string;
}

/** The fields of a line in order, with columns from 1; or the first problem of the line. */
export function readFlatLine(line: string): Result<readonly Entry[], LineRefusal> {
  const scanner: Scanner = { line, at: 0 };
  try {
    return accepted(objectIn(scanner));
  } catch (error) {
    if (error instanceof BadLine) return refused(error.refusal);
    throw error;
  }
}

interface Scanner {
  readonly line: string;
  at: number;
}

/** Carries a refusal out of the scanner; never leaves this file. */
class BadLine extends Error {
  readonly refusal: LineRefusal;

  constructor(refusal: LineRefusal) {
    super(refusal.what);
    this.refusal = refusal;
  }
}

const SPACE = 32;
const BLANKS = /[ \t\r]*/y;
const TEXT = /"(?:[^"\\\p{Cc}]|\\.)*"/uy;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])/y;
const WORD = /(?:true|false|null)(?!\w)/y;

function objectIn(scanner: Scanner): Entry[] {
  expectSign(scanner, "{", "a line is one object in braces");
  const fields: Entry[] = [];
  if (!skipSign(scanner, "}")) {
    do fields.push(fieldIn(scanner, fields));
    while (skipSign(scanner, ","));
    expectSign(scanner, "}", "fields are separated by commas, and a brace ends the line");
  }
  skipBlanks(scanner);
  if (scanner.at < scanner.line.length) {
    throw badAt(scanner, "something follows the object", "a line is one object and nothing else");
  }
  return fields;
}

function fieldIn(scanner: Scanner, earlier: readonly Entry[]): Entry {
  skipBlanks(scanner);
  const keyAt = scanner.at;
  const key = textIn(scanner);
  if (key === undefined) throw badAt(scanner, "a name in double quotes is missing", 'write "name": value');
  if (earlier.some((field) => field.key === key)) {
    throw new BadLine({
      column: keyAt + 1,
      what: `${echoText(key)} is given twice`,
      why: "a field has one value",
    });
  }
  expectSign(scanner, ":", "a colon stands between a name and its value");
  skipBlanks(scanner);
  const at = scanner.at + 1;
  return { key, keyAt: keyAt + 1, value: skipSign(scanner, "[") ? listIn(scanner, at) : scalarIn(scanner) };
}

function listIn(scanner: Scanner, at: number): Value {
  const items: Value[] = [];
  if (skipSign(scanner, "]")) return { kind: "list", at, items };
  do {
    skipBlanks(scanner);
    const item = textValueIn(scanner);
    if (item === undefined) throw badAt(scanner, "a text is missing in a list", "lists hold texts in quotes");
    items.push(item);
  } while (skipSign(scanner, ","));
  expectSign(scanner, "]", "a bracket ends a list");
  return { kind: "list", at, items };
}

function textValueIn(scanner: Scanner): Value | undefined {
  const at = scanner.at + 1;
  const text = textIn(scanner);
  return text === undefined ? undefined : { kind: "scalar", at, text, value: text };
}

function scalarIn(scanner: Scanner): Value {
  const text = textValueIn(scanner);
  if (text !== undefined) return text;
  const at = scanner.at + 1;
  const number = matchIn(scanner, NUMBER);
  if (number !== undefined)
    return { kind: "scalar", at, text: String(Number(number)), value: Number(number) };
  const word = matchIn(scanner, WORD);
  if (word === undefined) {
    throw badAt(scanner, "this is no value", "a value is a text in double quotes, a number, true or false");
  }
  return { kind: "scalar", at, text: word, value: word === "null" ? null : word === "true" };
}

function textIn(scanner: Scanner): string | undefined {
  const from = scanner.at;
  const quoted = matchIn(scanner, TEXT);
  if (quoted === undefined) return undefined;
  if (!quoted.includes("\\")) return quoted.slice(1, -1);
  try {
    return String(JSON.parse(quoted));
  } catch {
    throw new BadLine({
      column: from + 1,
      what: "this text has an escape that is not valid in JSON",
      why: 'after a backslash comes one of "\\/bfnrt, or u and four digits',
    });
  }
}

function expectSign(scanner: Scanner, sign: string, why: string): void {
  if (!skipSign(scanner, sign)) throw badAt(scanner, `${echoText(sign)} is missing`, why);
}

function skipSign(scanner: Scanner, sign: string): boolean {
  skipBlanks(scanner);
  if (scanner.line[scanner.at] !== sign) return false;
  scanner.at++;
  return true;
}

function skipBlanks(scanner: Scanner): void {
  if (scanner.line.charCodeAt(scanner.at) <= SPACE) matchIn(scanner, BLANKS);
}

function matchIn(scanner: Scanner, pattern: RegExp): string | undefined {
  pattern.lastIndex = scanner.at;
  const found = pattern.exec(scanner.line)?.[0];
  if (found !== undefined) scanner.at += found.length;
  return found;
}

function badAt({ line, at }: Scanner, what: string, why: string): BadLine {
  const found = at < line.length ? `; found ${echoText(line.slice(at))}` : "; the line ends here";
  return new BadLine({ column: at + 1, what: `${what}${found}`, why });
}
