/** Reads the workload of a scenario's site: drawn from a model, recorded, or in JSON lines. */
import { type Read, workloadShape } from "../../contract/files/index.ts";
import type { ScenarioWorkload } from "../../model/index.ts";
import { type NamedValue, readValue, type Surroundings, type Words } from "../yaml/index.ts";

/** A workload as its shape reads it. */
type Said = Read<typeof workloadShape>;

const OF_MODELS: readonly string[] = ["set", "jobs", "requests", "parameters"];
const OF_TRACES: readonly string[] = ["lenient"];
/** Of what can be brought to a load, and drawn for that. */
const OF_LOADS: readonly string[] = ["load", "scale", "seed"];
const DEFAULT_JOBS = 10_000;
const EXAMPLE = "workload: { model: lublin, jobs: 2000, load: 0.8 }";

/** The workload; undefined, with problems, where something is wrong with it. */
export function readWorkload(named: NamedValue, surroundings: Surroundings): ScenarioWorkload | undefined {
  const before = named.notes.problemCount();
  const { said } = readValue(named, workloadShape, { example: EXAMPLE, surroundings });
  tellMisplaced(named);
  if (said === undefined || named.notes.problemCount() > before) return undefined;
  const { trace } = said;
  if (trace === undefined) return drawn(said);
  return isLines(trace) ? { kind: "lines", trace, lenient: said.lenient ?? false } : recorded(said, trace);
}

/** True for a workload in JSON lines, by its name alone, before any file is opened. */
export function isLines(trace: string): boolean {
  return /\.jsonl(\.gz)?$/i.test(trace);
}

/** Words of another kind of workload, and what a kind cannot do without. */
function tellMisplaced({ value, notes }: NamedValue): void {
  if (value.kind !== "mapping") return;
  const at = new Map(value.entries.map(({ key, keyAt }) => [key, keyAt]));
  const textOf = (word: string): string | undefined => {
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

function drawn(said: Said): ScenarioWorkload {
  const { load, requests, seed } = said;
  return {
    kind: "drawn",
    model: said.model ?? "lublin",
    set: said.set ?? "combined",
    jobs: said.jobs ?? DEFAULT_JOBS,
    ...(load === undefined ? {} : { load }),
    scale: said.scale ?? "arrivals",
    ...(requests === undefined ? {} : { requests }),
    parameters: said.parameters ?? {},
    ...(seed === undefined ? {} : { seed }),
  };
}

function recorded({ load, scale, lenient, seed }: Said, trace: string): ScenarioWorkload {
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
    what: "scale is given without load",
    why: "scale sets what is changed to reach a load",
    remedy: "write for instance load: 0.8 beside it",
  },
  nothingToCopy: {
    code: "nothingToCopy",
    what: "a model has no recorded jobs to copy",
    why: "overlay and duplicate add copies of recorded jobs",
    remedy: "write scale: arrivals or runtimes, or name a trace",
  },
} as const satisfies Readonly<Record<string, Words>>;

function misplaced(word: string, kind: string, why: string): Words {
  return { code: "wordMisplaced", what: `${kind} has no ${word}`, why, remedy: "take it out" };
}
