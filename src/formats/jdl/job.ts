/** One job of a JDL text: its attributes read by the table, and what they say together. */

import { nearestWord } from "../../base/index.ts";
import { unparse } from "../../classad/index.ts";
import type { JobDescription } from "../../model/index.ts";
import type { DescribedJob, JobSurroundings } from "../job-reading/index.ts";
import { descriptionOf, type ReadJob } from "../job-yaml/index.ts";
import { shown } from "../yaml/index.ts";
import { rowOf, TABLE, type TableRow } from "./attribute-table.ts";
import { judgeTogether } from "./combinations.ts";
import { neededData } from "./data-parts.ts";
import { type JdlAd, type JdlAttribute, writtenText } from "./jdl-ad.ts";
import type { JdlText } from "./jdl-text.ts";
import { saidByType } from "./kinds.ts";
import { beginSaying, inYaml, type SaidWords } from "./said-words.ts";
import { localPath } from "./sandbox-paths.ts";
import { type Substitute, type TypedAttribute, typedValue } from "./typed-value.ts";

/** The text, what lies around it, and the parameter of a parametric job. */
export interface JobContext {
  readonly source: JdlText;
  readonly surroundings: JobSurroundings;
  readonly substitute: Substitute;
  /** True for a node of a DAG. */
  readonly isDag?: boolean;
}

/** Reads a job; undefined, with problems, where it cannot be one. */
export function readJob(ad: JdlAd, context: JobContext): DescribedJob | undefined {
  const { source } = context;
  const { notes } = source;
  const before = notes.problemCount();
  const { typed, others } = readAttributes(ad, context);
  judgeTogether(typed, source);
  const words = beginSaying(source, ad.at);
  for (const attribute of ad.attributes) words.place(attribute.name, attribute.at);
  for (const one of typed.values()) sayAttribute(one, { words, typed, source });
  const { executable } = words.said;
  if (typeof executable !== "string") {
    if (!typed.has("Executable") && notes.problemCount() === before) notes.problem(ad.at, noExecutable);
    return undefined;
  }
  const said = { ...words.said, executable };
  const job: ReadJob = {
    said: said as ReadJob["said"],
    notes,
    at: words.at,
    surroundings: context.surroundings,
    write: inJdl,
  };
  const description = descriptionOf(job, Object.fromEntries(others));
  if (notes.problemCount() > before) return undefined;
  return { description: { ...description, ...saidByType(ad) }, line: notes.lineOf(ad.at) };
}

function readAttributes(ad: JdlAd, { source, substitute }: JobContext) {
  const typed = new Map<string, TypedAttribute>();
  const others = new Map<string, string>();
  for (const attribute of ad.attributes) {
    const row = rowOf(attribute.key);
    if (row === undefined) {
      others.set(attribute.name, substitute(unparse(attribute.node)));
      tellUnknown(attribute, source);
      continue;
    }
    const value = typedValue({ attribute, row, source, substitute });
    if (value === undefined) continue;
    const earlier = typed.get(row.name);
    if (earlier !== undefined) source.notes.problem(attribute.nameAt, givenTwice(earlier, attribute, source));
    else typed.set(row.name, { row, attribute, value });
    if ((row.notTranslated ?? row.noEffect) !== undefined)
      others.set(row.name, substitute(unparse(attribute.node)));
    tellRow(row, attribute, source);
  }
  return { typed, others };
}

interface Saying {
  readonly words: SaidWords;
  readonly typed: ReadonlyMap<string, TypedAttribute>;
  readonly source: JdlText;
}

function sayAttribute({ row, attribute, value }: TypedAttribute, { words, typed, source }: Saying): void {
  const { becomes } = row;
  if (becomes === undefined) return;
  const written = writtenText(attribute);
  if (row.name === "InputSandboxBaseURI") {
    source.translate(attribute.nameAt, { written, verdict: "translated", becomes: "paths of inputSandbox" });
    return;
  }
  if (row.name === "NodeName" && typed.has("Name")) return;
  if (!words.say(becomes, attribute, saidValue({ row, value, attribute }, typed))) return;
  source.translate(attribute.nameAt, {
    written,
    verdict: "translated",
    becomes: inYaml(words.said, becomes),
  });
}

/** The value of a word to which other attributes add. */
function saidValue({ row, value }: TypedAttribute, typed: Saying["typed"]): TypedAttribute["value"] {
  if (row.becomes === "inputData") return neededData(typed);
  return row.name === "InputSandbox" ? localPath(value, typed.get("InputSandboxBaseURI")) : value;
}

function tellRow(row: TableRow, attribute: JdlAttribute, source: JdlText): void {
  const written = writtenText(attribute);
  const { noEffect, notTranslated, becomes } = row;
  if (noEffect !== undefined) {
    source.translate(attribute.nameAt, { written, verdict: "noEffect", why: noEffect });
  } else if (notTranslated !== undefined) {
    source.translate(attribute.nameAt, { written, verdict: "notTranslated", why: notTranslated });
  } else if (becomes === undefined) {
    source.translate(attribute.nameAt, { written, verdict: "translated" });
  }
}

function tellUnknown(attribute: JdlAttribute, source: JdlText): void {
  const { name, nameAt } = attribute;
  const nearest = nearestWord(
    name,
    TABLE.map((row) => row.name),
  );
  const becomes = `attributes: { ${shown(name)}: … }`;
  source.translate(nameAt, { written: writtenText(attribute), verdict: "translated", becomes });
  source.notes.warning(nameAt, {
    code: "attributeUnknown",
    what: `${shown(name)} is not an attribute that Stint knows`,
    why: "it is used in matchmaking, and has no other effect",
    remedy: nearest === undefined ? "keep it if that is intended" : `did you mean ${nearest}?`,
  });
}

function givenTwice({ attribute: earlier }: TypedAttribute, { name }: JdlAttribute, { notes }: JdlText) {
  return {
    code: "duplicateAttribute",
    what: `${name} is given twice`,
    why: `${earlier.name} in line ${notes.lineOf(earlier.nameAt)} says the same`,
    remedy: "keep one of them",
  };
}

const noExecutable = {
  code: "wordMissing",
  what: "Executable is missing",
  why: "a job needs a program to run, and none is given",
  remedy: 'write for instance Executable = "hostname"',
};

function inJdl(word: keyof JobDescription, text: string): string {
  const row = TABLE.find(({ becomes }) => becomes === word);
  return `${row?.name ?? word} = ${JSON.stringify(text)}`;
}
