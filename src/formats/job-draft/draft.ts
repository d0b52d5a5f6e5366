/**
 * A job that is put together from the directives of another language, and the account of each directive.
 *
 * Every directive gives at least one translation; of one that is read for several jobs the first counts.
 */
import {
  clashingName,
  JOB_DEFAULTS,
  type JobDescription,
  readArray,
  sandboxName,
} from "../../model/index.ts";
import type { DescribedJob, JobReading, Translation } from "../job-reading/index.ts";
import { textPositions } from "../text-positions.ts";
import { type Notes, takeNotes, type Words } from "../yaml/index.ts";
import { asWritten, type Outcome } from "./outcome.ts";
import { joinedSize, kindOf, type Size, wholeSize } from "./size.ts";

/** A directive: its offset in the text, and how it was written. */
interface Directive {
  readonly at: number;
  readonly written: string;
}

/** Account of one text. */
export interface Account {
  readonly notes: Notes;
  /** Records what a directive came to. */
  readonly tell: (directive: Directive, translation: Omit<Translation, "line" | "written">) => void;
  /** Reports a directive that is wrong, once. */
  readonly refuse: (directive: Directive, words: Words) => void;
  /** True if the directive has already been reported. */
  readonly knows: (directive: Directive) => boolean;
  readonly reading: (jobs: readonly DescribedJob[]) => JobReading;
}

/** A job that is put together. */
export interface JobDraft {
  readonly take: (directive: Directive, outcomes: Outcome | readonly Outcome[]) => void;
  /** The attributes so far. */
  readonly said: () => Partial<JobDescription>;
  /** The whole job; undefined, with problems, where it cannot be one. */
  readonly finished: (own: OwnWords) => DescribedJob | undefined;
}

/** Parts of a job other than its directives. */
interface OwnWords {
  /** Offset at which its description begins. */
  readonly at: number;
  /** Attributes that hold unless a directive says something else. */
  readonly usual: Partial<JobDescription>;
  /** Attributes that need the whole size of the job. */
  readonly sized?: (whole: JobDescription, size: Size) => Partial<JobDescription>;
}

const MOST_WRITTEN = 120;

/** Begins the account of a text. */
export function beginAccount(text: string): Account {
  const notes = takeNotes(textPositions(text).positionOf);
  const told = new Map<number, Translation[]>();
  const refused = new Set<number>();
  return {
    notes,
    tell: ({ at, written }, translation) => {
      const line = notes.lineOf(at);
      const short = written.length > MOST_WRITTEN ? `${written.slice(0, MOST_WRITTEN)}…` : written;
      told.set(at, [...(told.get(at) ?? []), { line, written: short, ...translation }]);
    },
    refuse: ({ at }, words) => {
      if (!refused.has(at)) notes.problem(at, words);
      refused.add(at);
    },
    knows: ({ at }) => told.has(at) || refused.has(at),
    reading: (jobs) => {
      const inOrder = [...told.entries()].sort(([one], [other]) => one - other);
      return {
        jobs,
        ...notes.collected(),
        translations: inOrder.flatMap(([, each]) => translatedFirst(each)),
      };
    },
  };
}

function translatedFirst(each: readonly Translation[]): readonly Translation[] {
  const isTranslated = ({ verdict }: Translation) => verdict === "translated";
  return [...each.filter(isTranslated), ...each.filter((one) => !isTranslated(one))];
}

/** Begins a job. */
export function beginJob(account: Account): JobDraft {
  let attributes: Partial<JobDescription> = {};
  let size: Size = {};
  let isWrong = false;
  const before = account.notes.problemCount();
  const sized: Sized[] = [];
  const sizedAt = new Set<number>();
  const takeOne = (directive: Directive, outcome: Outcome, isNew: boolean): void => {
    if (outcome.kind === "wrong") {
      isWrong = true;
      account.refuse(directive, wrongValue(directive, outcome));
      return;
    }
    if (outcome.kind === "translated") {
      attributes = joined(attributes, outcome.sets ?? {});
      size = joinedSize(size, outcome.size ?? {});
      const why = outcome.why === undefined ? {} : { why: outcome.why };
      if (outcome.size !== undefined) {
        sizedAt.add(directive.at);
        const { sets = {} } = outcome;
        if (isNew) sized.push({ directive, words: Object.keys(outcome.size), sets, ...why });
      } else if (isNew) {
        const becomes = outcome.becomes ?? asWritten(outcome.sets ?? {});
        account.tell(directive, { verdict: "translated", ...(becomes !== "" && { becomes }), ...why });
      }
      return;
    }
    if (outcome.kind === "notTranslated" && outcome.keeps !== undefined) {
      const { name, value } = outcome.keeps;
      attributes = joined(attributes, { attributes: { [name]: literal(value) } });
    }
    if (isNew) account.tell(directive, { verdict: outcome.kind, why: outcome.why });
  };
  return {
    take: (directive, outcomes) => {
      const isNew = !account.knows(directive) && !sizedAt.has(directive.at);
      const list: readonly Outcome[] = "kind" in outcomes ? [outcomes] : outcomes;
      for (const outcome of list) takeOne(directive, outcome, isNew);
    },
    said: () => attributes,
    finished: (own) => {
      const whole = wholeSize(size);
      if (whole === undefined) account.notes.problem(own.at, tooLarge);
      for (const { directive, words, sets, why } of sized) {
        const kinds = new Set(words.map(kindOf));
        const shown = Object.entries(whole ?? {}).filter(([name]) => kinds.has(kindOf(name)));
        const becomes = asWritten({ ...Object.fromEntries(shown), ...sets });
        account.tell(directive, { verdict: "translated", becomes, ...(why !== undefined && { why }) });
      }
      const description = { executable: "", ...JOB_DEFAULTS, ...joined(own.usual, attributes), ...whole };
      const complete = joined(own.sized?.(description, size) ?? {}, description);
      if (!isSound(complete, own.at, account.notes)) return undefined;
      if (isWrong || account.notes.problemCount() > before) return undefined;
      return { description: complete, line: account.notes.lineOf(own.at) };
    },
  };
}

