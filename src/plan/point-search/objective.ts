/** The value of a point, in what its job wrote. */
import { accepted, type Result, refused } from "../../base/index.ts";
import { compileRegexp, searchRegexp } from "../../classad/index.ts";
import type { Objective } from "../../model/index.ts";

const BY_LINES = { ignoresCase: false, isByLines: true, pointIsAny: false, isExtended: false };

/** The number that a text has for an objective, or why it has none. */
export function objectiveIn(objective: Exclude<Objective, { kind: "exitCode" }>, text: string): Found {
  return objective.kind === "json" ? inJson(objective.path, text) : byPattern(objective.pattern, text);
}

/** False for a pattern that is no regular expression. */
export function isUsable(objective: Objective): boolean {
  return objective.kind !== "pattern" || typeof compileRegexp(objective.pattern, BY_LINES) !== "string";
}

type Found = Result<number, string>;

/** The first group of the last match, or all of it where there is no group. */
function byPattern(pattern: string, text: string): Found {
  const program = compileRegexp(pattern, BY_LINES);
  if (typeof program === "string") return refused(`the pattern cannot be used: ${program}`);
  let found: string | undefined;
  for (const line of text.split("\n")) {
    const marks = searchRegexp(program, line);
    if (marks === undefined) continue;
    const at = program.groups > 0 && (marks[2] ?? -1) >= 0 ? 2 : 0;
    found = line.slice(marks[at], marks[at + 1]);
  }
  if (found === undefined) return refused(`no line fits the pattern ${JSON.stringify(pattern)}`);
  return numberOf(found, `what the pattern found, ${short(found)},`);
}

function inJson(path: string, text: string): Found {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refused("it is not JSON");
  }
  for (const name of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) {
      return refused(`it has no field ${path}`);
    }
    value = Object.entries(value).find(([key]) => key === name)?.[1];
  }
  const what = `its field ${path}`;
  return typeof value === "number" || typeof value === "string"
    ? numberOf(String(value), what)
    : refused(`${what} is not a number`);
}

function numberOf(text: string, what: string): Found {
  const number = text.trim() === "" ? Number.NaN : Number(text);
  return Number.isFinite(number) ? accepted(number) : refused(`${what} is not a number`);
}

function short(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}
