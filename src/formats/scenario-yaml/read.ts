/**
 * Reads a scenario of the simulator (docs/schemas/scenario.schema.json says the same for editors).
 *
 * The sites are read as they stand; then each variant is laid over them and read again. Everything that is
 * wrong is told at once, with its place; a file with a problem gives no scenario (rules FO-40 to FO-44).
 */

import {
  isByChance,
  JOBS_OUT_RULES,
  type JobsOutRule,
  SCENARIO_METRICS,
  type Scenario,
  type ScenarioCut,
  type ScenarioMetric,
  type ScenarioRun,
  type ScenarioSite,
} from "../../model/index.ts";
import {
  type Entry,
  type MappingValue,
  type NamedValue,
  type Notes,
  type Remark,
  type Surroundings,
  shown,
  type Words,
  wholeNumberOf,
  wordOf,
  wrongType,
  yamlDocuments,
} from "../yaml/index.ts";
import { NO_CUT, readCut } from "./read-cut.ts";
import { doubledName, readSite } from "./read-site.ts";
import { isLines } from "./read-workload.ts";
import { type Readers, readRecord } from "./record.ts";
import { nameOf, seedOf } from "./values.ts";
import { readVariants, settingsOf, type Variant } from "./variants.ts";

/** What a text says, and what is wrong with it; there is a scenario when there are no problems. */
export interface ScenarioReading {
  readonly scenario: Scenario | undefined;
  readonly problems: readonly Remark[];
}

const DEFAULT_COMPARED: readonly ScenarioMetric[] = ["waitMeanSec", "boundedSlowdownMean", "utilisation"];
/** Student's t needs a table of millions of values nowhere; more is a mistake of typing. */
const MOST_REPLICATES = 10_000;
const EXAMPLE = "name: disciplines";

/** Reads `text`; never throws for what it says. */
export function readScenarioYaml(text: string, surroundings: Surroundings): ScenarioReading {
  const { notes, documents } = yamlDocuments(text);
  let scenario: Scenario | undefined;
  let count = 0;
  for (const { value } of documents()) {
    count++;
    if (count === 1) scenario = readWhole({ name: "", value, notes: once(notes) }, surroundings);
    else if (count === 2) notes.problem(value.at, secondDocument);
  }
  if (count === 0) notes.problem(0, empty);
  const { problems, warnings } = notes.collected();
  const all = [...problems, ...warnings];
  return { scenario: all.length === 0 ? scenario : undefined, problems: all };
}

/** A variant's value is read in many runs and at many sites; what is wrong with it is told once. */
function once(notes: Notes): Notes {
  const told = new Set<string>();
  const problem = (at: number, words: Words): void => {
    const key = `${at} ${words.code} ${words.what.replace(/^sites\[\d+\]/, "")}`;
    if (!told.has(key)) notes.problem(at, words);
    told.add(key);
  };
  return { ...notes, problem };
}

interface Said {
  readonly name: string;
  readonly seed: number;
  readonly replicates: number;
  readonly warmUp: ScenarioCut;
  readonly coolDown: ScenarioCut;
  readonly sites: NamedValue;
  readonly vary: NamedValue;
  readonly baseline: NamedValue;
  readonly compare: readonly ScenarioMetric[];
  readonly jobsOut: JobsOutRule;
}

const readers: Readers<Said> = {
  name: (it) => nameOf(it, EXAMPLE),
  seed: seedOf,
  replicates: (it) => wholeNumberOf(it, { least: 1, most: MOST_REPLICATES, example: "replicates: 10" }),
  warmUp: readCut,
  coolDown: readCut,
  sites: (it) => it,
  vary: (it) => it,
  baseline: (it) => it,
  compare: metricsOf,
  jobsOut: (it) => wordOf(it, JOBS_OUT_RULES, "jobsOut: first"),
};