/** A directive about the size of the job, which is known when all are read. */
interface Sized {
  readonly directive: Directive;
  /** Parts of the size. */
  readonly words: readonly string[];
  readonly sets: Readonly<Record<string, unknown>>;
  readonly why?: string;
}

/** Both together: lists of files and mappings grow, everything else is replaced. */
function joined<Some extends Partial<JobDescription>>(earlier: Partial<JobDescription>, later: Some): Some {
  const both: Some = { ...earlier, ...later };
  return {
    ...both,
    ...required(earlier.requirements, later.requirements),
    ...grown("inputSandbox", [...(earlier.inputSandbox ?? []), ...(later.inputSandbox ?? [])]),
    ...grown("outputSandbox", [...(earlier.outputSandbox ?? []), ...(later.outputSandbox ?? [])]),
    ...grown("after", [...(earlier.after ?? []), ...(later.after ?? [])]),
    ...merged("environment", { ...earlier.environment, ...later.environment }),
    ...merged("userTags", { ...earlier.userTags, ...later.userTags }),
    ...merged("attributes", { ...earlier.attributes, ...later.attributes }),
  };
}

/** Requirements of both. */
function required(earlier: string | undefined, later: string | undefined) {
  if (earlier === undefined || later === undefined || earlier === later) return {};
  return { requirements: `(${earlier}) && (${later})` };
}

function grown(name: "inputSandbox" | "outputSandbox" | "after", list: readonly string[]) {
  return list.length === 0 ? {} : { [name]: [...new Set(list)] };
}

function merged(name: "environment" | "userTags" | "attributes", all: Readonly<Record<string, string>>) {
  return Object.keys(all).length === 0 ? {} : { [name]: all };
}

/** A value as a ClassAd expression. */
function literal(value: string | number | boolean): string {
  return typeof value === "string" ? `"${value.replace(/["\\]/g, "\\$&")}"` : String(value);
}

function wrongValue({ written }: Directive, { why, remedy }: { why: string; remedy: string }): Words {
  return {
    code: "directiveWrong",
    what: `${written.slice(0, MOST_WRITTEN)} was not understood`,
    why,
    remedy,
  };
}

/** False, with problems, where the job would be refused. */
function isSound({ executable, inputSandbox, array }: JobDescription, at: number, notes: Notes): boolean {
  if (executable === "") {
    notes.problem(at, noExecutable);
    return false;
  }
  const clash = clashingName(inputSandbox.map(sandboxName));
  if (clash !== undefined) notes.problem(at, sameName(sandboxName(inputSandbox[clash] ?? "")));
  const wrongArray = array !== undefined && !readArray(array).ok;
  if (wrongArray) notes.problem(at, badArray(array));
  return clash === undefined && !wrongArray;
}

const tooLarge: Words = {
  code: "sizeTooLarge",
  what: "the job is too large",
  why: "its processors, memory or GPUs cannot be counted exactly",
  remedy:
    "check the numbers of nodes, processors, memory and GPUs of nodes and tasks, and the memory of each",
};

const noExecutable: Words = {
  code: "wordMissing",
  what: "the job has no executable",
  why: "a job needs a program to run, and none is given",
  remedy: "name its program as executable",
};

function sameName(name: string): Words {
  return {
    code: "doubleBaseName",
    what: `two input files of the job have the name ${name}`,
    why: "both would be in the job's directory",
    remedy: "rename one of them, or remove it",
  };
}

function badArray(array: string): Words {
  return {
    code: "badArray",
    what: `${array.slice(0, 40)} is not an array`,
    why: "it has at most 100,000 indexes of up to nine digits, in ascending ranges with steps above 0",
    remedy: "write for instance 0-99, 1,3,5 or 0-999%50",
  };
}
