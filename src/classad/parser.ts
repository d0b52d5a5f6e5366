/**
 * Expression parser: a Pratt parser.
 *
 * Each operator has a binding power; an expression continues while the next operator binds more strongly than
 * the power it is read for.
 */
import { type BinaryOperator, keyOf, type Node, type RecordNode, type Scalar } from "./language.ts";
import type { Token } from "./lexer.ts";
import { negated, SIGNED_ONLY, tooLarge } from "./number-literal.ts";
import { close, HEIGHT_LIMIT, isNext, type ParserState, peek, take, unexpected } from "./parser-state.ts";
import { BINARY_POWERS, CONDITIONAL_POWER, UNARY_POWER } from "./powers.ts";
import { UnreadableText } from "./problem.ts";
import { recordBody } from "./record-parser.ts";
import { parseAbsTime, parseRelTime } from "./time-text.ts";
import { realValue, stringValue } from "./values.ts";
import { CONSTANT_WORDS, OPERATOR_WORDS, SCOPE_WORDS } from "./words.ts";

/** Reads an expression whose operators bind more strongly than `power`. @throws UnreadableText */
export function expressionNode(state: ParserState, power = 0): Node {
  state.depth++;
  if (state.depth > HEIGHT_LIMIT) throw tooDeep(peek(state).at);
  let left = prefix(state);
  while (!isAtEnd(state)) {
    const further = postfix(state, left) ?? infix(state, left, power);
    if (further === undefined) break;
    left = further;
  }
  state.depth--;
  return left;
}

/** True where no operator can follow, which is so behind most literals. */
function isAtEnd(state: ParserState): boolean {
  const token = peek(state);
  if (token.kind !== "operator") return token.kind === "end";
  const { text } = token;
  return text === ";" || text === "," || text === ")" || text === "]" || text === "}";
}

/** Reads an ad, with or without its outermost brackets. @throws UnreadableText */
export function adNode(state: ParserState): RecordNode {
  const opened = peek(state);
  if (!isNext(state, "[")) return recordBody(state, () => expressionNode(state), { isBare: true });
  const record = recordNode(state, opened);
  while (take(state, ";"));
  return record;
}

/** The problem of too deep nesting. */
export function tooDeep(at: number): UnreadableText {
  return new UnreadableText(at, {
    code: "tooDeep",
    what: "the expression is nested too deeply",
    why: `at most ${HEIGHT_LIMIT} operations may be nested`,
    remedy: "move parts of it into separate attributes, or use member(x, { … }) instead of many ||",
  });
}

function prefix(state: ParserState): Node {
  const token = peek(state);
  if (token.kind === "constant") return constantNode(state, token.value);
  if (token.kind === "name") return nameNode(state, token);
  if (token.kind === "operator") {
    const { text } = token;
    if (text === "-" || text === "+" || text === "!" || text === "~") {
      state.next++;
      const operand = text === "-" ? negatedOperand(state) : expressionNode(state, UNARY_POWER);
      const isNumber = operand.kind === "literal" && /^(?:integer|real)$/.test(operand.value.kind);
      if (text === "-" && isNumber) return { kind: "literal", value: negated(operand.value) };
      return { kind: "unary", operator: text, operand };
    }
    if (text === "(") return parenthesised(state, token);
    if (text === "{") return { kind: "list", items: itemsBetween(state, "}") };
    if (text === "[") return recordNode(state, token);
    if (text === ".") return absoluteNode(state);
  }
  throw unexpected(state, "a value: a number, a text, a name, or something in brackets");
}

/** The operand of a minus, which may be a number that is none without it. */
function negatedOperand(state: ParserState): Node {
  const token = peek(state);
  if (token.kind !== "constant" || !isSignedOnly(token.value)) return expressionNode(state, UNARY_POWER);
  state.next++;
  return { kind: "literal", value: token.value };
}

function isSignedOnly(value: Scalar): boolean {
  return value.kind === "integer" && value.exact === SIGNED_ONLY;
}

/** Adjacent strings are one string. */
function constantNode(state: ParserState, value: Scalar): Node {
  const begin = peek(state).at;
  if (isSignedOnly(value)) throw tooLarge(state.text.slice(begin, peek(state).end), begin);
  state.next++;
  let joined = value;
  for (let next = peek(state); joined.kind === "string"; next = peek(state)) {
    if (next.kind !== "constant" || next.value.kind !== "string") break;
    joined = stringValue(joined.value + next.value.value);
    if (joined.kind === "error") throw tooLong(begin);
    state.next++;
  }
  return { kind: "literal", value: joined };
}

