/**
 * Scripts: attributes, variables and checks, one statement a line, in order.
 *
 * The format of HTCondor's own test scripts: `eval expression` prints its value, `eval name = expression`
 * keeps it as `$name`, `let name = expression` keeps the expression itself, `print expression` prints that.
 * `same a, b` and `diff a, b` check that two values are or are not identical, `sameq` and `diffq` that two
 * expressions are. `readxml name file` and `writexml file ads` read and write ads, `echo text` prints text.
 * Beyond it, `name = expression` sets an attribute. A statement with an open bracket continues in the next
 * line.
 */
import { accepted, type Result, refused } from "../base/index.ts";
import { isIdentical } from "./comparison.ts";
import { compileAd } from "./compile.ts";
import { type EvaluationContext, evaluate } from "./evaluate.ts";
import type { ClassAd, ClassAdValue, Expression, Node, RecordAttribute } from "./language.ts";
import { parseAd, parseExpression } from "./parse.ts";
import type { ClassAdProblem } from "./problem.ts";
import { substituted } from "./script-variables.ts";
import { unparse, valueText } from "./unparse.ts";

/** The result of a statement; `line` is the one on which it begins, from 1. */
export type ScriptResult = { readonly line: number } & (
  | { readonly kind: "value"; readonly expression: Expression; readonly value: ClassAdValue }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "unmet"; readonly text: string }
  /** Ends the script. */
  | { readonly kind: "problem"; readonly problem: ClassAdProblem }
);

/** Files of ads in XML. */
export interface ScriptFiles {
  /** All ads of a file. @throws where it cannot be read, which ends the script */
  readonly read: (file: string) => Promise<readonly ClassAd[]>;
  /** Writes a file anew. @throws where it cannot be written */
  readonly write: (file: string, ads: readonly ClassAd[]) => Promise<void>;
}

/** Largest number of lines of a statement; more mean a missing bracket. */
const STATEMENT_LINES = 500;
const WORD = /^\s*(eval|same|sameq|diff|diffq|echo|let|print|readxml|writexml)\b(?!\s*=(?!=))/;
/** A variable that is given a value: `let x =`, `eval x =`. */
const GIVEN = /^(\s*)(?:let|eval)\s+([A-Za-z]\w*)\s*=(?![=?!])/;
const READ = /^\s*readxml\s+([A-Za-z]\w*)\s+(\S+)\s*$/;
const WRITTEN = /^\s*writexml\s+(\S+)/;

interface ScriptState {
  readonly lines: readonly string[];
  readonly attributes: Map<string, RecordAttribute>;
  /** Canonical texts of variables, by name. */
  readonly variables: Map<string, string>;
  readonly context: Omit<EvaluationContext, "self" | "other">;
  readonly files: ScriptFiles;
  self: ClassAd;
  next: number;
}

type Answer = ScriptResult | undefined;

/** Runs a script up to its end or its first problem. */
export async function* runScript(
  text: string,
  files: ScriptFiles,
  context: Omit<EvaluationContext, "self" | "other">,
): AsyncGenerator<ScriptResult, void, undefined> {
  const state: ScriptState = {
    ...{ lines: text.split("\n"), attributes: new Map(), variables: new Map(), context, files, next: 0 },
    self: compileAd({ kind: "record", attributes: [] }),
  };
  while (state.next < state.lines.length) {
    const result = await statement(state);
    if (result !== undefined) yield result;
    if (result?.kind === "problem") break;
  }
}

async function statement(state: ScriptState): Promise<Answer> {
  const line = state.next + 1;
  const first = state.lines[state.next];
  const [, word = ""] = WORD.exec(first) ?? [];
  switch (word) {
    case "echo":
      state.next++;
      return { line, kind: "text", text: first.replace(/^\s*echo\s?/, "") };
    case "let":
    case "eval":
      return word === "let" || GIVEN.test(first) ? kept(state, line, word) : asked(state, line);
    case "print": {
      const read = expression(state, (text) => blanked(text, /print/));
      return read.ok ? { line, kind: "text", text: unparse(read.value.node) } : problem(read.refusal, line);
    }
    case "same":
    case "diff":
    case "sameq":
    case "diffq":
      return demanded(state, line, word);
    case "readxml":
      return readAds(state, line);
    case "writexml":
      return writeAds(state, line);
    default:
      return given(state, line);
  }
}

function asked(state: ScriptState, line: number): Answer {
  const read = expression(state, (text) => blanked(text, /eval/));
  if (!read.ok) return problem(read.refusal, line);
  const value = evaluate(read.value, { ...state.context, self: state.self });
  return { line, kind: "value", expression: read.value, value };
}

