/**
 * Reads the workload of a scenario's site: drawn from a model, or recorded.
 */
import {
  LOAD_SCALES,
  type LoadScale,
  LUBLIN_SETS,
  type LublinSet,
  REQUEST_RULES,
  type RequestRule,
  type ScenarioWorkload,
  WORKLOAD_MODELS,
  type WorkloadModelName,
} from "../../model/index.ts";
import {
  type NamedValue,
  type Surroundings,
  type Words,
  wholeNumberOf,
  wordOf,
  wrongType,
} from "../yaml/index.ts";
import { type Readers, readRecord } from "./record.ts";
import { loadOf, numberOf, readableFileOf, seedOf, truthOf } from "./values.ts";

/** The words of a workload. */
export const WORKLOAD_WORDS: readonly (keyof Said)[] = [
  "model",
  "trace",
  "set",
  "jobs",
  "load",
  "scale",
  "requests",
  "parameters",
  "lenient",
  "seed",
];

const OF_MODELS: readonly (keyof Said)[] = ["set", "jobs", "requests", "parameters"];
const OF_TRACES: readonly (keyof Said)[] = ["lenient"];
/** Of what can be brought to a load, and drawn for that. */
const OF_LOADS: readonly (keyof Said)[] = ["load", "scale", "seed"];
const MOST_JOBS = 10_000_000;
const DEFAULT_JOBS = 10_000;
const EXAMPLE = "workload: { model: lublin, jobs: 2000, load: 0.8 }";

interface Said {
  readonly model: WorkloadModelName;
  readonly trace: string;
  readonly set: LublinSet;
  readonly jobs: number;
  readonly load: number;
  readonly scale: LoadScale;
  readonly requests: RequestRule;
  readonly parameters: Readonly<Record<string, number>>;
  readonly lenient: boolean;
  readonly seed: number;
}

/** The workload; undefined, with problems, where something is wrong with it. */
export function readWorkload(named: NamedValue, surroundings: Surroundings): ScenarioWorkload | undefined {
  const { notes } = named;
  const before = notes.problemCount();
  const said = readRecord(named, readersIn(surroundings), { example: EXAMPLE });
  if (said === undefined) return undefined;
  tellMisplaced(named);
  if (notes.problemCount() > before) return undefined;
  const { trace, lenient } = said;
  if (trace === undefined) return drawn(said);
  return isLines(trace) ? { kind: "lines", trace, lenient: lenient ?? false } : recorded(said, trace);
}

/** Whether a trace is a workload in JSON lines: here by its name alone, for nothing is read yet. */
export function isLines(trace: string): boolean {
  return /\.jsonl(\.gz)?$/i.test(trace);
}

function readersIn(surroundings: Surroundings): Readers<Said> {
  return {
    model: (it) => wordOf(it, WORKLOAD_MODELS, "model: lublin"),
    trace: (it) => readableFileOf(it, surroundings, "trace: workload.swf.gz"),
    set: (it) => wordOf(it, LUBLIN_SETS, "set: batch"),
    jobs: (it) => wholeNumberOf(it, { least: 2, most: MOST_JOBS, example: "jobs: 2000" }),
    load: loadOf,
    scale: (it) => wordOf(it, LOAD_SCALES, "scale: arrivals"),
    requests: (it) => wordOf(it, REQUEST_RULES, "requests: popular"),
    parameters: parametersOf,
    lenient: (it) => truthOf(it, "lenient: true"),
    seed: seedOf,
  };
}

function parametersOf({ name, value, notes }: NamedValue): Readonly<Record<string, number>> | undefined {
  if (value.kind !== "mapping") {
    notes.problem(value.at, wrongType(name, value, "parameters: { serialProb: 0.3 }"));
    return undefined;
  }
  return Object.fromEntries(
    value.entries.flatMap(({ key, value: inner }): [string, number][] => {
      const number = numberOf({ name: `${name}.${key}`, value: inner, notes }, `${key}: 0.3`);
      return number === undefined ? [] : [[key, number]];
    }),
  );
}

