/** Parsing of expressions and ads; a problem is a result with its position, never an exception. */
import { accepted, type Result, refused } from "../base/index.ts";
import { compileAd, compileExpression } from "./compile.ts";
import type { ClassAd, Expression, Node, RecordNode } from "./language.ts";
import { sizeOf } from "./node-size.ts";
import { adNode, expressionNode, tooDeep } from "./parser.ts";
import { beginParsing, HEIGHT_LIMIT, type ParserState, peek, unexpected } from "./parser-state.ts";
import { type ClassAdProblem, placeOf, UnreadableText } from "./problem.ts";
import { quickAd } from "./quick-ad.ts";

/** Reads an expression, ready for evaluation. */
export function parseExpression(text: string): Result<Expression, ClassAdProblem> {
  const read = reading(text, (state) => expressionNode(state));
  return read.ok ? accepted(compileExpression(read.value)) : read;
}

/** Reads an ad: `[ name = expression; … ]`, or without brackets, where new lines separate too. */
export function parseAd(text: string): Result<ClassAd, ClassAdProblem> {
  const quick = quickAd(text);
  return quick === undefined ? parseAnyAd(text) : accepted(quick);
}

/** {@link parseAd} by the parser, whatever the text. */
export function parseAnyAd(text: string): Result<ClassAd, ClassAdProblem> {
  const read = reading(text, adNode);
  return read.ok ? accepted(compileAd(read.value)) : read;
}

function reading<Read extends Node | RecordNode>(
  text: string,
  read: (state: ParserState) => Read,
): Result<Read, ClassAdProblem> {
  try {
    const state = beginParsing(text);
    const node = read(state);
    if (peek(state).kind !== "end") throw unexpected(state, "an operator, or the end");
    // Each level of a tree has a token of its own.
    const mayBeHigh = state.tokens.length > HEIGHT_LIMIT && sizeOf(node).height > HEIGHT_LIMIT;
    if (mayBeHigh) throw tooDeep(0);
    return accepted(node);
  } catch (error) {
    if (!(error instanceof UnreadableText)) throw error;
    return refused({ ...error.words, ...placeOf(text, error.offset) });
  }
}
