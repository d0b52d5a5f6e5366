/** State of the parser: the tokens, the position, and the problem of an unexpected token. */
import { shortened } from "../base/index.ts";
import { type Token, tokensOf } from "./lexer.ts";
import { placeOf, UnreadableText } from "./problem.ts";

/** Largest nesting of brackets, and largest height of an expression tree. */
export const HEIGHT_LIMIT = 1_000;
/** Largest length of a text, in UTF-16 code units. */
const TEXT_LIMIT = 1_000_000;

/** The tokens of a text, and the index of the next one. */
export interface ParserState {
  readonly text: string;
  readonly tokens: readonly Token[];
  next: number;
  /** Nesting depth of the expression being read. */
  depth: number;
  /** Line of the latest place that was asked for, and offsets of its beginning and end. */
  line: number;
  lineStart: number;
  lineEnd: number;
}

/** The state at the beginning of a text. @throws UnreadableText where no token begins */
export function beginParsing(text: string): ParserState {
  if (text.length > TEXT_LIMIT) {
    throw new UnreadableText(0, {
      code: "tooLong",
      what: "the text is too long",
      why: `it has ${text.length} characters; the limit is ${TEXT_LIMIT}`,
      remedy: "split it into several",
    });
  }
  const tokens = tokensOf(text);
  return { text, tokens, next: 0, depth: 0, line: 1, lineStart: 0, lineEnd: lineEndAt(text, 0) };
}

/** Line and column of an offset at or behind the one that was asked for before. */
export function advancedPlace(
  state: ParserState,
  offset: number,
): { readonly line: number; readonly column: number } {
  while (state.lineEnd < offset) {
    state.line++;
    state.lineStart = state.lineEnd + 1;
    state.lineEnd = lineEndAt(state.text, state.lineStart);
  }
  return { line: state.line, column: offset - state.lineStart + 1 };
}

function lineEndAt(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end === -1 ? text.length : end;
}

/** The next token, or one `ahead` tokens further. */
export function peek(state: ParserState, ahead = 0): Token {
  return state.tokens[Math.min(state.next + ahead, state.tokens.length - 1)];
}

/** True where the next token is this operator. */
export function isNext(state: ParserState, operator: string, ahead = 0): boolean {
  const token = peek(state, ahead);
  return token.kind === "operator" && token.text === operator;
}

/** Reads the operator if it is next; returns whether it was. */
export function take(state: ParserState, operator: string): boolean {
  const found = isNext(state, operator);
  if (found) state.next++;
  return found;
}

/** Reads a closing bracket. @throws UnreadableText where something else is next */
export function close(state: ParserState, operator: string, opened: Token): void {
  if (take(state, operator)) return;
  const { line, column } = placeOf(state.text, opened.at);
  throw unexpected(state, `${operator} to close ${textOf(state, opened)} of line ${line}, column ${column}`);
}

/** The problem of an unexpected token. */
export function unexpected(state: ParserState, needed: string): UnreadableText {
  const token = peek(state);
  if (token.kind === "end") {
    return new UnreadableText(token.at, {
      code: "unexpectedEnd",
      what: "unexpected end of the text",
      why: `expected ${needed}`,
      remedy: "add the missing part",
    });
  }
  const found = textOf(state, token);
  return new UnreadableText(token.at, {
    code: "unexpectedToken",
    what: `unexpected ${shortened(found)}`,
    why: `expected ${needed}`,
    remedy: remedyFor(token),
  });
}

function remedyFor(token: Token): string {
  if (token.kind === "operator" && token.text === "=") {
    return "compare with == (or =?= for the very same); = only gives an attribute its expression";
  }
  if (token.kind === "name" && token.isQuoted) {
    return `a text is written "…"; '…' is the name of an attribute`;
  }
  return "add an operator before it, or take it away";
}

function textOf(state: ParserState, { at, end }: Token): string {
  return state.text.slice(at, end);
}
