/** The ClassAd language for the command line: ads and scripts from files, results as plain data. */
import { writeFile } from "node:fs/promises";
import { counted, createRandom, messageOf } from "../base/index.ts";
import {
  type AdForm,
  adOf,
  analyzeMatch,
  type ClassAd,
  type ClassAdValue,
  type Expression,
  evaluate,
  evaluateAttribute,
  explainMatch,
  flattened,
  formOf,
  laidOut,
  parseAd,
  parseExpression,
  plainOf,
  rankMatches,
  readAds,
  runScript,
  type ScriptFiles,
  type ScriptResult,
  tableOf,
  unparse,
  valueText,
  writeAds,
} from "../classad/index.ts";
import type {
  ClassAdTools,
  ExpressionAnswer,
  ManyQuestion,
  MatchResult,
  ScriptAnswer,
  ShownValue,
  SideAnswer,
} from "../cli/index.ts";
import { readBounded, remarkFault, textOfBytes } from "../formats/yaml/index.ts";

/** Environment of evaluations. At a terminal, random values may change every second. */
function world(nowMs: number) {
  return { nowMs, random: createRandom(Math.floor(nowMs / 1_000) | 0) };
}

/** Evaluation, matching and scripts. */
export const classAdTools: ClassAdTools = {
  evaluate: async ({ expression, ads, other, flatten, nowMs, onWarning }) => {
    const read = parseExpression(expression);
    if (!read.ok) throw remarkFault("expression", read.refusal);
    const context = {
      ...world(nowMs),
      ...(other === undefined ? {} : { other: await readOne(other) }),
      onUnsupported: warnedOnce(onWarning),
    };
    const canonical = unparse(read.value.node);
    const answer = (self: ClassAd) =>
      flatten === true ? remaining(read.value, self) : shown(evaluate(read.value, { ...context, self }));
    const answers: ExpressionAnswer[] = [];
    for (const file of ads) {
      const found = await readSeveral(file);
      for (const [at, self] of found.entries()) {
        const { ad } = found.length === 1 ? { ad: file } : placeOf({ file, number: at + 1, ad: self });
        answers.push({ ad, expression: canonical, ...answer(self) });
      }
    }
    if (ads.length > 0) return answers;
    return [{ ad: null, expression: canonical, ...answer(adOf({})) }];
  },
  match: async (question) => {
    const [job, found] = [await readOne(question.job), await readFiles(question.files)];
    const [first] = found;
    if (found.length === 1 && first !== undefined && question.files.length === 1) {
      return pairOf(job, first.ad, question);
    }
    const context = world(question.nowMs);
    const fuzzyFactor = question.fuzzyFactor ?? (isFuzzy(job) ? 1 : undefined);
    const order = {
      jobId: question.jobId ?? idOf(job, question.job),
      ...(fuzzyFactor === undefined ? {} : { fuzzyFactor }),
    };
    const ranked = rankMatches(job, tableOf(found.map(({ ad }) => ad)), order, context);
    return {
      kind: "ranking",
      ads: found.length,
      ranked: ranked.map(({ index, rank }) => ({ ...placeOf(found[index]), rank })),
    };
  },
  analyze: async ({ job, files, nowMs }) => {
    const table = tableOf((await readFiles(files)).map(({ ad }) => ad));
    return analyzeMatch(await readOne(job), table, world(nowMs));
  },
  convert: async ({ files, from, to, layout }) => {
    const ads = (await readFiles(files, from)).map(({ ad }) => ad);
    return to === "new" && layout !== undefined ? laidOut(ads, layout) : writeAds(ads, to);
  },
  script: async (file, nowMs, onAnswer) => {
    const results = runScript(await readText(file), xmlFiles, world(nowMs));
    for await (const result of results) onAnswer(answerOf(file, result));
  },
};

/** Files that scripts read and write, by their path from the working directory. */
const xmlFiles: ScriptFiles = {
  read: async (file) => (await readFiles([file], "xml")).map(({ ad }) => ad),
  write: async (file, ads) => {
    try {
      await writeFile(file, writeAds(ads, "xml"));
    } catch (error) {
      throw remarkFault(file, {
        code: "notWritten",
        what: "it cannot be written",
        why: messageOf(error),
        remedy: "give writexml a path that you may write to",
      });
    }
  },
};

function pairOf(one: ClassAd, another: ClassAd, { job, files, nowMs }: ManyQuestion): MatchResult {
  const verdict = explainMatch(one, another, world(nowMs));
  const rankOf = (self: ClassAd, other: ClassAd) =>
    shown(evaluateAttribute("Rank", { ...world(nowMs), self, other }));
  const sides: readonly SideAnswer[] = [
    { ad: job, ...sideOf(verdict.first), rank: rankOf(one, another) },
    { ad: files[0], ...sideOf(verdict.second), rank: rankOf(another, one) },
  ];
  return { kind: "pair", matches: verdict.matches, sides };
}

