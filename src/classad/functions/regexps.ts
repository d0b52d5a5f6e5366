/** Functions with regular expressions. */
import type { ClassAdValue, Evaluation } from "../language.ts";
import {
  compileRegexp,
  type Marks,
  type RegexpOptions,
  type RegexpProgram,
  searchRegexp,
} from "../regexp/index.ts";
import { spend } from "../scope.ts";
import { booleanValue, ERROR, FALSE, STRING_LIMIT, stringValue, TRUE, UNDEFINED } from "../values.ts";
import { type Builtins, demanding, eager, exceptional, strict, stringsOf } from "./builtin.ts";
import { DELIMITERS, itemsOf } from "./string-lists.ts";

/** `regexp`, `regexpMember`, `regexps`, `replace`, `replaceAll`, `stringList_regexpMember`. */
export const regexpFunctions: Builtins = [
  ["regexp", strict(2, 3, isFound)],
  ["regexpmember", eager(2, 3, isFoundInList)],
  ["regexps", strict(3, 4, (operands, evaluation) => substituted(operands, evaluation, ""))],
  ["replace", strict(3, 4, (operands, evaluation) => substituted(operands, evaluation, "f"))],
  ["replaceall", strict(3, 4, (operands, evaluation) => substituted(operands, evaluation, "fg"))],
  ["stringlist_regexpmember", demanding(2, 4, isFoundInStringList)],
];

/** True where a text contains a match; undefined for an unsupported expression. */
export function searchText(pattern: string, text: string, evaluation: Evaluation): boolean | undefined {
  const program = compiled(pattern, "i", evaluation);
  return program === undefined ? undefined : search(program, text, 0, evaluation) !== undefined;
}

function compiled(pattern: string, options: string, evaluation: Evaluation): RegexpProgram | undefined {
  const program = compileRegexp(pattern, optionsOf(options));
  if (typeof program === "string") {
    evaluation.onUnsupported?.(pattern, program);
    return undefined;
  }
  spend(evaluation, program.instructions.length);
  return program;
}

function optionsOf(letters: string): RegexpOptions {
  return {
    ignoresCase: letters.includes("i"),
    isByLines: letters.includes("m"),
    pointIsAny: letters.includes("s"),
    isExtended: letters.includes("x"),
  };
}

/** Searches after counting the cost: 16 instructions at one character are one unit of work. */
function search(program: RegexpProgram, text: string, from: number, evaluation: Evaluation) {
  const steps = (text.length - from + 1) * program.instructions.length;
  spend(evaluation, Math.ceil(steps / 16));
  return searchRegexp(program, text, from);
}

function isFound(operands: readonly ClassAdValue[], evaluation: Evaluation): ClassAdValue {
  const [pattern, text, options = ""] = stringsOf(operands, evaluation) ?? [];
  const program = pattern === undefined ? undefined : compiled(pattern, options, evaluation);
  if (program === undefined || text === undefined) return ERROR;
  return booleanValue(search(program, text, 0, evaluation) !== undefined);
}

/** The first item with a match decides; before it only undefined items are skipped. */
function isFoundInList(
  [pattern, list, options = stringValue("")]: readonly ClassAdValue[],
  evaluation: Evaluation,
): ClassAdValue {
  const exception = exceptional([pattern, list, options]);
  if (exception !== undefined) return exception;
  if (pattern.kind !== "string" || options.kind !== "string" || list.kind !== "list") return ERROR;
  const program = compiled(pattern.value, options.value, evaluation);
  if (program === undefined) return ERROR;
  let answer: ClassAdValue = FALSE;
  for (const item of list.items) {
    if (item.kind === "undefined") answer = UNDEFINED;
    else if (item.kind !== "string") return ERROR;
    else if (search(program, item.value, 0, evaluation) !== undefined) return TRUE;
  }
  return answer;
}

/** `stringList_regexpMember(pattern, list, delimiters, options)`. */
function isFoundInStringList(operands: readonly ClassAdValue[], evaluation: Evaluation): ClassAdValue {
  const [pattern, list, delimiters = DELIMITERS, options = ""] = stringsOf(operands, evaluation) ?? [];
  const program = pattern === undefined ? undefined : compiled(pattern, options.toLowerCase(), evaluation);
  if (program === undefined || list === undefined) return ERROR;
  const items = itemsOf(list, delimiters, evaluation);
  if (items.length === 0) return UNDEFINED;
  return booleanValue(items.some((item) => search(program, item, 0, evaluation) !== undefined));
}

/**
 * The substitute with its references filled in for the first match, with `g` for all; with `f` within the
 * whole text, else alone.
 */
function substituted(
  operands: readonly ClassAdValue[],
  evaluation: Evaluation,
  always: string,
): ClassAdValue {
  const [pattern, text, substitute, given = ""] = stringsOf(operands, evaluation) ?? [];
  if (pattern === undefined || text === undefined || substitute === undefined) return ERROR;
  const options = given + always;
  const program = compiled(pattern, options, evaluation);
  if (program === undefined) return ERROR;
  const found = placesOf(program, text, options.includes("g"), evaluation);
  if (!found.every((marks) => isExpandable(substitute, marks))) return ERROR;
  if (lengthOf(substitute, found) > STRING_LIMIT) return ERROR;
  const put = found.map((marks) => expanded(substitute, text, marks));
  return stringValue(options.includes("f") ? withSubstitutes(text, found, put) : put.join(""));
}

/** Upper bound of the length of all substitutes, as if every reference were to the whole match. */
function lengthOf(substitute: string, found: readonly Marks[]): number {
  const references = substitute.match(/\\\d/g)?.length ?? 0;
  return found.reduce((total, [begin, end]) => total + substitute.length + references * (end - begin), 0);
}

function placesOf(
  program: RegexpProgram,
  text: string,
  isAll: boolean,
  evaluation: Evaluation,
): readonly Marks[] {
  const found: Marks[] = [];
  let from = 0;
  while (from <= text.length) {
    const marks = search(program, text, from, evaluation);
    if (marks === undefined) break;
    found.push(marks);
    const [begin, end] = marks;
    // After an empty match the search continues behind the next character, else it would never end.
    from = end === begin ? end + 1 : end;
    if (!isAll) break;
  }
  return found;
}

/** True where no reference is to a group behind the last one that took part. */
function isExpandable(substitute: string, marks: Marks): boolean {
  const references = substitute.match(/\\\d/g) ?? [];
  const last = Math.floor(marks.findLastIndex((mark) => mark !== -1) / 2);
  return references.every((reference) => Number(reference[1]) <= last);
}

/** Fills in `\0` (the whole match) and `\1` … (groups); a backslash before anything else stays. */
function expanded(substitute: string, text: string, marks: Marks): string {
  return substitute.replace(/\\(\d)/g, (_, digit: string) => {
    const group = Number(digit);
    const [begin, end] = [marks[2 * group], marks[2 * group + 1]];
    return begin === -1 || end === -1 ? "" : text.slice(begin, end);
  });
}

function withSubstitutes(text: string, found: readonly Marks[], put: readonly string[]): string {
  let done = 0;
  const parts: string[] = [];
  for (const [at, [begin, end]] of found.entries()) {
    parts.push(text.slice(done, begin), put[at]);
    done = end;
  }
  return [...parts, text.slice(done)].join("");
}
