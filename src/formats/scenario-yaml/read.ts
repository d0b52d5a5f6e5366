/**
 * Reads a scenario of the simulator.
 *
 * The sites are read first; then each variant is applied to them and the result read again. All problems are
 * reported together, with their positions; a file with a problem gives no scenario (rules FO-22, FO-42).
 */
import { dirname, resolve } from "node:path";
import { type Read, scenarioShape } from "../../contract/files/index.ts";
import {
  isByChance,
  type Scenario,
  type ScenarioCut,
  type ScenarioRun,
  type ScenarioSite,
} from "../../model/index.ts";
import {
  type DocumentReading,
  type Entry,
  fileState,
  type MappingValue,
  type NamedValue,
  type Notes,
  type Remark,
  readBounded,
  readDocument,
  type Surroundings,
  shown,
  textOfBytes,
  type Words,
  wordOf,
  wrongType,
} from "../yaml/index.ts";
import { doubledName, readSite } from "./read-site.ts";
import { isLines } from "./read-workload.ts";
import { readVariants, settingsOf, type Variant } from "./variants.ts";

/** Scenario and problems of a text; there is a scenario if there are no problems. */
export interface ScenarioReading {
  readonly scenario: Scenario | undefined;
  readonly problems: readonly Remark[];
}

const EXAMPLE = "name: disciplines";

/** Reads a file; its paths are relative to its folder. Never throws on its content. */
export async function readScenarioFile(file: string): Promise<ScenarioReading> {
  const bytes = await readBounded(file);
  const text = bytes.ok ? textOfBytes(bytes.value) : bytes;
  if (text.ok) return readScenarioYaml(text.value, { folder: dirname(resolve(file)), fileState });
  return { scenario: undefined, problems: [text.refusal] };
}

/** Reads `text`; never throws on its content. */
export function readScenarioYaml(text: string, surroundings: Surroundings): ScenarioReading {
  const rules = { noun: "a scenario", example: EXAMPLE, ifEmpty: empty, surroundings };
  const reading = readDocument(text, scenarioShape, rules);
  const scenario = readWhole(reading, surroundings);
  const problems = reading.problems();
  return { scenario: problems.length === 0 ? scenario : undefined, problems };
}

/**
 * Notes without repetition: a value of a variant is read for many runs and sites, and its problems are
 * reported once.
 */
function once(notes: Notes): Notes {
  const told = new Set<string>();
  const problem = (at: number, words: Words): void => {
    const key = `${at} ${words.code} ${words.what.replace(/^sites\[\d+\]/, "")}`;
    if (!told.has(key)) notes.problem(at, words);
    told.add(key);
  };
  return { ...notes, problem };
}

type Said = Read<typeof scenarioShape>;

function readWhole(
  { said, notes: untold, valueAt }: DocumentReading<Said>,
  surroundings: Surroundings,
): Scenario | undefined {
  if (said === undefined) return undefined;
  const notes = once(untold);
  const named = (word: string): NamedValue | undefined => {
    const value = valueAt(said, word);
    return value && { name: word, value, notes };
  };
  const sites = named("sites");
  const written = sites === undefined ? [] : writtenSites(sites, surroundings);
  if (written.length === 0) return undefined;
  const variants = variantsOf(named("vary"), written);
  const runs = variants.map((variant) => runOf(variant, written, { notes, surroundings }));
  const baseline = baselineOf(named("baseline"), runs);
  if (baseline === undefined) return undefined;
  tellNothingDrawn(named("replicates"), said.replicates ?? 1, runs);
  return {
    name: said.name,
    folder: surroundings.folder,
    seed: said.seed,
    replicates: said.replicates ?? 1,
    warmUp: cutOf(named("warmUp"), said.warmUp),
    coolDown: cutOf(named("coolDown"), said.coolDown),
    baseline,
    compare: [...new Set(said.compare)],
    jobsOut: said.jobsOut,
    runs,
  };
}

/** Nothing is cut. */
const NO_CUT: ScenarioCut = { kind: "time", lengthMs: 0 };

/** Part of the workload that is simulated but not counted: `{ time: 1d }` or `{ jobs: 100 }`. */
function cutOf(named: NamedValue | undefined, said: Said["warmUp"]): ScenarioCut {
  if (named === undefined || said === undefined) return NO_CUT;
  const { lengthMs, count } = said;
  if (lengthMs !== undefined && count === undefined) return { kind: "time", lengthMs };
  if (lengthMs === undefined && count !== undefined) return { kind: "jobs", count };
  const { name, value, notes } = named;
  // A word that is wrong is told already.
  if (value.kind === "mapping" && value.entries.length === 1) return NO_CUT;
  notes.problem(value.at, {
    code: "cutUnclear",
    what: `${name} is either a time or a number of jobs`,
    why: lengthMs === undefined ? "neither is given" : "both are given",
    remedy: `write ${name}: { time: 1d }, or ${name}: { jobs: 100 }`,
  });
  return NO_CUT;
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

function variantsOf(vary: NamedValue | undefined, written: readonly WrittenSite[]): readonly Variant[] {
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

function baselineOf(baseline: NamedValue | undefined, runs: readonly ScenarioRun[]): string | undefined {
  if (baseline === undefined) return runs[0]?.name;
  const names = runs.map(({ name }) => name);
  return names.length === 0 ? undefined : wordOf(baseline, names, `baseline: ${names[0]}`);
}

/** Replicates of what is not drawn would all be equal. */
function tellNothingDrawn(
  named: NamedValue | undefined,
  replicates: number,
  runs: readonly ScenarioRun[],
): void {
  const hasChance = runs.some(({ sites }) => sites.some(isByChance));
  if (named !== undefined && replicates > 1 && !hasChance) named.notes.problem(named.value.at, nothingDrawn);
}

const nothingDrawn: Words = {
  code: "nothingDrawn",
  what: "all replicates would be identical",
  why: "nothing in this scenario is random: a recorded workload is the same each time",
  remedy: "take replicates out, or use a model, or a load with scale: overlay or duplicate",
};
const empty: Words = {
  code: "scenarioEmpty",
  what: "there is nothing in this scenario",
  why: "it is empty, or has only comments",
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

/** True where the workload of an overlay has pools that replace those of the site. */
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