/** An ad of a file. */
interface FiledAd {
  readonly file: string;
  readonly number: number;
  readonly ad: ClassAd;
}

/** What an ad leaves of an expression: its value where that is decided. */
function remaining(expression: Expression, self: ClassAd): ShownValue {
  const node = flattened(expression, self);
  if (node.kind === "literal") return shown(node.value);
  return { kind: "expression", text: unparse(node), value: null };
}

/** Tells each pattern and reason once. */
function warnedOnce(onWarning: (text: string) => void): (pattern: string, why: string) => void {
  const told = new Set<string>();
  return (pattern, why) => {
    const text = `the pattern ${JSON.stringify(pattern)} is not supported: ${why}`;
    if (!told.has(text)) onWarning(text);
    told.add(text);
  };
}

/** Attributes by which ads name themselves. */
const NAMES = ["Name", "GlueCEUniqueID", "Machine", "GlobalJobId"];

function placeOf({ file, number, ad }: FiledAd) {
  return { ad: textIn(ad, NAMES) ?? `${file} #${number}`, file, number };
}

/** The first of these attributes that is a string. */
function textIn(self: ClassAd, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = evaluateAttribute(name, { self });
    if (value.kind === "string") return value.value;
  }
  return undefined;
}

function idOf(job: ClassAd, file: string): string {
  return textIn(job, ["GlobalJobId", "JobId", "Name"]) ?? file;
}

function isFuzzy(self: ClassAd): boolean {
  const value = evaluateAttribute("FuzzyRank", { self });
  return value.kind === "boolean" && value.value;
}

/** Largest file of ads. */
const ADS_BYTES = 64 * 1024 * 1024;

/** All ads of the files. @throws Fault if one cannot be read */
async function readFiles(files: readonly string[], from?: AdForm): Promise<readonly FiledAd[]> {
  const found: FiledAd[] = [];
  for (const file of files) {
    const text = await readText(file, ADS_BYTES);
    const read = readAds(text, from ?? formOf(text));
    if (!read.ok) throw remarkFault(file, read.refusal);
    for (const [at, ad] of read.value.entries()) found.push({ file, number: at + 1, ad });
  }
  return found;
}

/** The ads of a file; blank lines may be between the attributes of one. @throws Fault if it cannot be read */
async function readSeveral(file: string): Promise<readonly ClassAd[]> {
  const text = await readText(file, ADS_BYTES);
  const form = file.endsWith(".jdl") ? "new" : formOf(text);
  const read = readAds(text, form);
  if (!read.ok) throw remarkFault(file, read.refusal);
  const whole = form === "long" && read.value.length > 1 ? parseAd(text) : undefined;
  const attributes = read.value.reduce((sum, ad) => sum + ad.attributes.size, 0);
  // Blank lines are between attributes of one ad where no name is in two of its parts.
  return whole?.ok && whole.value.attributes.size === attributes ? [whole.value] : read.value;
}

/** The one ad of a file. @throws Fault if it cannot be read, or holds several */
async function readOne(file: string): Promise<ClassAd> {
  const found = await readSeveral(file);
  const [only] = found;
  if (found.length === 1 && only !== undefined) return only;
  throw remarkFault(file, {
    code: "notOneAd",
    what: `the file holds ${counted(found.length, "ad")}`,
    why: "exactly one ad is expected: the job, or the other ad of an expression",
    remedy: "give a file with one ad",
  });
}

function sideOf({ requirements, failing }: ReturnType<typeof explainMatch>["first"]) {
  return {
    requirements: shown(requirements),
    failing: failing.map(({ clause, value }) => ({ clause, value: shown(value) })),
  };
}

function shown(value: ClassAdValue): ShownValue {
  return { kind: value.kind, text: valueText(value), value: plainOf(value) };
}

function answerOf(file: string, result: ScriptResult): ScriptAnswer {
  const { line } = result;
  switch (result.kind) {
    case "value":
      return { line, says: shown(result.value) };
    case "text":
      return { line, says: result.text };
    case "unmet":
      return { line, unmet: result.text };
    case "problem":
      throw remarkFault(file, result.problem);
  }
}

/** @throws Fault if there is no text to read */
async function readText(file: string, limitBytes?: number): Promise<string> {
  const bytes = await readBounded(file, limitBytes);
  const text = bytes.ok ? textOfBytes(bytes.value, limitBytes) : bytes;
  if (!text.ok) throw remarkFault(file, text.refusal);
  return text.value;
}