function readWhole(whole: NamedValue, surroundings: Surroundings): Scenario | undefined {
  const said = readRecord(whole, readers, { example: EXAMPLE, refuse: refusalOf });
  if (said === undefined) return undefined;
  const { name, sites } = said;
  tellMissing(whole, said);
  const written = sites === undefined ? [] : writtenSites(sites, surroundings);
  if (written.length === 0) return undefined;
  const variants = variantsOf(said, written);
  const runs = variants.map((variant) => runOf(variant, written, { notes: whole.notes, surroundings }));
  const baseline = baselineOf(said, runs);
  if (name === undefined || baseline === undefined) return undefined;
  return {
    name,
    folder: surroundings.folder,
    seed: said.seed ?? 1,
    replicates: said.replicates ?? 1,
    warmUp: said.warmUp ?? NO_CUT,
    coolDown: said.coolDown ?? NO_CUT,
    baseline,
    compare: said.compare ?? DEFAULT_COMPARED,
    jobsOut: said.jobsOut ?? "first",
    runs: withReplicates(said, runs, whole),
  };
}

/** A site as it was written, and as it reads. */
interface WrittenSite {
  readonly named: NamedValue & { readonly value: MappingValue };
  readonly site: ScenarioSite;
}

/** All sites, or none where something is wrong with any. */
function writtenSites({ name, value, notes }: NamedValue, surroundings: Surroundings): WrittenSite[] {
  if (value.kind !== "list" || value.items.length === 0) {
    notes.problem(value.at, wrongType(name, value, "sites: [{ name: west, procs: 128, workload: … }]"));
    return [];
  }
  const before = notes.problemCount();
  const names = new Set<string>();
  const written = value.items.flatMap((item, at): WrittenSite[] => {
    const named = { name: `${name}[${at}]`, value: item, notes };
    const site = readSite(named, surroundings);
    if (site === undefined || item.kind !== "mapping") return [];
    if (names.has(site.name)) notes.problem(item.at, doubledName("site", shown(site.name)));
    names.add(site.name);
    return [{ named: { ...named, value: item }, site }];
  });
  return notes.problemCount() > before ? [] : written;
}

function variantsOf({ vary }: Partial<Said>, written: readonly WrittenSite[]): readonly Variant[] {
  if (vary === undefined) return [{ name: "base", at: 0, entries: [] }];
  return readVariants(
    vary,
    written.map(({ site }) => site.name),
  );
}

interface Where {
  readonly notes: Notes;
  readonly surroundings: Surroundings;
}

function runOf(
  variant: Variant,
  written: readonly WrittenSite[],
  { notes, surroundings }: Where,
): ScenarioRun {
  const sites = written.flatMap(({ named, site }): ScenarioSite[] => {
    const isMeant = variant.site === undefined || variant.site === site.name;
    if (!isMeant || variant.entries.length === 0) return [site];
    const value = overlaid(named.value, variant.entries);
    const read = readSite({ name: named.name, value, notes }, surroundings);
    return read === undefined ? [] : [read];
  });
  return { name: variant.name, settings: settingsOf(variant), sites };
}

function baselineOf({ baseline }: Partial<Said>, runs: readonly ScenarioRun[]): string | undefined {
  if (baseline === undefined) return runs[0]?.name;
  const names = runs.map(({ name }) => name);
  return names.length === 0 ? undefined : wordOf(baseline, names, `baseline: ${names[0]}`);
}

/** Replicates of what is not drawn would all be equal. */
function withReplicates(
  { replicates }: Partial<Said>,
  runs: readonly ScenarioRun[],
  { value, notes }: NamedValue,
): readonly ScenarioRun[] {
  const hasChance = runs.some(({ sites }) => sites.some(isByChance));
  if (replicates === undefined || replicates === 1 || hasChance || value.kind !== "mapping") return runs;
  const at = value.entries.find(({ key }) => key === "replicates")?.value.at ?? value.at;
  notes.problem(at, nothingDrawn);
  return runs;
}

function metricsOf({ name, value, notes }: NamedValue): readonly ScenarioMetric[] | undefined {
  const example = "compare: [waitMeanSec, utilisation]";
  if (value.kind !== "list" || value.items.length === 0) {
    notes.problem(value.at, wrongType(name, value, example));
    return undefined;
  }
  const metrics = value.items.flatMap((item, at): ScenarioMetric[] => {
    const metric = wordOf({ name: `${name}[${at}]`, value: item, notes }, SCENARIO_METRICS, example);
    return metric === undefined ? [] : [metric];
  });
  return [...new Set(metrics)];
}

