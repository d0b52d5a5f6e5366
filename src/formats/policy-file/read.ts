/**
 * Reads policy files: tuples and long forms in YAML, plain lines of tuples, agreements.
 *
 * Several files are read as one set, because one may name a provider whose share is in another. All problems
 * are reported together, with their positions; docs/schemas/policy.schema.json validates for editors what
 * does not depend on the rest of the set.
 */
import { policyFileShape } from "../../contract/files/index.ts";
import type { Agreement } from "../../model/index.ts";
import {
  type NamedValue,
  type Notes,
  type Remark,
  readValue,
  takeNotes,
  type Value,
  yamlDocuments,
} from "../yaml/index.ts";
import type { DraftContext, PolicyDraft } from "./draft.ts";
import {
  type DeclaredProvider,
  type KnownNames,
  knownCoReservation,
  knownFrom,
  NOTHING_KNOWN,
} from "./known.ts";
import { readAgreement } from "./read-agreement.ts";
import { readPolicyList, readTuple } from "./read-policy.ts";
import { settlePolicies, type WrittenPolicy } from "./settle.ts";
import { looksLikeTuple } from "./tuple.ts";

/** Policies of a set of files, and the remarks on each; valid without problems. */
export interface PolicyReading {
  readonly policies: readonly WrittenPolicy[];
  readonly agreements: readonly Agreement[];
  /** Names given by the caller, and those that the files declare. */
  readonly known: KnownNames;
  /** In the order of the texts. */
  readonly remarks: readonly FileRemarks[];
}

/** Problems and warnings of one text. */
interface FileRemarks {
  readonly problems: readonly Remark[];
  readonly warnings: readonly Remark[];
}

/** Reads the texts of policy files; never throws on their content. */
export function readPolicies(texts: readonly string[], known: KnownNames = NOTHING_KNOWN): PolicyReading {
  const files = texts.map((text, source) => readOne(text, source));
  const declared = files.reduce((all, file) => knownCoReservation(all, file.known), known);
  const drafts = files.flatMap((file) => file.drafts);
  const policies = settlePolicies(drafts, declared);
  return {
    policies,
    agreements: files.flatMap((file) => file.agreements),
    known: declared,
    remarks: files.map(({ notes }) => notes.collected()),
  };
}

/** The policies that hold at an instant. */
export function policiesAt(policies: readonly WrittenPolicy[], atMs: number): readonly WrittenPolicy[] {
  return policies.filter(
    ({ fromMs, untilMs }) => (fromMs === null || fromMs <= atMs) && (untilMs === null || atMs < untilMs),
  );
}

interface OneFile {
  readonly notes: Notes;
  readonly source: number;
  readonly drafts: PolicyDraft[];
  readonly agreements: Agreement[];
  known: KnownNames;
}

function readOne(text: string, source: number): OneFile {
  const first = text.split("\n").find((line) => /^\s*[^\s#]/.test(line));
  return first !== undefined && looksLikeTuple(first) ? readLines(text, source) : readYaml(text, source);
}

/** Tuples, a line each; `#` begins a comment. */
function readLines(text: string, source: number): OneFile {
  const starts = [0];
  for (const match of text.matchAll(/\n/g)) starts.push(match.index + 1);
  const positionOf = (at: number) => {
    const line = starts.findLastIndex((start) => start <= at);
    return { line: line + 1, column: at - starts[line] + 1 };
  };
  const file = emptyFile(takeNotes(positionOf), source);
  for (const [index, line] of text.split("\n").entries()) {
    const said = line.replace(/(^|\s)#.*$/s, "");
    if (said.trim() === "") continue;
    const front = said.length - said.trimStart().length;
    const draft = readTuple(
      { text: said.trim(), at: starts[index] + front, notes: file.notes },
      plainContext(file),
    );
    if (draft !== undefined) file.drafts.push(draft);
  }
  return file;
}

function readYaml(text: string, source: number): OneFile {
  const { notes, documents } = yamlDocuments(text);
  const file = emptyFile(notes, source);
  let isEmpty = true;
  for (const { value } of documents()) {
    isEmpty = false;
    readDocument({ name: "", value, notes }, file);
  }
  tellTabs(text, notes);
  if (isEmpty && notes.problemCount() === 0) notes.problem(0, nothingThere);
  return file;
}

/** Reports lines that begin with a tab, for which the YAML parser has several unclear messages. */
function tellTabs(text: string, notes: Notes): void {
  const isDamaged = notes.collected().problems.some(({ code }) => code === "yamlSyntax");
  if (!isDamaged) return;
  for (const match of text.matchAll(/^ *\t\s*\S/gm)) {
    notes.problem(match.index, {
      code: "tabIndent",
      what: "this line begins with a tab",
      why: "YAML allows only spaces for indentation",
      remedy: "replace the tabs at the beginning of lines with spaces",
    });
  }
}

function readDocument(named: NamedValue, file: OneFile): void {
  const { value } = named;
  if (value.kind === "list") readList({ ...named, name: "policies" }, file);
  else if (hasWord(value, ["agreement", "versions"])) readAgreementOf(named, file);
  else if (hasWord(value, ["policies", "providers", "consumers"])) readWhole(named, file);
  else readList({ ...named, name: "policies", value: { kind: "list", at: value.at, items: [value] } }, file);
}

function hasWord(value: Value, words: readonly string[]): boolean {
  return value.kind === "mapping" && value.entries.some(({ key }) => words.includes(key));
}

function readWhole(named: NamedValue, file: OneFile): void {
  const { notes } = named;
  const example = '{ providers: [site1], policies: ["CPU, Site1, VO0, (3600, 20)"] }';
  const { said, valueAt } = readValue(named, policyFileShape, { example });
  if (said === undefined) return;
  const { providers, consumers } = said;
  const declared = providers?.map((provider): DeclaredProvider => {
    const { name, ...capacity } = typeof provider === "string" ? { name: provider } : provider;
    return { name: name.trim(), capacity };
  });
  file.known = knownCoReservation(file.known, {
    ...(declared === undefined ? NOTHING_KNOWN : knownFrom(declared)),
    consumers: consumers?.map((consumer) => consumer.trim()) ?? null,
  });
  const policies = valueAt(said, "policies");
  if (policies !== undefined) readList({ name: "policies", value: policies, notes }, file);
}

function readList(named: NamedValue, file: OneFile): void {
  file.drafts.push(...readPolicyList(named, plainContext(file)));
}

function readAgreementOf(named: NamedValue, file: OneFile): void {
  const reading = readAgreement(named, file.source);
  if (reading === undefined) return;
  const { agreement, drafts, capacity } = reading;
  file.agreements.push(agreement);
  file.drafts.push(...drafts);
  const capacities = new Map([[agreement.provider, capacity]]);
  file.known = knownCoReservation({ ...NOTHING_KNOWN, capacities }, file.known);
}

function emptyFile(notes: Notes, source: number): OneFile {
  return { notes, source, drafts: [], agreements: [], known: NOTHING_KNOWN };
}

function plainContext({ notes, source }: OneFile): DraftContext {
  return { notes, source, offsetMs: 0, provider: null, consumer: null, fromMs: null, untilMs: null };
}

const nothingThere = {
  code: "nothingThere",
  what: "it is empty",
  why: "a policy file has at least one policy",
  remedy: "write for instance CPU, Site1, VO0, (3600, 20), (5, 60)",
};