function tooLong(at: number): UnreadableText {
  return new UnreadableText(at, {
    code: "tooLong",
    what: "adjacent strings are too long together",
    why: "adjacent strings form one string, of at most 65536 characters",
    remedy: "put the text into a file, and name the file",
  });
}

function nameNode(state: ParserState, token: Extract<Token, { kind: "name" }>): Node {
  const { text: name, isQuoted } = token;
  const key = keyOf(name);
  if (!isQuoted && OPERATOR_WORDS.has(key)) throw unexpected(state, "a value on the left of an operator");
  state.next++;
  const constant = isQuoted ? undefined : CONSTANT_WORDS.get(key);
  if (constant !== undefined) return { kind: "literal", value: constant };
  if (isNext(state, "(")) return callNode(state, { name, key });
  const scope = SCOPE_WORDS.get(key);
  return scope === undefined ? { kind: "reference", name, key } : { kind: "scope", scope, name, key };
}

function callNode(state: ParserState, name: { readonly name: string; readonly key: string }): Node {
  const operands = itemsBetween(state, ")");
  const literal = constantCall(name.key, operands);
  return literal === undefined ? { kind: "call", ...name, operands } : { kind: "literal", value: literal };
}

function itemsBetween(state: ParserState, closing: string): readonly Node[] {
  const opened = peek(state);
  state.next++;
  const items: Node[] = [];
  // A comma may end the items; those of a call may be separated by semicolons, as in old submit files.
  while (!take(state, closing)) {
    items.push(expressionNode(state));
    if (take(state, ",") || (closing === ")" && take(state, ";"))) continue;
    close(state, closing, opened);
    break;
  }
  return items;
}

function parenthesised(state: ParserState, opened: Token): Node {
  state.next++;
  const inside = expressionNode(state);
  close(state, ")", opened);
  return inside;
}

function recordNode(state: ParserState, opened: Token): RecordNode {
  state.next++;
  const record = recordBody(state, () => expressionNode(state), { isBare: false });
  close(state, "]", opened);
  return record;
}

function absoluteNode(state: ParserState): Node {
  state.next++;
  return { kind: "absolute", ...selectedName(state) };
}

function selectedName(state: ParserState): { readonly name: string; readonly key: string } {
  const token = peek(state);
  if (token.kind !== "name") throw unexpected(state, "the name of an attribute after the point");
  state.next++;
  return { name: token.text, key: keyOf(token.text) };
}

function postfix(state: ParserState, of: Node): Node | undefined {
  const opened = peek(state);
  if (take(state, ".")) return { kind: "select", of, ...selectedName(state) };
  if (!take(state, "[")) return undefined;
  const index = expressionNode(state);
  close(state, "]", opened);
  return { kind: "subscript", of, index };
}

function infix(state: ParserState, left: Node, power: number): Node | undefined {
  const operator = infixOperator(peek(state));
  const binding = BINARY_POWERS.get(operator);
  if (binding !== undefined) {
    if (binding <= power) return undefined;
    state.next++;
    const right = expressionNode(state, binding);
    return { kind: "binary", operator: operator as BinaryOperator, left, right };
  }
  if (power >= CONDITIONAL_POWER) return undefined;
  const opened = peek(state);
  if (take(state, "?:")) return { kind: "elvis", first: left, second: expressionNode(state) };
  if (!take(state, "?")) return undefined;
  if (take(state, ":")) return { kind: "elvis", first: left, second: expressionNode(state) };
  const then = expressionNode(state);
  close(state, ":", opened);
  return { kind: "conditional", test: left, then, otherwise: expressionNode(state) };
}

function infixOperator(token: Token): string {
  if (token.kind === "operator") return token.text;
  if (token.kind !== "name" || token.isQuoted) return "";
  return OPERATOR_WORDS.get(keyOf(token.text)) ?? "";
}

/**
 * The value of a call that is the written form of a value: `absTime("…")` with a zone, `relTime("…")`,
 * `real("INF")`; undefined for any other call.
 */
function constantCall(key: string, operands: readonly Node[]): Scalar | undefined {
  const [operand] = operands;
  if (operands.length !== 1 || operand.kind !== "literal" || operand.value.kind !== "string")
    return undefined;
  const text = operand.value.value;
  if (key === "abstime") return parseAbsTime(text, undefined);
  if (key === "reltime") return parseRelTime(text);
  return key === "real" ? SPECIAL_REALS.get(text) : undefined;
}

/** Reals without digits, by their text. */
const SPECIAL_REALS: ReadonlyMap<string, Scalar> = new Map([
  ["INF", realValue(Number.POSITIVE_INFINITY)],
  ["-INF", realValue(Number.NEGATIVE_INFINITY)],
  ["NaN", realValue(Number.NaN)],
]);
