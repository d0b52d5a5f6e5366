/** Functions on arguments and environments in one string, as submit files have them, and on users. */
import type { ClassAdValue, Evaluation } from "../language.ts";
import { spend } from "../scope.ts";
import { ERROR, listValue, stringValue, UNDEFINED } from "../values.ts";
import { type Builtins, demanding, eager, stringsOf } from "./builtin.ts";
import { partsOf } from "./strings.ts";

/** `argsToList`, `listToArgs`, `envV1ToV2`, `mergeEnvironment`, `userHome`, `userMap`. */
export const environmentFunctions: Builtins = [
  ["argstolist", demanding(1, 2, argsToList)],
  ["listtoargs", demanding(1, 2, listToArgs)],
  ["envv1tov2", eager(1, 1, envV1ToV2)],
  ["mergeenvironment", eager(0, 1_000, mergeEnvironment)],
  ["userhome", eager(1, 2, userHome)],
  ["usermap", eager(2, 4, userMap)],
];

const BLANKS = " \t\r\n";

/** True if the arguments have the new syntax, with quotation marks; undefined for an unknown syntax. */
function hasMarks(version: ClassAdValue | undefined): boolean | undefined {
  if (version === undefined) return true;
  if (version.kind !== "integer" || (version.value !== 1 && version.value !== 2)) return undefined;
  return version.value === 2;
}

function argsToList(
  [args, version]: readonly (ClassAdValue | undefined)[],
  evaluation: Evaluation,
): ClassAdValue {
  const isMarked = hasMarks(version);
  if (args?.kind !== "string" || isMarked === undefined) return ERROR;
  spend(evaluation, args.value.length);
  const parts = isMarked ? unquotedParts(args.value) : partsOf(args.value, BLANKS);
  return parts === undefined ? ERROR : listValue(parts.map(stringValue));
}

/** Parts between blanks; single quotation marks hold blanks together, two within them are one. */
function unquotedParts(text: string): readonly string[] | undefined {
  const parts: string[] = [];
  let part: string | undefined;
  for (let at = 0; at < text.length; at++) {
    if (BLANKS.includes(text[at])) {
      if (part !== undefined) parts.push(part);
      part = undefined;
    } else if (text[at] === "'") {
      const end = closingMark(text, at);
      if (end === undefined) return undefined;
      part = (part ?? "") + text.slice(at + 1, end).replaceAll("''", "'");
      at = end;
    } else part = (part ?? "") + text[at];
  }
  return part === undefined ? parts : [...parts, part];
}

function closingMark(text: string, opened: number): number | undefined {
  for (let at = text.indexOf("'", opened + 1); at !== -1; at = text.indexOf("'", at + 2)) {
    if (text[at + 1] !== "'") return at;
  }
  return undefined;
}

function listToArgs(
  [list, version]: readonly (ClassAdValue | undefined)[],
  evaluation: Evaluation,
): ClassAdValue {
  const isMarked = hasMarks(version);
  const args = list?.kind === "list" ? stringsOf(list.items, evaluation) : undefined;
  if (args === undefined || isMarked === undefined) return ERROR;
  if (isMarked) return stringValue(args.map(quotedPart).join(" "));
  return args.some((arg) => /[ \t\r\n]/.test(arg)) ? ERROR : stringValue(args.join(" "));
}

/** A part with its blanks and marks in quotation marks. */
function quotedPart(part: string): string {
  if (part === "") return "''";
  return part.replace(/[ \t\r\n']+/g, (characters) => `'${characters.replaceAll("'", "''")}'`);
}

/** The old syntax has semicolons, or the mark that it begins with, between variables. */
function envV1ToV2([env]: readonly ClassAdValue[], evaluation: Evaluation): ClassAdValue {
  if (env.kind !== "string") return env.kind === "undefined" ? UNDEFINED : ERROR;
  spend(evaluation, env.value.length);
  const mark = /^[;|]/.exec(env.value)?.[0] ?? ";";
  const parts = partsOf(env.value, mark)
    .map((part) => part.trimStart())
    .filter((part) => part !== "");
  const variables = new Map<string, string>();
  return addVariables(variables, parts) ? environmentText(variables) : ERROR;
}

/** Environments in the new syntax, later variables before earlier ones; undefined ones are left out. */
function mergeEnvironment(operands: readonly ClassAdValue[], evaluation: Evaluation): ClassAdValue {
  const variables = new Map<string, string>();
  for (const env of operands) {
    if (env.kind === "undefined") continue;
    if (env.kind !== "string") return ERROR;
    spend(evaluation, env.value.length);
    const parts = unquotedParts(env.value);
    if (parts === undefined || !addVariables(variables, parts)) return ERROR;
  }
  return environmentText(variables);
}

/** Adds `NAME=value` parts; false at one that is none. */
function addVariables(variables: Map<string, string>, parts: readonly string[]): boolean {
  for (const part of parts) {
    const at = part.indexOf("=");
    if (at < 1) return false;
    variables.set(part.slice(0, at), part.slice(at + 1));
  }
  return true;
}

function environmentText(variables: ReadonlyMap<string, string>): ClassAdValue {
  const sorted = [...variables].sort(([one], [another]) => (one < another ? -1 : 1));
  return stringValue(sorted.map(([name, value]) => quotedPart(`${name}=${value}`)).join(" "));
}

/** An evaluation knows no machine, and so no homes: the default, as where HTCondor has them switched off. */
function userHome([user, otherwise]: readonly (ClassAdValue | undefined)[]): ClassAdValue {
  if (otherwise?.kind === "string" && otherwise.value !== "") return otherwise;
  return user?.kind === "string" || user?.kind === "undefined" ? UNDEFINED : ERROR;
}

/** `userMap(map, user)`: the list of what a map has for a user; with a third operand the preferred one. */
function userMap(
  [map, user, preferred, otherwise]: readonly (ClassAdValue | undefined)[],
  evaluation: Evaluation,
): ClassAdValue {
  const unknown = otherwise ?? UNDEFINED;
  if (map?.kind !== "string" || user?.kind !== "string") {
    return map?.kind === "error" || user?.kind === "error" ? ERROR : unknown;
  }
  const mapped = evaluation.userMap?.(map.value, user.value);
  if (mapped === undefined) return unknown;
  const items = mapped
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
  if (preferred === undefined) return listValue(items.map(stringValue));
  const wanted = preferred.kind === "string" ? preferred.value.toLowerCase() : undefined;
  const found = items.find((item) => item.toLowerCase() === wanted) ?? items[0];
  return found === undefined ? unknown : stringValue(found);
}
