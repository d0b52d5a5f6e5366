/**
 * Reads one of a scenario's sites: its machine, its rules, its workload.
 *
 * The base and every variant of it come through here; a variant is the same mapping with other values.
 */
import { join } from "node:path";
import {
  DISCIPLINES,
  type Discipline,
  ESTIMATE_RULES,
  type EstimateRule,
  OVERRUN_RULES,
  type OverrunRule,
  type ProgramDiscipline,
  type ReservingRules,
  SCENARIO_ENFORCERS,
  type ScenarioEnforcer,
  type ScenarioPool,
  type ScenarioPriority,
  type ScenarioSite,
  type ScenarioWorkload,
  STOPPED_RULES,
  type StoppedRule,
} from "../../model/index.ts";
import { splitShellWords } from "../job-yaml/index.ts";
import {
  durationOf,
  type NamedValue,
  oneText,
  type Surroundings,
  shown,
  UNREADABLE,
  type Words,
  wholeNumberOf,
  wordOf,
  wrongType,
} from "../yaml/index.ts";
import { policiesOf, policiesWith, type WrittenPolicies } from "./read-policies.ts";
import { PRIORITY_WORDS, priorityOf } from "./read-priority.ts";
import { RESERVING_WORDS, reservingOf } from "./read-reserving.ts";
import { SLOTS_WORDS, slotsOf } from "./read-slots.ts";
import { readWorkload, WORKLOAD_WORDS } from "./read-workload.ts";
import { type Readers, readRecord } from "./record.ts";
import { tellMisfits } from "./together.ts";
import { nameOf, readableFileOf } from "./values.ts";

/** More than any machine has; sums of them are still exact. */
const MOST_PROCS = 100_000_000;

const SITE_WORDS = [
  "name",
  "procs",
  "pools",
  "discipline",
  "answerTimeout",
  "priority",
  "estimates",
  "overrun",
  "reservations",
  "onOutage",
  "slots",
  "reserving",
  "policies",
  "owners",
  "pep",
  "workload",
] as const;

/** Every path that a site may have, the parameters of models by their section alone. */
export const SITE_PATHS: readonly string[] = [
  ...SITE_WORDS.filter((word) => word !== "workload"),
  ...PRIORITY_WORDS.map((word) => `priority.${word}`),
  ...SLOTS_WORDS.map((word) => `slots.${word}`),
  ...RESERVING_WORDS.map((word) => `reserving.${word}`),
  ...WORKLOAD_WORDS.map((word) => `workload.${word}`),
];

const SITE_EXAMPLE = "{ name: west, procs: 128, workload: { model: lublin, jobs: 2000 } }";

interface Said {
  readonly name: string;
  readonly procs: number;
  readonly pools: readonly ScenarioPool[];
  readonly discipline: Discipline | ProgramDiscipline;
  readonly answerTimeout: number;
  readonly priority: ScenarioPriority;
  readonly estimates: EstimateRule;
  readonly overrun: OverrunRule;
  readonly reservations: string;
  readonly onOutage: StoppedRule;
  readonly slots: number;
  readonly reserving: ReservingRules;
  readonly policies: WrittenPolicies;
  readonly owners: string;
  readonly pep: ScenarioEnforcer;
  readonly workload: ScenarioWorkload;
}

/** The site; undefined, with problems, where something is wrong with it. */
export function readSite(named: NamedValue, surroundings: Surroundings): ScenarioSite | undefined {
  const { notes } = named;
  const before = notes.problemCount();
  const said = readRecord(named, readersIn(surroundings), { example: SITE_EXAMPLE, refuse: refusalAtSite });
  if (said === undefined) return undefined;
  tellMissing(named, said.workload);
  const { name, procs, workload, discipline = "easy" } = said;
  const pools = said.pools ?? (procs === undefined ? [] : [{ name: "all", procs }]);
  const policies = policiesWith(said.policies, said);
  if (workload !== undefined) tellMisfits(named, { pools, discipline, workload, policies });
  if (notes.problemCount() > before) return undefined;
  if (name === undefined || workload === undefined) return undefined;
  return { name, pools, ...rulesOf(said), ...(policies === undefined ? {} : { policies }), workload };
}

function rulesOf(said: Partial<Said>): Omit<ScenarioSite, "name" | "pools" | "policies" | "workload"> {
  const { answerTimeout, priority, reservations, onOutage, slots, reserving } = said;
  return {
    discipline: said.discipline ?? "easy",
    ...(answerTimeout === undefined ? {} : { answerLimitMs: answerTimeout }),
    ...(priority === undefined ? {} : { priority }),
    estimates: said.estimates ?? "requested",
    overrun: said.overrun ?? "extend",
    ...(reservations === undefined ? {} : { reservations }),
    ...(onOutage === undefined ? {} : { stoppedJobs: onOutage }),
    ...(slots === undefined ? {} : { sampleSlotsMs: slots }),
    ...(reserving === undefined ? {} : { reserving }),
  };
}

