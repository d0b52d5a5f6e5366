/**
 * Parser of regular expressions.
 *
 * The supported subset of Perl's can be searched in time proportional to text × expression: characters,
 * classes, anchors, groups, alternatives, and greedy or lazy repetition. Constructs that need backtracking
 * (references to groups, look-around, possessive repetition) are not supported.
 */

/** Options of a search. */
export interface RegexpOptions {
  /** `i`: A–Z are matched without case. */
  readonly ignoresCase: boolean;
  /** `m`: ^ and $ match at lines too. */
  readonly isByLines: boolean;
  /** `s`: the point matches a new line too. */
  readonly pointIsAny: boolean;
}

/** Codes from the first to the last, both included. */
export type CodeRange = readonly [first: number, last: number];

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

const DIGITS: readonly CodeRange[] = [[48, 57]];
const WORD: readonly CodeRange[] = [...DIGITS, [65, 90], [95, 95], [97, 122]];
const SPACES: readonly CodeRange[] = [
  [9, 13],
  [32, 32],
];
const CLASSES = new Map<string, readonly CodeRange[]>([
  ["d", DIGITS],
  ["w", WORD],
  ["s", SPACES],
  ["D", complement(DIGITS)],
  ["W", complement(WORD)],
  ["S", complement(SPACES)],
]);
const NAMED_CLASSES = new Map<string, readonly CodeRange[]>([
  ["alpha", [WORD[1], WORD[3]]],
  ["alnum", [...DIGITS, WORD[1], WORD[3]]],
  ["digit", DIGITS],
  ["lower", [WORD[3]]],
  ["upper", [WORD[1]]],
  ["space", SPACES],
  ["xdigit", [...DIGITS, [65, 70], [97, 102]]],
]);
const CONTROLS = new Map([
  ["t", 9],
  ["n", 10],
  ["v", 11],
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
  readonly options: RegexpOptions;
  at: number;
  depth: number;
  groups: number;
}

/** Ends the reading of an unsupported expression. */
class NotUnderstood extends Error {}

/** Reads an expression; undefined where it is unsupported. */
export function parseRegexp(text: string, options: RegexpOptions): RegexpSyntax | undefined {
  if (text.length > LENGTH_LIMIT) return undefined;
  const reader: Reader = { text, options, at: 0, depth: 0, groups: 0 };
  try {
    const node = choice(reader);
    return reader.at < text.length ? undefined : { node, groups: reader.groups };
  } catch (error) {
    if (error instanceof NotUnderstood) return undefined;
    throw error;
  }
}

function choice(reader: Reader): RegexpNode {
  reader.depth++;
  if (reader.depth > DEPTH_LIMIT) throw new NotUnderstood("too deep");
  const nodes = [sequence(reader)];
  while (take(reader, "|")) nodes.push(sequence(reader));
  reader.depth--;
  return nodes.length === 1 ? nodes[0] : { kind: "choice", nodes };
}

function sequence(reader: Reader): RegexpNode {
  const nodes: RegexpNode[] = [];
  while (reader.at < reader.text.length && !/[|)]/.test(reader.text[reader.at])) {
    nodes.push(repeated(reader, atom(reader)));
  }
  return { kind: "sequence", nodes };
}

const COUNTS = /\*|\+|\?|\{(\d{1,4})(?:(,)(\d{0,4}))?\}/y;

function repeated(reader: Reader, node: RegexpNode): RegexpNode {
  COUNTS.lastIndex = reader.at;
  const counted = COUNTS.exec(reader.text);
  if (counted === null) return node;
  reader.at += counted[0].length;
  const { fewest, most } = countsOf(counted);
  if (node.kind === "anchor" || fewest > most || fewest > REPEAT_LIMIT) throw new NotUnderstood("repetition");
  if (most !== Number.POSITIVE_INFINITY && most > REPEAT_LIMIT) throw new NotUnderstood("repetition");
  const isGreedy = !take(reader, "?");
  if (/[*+?]/.test(reader.text[reader.at] ?? "")) throw new NotUnderstood("possessive or doubled repetition");
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
      return reader.options.pointIsAny ? set([], true) : set([[10, 10]], true);
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
      throw new NotUnderstood("nothing to repeat");
    default:
      return single(character.charCodeAt(0));
  }
}

function group(reader: Reader): RegexpNode {
  const isPlain = reader.text.startsWith("?:", reader.at);
  if (isPlain) reader.at += 2;
  else if (reader.text[reader.at] === "?") throw new NotUnderstood("look-around or options");
  const index = isPlain ? 0 : ++reader.groups;
  const node = choice(reader);
  if (!take(reader, ")")) throw new NotUnderstood("an open group");
  return isPlain ? node : { kind: "group", index, node };
}

function escaped(reader: Reader): RegexpNode {
  const letter = next(reader);
  const anchor = ANCHORS.get(letter);
  if (anchor !== undefined) return { kind: "anchor", anchor };
  const ranges = CLASSES.get(letter);
  return ranges === undefined ? single(escapedCode(reader, letter)) : set(ranges, false);
}

/** The character that a backslash with a letter or sign stands for. */
function escapedCode(reader: Reader, letter: string): number {
  const control = CONTROLS.get(letter);
  if (control !== undefined) return control;
  if (letter === "x") {
    const digits = reader.text.slice(reader.at, reader.at + 2);
    if (!/^[0-9a-fA-F]{2}$/.test(digits)) throw new NotUnderstood("a code");
    reader.at += 2;
    return Number.parseInt(digits, 16);
  }
  if (/[A-Za-z0-9]/.test(letter)) throw new NotUnderstood("an unknown letter, or a reference to a group");
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
      if (typeof last !== "number" || last < part) throw new NotUnderstood("a range");
      ranges.push([part, last]);
    }
  }
  return set(ranges, isNegated);
}

/** One character of a class, or a class within it. */
function classPart(reader: Reader): number | readonly CodeRange[] {
  const named = /^\[:(\w+):\]/.exec(reader.text.slice(reader.at, reader.at + 12));
  if (named !== null) {
    reader.at += named[0].length;
    const ranges = NAMED_CLASSES.get(named[1]);
    if (ranges === undefined) throw new NotUnderstood("a class");
    return ranges;
  }
  const character = next(reader);
  if (character !== "\\") return character.charCodeAt(0);
  const letter = next(reader);
  return letter === "b" ? 8 : (CLASSES.get(letter) ?? escapedCode(reader, letter));
}

function next(reader: Reader): string {
  const character = reader.text[reader.at];
  if (character === undefined) throw new NotUnderstood("the end");
  reader.at++;
  return character;
}

function take(reader: Reader, character: string): boolean {
  if (reader.text[reader.at] !== character) return false;
  reader.at++;
  return true;
}

function single(code: number): RegexpNode {
  return set([[code, code]], false);
}

function set(ranges: readonly CodeRange[], isNegated: boolean): RegexpNode {
  return { kind: "set", ranges, isNegated };
}

/** All codes outside of the ranges, which are sorted. */
function complement(ranges: readonly CodeRange[]): readonly CodeRange[] {
  const gaps: CodeRange[] = [];
  let from = 0;
  for (const [first, last] of ranges) {
    if (first > from) gaps.push([from, first - 1]);
    from = last + 1;
  }
  return [...gaps, [from, 0xffff]];
}
