/**
 * Parser of regular expressions.
 *
 * The supported subset of Perl's can be searched in time proportional to text × expression: characters,
 * classes, anchors, groups, alternatives, and greedy or lazy repetition. Constructs that need backtracking
 * (references to groups, look-around, possessive repetition) are not supported.
 */
import {
  type CodeRange,
  caseless,
  classOf,
  complement,
  namedClass,
  propertyClass,
} from "./character-classes.ts";

/** Options of a search. */
export interface RegexpOptions {
  /** `i`: A–Z are matched without case. */
  readonly ignoresCase: boolean;
  /** `m`: ^ and $ match at lines too. */
  readonly isByLines: boolean;
  /** `s`: the point matches a new line too. */
  readonly pointIsAny: boolean;
  /** `x`: blanks and remarks in the expression do not count. */
  readonly isExtended: boolean;
}

/** A node of a regular expression. */
export type RegexpNode =
  | { readonly kind: "set"; readonly ranges: readonly CodeRange[]; readonly isNegated: boolean }
  | { readonly kind: "anchor"; readonly anchor: Anchor }
  | { readonly kind: "group"; readonly index: number; readonly node: RegexpNode }
  | { readonly kind: "sequence"; readonly nodes: readonly RegexpNode[] }
  | { readonly kind: "choice"; readonly nodes: readonly RegexpNode[] }
  | {
      readonly kind: "repeat";
      readonly node: RegexpNode;
      readonly fewest: number;
      readonly most: number;
      readonly isGreedy: boolean;
    };

/** Positions between characters. */
export type Anchor = "begin" | "end" | "lineBegin" | "lineEnd" | "finalEnd" | "word" | "noWord";

/** A supported expression. */
export interface RegexpSyntax {
  readonly node: RegexpNode;
  /** Number of groups in parentheses, without the whole. */
  readonly groups: number;
}

/** Largest length of an expression, and largest nesting of its groups. */
const LENGTH_LIMIT = 1_000;
const DEPTH_LIMIT = 100;
const REPEAT_LIMIT = 1_000;

const CONTROLS = new Map([
  ["a", 7],
  ["t", 9],
  ["n", 10],
  ["f", 12],
  ["r", 13],
  ["e", 27],
]);
const ANCHORS = new Map<string, Anchor>([
  ["b", "word"],
  ["B", "noWord"],
  ["A", "begin"],
  ["z", "end"],
  ["Z", "finalEnd"],
]);

interface Reader {
  readonly text: string;
  /** Options of the group that is being read. */
  options: RegexpOptions;
  at: number;
  depth: number;
  groups: number;
}

/** Ends the reading of an unsupported expression; the message says why. */
class NotUnderstood extends Error {}

/** Reads an expression; a text says why it is unsupported. */
export function parseRegexp(text: string, options: RegexpOptions): RegexpSyntax | string {
  if (text.length > LENGTH_LIMIT) return `it has more than ${LENGTH_LIMIT} characters`;
  const reader: Reader = { text, options, at: 0, depth: 0, groups: 0 };
  try {
    const node = choice(reader);
    return reader.at < text.length ? "a bracket closes that is not open" : { node, groups: reader.groups };
  } catch (error) {
    if (error instanceof NotUnderstood) return error.message;
    throw error;
  }
}

function choice(reader: Reader): RegexpNode {
  reader.depth++;
  if (reader.depth > DEPTH_LIMIT) throw new NotUnderstood("its groups are nested too deeply");
  const { options } = reader;
  const nodes = [sequence(reader)];
  while (take(reader, "|")) nodes.push(sequence(reader));
  reader.depth--;
  // Options set within a group end with it.
  reader.options = options;
  return nodes.length === 1 ? nodes[0] : { kind: "choice", nodes };
}

