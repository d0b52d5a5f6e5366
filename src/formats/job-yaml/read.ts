/**
 * Reads job descriptions in YAML: one document, one job; several documents, several jobs.
 *
 * Everything that is wrong is told at once, with its place. Nothing here touches a file: what the input
 * sandbox needs to know of the disk is asked through the surroundings.
 */
import { nearestWord } from "../../base/index.ts";
import { JOB_DEFAULTS, type JobDescription } from "../../model/index.ts";
import {
  type Entry,
  mergeKey,
  type Notes,
  plainValue,
  type Remark,
  shown,
  type Value,
  wrongType,
  yamlDocuments,
} from "../yaml/index.ts";
import { ATTRIBUTES, LATER_ATTRIBUTES } from "./attributes.ts";
import type { Draft, Given, Surroundings } from "./draft.ts";
import { judgeExecutable } from "./file-attributes.ts";

/** A job as it was described, and what else its description said. */
export interface DescribedJob {
  readonly description: JobDescription;
  /** Attributes that nobody here understands, as plain data; matchmaking sees them. */
  readonly otherAttributes: Readonly<Record<string, unknown>>;
  /** The line, from 1, at which its description begins. */
  readonly line: number;
}

/** What a text says: its jobs without fault, and all remarks. It is fine when there are no problems. */
export interface JobReading {
  readonly jobs: readonly DescribedJob[];
  readonly warnings: readonly Remark[];
  readonly problems: readonly Remark[];
}

/** Reads `text`, which is not too large (see `readJobFile`); never throws for what it says. */
export function readJobYaml(text: string, surroundings: Surroundings): JobReading {
  const { notes, documents } = yamlDocuments(text);
  const jobs: DescribedJob[] = [];
  let isEmpty = true;
  for (const { value, isSound } of documents()) {
    isEmpty = false;
    const before = notes.problemCount();
    const job = readJob(value, notes, surroundings);
    if (job !== undefined && isSound && notes.problemCount() === before) jobs.push(job);
  }
  if (isEmpty && notes.problemCount() === 0) notes.problem(0, nothingThere);
  return { jobs, ...notes.collected() };
}

/** The job; undefined where what is wrong with it leaves none. */
function readJob(value: Value, notes: Notes, surroundings: Surroundings): DescribedJob | undefined {
  if (value.kind !== "mapping") {
    notes.problem(value.at, wrongType("a job", value, "executable: hostname"));
    return undefined;
  }
  const draft: Draft = {};
  const others = new Map<string, unknown>();
  const given = (entry: Entry): Given => ({
    name: entry.key,
    value: entry.value,
    draft,
    notes,
    surroundings,
  });
  for (const entry of value.entries) {
    const read = ATTRIBUTES.get(entry.key);
    if (read !== undefined) read(given(entry));
    else if (entry.key === "<<") notes.problem(entry.keyAt, mergeKey);
    else if (entry.key.toLowerCase() === "cpunumber") notes.problem(entry.keyAt, renamed(entry.key));
    else {
      others.set(entry.key, plainValue(entry.value));
      notes.warning(entry.keyAt, unknownAttribute(entry.key));
    }
  }
  const executable = value.entries.find(({ key }) => key === "executable");
  if (executable === undefined) notes.problem(value.at, executableMissing);
  else judgeExecutable(given(executable));
  if (draft.executable === undefined) return undefined;
  return {
    description: { executable: draft.executable, ...JOB_DEFAULTS, ...draft },
    otherAttributes: Object.fromEntries(others),
    line: notes.lineOf(value.at),
  };
}

/** What would otherwise run on one processor, with nothing but a warning. */
function renamed(name: string) {
  return {
    code: "attributeRenamed",
    what: `${name} is called procs here`,
    why: "only JDL counts processors under that name",
    remedy: "write procs: 4, for instance",
  };
}

function unknownAttribute(name: string) {
  if (LATER_ATTRIBUTES.has(name)) {
    return {
      code: "attributeWithoutEffect",
      what: `${name} has no effect yet`,
      why: "it is a reserved word that this version does not act on",
      remedy: "leave it in if later versions shall see it; do not rely on it",
    };
  }
  const nearest = nearestWord(name, [...ATTRIBUTES.keys()]);
  return {
    code: "attributeUnknown",
    what: `${shown(name)} is not an attribute that Stint knows`,
    why: "it is kept for matchmaking, and has no other effect",
    remedy: nearest === undefined ? "leave it in if that is meant" : `did you mean ${nearest}?`,
  };
}

const executableMissing = {
  code: "executableMissing",
  what: "no executable is given",
  why: "a job runs a program, and nothing says which",
  remedy: "write for instance executable: hostname",
};
const nothingThere = {
  code: "descriptionEmpty",
  what: "there is no job in it",
  why: "the file is empty, or has comments only",
  remedy: "write at least executable: hostname",
};