function readersIn(surroundings: Surroundings): Readers<Said> {
  return {
    name: (it) => nameOf(it, "name: west"),
    procs: procsOf,
    pools: readPools,
    discipline: (it) => disciplineOf(it, surroundings),
    answerTimeout: (it) => durationOf(it, { example: "answerTimeout: 2m", ifZero: noTime }),
    priority: (it) => priorityOf(it, surroundings),
    estimates: (it) => wordOf(it, ESTIMATE_RULES, "estimates: exact"),
    overrun: (it) => wordOf(it, OVERRUN_RULES, "overrun: kill"),
    reservations: (it) => readableFileOf(it, surroundings, "reservations: maintenance.csv"),
    onOutage: (it) => wordOf(it, STOPPED_RULES, "onOutage: lost"),
    slots: slotsOf,
    reserving: reservingOf,
    policies: (it) => policiesOf(it, surroundings),
    owners: (it) => readableFileOf(it, surroundings, "owners: owners.yaml"),
    pep: (it) => wordOf(it, SCENARIO_ENFORCERS, "pep: literal"),
    workload: (it) => readWorkload(it, surroundings),
  };
}

const noTime = { why: "a program needs some", remedy: "leave it out for what is usual" };

function procsOf(named: NamedValue): number | undefined {
  return wholeNumberOf(named, { least: 1, most: MOST_PROCS, example: "procs: 128" });
}

function readPools({ name, value, notes }: NamedValue): readonly ScenarioPool[] | undefined {
  if (value.kind !== "list" || value.items.length === 0) {
    notes.problem(value.at, wrongType(name, value, "pools: [{ name: thin, procs: 128 }]"));
    return undefined;
  }
  const names = new Set<string>();
  return value.items.flatMap((item, at): ScenarioPool[] => {
    const pool = readPool({ name: `${name}[${at}]`, value: item, notes });
    if (pool === undefined) return [];
    if (names.has(pool.name)) notes.problem(item.at, doubledName("pool", pool.name));
    names.add(pool.name);
    return [pool];
  });
}

function readPool(named: NamedValue): ScenarioPool | undefined {
  const { value, notes } = named;
  const before = notes.problemCount();
  const readers: Readers<ScenarioPool> = { name: (it) => nameOf(it, "name: thin"), procs: procsOf };
  const { name, procs } = readRecord(named, readers, { example: "{ name: thin, procs: 128 }" }) ?? {};
  if (name !== undefined && procs !== undefined) return { name, procs };
  const without = name === undefined ? "name" : "procs";
  if (notes.problemCount() === before) notes.problem(value.at, missing("pool", without));
  return undefined;
}

function tellMissing({ value, notes }: NamedValue, workload: ScenarioWorkload | undefined): void {
  if (value.kind !== "mapping") return;
  const has = (word: string): boolean => value.entries.some(({ key }) => key === word);
  if (!has("name")) notes.problem(value.at, missing("site", "name"));
  if (!has("workload")) notes.problem(value.at, missing("site", "workload"));
  // What is wrong with the workload is told already, and may be why nobody knows its machine.
  const isMissing = workload !== undefined && workload.kind !== "lines" && !has("procs") && !has("pools");
  if (isMissing) notes.problem(value.at, missing("site", "procs"));
  if (has("procs") && has("pools")) notes.problem(value.at, procsTwice);
}

const EXAMPLES: Readonly<Record<"name" | "procs" | "workload", string>> = {
  name: "name: west",
  procs: "procs: 128",
  workload: "workload: { model: lublin, jobs: 2000, load: 0.8 }",
};

function missing(noun: "site" | "pool", word: keyof typeof EXAMPLES): Words {
  return {
    code: "wordMissing",
    what: `this ${noun} has no ${word}`,
    why: "nobody else can say it",
    remedy: `write for instance ${EXAMPLES[word]}`,
  };
}

/** The words for a name that is there already. */
export function doubledName(noun: string, name: string): Words {
  return {
    code: "doubledName",
    what: `there are two ${noun}s of the name ${name}`,
    why: "results are told apart by it",
    remedy: "give each a name of its own",
  };
}

const procsTwice: Words = {
  code: "procsTwice",
  what: "this site has both procs and pools",
  why: "its processors are either one pool or those of its pools",
  remedy: "take one of them out",
};

/** The words for a word of a live site, which here is said otherwise. */
function refusalAtSite(word: string): Words | undefined {
  const instead =
    word === "trace" || word === "background" ? "workload: { trace: workload.swf.gz }" : undefined;
  if (instead === undefined) return undefined;
  return {
    code: "wordElsewhere",
    what: `a site of a scenario has no ${word}`,
    why: "what it is to do is its workload",
    remedy: `write ${instead}`,
  };
}

// Reads who decides the starts at a scenario's site: a discipline of ours, or a program.
//
// What a program is given besides its name may be files or not, and nobody but the program knows; so it
// runs in the scenario's folder, from which its own path counts too.

const EXAMPLE = "discipline: easy, or discipline: exec:python3 mine.py";

/** The discipline; undefined, with a problem, where it is none or its program is not there. */
function disciplineOf(
  named: NamedValue,
  surroundings: Surroundings,
): Discipline | ProgramDiscipline | undefined {
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
    what: `the program ${shown(program)} cannot be begun`,
    why: `${UNREADABLE[state]}, looked for at ${path}`,
    remedy: "relative paths begin at the folder of the scenario, where the program runs too",
  };
}

function notNamed(why: string): Words {
  return {
    code: "programNotNamed",
    what: "this names no program",
    why,
    remedy: "write for instance discipline: exec:python3 mine.py --window 5",
  };
}
