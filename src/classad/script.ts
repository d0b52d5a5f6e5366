/**
 * Scripts: attributes and checks, one statement a line, in order.
 *
 * The format of HTCondor's own test scripts: `name = expression` sets an attribute, `eval expression` prints
 * its value, `same a, b` and `diff a, b` check that two values are or are not identical, `echo text` prints
 * text. A statement with an open bracket continues in the next line.
 */
import type { Result } from "../base/index.ts";
import { isIdentical } from "./comparison.ts";
import { compileAd } from "./compile.ts";
import { type EvaluationContext, evaluate } from "./evaluate.ts";
import type { ClassAd, ClassAdValue, Expression, RecordAttribute } from "./language.ts";
import { parseAd, parseExpression } from "./parse.ts";
import type { ClassAdProblem } from "./problem.ts";
import { valueText } from "./unparse.ts";

/** The result of a statement; `line` is the one on which it begins, from 1. */
export type ScriptResult = { readonly line: number } & (
  | { readonly kind: "value"; readonly expression: Expression; readonly value: ClassAdValue }
  | { readonly kind: "echo"; readonly text: string }
  | { readonly kind: "unmet"; readonly demand: "same" | "diff"; readonly values: readonly ClassAdValue[] }
  /** Ends the script. */
  | { readonly kind: "problem"; readonly problem: ClassAdProblem }
);

/** Largest number of lines of a statement; more mean a missing bracket. */
const STATEMENT_LINES = 500;

interface ScriptState {
  readonly lines: readonly string[];
  readonly attributes: Map<string, RecordAttribute>;
  readonly context: Omit<EvaluationContext, "self" | "other">;
  self: ClassAd;
  next: number;
}

/** Runs a script up to its end or its first problem. */
export function runScript(
  text: string,
  context: Omit<EvaluationContext, "self" | "other">,
): readonly ScriptResult[] {
  const self = compileAd({ kind: "record", attributes: [] });
  const state: ScriptState = { lines: text.split("\n"), attributes: new Map(), context, self, next: 0 };
  const results: ScriptResult[] = [];
  while (state.next < state.lines.length) {
    const result = statement(state);
    if (result !== undefined) results.push(result);
    if (result?.kind === "problem") break;
  }
  return results;
}

function statement(state: ScriptState): ScriptResult | undefined {
  const line = state.next + 1;
  const first = state.lines[state.next];
  const [, word = ""] = /^\s*(eval|same|diff|echo)\b(?!\s*=(?!=))/.exec(first) ?? [];
  if (word === "echo") {
    state.next++;
    return { line, kind: "echo", text: first.replace(/^\s*echo\s?/, "") };
  }
  if (word === "eval") return asked(state, line);
  return word === "same" || word === "diff" ? demanded(state, line, word) : given(state, line);
}

function asked(state: ScriptState, line: number): ScriptResult {
  // Blanks in place of the word keep the columns of problems right.
  const read = reading(state, (text) => parseExpression(text.replace("eval", "    ")));
  if (!read.ok) return problem(read.refusal, line);
  const value = evaluate(read.value, { ...state.context, self: state.self });
  return { line, kind: "value", expression: read.value, value };
}

function demanded(state: ScriptState, line: number, demand: "same" | "diff"): ScriptResult | undefined {
  // A comma at the end would end the list too.
  const read = reading(state, (text) =>
    parseExpression(`${text.replace(demand, "   {")}\n${/,\s*$/.test(text) ? "" : "}"}`),
  );
  if (!read.ok) return problem(read.refusal, line);
  const { node } = read.value;
  const isPair = node.kind === "list" && node.items.length === 2;
  if (!isPair) return problem(noPair(demand), line);
  const pair = evaluate(read.value, { ...state.context, self: state.self });
  const values = pair.kind === "list" ? pair.items : [pair, pair];
  const isMet = isIdentical(values[0], values[1]) === (demand === "same");
  return isMet ? undefined : { line, kind: "unmet", demand, values };
}

function noPair(demand: string): ClassAdProblem {
  return {
    ...{ code: "unexpectedToken", line: 1, column: 1 },
    what: `${demand} without two expressions`,
    why: "it compares two values",
    remedy: `write ${demand} a, b`,
  };
}

function given(state: ScriptState, line: number): ScriptResult | undefined {
  const read = reading(state, parseAd);
  if (!read.ok) return problem(read.refusal, line);
  for (const attribute of read.value.node.attributes) state.attributes.set(attribute.key, attribute);
  if (read.value.attributes.size > 0) {
    state.self = compileAd({ kind: "record", attributes: [...state.attributes.values()] });
  }
  return undefined;
}

/** Reads a statement: one line, and further ones while the text ends too early. */
function reading<Read>(
  state: ScriptState,
  parse: (text: string) => Result<Read, ClassAdProblem>,
): Result<Read, ClassAdProblem> {
  const begin = state.next;
  for (;;) {
    state.next++;
    const lines = state.lines.slice(begin, state.next);
    const read = parse(lines.join("\n"));
    const goesOn = !read.ok && isOpen(read.refusal, lines.length);
    const isLast = state.next >= state.lines.length || lines.length >= STATEMENT_LINES;
    if (!goesOn || isLast) return read;
  }
}

/** True where the problem is that the text ends, or lies in the text appended to it. */
function isOpen({ code, line }: ClassAdProblem, lines: number): boolean {
  return code === "unexpectedEnd" || code === "unterminatedComment" || line > lines;
}

function problem(refusal: ClassAdProblem, line: number): ScriptResult {
  return { line, kind: "problem", problem: { ...refusal, line: refusal.line + line - 1 } };
}

/** A failed check in words: `3 is not the same as 4`. */
export function unmetText(demand: "same" | "diff", values: readonly ClassAdValue[]): string {
  const [one, another] = values.map(valueText);
  return demand === "same" ? `${one} is not the same as ${another}` : `both are ${one}`;
}