/** Words of another kind of workload, and what a kind cannot do without. */
function tellMisplaced({ value, notes }: NamedValue): void {
  if (value.kind !== "mapping") return;
  const at = new Map(value.entries.map(({ key, keyAt }) => [key, keyAt]));
  const textOf = (word: keyof Said): string | undefined => {
    const said = value.entries.find(({ key }) => key === word)?.value;
    return said?.kind === "scalar" ? said.text : undefined;
  };
  const [modelAt, traceAt] = [at.get("model"), at.get("trace")];
  if (modelAt === undefined && traceAt === undefined) notes.problem(value.at, wrong.noSource);
  if (modelAt !== undefined && traceAt !== undefined) notes.problem(traceAt, wrong.twoSources);
  for (const [word, words] of foreignWords(traceAt === undefined ? undefined : (textOf("trace") ?? ""))) {
    const wordAt = at.get(word);
    if (wordAt !== undefined) notes.problem(wordAt, words);
  }
  const [scaleAt, loadAt] = [at.get("scale"), at.get("load")];
  if (scaleAt !== undefined && loadAt === undefined) notes.problem(scaleAt, wrong.scaleAlone);
  const adds = ["overlay", "duplicate"].includes(textOf("scale") ?? "");
  if (adds && traceAt === undefined) notes.problem(scaleAt ?? value.at, wrong.nothingToCopy);
}

/** The words that this kind of workload does not have, a model's where there is no trace. */
function foreignWords(trace: string | undefined): readonly (readonly [string, Words])[] {
  const all = (words: readonly string[], kind: string, why: string) =>
    words.map((word) => [word, misplaced(word, kind, why)] as const);
  if (trace === undefined) return all(OF_TRACES, "a workload of a model", "it is about lines of a trace");
  const drawing = all(OF_MODELS, "a recorded workload", "it is about how jobs are drawn");
  if (!isLines(trace)) return drawing;
  return [...drawing, ...all(OF_LOADS, "a workload in JSON lines", "it is played as it is written")];
}

function drawn(draft: Partial<Said>): ScenarioWorkload {
  const { load, requests, seed } = draft;
  return {
    kind: "drawn",
    model: draft.model ?? "lublin",
    set: draft.set ?? "combined",
    jobs: draft.jobs ?? DEFAULT_JOBS,
    ...(load === undefined ? {} : { load }),
    scale: draft.scale ?? "arrivals",
    ...(requests === undefined ? {} : { requests }),
    parameters: draft.parameters ?? {},
    ...(seed === undefined ? {} : { seed }),
  };
}

function recorded({ load, scale, lenient, seed }: Partial<Said>, trace: string): ScenarioWorkload {
  return {
    kind: "recorded",
    trace,
    lenient: lenient ?? false,
    ...(load === undefined ? {} : { load }),
    scale: scale ?? "arrivals",
    ...(seed === undefined ? {} : { seed }),
  };
}

const wrong = {
  noSource: {
    code: "wordMissing",
    what: "this workload has neither a model nor a trace",
    why: "jobs come from one of them",
    remedy: `write for instance ${EXAMPLE}`,
  },
  twoSources: {
    code: "twoSources",
    what: "this workload has both a model and a trace",
    why: "jobs come from one of them",
    remedy: "take one of them out",
  },
  scaleAlone: {
    code: "scaleAlone",
    what: "scale stands here without a load",
    why: "it says what is changed to reach one",
    remedy: "write for instance load: 0.8 beside it",
  },
  nothingToCopy: {
    code: "nothingToCopy",
    what: "a model has nothing to copy",
    why: "overlay and duplicate add copies of recorded jobs",
    remedy: "write scale: arrivals or runtimes, or name a trace",
  },
} as const satisfies Readonly<Record<string, Words>>;

function misplaced(word: string, kind: string, why: string): Words {
  return { code: "wordMisplaced", what: `${kind} has no ${word}`, why, remedy: "take it out" };
}