/** `let x = …` keeps an expression, `eval x = …` its value. */
function kept(state: ScriptState, line: number, word: "let" | "eval"): Answer {
  const [, , name] = GIVEN.exec(state.lines[state.next]) ?? [];
  if (name === undefined) return problem(wrongUse("let without a name", "let NAME = EXPRESSION"), line);
  const read = expression(state, (text) => blanked(text, GIVEN));
  if (!read.ok) return problem(read.refusal, line);
  const result = () => valueText(evaluate(read.value, { ...state.context, self: state.self }));
  state.variables.set(name, word === "let" ? unparse(read.value.node) : result());
  return undefined;
}

type Demand = "same" | "diff" | "sameq" | "diffq";

function demanded(state: ScriptState, line: number, demand: Demand): Answer {
  // A comma at the end would end the list too.
  const read = expression(state, (text) => {
    const opened = text.replace(demand, `${" ".repeat(demand.length - 1)}{`);
    return `${opened}\n${/,\s*$/.test(text) ? "" : "}"}`;
  });
  if (!read.ok) return problem(read.refusal, line);
  const { node } = read.value;
  if (node.kind !== "list" || node.items.length !== 2) {
    return problem(wrongUse(`${demand} without two expressions`, `${demand} a, b`), line);
  }
  const { texts, areSame } = demand.endsWith("q") ? asWritten(node.items) : asValues(read.value, state);
  if (areSame === demand.startsWith("same")) return undefined;
  const [one, another] = texts;
  const text = areSame ? `both are ${one}` : `${one} is not the same as ${another}`;
  return { line, kind: "unmet", text };
}

interface Pair {
  readonly texts: readonly string[];
  readonly areSame: boolean;
}

/** Two expressions as they are written; unnecessary brackets do not count. */
function asWritten(items: readonly Node[]): Pair {
  const texts = items.map(unparse);
  return { texts, areSame: texts[0] === texts[1] };
}

function asValues(both: Expression, state: ScriptState): Pair {
  const pair = evaluate(both, { ...state.context, self: state.self });
  const [one, another] = pair.kind === "list" ? pair.items : [pair, pair];
  return { texts: [valueText(one), valueText(another)], areSame: isIdentical(one, another) };
}

async function readAds(state: ScriptState, line: number): Promise<Answer> {
  const [, name, file] = READ.exec(state.lines[state.next++]) ?? [];
  if (name === undefined || file === undefined) {
    return problem(wrongUse("readxml without a name and a file", "readxml NAME FILE"), line);
  }
  const items = (await state.files.read(file)).map(({ node }) => node);
  state.variables.set(name, unparse({ kind: "list", items }));
  return undefined;
}

async function writeAds(state: ScriptState, line: number): Promise<Answer> {
  const [, file] = WRITTEN.exec(state.lines[state.next]) ?? [];
  if (file === undefined) return problem(wrongUse("writexml without a file", "writexml FILE ADS"), line);
  const read = expression(state, (text) => blanked(text, WRITTEN));
  if (!read.ok) return problem(read.refusal, line);
  const { node } = read.value;
  const ads = (node.kind === "list" ? node.items : [node]).flatMap((one) =>
    one.kind === "record" ? [compileAd(one)] : [],
  );
  const isAds = ads.length === (node.kind === "list" ? node.items.length : 1);
  if (!isAds) {
    const [what, why] = ["writexml of something else than ads", "it writes one ad, or a list of ads"];
    return problem({ ...wrongUse(what, "writexml FILE [ … ]"), why }, line);
  }
  await state.files.write(file, ads);
  return undefined;
}

/** A statement that lacks a part, at its beginning. */
function wrongUse(what: string, form: string): ClassAdProblem {
  const why = `the statement is ${form}`;
  return { code: "unexpectedToken", line: 1, column: 1, what, why, remedy: `write ${form}` };
}

function given(state: ScriptState, line: number): Answer {
  const read = reading(state, parseAd);
  if (!read.ok) return problem(read.refusal, line);
  for (const attribute of read.value.node.attributes) state.attributes.set(attribute.key, attribute);
  if (read.value.attributes.size > 0) {
    state.self = compileAd({ kind: "record", attributes: [...state.attributes.values()] });
  }
  return undefined;
}

/** Blanks in place of the words before an expression keep the columns of problems right. */
function blanked(text: string, words: RegExp): string {
  return text.replace(words, (said) => " ".repeat(said.length));
}

/** Reads the expression of a statement, in the text that `without` leaves of it. */
function expression(
  state: ScriptState,
  without: (text: string) => string,
): Result<Expression, ClassAdProblem> {
  return reading(state, (text) => {
    const put = substituted(without(text), state.variables);
    if (!put.ok) return put;
    const read = parseExpression(put.value.text);
    return read.ok ? accepted(read.value) : refused(put.value.backInPlace(read.refusal));
  });
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
