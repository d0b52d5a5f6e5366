/** Variables of scripts: `$name`, put in place as text before a statement is read. */
import { accepted, type Result, refused } from "../base/index.ts";
import { type ClassAdProblem, placeOf } from "./problem.ts";

/** A text with its variables put in place. */
interface Substituted {
  readonly text: string;
  /** A problem of that text, at its place in the text before. */
  readonly backInPlace: (problem: ClassAdProblem) => ClassAdProblem;
}

/** Where a variable was put in place, in both texts. */
interface Put {
  readonly from: number;
  readonly fromEnd: number;
  readonly to: number;
  readonly toEnd: number;
}

/** Strings, quoted names and remarks, in which no variable is; and variables. */
const PART = /"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|\/\/.*|#.*|\/\*[\s\S]*?(?:\*\/|$)|\$([A-Za-z]\w*)?/g;

/** Length from which on the rest is left out: more than the reader of expressions takes. */
const ENOUGH = 1_000_001;

/** A text with the canonical texts of variables in place of their names; strings stay as they are. */
export function substituted(
  text: string,
  variables: ReadonlyMap<string, string>,
): Result<Substituted, ClassAdProblem> {
  const puts: Put[] = [];
  let out = "";
  let done = 0;
  for (const { 0: part, 1: name, index } of text.matchAll(PART)) {
    if (!part.startsWith("$")) continue;
    const value = name === undefined ? undefined : variables.get(name);
    if (value === undefined) return refused({ ...unknown(name), ...placeOf(text, index) });
    out += text.slice(done, index);
    const to = out.length;
    out += value;
    done = index + part.length;
    puts.push({ from: index, fromEnd: done, to, toEnd: out.length });
    if (out.length > ENOUGH) break;
  }
  out += text.slice(done);
  return accepted({ text: out, backInPlace: (problem) => movedBack(problem, { text, out, puts }) });
}

function unknown(name: string | undefined): Omit<ClassAdProblem, "line" | "column"> {
  if (name === undefined) {
    const why = "$ begins a variable: a letter, then letters, digits and _";
    return { code: "unexpectedToken", what: "$ without a name", why, remedy: "write its name after it" };
  }
  return {
    code: "unexpectedToken",
    what: `the variable $${name} is unknown`,
    why: "variables are defined by let, eval NAME = and readxml, and no earlier line defines this one",
    remedy: `write let ${name} = … before`,
  };
}

/** The place before variables were put in place; values have no line breaks, so that lines are the same. */
function movedBack(
  problem: ClassAdProblem,
  { text, out, puts }: { readonly text: string; readonly out: string; readonly puts: readonly Put[] },
): ClassAdProblem {
  const lines = out.split("\n");
  if (puts.length === 0 || problem.line > lines.length) return problem;
  const before = lines.slice(0, problem.line - 1).reduce((sum, line) => sum + line.length + 1, 0);
  const offset = before + problem.column - 1;
  const last = puts.findLast(({ to }) => to <= offset);
  if (last === undefined) return problem;
  const original = offset < last.toEnd ? last.from : offset - last.toEnd + last.fromEnd;
  return { ...problem, ...placeOf(text, original) };
}
