/**
 * Where the parser is in its tokens, and how it says that it met something else than it needs.
 */
import { type Token, tokensOf } from "./lexer.ts";
import { placeOf, UnreadableText } from "./problem.ts";

/** How deep brackets may be nested, and how high the tree of an expression may be. */
export const HEIGHT_LIMIT = 1_000;
/** The longest text that is read, in UTF-16 code units. */
const TEXT_LIMIT = 1_000_000;

/** The tokens of one text with the next one to read. */
export interface ParserState {
  readonly text: string;
  readonly tokens: readonly Token[];
  next: number;
  /** Expressions within expressions that are being read. */
  depth: number;
}

/** The state at the beginning of a text. @throws UnreadableText at what is no token */
export function beginParsing(text: string): ParserState {
  if (text.length > TEXT_LIMIT) {
    throw new UnreadableText(0, {
      code: "tooLong",
      what: "a text that is too long",
      why: `it has ${text.length} characters, and at most ${TEXT_LIMIT} are read`,
      remedy: "divide it into several",
    });
  }
  return { text, tokens: tokensOf(text), next: 0, depth: 0 };
}

/** The token to read next. */
export function peek(state: ParserState, ahead = 0): Token {
  return state.tokens[Math.min(state.next + ahead, state.tokens.length - 1)];
}

/** Whether the next token is this operator. */
export function isNext(state: ParserState, operator: string, ahead = 0): boolean {
  const token = peek(state, ahead);
  return token.kind === "operator" && token.text === operator;
}

/** Reads the operator if it is next. */
export function take(state: ParserState, operator: string): boolean {
  const found = isNext(state, operator);
  if (found) state.next++;
  return found;
}

/** Reads what closes a bracket. @throws UnreadableText where something else is next */
export function close(state: ParserState, operator: string, opened: Token): void {
  if (take(state, operator)) return;
  const { line, column } = placeOf(state.text, opened.at);
  throw unexpected(state, `${operator} to close ${textOf(state, opened)} of line ${line}, column ${column}`);
}

/** What was met instead of what was needed. */
export function unexpected(state: ParserState, needed: string): UnreadableText {
  const token = peek(state);
  if (token.kind === "end") {
    return new UnreadableText(token.at, {
      code: "unexpectedEnd",
      what: "the text ends too early",
      why: `it needs ${needed}`,
      remedy: "add what is missing",
    });
  }
  const found = textOf(state, token);
  return new UnreadableText(token.at, {
    code: "unexpectedToken",
    what: `${shortened(found)} cannot stand here`,
    why: `it needs ${needed}`,
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

/** A token as it was written. */
function textOf(state: ParserState, { at, end }: Token): string {
  return state.text.slice(at, end);
}

function shortened(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
