/**
 * Reads job descriptions in YAML: one document, one job; several documents, several jobs.
 *
 * All problems are reported together, with their positions. Nothing here opens a file: the state of files in
 * the input sandbox comes from the surroundings.
 */
import { nearestWord } from "../../base/index.ts";
import { jobShape } from "../../contract/files/index.ts";
import { JOB_DEFAULTS, type JobDescription } from "../../model/index.ts";
import type { DescribedJob, JobReading, JobSurroundings } from "../job-reading/index.ts";
import { type Entry, type Notes, plainValue, readDocuments, shown, type Value } from "../yaml/index.ts";
import { type ReadJob, readArguments, readEnvironment, tellTicket, tellTinyMemory } from "./attributes.ts";
import { judgeExecutable, readInputSandbox, tellDoubles, tellMissingInput } from "./file-attributes.ts";
import { judgeMatching, plainText, readMatching } from "./matching.ts";
import { readSweep } from "./sweep.ts";

const FILE = { noun: "a job", example: "executable: hostname" } as const;

/** Reads `text`, within the size limit (see `readJobFile`); never throws on its content. */
export function readJobYaml(text: string, surroundings: JobSurroundings): JobReading {
  const { each, notes, at } = readDocuments(text, jobShape, { ...FILE, surroundings });
  const jobs: DescribedJob[] = [];
  let isEmpty = true;
  for (const { written, isSound, read } of each()) {
    isEmpty = false;
    const before = notes.problemCount();
    const said = read();
    const others = othersOf(written, notes);
    const description = said && descriptionOf({ said, notes, at, surroundings }, others);
    const isFine = isSound && notes.problemCount() === before;
    if (description === undefined || !isFine) continue;
    jobs.push({ description, line: notes.lineOf(written.at) });
  }
  if (isEmpty && notes.problemCount() === 0) notes.problem(0, nothingThere);
  return { jobs, ...notes.collected(), translations: [] };
}

/**
 * The description, after checks that no shape can express; problems are reported.
 *
 * @param others unknown attributes, as ClassAd texts
 */
export function descriptionOf(job: ReadJob, others: Readonly<Record<string, string>>): JobDescription {
  const { said } = job;
  const { executable, arguments: _words, environment: _variables, inputSandbox: _files, ...rest } = said;
  const { prologueArguments: _before, epilogueArguments: _after, ...besides } = rest;
  const {
    fuzzyRank: _fuzzy,
    expiryTime: _instant,
    attributes: _named,
    sweep: _sweep,
    ...remaining
  } = besides;
  const { inputData: _data, dataAccessProtocol: _protocols, outputData: _left, ...same } = remaining;
  const files = readInputSandbox(job);
  const { inputSandbox: sent = [] } = files;
  const description = {
    executable,
    ...JOB_DEFAULTS,
    ...same,
    ...readMatching(job, others),
    ...readArguments(job, "arguments"),
    ...readArguments(job, "prologueArguments"),
    ...readArguments(job, "epilogueArguments"),
    ...readEnvironment(job),
    ...readSweep(job),
    ...files,
    ...(said.ticket === undefined ? {} : { ticket: said.ticket.trim() }),
  };
  tellDoubles(job);
  tellMissingInput(job, sent);
  tellTicket(job);
  tellTinyMemory(job);
  judgeExecutable(job, sent);
  judgeMatching(job, description);
  return description;
}

/** The attributes that no shape knows, as ClassAd texts; each is warned of. */
function othersOf(written: Value, notes: Notes): Readonly<Record<string, string>> {
  if (written.kind !== "mapping") return {};
  const others = written.entries.filter(({ key }) => key !== "<<" && !Object.hasOwn(jobShape.fields, key));
  for (const entry of others) tellUnknown(entry, notes);
  const kept = others.filter(({ key }) => !isRenamed(key));
  return Object.fromEntries(kept.map(({ key, value }) => [key, plainText(plainValue(value))]));
}

function tellUnknown({ key, keyAt }: Entry, notes: Notes): void {
  if (isRenamed(key)) notes.problem(keyAt, renamed(key));
  else notes.warning(keyAt, unknownAttribute(key));
}

/** True for what would otherwise run on one processor, with nothing but a warning. */
function isRenamed(key: string): boolean {
  return key.toLowerCase() === "cpunumber";
}

function renamed(name: string) {
  return {
    code: "attributeRenamed",
    what: `${name} is called procs here`,
    why: "only JDL counts processors under that name",
    remedy: "write procs: 4, for instance",
  };
}

/** Attributes of the language without effect so far: known, so that no correction is suggested. */
const LATER_ATTRIBUTES: ReadonlySet<string> = new Set(
  (
    "type jobType outputSandboxDestURI storageIndex " +
    "nodeNumber perusalFileEnable parameters " +
    "parameterStart parameterStep nodes dependencies maxNodesRunning nodeName jobSteps currentStep " +
    "container modules"
  ).split(" "),
);

function unknownAttribute(name: string) {
  if (LATER_ATTRIBUTES.has(name)) {
    return {
      code: "attributeWithoutEffect",
      what: `${name} is ignored by this version`,
      why: "the name is reserved for a later version and has no effect yet",
      remedy: "remove it, or keep it for a later version",
    };
  }
  const nearest = nearestWord(name, Object.keys(jobShape.fields));
  return {
    code: "attributeUnknown",
    what: `${shown(name)} is not an attribute that Stint knows`,
    why: "it is used in matchmaking, and has no other effect",
    remedy: nearest === undefined ? "keep it if that is intended" : `did you mean ${nearest}?`,
  };
}

const nothingThere = {
  code: "descriptionEmpty",
  what: "there is no job in it",
  why: "the file is empty, or has comments only",
  remedy: "write at least executable: hostname",
};