function sequence(reader: Reader): RegexpNode {
  const nodes: RegexpNode[] = [];
  for (;;) {
    skipRemarks(reader);
    if (reader.at >= reader.text.length || /[|)]/.test(reader.text[reader.at])) break;
    if (readOptions(reader)) continue;
    if (take(reader, "\\Q")) nodes.push(...literalUpToE(reader));
    else if (!take(reader, "\\E")) nodes.push(repeated(reader, atom(reader)));
  }
  return { kind: "sequence", nodes };
}

const REMARKS = /(?:\s|#[^\n]*|\(\?#[^)]*\))+/y;
const PLAIN_REMARKS = /(?:\(\?#[^)]*\))+/y;

function skipRemarks(reader: Reader): void {
  const pattern = reader.options.isExtended ? REMARKS : PLAIN_REMARKS;
  pattern.lastIndex = reader.at;
  reader.at += pattern.exec(reader.text)?.[0].length ?? 0;
}

const OPTIONS = /\(\?([imsx]*)(?:-([imsx]+))?\)/y;

/** Reads `(?i)`, which holds up to the end of the group. */
function readOptions(reader: Reader): boolean {
  OPTIONS.lastIndex = reader.at;
  const found = OPTIONS.exec(reader.text);
  if (found === null) return false;
  reader.at += found[0].length;
  reader.options = withLetters(reader.options, found[1], found[2] ?? "");
  return true;
}

function withLetters(options: RegexpOptions, on: string, off: string): RegexpOptions {
  const holds = (letter: string, before: boolean) => (before || on.includes(letter)) && !off.includes(letter);
  return {
    ignoresCase: holds("i", options.ignoresCase),
    isByLines: holds("m", options.isByLines),
    pointIsAny: holds("s", options.pointIsAny),
    isExtended: holds("x", options.isExtended),
  };
}

/** The characters up to `\\E` or the end, the last of which may be repeated. */
function literalUpToE(reader: Reader): readonly RegexpNode[] {
  const end = reader.text.indexOf("\\E", reader.at);
  const text = reader.text.slice(reader.at, end === -1 ? undefined : end);
  reader.at += text.length + (end === -1 ? 0 : 2);
  const nodes = Array.from({ length: text.length }, (_, at) => single(reader, text.charCodeAt(at)));
  const last = nodes.pop();
  return last === undefined ? [] : [...nodes, repeated(reader, last)];
}

const COUNTS = /\*|\+|\?|\{(\d{1,4})(?:(,)(\d{0,4}))?\}/y;

function repeated(reader: Reader, node: RegexpNode): RegexpNode {
  skipRemarks(reader);
  COUNTS.lastIndex = reader.at;
  const counted = COUNTS.exec(reader.text);
  if (counted === null) return node;
  reader.at += counted[0].length;
  const { fewest, most } = countsOf(counted);
  if (fewest > most) throw new NotUnderstood("a repetition has more at least than at most");
  if (fewest > REPEAT_LIMIT || (most !== Number.POSITIVE_INFINITY && most > REPEAT_LIMIT)) {
    throw new NotUnderstood(`a part is repeated more than ${REPEAT_LIMIT} times`);
  }
  const isGreedy = !take(reader, "?");
  if (/[*+?]/.test(reader.text[reader.at] ?? "")) {
    throw new NotUnderstood("possessive repetition would not end in time proportional to the text");
  }
  return { kind: "repeat", node, fewest, most, isGreedy };
}

function countsOf([written, fewest, comma, most]: RegExpExecArray) {
  if (fewest === undefined) {
    return { fewest: written === "+" ? 1 : 0, most: written === "?" ? 1 : Number.POSITIVE_INFINITY };
  }
  if (comma === undefined) return { fewest: Number(fewest), most: Number(fewest) };
  return { fewest: Number(fewest), most: most === "" ? Number.POSITIVE_INFINITY : Number(most) };
}

function atom(reader: Reader): RegexpNode {
  const character = next(reader);
  switch (character) {
    case ".":
      return { kind: "set", ranges: reader.options.pointIsAny ? [] : [[10, 10]], isNegated: true };
    case "^":
      return { kind: "anchor", anchor: reader.options.isByLines ? "lineBegin" : "begin" };
    case "$":
      return { kind: "anchor", anchor: reader.options.isByLines ? "lineEnd" : "finalEnd" };
    case "(":
      return group(reader);
    case "[":
      return characterClass(reader);
    case "\\":
      return escaped(reader);
    case "*":
    case "+":
    case "?":
      throw new NotUnderstood("there is nothing to repeat");
    default:
      return single(reader, character.charCodeAt(0));
  }
}

const NAMED_GROUP = /\?(?:P?<([A-Za-z_]\w*)>|'([A-Za-z_]\w*)')/y;
const GROUP_OPTIONS = /\?([imsx]*)(?:-([imsx]+))?:/y;

function group(reader: Reader): RegexpNode {
  const { options } = reader;
  const isCounted = beginGroup(reader);
  const index = isCounted ? ++reader.groups : 0;
  const node = choice(reader);
  reader.options = options;
  if (!take(reader, ")")) throw new NotUnderstood("a group is not closed");
  return isCounted ? { kind: "group", index, node } : node;
}

/** Reads what may follow the bracket; returns whether the group is counted. */
function beginGroup(reader: Reader): boolean {
  if (reader.text[reader.at] !== "?") {
    if (reader.text[reader.at] === "*") throw new NotUnderstood("verbs such as (*ANY) are not supported");
    return true;
  }
  if (matched(reader, NAMED_GROUP) !== undefined) return true;
  const letters = matched(reader, GROUP_OPTIONS);
  if (letters === undefined) throw new NotUnderstood(lookingAround(reader.text.slice(reader.at)));
  reader.options = withLetters(reader.options, letters[1] ?? "", letters[2] ?? "");
  return false;
}

function lookingAround(rest: string): string {
  if (/^\?<?[=!]/.test(rest)) {
    return "looking ahead or back would not end in time proportional to the text";
  }
  if (rest.startsWith("?>")) return "atomic groups would not end in time proportional to the text";
  return `a group that begins with (${rest.slice(0, 2)} is not supported`;
}

function matched(reader: Reader, pattern: RegExp): RegExpExecArray | undefined {
  pattern.lastIndex = reader.at;
  const found = pattern.exec(reader.text);
  if (found !== null) reader.at += found[0].length;
  return found ?? undefined;
}

function escaped(reader: Reader): RegexpNode {
  const letter = next(reader);
  const anchor = ANCHORS.get(letter);
  if (anchor !== undefined) return { kind: "anchor", anchor };
  if (letter === "R") return newLine(reader);
  const ranges = classAfter(reader, letter);
  if (ranges !== undefined) return set(reader, ranges, false);
  if (/[1-9]/.test(letter) && !isOctal(reader, letter)) {
    throw new NotUnderstood("a reference to a group would not end in time proportional to the text");
  }
  return single(reader, escapedCode(reader, letter));
}

/** A new line of any kind, `\\r\\n` as one. */
function newLine(reader: Reader): RegexpNode {
  const pair: RegexpNode = { kind: "sequence", nodes: [single(reader, 13), single(reader, 10)] };
  return { kind: "choice", nodes: [pair, set(reader, classOf("v") ?? [], false)] };
}

const PROPERTY = /([A-Za-z])|\{(\^?[A-Za-z_&]{1,40})\}/y;

/** The class that a letter behind a backslash means; undefined where it means a character. */
function classAfter(reader: Reader, letter: string): readonly CodeRange[] | undefined {
  if (letter !== "p" && letter !== "P") return classOf(letter);
  const found = matched(reader, PROPERTY);
  const name = found?.[1] ?? found?.[2] ?? "";
  const ranges = propertyClass(name.replace("^", ""));
  if (ranges === undefined) throw new NotUnderstood("a property of characters is unknown");
  return (letter === "P") === name.startsWith("^") ? ranges : complement(ranges);
}

/** True where digits are a code: three octal ones, or a number above that of the groups so far. */
function isOctal(reader: Reader, letter: string): boolean {
  const digits = letter + (/^\d*/.exec(reader.text.slice(reader.at, reader.at + 2))?.[0] ?? "");
  return /^[0-7]{2}/.test(digits) && Number(digits) > Math.max(9, reader.groups);
}

const CODES = {
  x: /\{([0-9a-fA-F]{1,6})\}|([0-9a-fA-F]{0,2})/y,
  o: /\{([0-7]{1,7})\}/y,
  octal: /[0-7]{0,2}/y,
  c: /[\x20-\x7e]/y,
};

/** The character that a backslash with a letter or sign stands for. */
function escapedCode(reader: Reader, letter: string): number {
  const control = CONTROLS.get(letter);
  if (control !== undefined) return control;
  if (letter === "x" || letter === "o") {
    const found = matched(reader, CODES[letter]);
    if (found === undefined) throw new NotUnderstood("a code is not readable");
    return Number.parseInt(found[1] ?? found[2] ?? "", letter === "x" ? 16 : 8) || 0;
  }
  if (letter === "c") {
    return (matched(reader, CODES.c)?.[0].toUpperCase().charCodeAt(0) ?? 64) ^ 64;
  }
  if (/[0-7]/.test(letter)) return Number.parseInt(letter + (matched(reader, CODES.octal)?.[0] ?? ""), 8);
  if (/[A-Za-z0-9]/.test(letter)) throw new NotUnderstood(`\\${letter} is not supported`);
  return letter.charCodeAt(0);
}

function characterClass(reader: Reader): RegexpNode {
  const isNegated = take(reader, "^");
  const ranges: CodeRange[] = [];
  for (let isFirst = true; isFirst || !take(reader, "]"); isFirst = false) {
    const part = classPart(reader);
    const isRange =
      reader.text[reader.at] === "-" && !/^-?\]?$/.test(reader.text.slice(reader.at, reader.at + 2));
    if (typeof part !== "number") ranges.push(...part);
    else if (!isRange) ranges.push([part, part]);
    else {
      reader.at++;
      const last = classPart(reader);
      if (typeof last !== "number" || last < part) throw new NotUnderstood("a range of characters is empty");
      ranges.push([part, last]);
    }
  }
  return set(reader, ranges, isNegated);
}

const CLASS_NAME = /\[:(\^?)(\w+):\]/y;

/** One character of a class, or a class within it. */
function classPart(reader: Reader): number | readonly CodeRange[] {
  const named = matched(reader, CLASS_NAME);
  if (named !== undefined) {
    const ranges = namedClass(named[2]);
    if (ranges === undefined) throw new NotUnderstood(`[:${named[2]}:] is unknown`);
    return named[1] === "^" ? complement(ranges) : ranges;
  }
  const character = next(reader);
  if (character !== "\\") return character.charCodeAt(0);
  const letter = next(reader);
  return letter === "b" ? 8 : (classAfter(reader, letter) ?? escapedCode(reader, letter));
}

function next(reader: Reader): string {
  const character = reader.text[reader.at];
  if (character === undefined) throw new NotUnderstood("it ends too early");
  reader.at++;
  return character;
}

function take(reader: Reader, characters: string): boolean {
  if (!reader.text.startsWith(characters, reader.at)) return false;
  reader.at += characters.length;
  return true;
}

function single(reader: Reader, code: number): RegexpNode {
  return set(reader, [[code, code]], false);
}

function set(
  { options }: Pick<Reader, "options">,
  ranges: readonly CodeRange[],
  isNegated: boolean,
): RegexpNode {
  return { kind: "set", ranges: options.ignoresCase ? caseless(ranges) : ranges, isNegated };
}
