/**
 * Reads one of a scenario's sites, beyond its shape: its machine, its rules, its workload.
 *
 * The base and every variant of it come through here; a variant is the same mapping with other values.
 */
import { join } from "node:path";
import { type Read, scenarioFileShape, scenarioSiteShape } from "../../contract/files/index.ts";
import {
  DISCIPLINES,
  type Discipline,
  type ProgramDiscipline,
  type ScenarioPolicies,
  type ScenarioPool,
  type ScenarioSite,
  type ScenarioWorkload,
} from "../../model/index.ts";
import { splitShellWords } from "../job-yaml/index.ts";
import {
  type NamedValue,
  oneText,
  readPath,
  readValue,
  type Surroundings,
  shown,
  UNREADABLE,
  type Value,
  type Words,
  wordOf,
} from "../yaml/index.ts";
import { readWorkload } from "./read-workload.ts";
import { tellMisfits } from "./together.ts";

const SITE_EXAMPLE = "{ name: west, procs: 128, workload: { model: lublin, jobs: 2000 } }";
/** Value that switches off a word of the site in one run. */
const NONE = "none";

type Said = Read<typeof scenarioSiteShape>;

/** The site; undefined, with problems, where something is wrong with it. */
export function readSite(named: NamedValue, surroundings: Surroundings): ScenarioSite | undefined {
  const { notes } = named;
  const before = notes.problemCount();
  const rules = { example: SITE_EXAMPLE, surroundings };
  const { said, at } = readValue(named, scenarioSiteShape, rules);
  const within = (word: string): NamedValue | undefined => {
    const value = entryOf(named.value, word);
    return value && { name: `${named.name}.${word}`, value, notes };
  };
  const workloadThere = within("workload");
  // What is wrong with the workload is its own, and may be why nobody knows its machine.
  const workload = workloadThere && readWorkload(workloadThere, surroundings);
  if (said === undefined) return undefined;
  tellMachine(named, said, workload);
  const pools = said.pools ?? (said.procs === undefined ? [] : [{ name: "all", procs: said.procs }]);
  tellDoubledPools(said.pools ?? [], (pool) => notes.problem(at(pool), doubledName("pool", pool.name)));
  const discipline = disciplineOf(within("discipline"), surroundings) ?? "easy";
  const policies = policiesOf(within("policies"), said, surroundings);
  if (workload !== undefined) tellMisfits(named, { pools, discipline, workload, policies });
  if (notes.problemCount() > before || workload === undefined) return undefined;
  return {
    name: said.name,
    pools,
    discipline,
    ...rulesOf(said),
    ...(policies === undefined ? {} : { policies }),
    workload,
  };
}

function entryOf(value: Value, word: string): Value | undefined {
  return value.kind === "mapping" ? value.entries.find(({ key }) => key === word)?.value : undefined;
}

type Rules = Omit<ScenarioSite, "name" | "pools" | "discipline" | "policies" | "workload">;

function rulesOf(said: Said): Rules {
  const { answerLimitMs, priority, estimates, overrun, reservations, stoppedJobs, slots, reserving } = said;
  const { sharePpm, alphaPpm } = typeof reserving === "object" ? reserving : {};
  return {
    ...(answerLimitMs === undefined ? {} : { answerLimitMs }),
    ...(priority === undefined || priority === NONE
      ? {}
      : { priority: typeof priority === "string" ? { name: priority } : priority }),
    ...{ estimates, overrun },
    ...(reservations === undefined ? {} : { reservations }),
    ...(stoppedJobs === undefined ? {} : { stoppedJobs }),
    ...(typeof slots === "object" ? { sampleSlotsMs: slots.everyMs } : {}),
    ...(sharePpm === undefined || alphaPpm === undefined
      ? {}
      : { reserving: { sharePpm, alphaPpm: alphaPpm ?? "random" } }),
  };
}

/** Reports a machine that is missing, or described twice. */
function tellMachine({ value, notes }: NamedValue, said: Said, workload: ScenarioWorkload | undefined): void {
  const { procs, pools } = said;
  const isKnown = procs !== undefined || pools !== undefined || workload === undefined;
  if (!isKnown && workload.kind !== "lines") notes.problem(value.at, procsMissing);
  if (procs !== undefined && pools !== undefined) notes.problem(value.at, procsTwice);
}