function tellMissing({ value, notes }: NamedValue, { sites }: Partial<Said>): void {
  if (value.kind !== "mapping") return;
  if (!value.entries.some(({ key }) => key === "name")) notes.problem(value.at, missing.name);
  if (sites === undefined) notes.problem(value.at, missing.sites);
}

const missing: Readonly<Record<"name" | "sites", Words>> = {
  name: {
    code: "wordMissing",
    what: "this scenario has no name",
    why: "its results are called by it",
    remedy: `write for instance ${EXAMPLE}`,
  },
  sites: {
    code: "wordMissing",
    what: "this scenario has no sites",
    why: "something has to be simulated",
    remedy: "write for instance sites: [{ name: west, procs: 128, workload: { model: lublin } }]",
  },
};

/** Words that people will look for, and that mean nothing yet. */
const LATER: readonly string[] = [
  "broker",
  "brokering",
  "jobs",
  "workload",
  "workflows",
  "users",
  "policies",
];

function refusalOf(word: string): Words | undefined {
  if (!LATER.includes(word)) return undefined;
  return {
    code: "notBrokered",
    what: `${word} is not known here`,
    why: "the sites of a scenario are independent: nothing is brokered between them yet",
    remedy: "give each site its own workload",
  };
}

const nothingDrawn: Words = {
  code: "nothingDrawn",
  what: "these replicates would all be equal",
  why: "nothing in this scenario is drawn: recorded workloads are the same each time",
  remedy: "take replicates out, or use a model, or a load with scale: overlay or duplicate",
};
const secondDocument: Words = {
  code: "secondDocument",
  what: "a second document begins here",
  why: "a scenario is one document",
  remedy: "put each scenario into a file of its own",
};
const empty: Words = {
  code: "scenarioEmpty",
  what: "there is nothing in this scenario",
  why: "it has no words, or comments alone",
  remedy: `begin with for instance ${EXAMPLE}`,
};

// Lays other values over a site as it was written, before anybody reads it.
//
// A word replaces the whole of what stood there; a path (`workload.load`) replaces one thing in it. So a
// variant is read by the same reader as the site, and what is wrong with it is told where the variant
// says it (rule FO-42).

/** Words of which a site has one: to give the one takes the other away. */
const INSTEAD_OF: Readonly<Record<string, string>> = { procs: "pools", pools: "procs" };

/** The site with these entries laid over it, in their order. */
function overlaid(site: MappingValue, entries: readonly Entry[]): MappingValue {
  const whole = entries.reduce((under, entry) => laidOver(under, entry, entry.key.split(".")), site);
  return bringsItsMachine(entries) ? withoutMachine(whole, entries) : whole;
}

/** Whether the workload that is laid over describes pools itself, in place of those of the site. */
function bringsItsMachine(entries: readonly Entry[]): boolean {
  const traces = entries.flatMap(({ key, value }) => {
    if (key === "workload.trace") return [value];
    if (key !== "workload" || value.kind !== "mapping") return [];
    return value.entries.filter((inner) => inner.key === "trace").map((inner) => inner.value);
  });
  return traces.some((trace) => trace.kind === "scalar" && isLines(trace.text));
}

function withoutMachine(site: MappingValue, laid: readonly Entry[]): MappingValue {
  const isKept = ({ key }: Entry): boolean => !(key in INSTEAD_OF) || laid.some((entry) => entry.key === key);
  return { ...site, entries: site.entries.filter(isKept) };
}

function laidOver(under: MappingValue, entry: Entry, [word, ...path]: readonly string[]): MappingValue {
  const others = under.entries.filter(({ key }) => key !== word && key !== INSTEAD_OF[word]);
  const there = under.entries.find(({ key }) => key === word)?.value;
  const { keyAt, value } = entry;
  if (path.length === 0) return { ...under, entries: [...others, { key: word, keyAt, value }] };
  const inner: MappingValue = there?.kind === "mapping" ? there : { kind: "mapping", at: keyAt, entries: [] };
  return { ...under, entries: [...others, { key: word, keyAt, value: laidOver(inner, entry, path) }] };
}
