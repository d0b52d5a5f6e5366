/** `search:` of a sweep: the values of points choose the next ones. */
import { resolve } from "node:path";
import { compileRegexp } from "../../classad/index.ts";
import type { Objective, Search, SearchMethod, SweepParameter } from "../../model/index.ts";
import { echoText } from "../echo-text.ts";
import type { ReadJob } from "./attributes.ts";
import { splitShellWords } from "./shell-words.ts";

type SaidSweep = NonNullable<ReadJob["said"]["sweep"]>;
type Said = NonNullable<SaidSweep["search"]>;

/** Steps of a range without a step, where the points of a search lie between any two values. */
const FINE_STEPS = 10_000;

/** The search of a sweep; problems are reported. */
export function readSearch(job: ReadJob, sweep: SaidSweep): Search | undefined {
  const { notes, at } = job;
  const said = sweep.search;
  if (said === undefined) return undefined;
  for (const word of ["where", "combine", "atMost", "scouts"] as const) {
    if (sweep[word] !== undefined) notes.problem(at(sweep, word), notOfSearches(word));
  }
  if (job.said.after !== undefined) notes.problem(at(job.said, "after"), NO_AFTER);
  const objective = objectiveOf(job, said);
  const method = methodOf(job, said);
  if (objective === undefined || method === undefined) return undefined;
  const { goal = "minimize", evaluations, parallel = 1 } = said;
  return { objective, goal, method, evaluations, parallel: Math.min(parallel, evaluations) };
}

/** A range without a step has many values between its ends. */
export function fine(parameter: SweepParameter, hasStep: boolean, to: number): SweepParameter {
  if ("values" in parameter || hasStep) return parameter;
  return { ...parameter, step: (to - parameter.from) / FINE_STEPS, count: FINE_STEPS + 1 };
}

function objectiveOf({ notes, at }: ReadJob, said: Said): Objective | undefined {
  const { pattern, json, exitCode, file } = said.objective;
  const inFile = file === undefined ? {} : { file };
  const given = [pattern, json, exitCode === true ? true : undefined].filter((one) => one !== undefined);
  if (given.length !== 1 || (exitCode === true && file !== undefined)) {
    notes.problem(at(said, "objective"), ONE_OBJECTIVE);
    return undefined;
  }
  if (exitCode === true) return { kind: "exitCode" };
  if (json !== undefined) return { kind: "json", path: json, ...inFile };
  const program = compileRegexp(pattern ?? "", BY_LINES);
  if (typeof program === "string") {
    notes.problem(at(said.objective, "pattern"), badPattern(pattern ?? "", program));
    return undefined;
  }
  return { kind: "pattern", pattern: pattern ?? "", ...inFile };
}

const BY_LINES = { ignoresCase: false, isByLines: true, pointIsAny: false, isExtended: false };

/** Words that belong to one method. */
const OF_ANNEALING = ["t0", "cooling", "restarts"] as const;

function methodOf(job: ReadJob, said: Said): SearchMethod | undefined {
  const { notes, at } = job;
  const { method: kind = said.program === undefined ? "annealing" : "exec", seed = 1, t0, cooling } = said;
  const strange = [
    ...(kind === "annealing" ? [] : OF_ANNEALING),
    ...(kind === "exec" ? (["seed"] as const) : (["program"] as const)),
  ].find((word) => said[word] !== undefined);
  if (strange !== undefined) {
    notes.problem(at(said, strange), notOfMethod(strange, kind));
    return undefined;
  }
  if (kind === "random") return { kind, seed };
  if (kind === "exec") return programOf(job, said);
  return {
    ...{ kind, seed, restarts: said.restarts ?? 0 },
    ...(t0 === undefined ? {} : { t0 }),
    ...(cooling === undefined ? {} : { cooling }),
  };
}

function programOf({ notes, at, surroundings }: ReadJob, said: Said): SearchMethod | undefined {
  const [name, ...words] = programWords(said.program ?? []);
  if (name === undefined || name === "") {
    notes.problem(at(said, said.program === undefined ? "method" : "program"), NO_PROGRAM);
    return undefined;
  }
  const path = resolve(surroundings.folder, name);
  if (surroundings.fileState(path) !== "readable") {
    notes.problem(at(said, "program"), noSuchProgram(path));
    return undefined;
  }
  return { kind: "exec", command: [path, ...words] };
}

/** The words of a program; none of a text that leaves a quote open. */
function programWords(program: NonNullable<Said["program"]>): readonly string[] {
  if (typeof program !== "string") return program;
  const split = splitShellWords(program);
  return split.ok ? split.value.words : [];
}

const ONE_OBJECTIVE = {
  code: "badObjective",
  what: "objective does not say where the value of a point is",
  why: "it is one of pattern, json and exitCode: true, the first two in the job's output or in a file of it",
  remedy: "write for instance objective: { pattern: 'loss = (\\S+)' } or { json: loss, file: out.json }",
};

const NO_PROGRAM = {
  code: "wordMissing",
  what: "the search has no program",
  why: "with the method exec a program is asked for the next points",
  remedy: "write for instance program: ./choose.py, or method: annealing",
};

const NO_AFTER = {
  code: "wordsExclude",
  what: "after and search are given",
  why: "a search cannot depend on other jobs: its points are chosen while it runs",
  remedy: "submit it when the other jobs have ended (stint wait)",
};

function noSuchProgram(path: string) {
  return {
    code: "fileMissing",
    what: `the program ${echoText(path)} cannot be read`,
    why: "it runs on the broker's machine; a name without / is in the folder of this description",
    remedy: "correct the path",
  };
}

function badPattern(pattern: string, why: string) {
  return {
    code: "badPattern",
    what: `the pattern ${echoText(pattern)} cannot be used`,
    why,
    remedy: "write for instance 'loss = (\\S+)'",
  };
}

function notOfSearches(word: string) {
  return {
    code: "wordsExclude",
    what: `${word} and search are given`,
    why: "a search chooses among all combinations of values",
    remedy: word === "atMost" ? "write parallel in search" : `take ${word} out`,
  };
}

function notOfMethod(word: string, method: string) {
  return {
    code: "wordsExclude",
    what: `${word} has no meaning for the method ${method}`,
    why: "t0, cooling and restarts belong to annealing, program belongs to exec; exec uses no seed",
    remedy: `take ${word} out, or choose another method`,
  };
}