function tellDoubledPools(pools: readonly ScenarioPool[], tell: (pool: ScenarioPool) => void): void {
  const names = new Set<string>();
  for (const pool of pools) {
    if (names.has(pool.name)) tell(pool);
    names.add(pool.name);
  }
}

/** The words for a name that is there already. */
export function doubledName(noun: string, name: string): Words {
  return {
    code: "doubledName",
    what: `there are two ${noun}s of the name ${name}`,
    why: "it identifies the results",
    remedy: "give each a name of its own",
  };
}

const procsMissing: Words = {
  code: "wordMissing",
  what: "this site has no procs",
  why: "it is not stated elsewhere",
  remedy: "write for instance procs: 128",
};
const procsTwice: Words = {
  code: "procsTwice",
  what: "this site has both procs and pools",
  why: "procs describes a single pool, and pools describes several",
  remedy: "take one of them out",
};

const POLICIES_EXAMPLE = "policies: [west.policy.yaml]";

function policiesOf(
  named: NamedValue | undefined,
  { policies: texts, owners, pep = "ours" }: Said,
  surroundings: Surroundings,
): ScenarioPolicies | undefined {
  if (named === undefined || texts === undefined) return undefined;
  const { value } = named;
  if (value.kind === "scalar" && value.text === NONE) return undefined;
  const items = value.kind === "list" ? value.items : [value];
  const files = items.flatMap((item): string[] => {
    if (item.kind !== "scalar" || isTuple(item.text)) return [];
    const one = { ...named, value: item, example: POLICIES_EXAMPLE };
    return [readPath(one, scenarioFileShape, surroundings) ?? ""];
  });
  return { files, tuples: texts.filter(isTuple), ...(owners === undefined ? {} : { owners }), pep };
}

/** A tuple has its parts in parentheses; no file has both a comma and these. */
function isTuple(text: string): boolean {
  return text.includes(",") && text.includes("(");
}

// Reads who decides the starts at a scenario's site: a discipline of ours, or a program.
//
// What a program is given besides its name may be files or not, and nobody but the program knows; so it
// runs in the scenario's folder, from which its own path counts too.

const EXAMPLE = "discipline: easy, or discipline: exec:python3 mine.py";

/** The discipline; undefined, with a problem, where it is none or its program is not there. */
function disciplineOf(
  named: NamedValue | undefined,
  surroundings: Surroundings,
): Discipline | ProgramDiscipline | undefined {
  if (named === undefined) return undefined;
  const { value, notes, name } = named;
  if (value.kind !== "scalar" || !value.text.startsWith("exec:")) {
    return wordOf(named, DISCIPLINES, EXAMPLE);
  }
  const written = oneText(named, EXAMPLE);
  if (written === undefined) return undefined;
  const command = written.text.slice("exec:".length);
  const wrong = wrongCommand(command, surroundings);
  if (wrong === undefined) return `exec:${command}`;
  notes.problem(written.at, { ...wrong, what: `${shown(name)}: ${wrong.what}` });
  return undefined;
}

function wrongCommand(command: string, { folder, fileState }: Surroundings): Words | undefined {
  const split = splitShellWords(command);
  if (!split.ok) {
    const { mark, index } = split.refusal;
    return notNamed(`the ${mark} at character ${index + 1} of the command is open`);
  }
  const [program] = split.value.words;
  if (!program) return notNamed("nothing comes after exec:");
  // Without a slash it is looked for in PATH, when it is begun.
  if (!program.includes("/")) return undefined;
  const path = program.startsWith("/") ? program : join(folder, program);
  const state = fileState(path);
  if (state === "readable") return undefined;
  return {
    code: "programUnreadable",
    what: `the program ${shown(program)} cannot be started`,
    why: `${UNREADABLE[state]}, looked for at ${path}`,
    remedy: "paths are relative to the folder of the scenario, in which the program also runs",
  };
}

function notNamed(why: string): Words {
  return {
    code: "programNotNamed",
    what: "no program is named",
    why,
    remedy: "write for instance discipline: exec:python3 mine.py --window 5",
  };
}
