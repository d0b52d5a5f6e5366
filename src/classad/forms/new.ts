/** The new form: ads in brackets one after the other, or in a list; one ad may do without brackets. */
import { accepted, type Result, refused } from "../../base/index.ts";
import type { ClassAd } from "../language.ts";
import { parseAd } from "../parse.ts";
import { type ClassAdProblem, placeOf } from "../problem.ts";
import { nameText, unparse } from "../unparse.ts";
import { prettyRecord } from "./pretty.ts";

const BETWEEN = /(?:[\s,;]+|\/\/[^\n]*|#[^\n]*|\/\*[\s\S]*?\*\/)*/y;
/** Where the parts of an ad begin that may hold brackets which are none, and brackets. */
const PART = /["'#[\]]|\/[/*]/g;

/** The ads of a text in the new form. */
export function readNew(text: string): Result<readonly ClassAd[], ClassAdProblem> {
  const ads: ClassAd[] = [];
  let at = endOf(BETWEEN, text, 0);
  const isList = text[at] === "{";
  if (isList) at = endOf(BETWEEN, text, at + 1);
  if (!isList && at < text.length && text[at] !== "[") return whole(text);
  while (at < text.length && !(isList && text[at] === "}")) {
    const stop = adEnd(text, at);
    const read = parseAd(text.slice(at, stop));
    if (!read.ok) return refused(moved(read.refusal, text, at));
    ads.push(read.value);
    at = endOf(BETWEEN, text, stop);
  }
  if (!isList) return accepted(ads);
  const behind = text.slice(at + 1).search(/\S/);
  if (at < text.length && behind === -1) return accepted(ads);
  return refused({ ...LIST_END, ...placeOf(text, at < text.length ? at + 1 + behind : at) });
}

const LIST_END = {
  code: "unexpectedToken" as const,
  what: "text follows the end of the list of ads",
  why: "ads between { and } form one list, and nothing may follow it",
  remedy: "close the list with } at the end",
};

function whole(text: string): Result<readonly ClassAd[], ClassAdProblem> {
  const read = parseAd(text);
  return read.ok ? accepted(read.value.attributes.size === 0 ? [] : [read.value]) : read;
}

function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return at + (pattern.exec(text)?.[0].length ?? 0);
}

/** The offset behind the ad that begins at an offset; the end of the text where its brackets do not match. */
function adEnd(text: string, at: number): number {
  let depth = 0;
  PART.lastIndex = at;
  for (let part = PART.exec(text); part !== null; part = PART.exec(text)) {
    const [mark] = part;
    if (mark === "[") depth++;
    else if (mark === "]" && --depth <= 0) return part.index + 1;
    else if (mark !== "]") PART.lastIndex = partEnd(text, part.index, mark);
  }
  return text.length;
}

/** The end of a string, a quoted name or a comment. */
function partEnd(text: string, at: number, mark: string): number {
  const isComment = mark === "#" || mark.startsWith("/");
  if (isComment) {
    const [closing, length] = mark === "/*" ? ["*/", 2] : ["\n", 1];
    const end = text.indexOf(closing, at + mark.length);
    return end === -1 ? text.length : end + length;
  }
  let end = at + 1;
  while (end < text.length && text[end] !== mark && text[end] !== "\n") end += text[end] === "\\" ? 2 : 1;
  return end + 1;
}

/** A problem of a part of a text, at its place in the whole. */
function moved(problem: ClassAdProblem, text: string, at: number): ClassAdProblem {
  const { line, column } = placeOf(text, at);
  const onFirst = problem.line === 1 ? column - 1 : 0;
  return { ...problem, line: problem.line + line - 1, column: problem.column + onFirst };
}

/** Ads in brackets, one on a line, in canonical text: equal ads have equal lines. */
export function writeCanonical(ads: readonly ClassAd[]): string {
  return ads.map(({ node }) => `${unparse(node)}\n`).join("");
}

/** Ads with nested ads and long conditions on several lines. */
export function writePretty(ads: readonly ClassAd[]): string {
  return ads.map(({ node }) => `${prettyRecord(node)}\n`).join("");
}

/** Ads in the new form. */
export function writeNew(ads: readonly ClassAd[]): string {
  return ads
    .map(({ node }) => {
      const lines = node.attributes.map((one) => `  ${nameText(one.name)} = ${unparse(one.node)};\n`);
      return `[\n${lines.join("")}]\n`;
    })
    .join("");
}
