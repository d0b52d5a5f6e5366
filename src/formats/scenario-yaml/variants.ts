/** Variants of a scenario, a grid of parameters or a list of overlays, as named runs. */
import { scenarioNameShape } from "../../contract/files/index.ts";
import {
  type Entry,
  mergeKey,
  type NamedValue,
  plainValue,
  readValue,
  shown,
  type Words,
  wrongType,
} from "../yaml/index.ts";
import { doubledName } from "./read-site.ts";

/** One run: what is laid over the sites. */
export interface Variant {
  readonly name: string;
  /** Offset into the text. */
  readonly at: number;
  /** The site that it is about; all of them when absent. */
  readonly site?: string;
  readonly entries: readonly Entry[];
}

const MOST_RUNS = 1000;
const EXAMPLE = "vary: { discipline: [fcfs, easy] }";

/** The runs; none, with problems, where something is wrong with them. */
export function readVariants(named: NamedValue, sites: readonly string[]): readonly Variant[] {
  const { name, value, notes } = named;
  const before = notes.problemCount();
  let variants: readonly Variant[] = [];
  if (value.kind === "list") variants = value.items.flatMap((_, at) => overlayAt(named, at, sites));
  else if (value.kind === "mapping") variants = gridOf(named, value.entries);
  else notes.problem(value.at, wrongType(name, value, EXAMPLE));
  if (notes.problemCount() > before) return [];
  if (variants.length === 0) notes.problem(value.at, nothingVaries);
  if (variants.length > MOST_RUNS) notes.problem(value.at, tooMany(variants.length));
  const names = new Set<string>();
  for (const variant of variants) {
    const file = fileName(variant.name);
    if (names.has(file)) notes.problem(variant.at, doubledName("run", shown(variant.name)));
    names.add(file);
  }
  return notes.problemCount() > before ? [] : variants;
}

/** Name of a run within file names. */
function fileName(name: string): string {
  return name.replaceAll(" ", "_");
}

function overlayAt({ name, value, notes }: NamedValue, at: number, sites: readonly string[]): Variant[] {
  const item = value.kind === "list" ? value.items[at] : value;
  const itemName = `${name}[${at}]`;
  if (item.kind !== "mapping") {
    notes.problem(item.at, wrongType(itemName, item, "{ name: wide, procs: 256 }"));
    return [];
  }
  const named = (word: string): NamedValue | undefined => {
    const entry = item.entries.find(({ key }) => key === word);
    return entry && { name: `${itemName}.${word}`, value: entry.value, notes };
  };
  const nameThere = named("name");
  if (nameThere === undefined) notes.problem(item.at, noName);
  const own = nameThere && readValue(nameThere, scenarioNameShape, { example: "name: wide" }).said;
  const siteThere = named("site");
  const site = siteThere && siteOf(siteThere, sites);
  const entries = item.entries.filter(({ key }) => key !== "name" && key !== "site");
  tellMergeKeys(entries, notes);
  return own === undefined ? [] : [{ name: own, at: item.at, entries, ...(site && { site }) }];
}

function siteOf(named: NamedValue, sites: readonly string[]): string | undefined {
  const example = `site: ${sites[0] ?? "west"}`;
  const written = readValue(named, scenarioNameShape, { example }).said;
  if (written === undefined || sites.includes(written)) return written;
  named.notes.problem(named.value.at, {
    code: "siteUnknown",
    what: `there is no site ${shown(written)}`,
    why: `the sites are ${sites.join(", ")}`,
    remedy: "write one of these, or leave site out for all of them",
  });
  return undefined;
}

/** Every combination of the values; the last parameter changes first. */
function gridOf({ name, notes }: NamedValue, parameters: readonly Entry[]): readonly Variant[] {
  tellMergeKeys(parameters, notes);
  let grid: readonly Variant[] = [{ name: "", at: parameters[0]?.keyAt ?? 0, entries: [] }];
  for (const { key, keyAt, value } of parameters) {
    if (key === "name") notes.problem(keyAt, nameVaries);
    if (value.kind !== "list" || value.items.length === 0) {
      notes.problem(value.at, wrongType(`${name}.${key}`, value, `${key}: [1, 2], the values in turn`));
      return [];
    }
    if (grid.length * value.items.length > MOST_RUNS) {
      notes.problem(value.at, tooMany(grid.length * value.items.length));
      return [];
    }
    const short = key.split(".").at(-1) ?? key;
    grid = grid.flatMap((under) =>
      value.items.flatMap((item): Variant[] => {
        if (item.kind !== "scalar") {
          notes.problem(item.at, notSingle(key));
          return [];
        }
        const said = `${short}=${item.text.replaceAll(/[^A-Za-z0-9._+-]/g, "-")}`;
        const full = under.name === "" ? said : `${under.name} ${said}`;
        return [{ name: full, at: item.at, entries: [...under.entries, { key, keyAt, value: item }] }];
      }),
    );
  }
  return parameters.length === 0 ? [] : grid;
}

/** Settings of a run as written. */
export function settingsOf({ entries }: Variant): Readonly<Record<string, string>> {
  return Object.fromEntries(
    entries.map(({ key, value }) => [
      key,
      value.kind === "scalar" ? value.text : JSON.stringify(plainValue(value)),
    ]),
  );
}

function tellMergeKeys(entries: readonly Entry[], notes: NamedValue["notes"]): void {
  for (const { key, keyAt } of entries) if (key === "<<") notes.problem(keyAt, mergeKey);
}

const noName: Words = {
  code: "wordMissing",
  what: "this run has no name",
  why: "it identifies the results",
  remedy: "write for instance name: wide",
};
const nameVaries: Words = {
  code: "nameVaries",
  what: "the name of a site cannot vary",
  why: "it identifies the results",
  remedy: "take it out",
};
const nothingVaries: Words = {
  code: "nothingVaries",
  what: "vary has no runs",
  why: "it is empty",
  remedy: `write for instance ${EXAMPLE}, or leave it out`,
};

function notSingle(key: string): Words {
  return {
    code: "gridValueNotSingle",
    what: `a value of ${shown(key)} is a list or a mapping`,
    why: "runs of a grid are named after their values",
    remedy: "write the runs as a list instead, each with a name: vary: [{ name: wide, procs: 256 }]",
  };
}

function tooMany(count: number): Words {
  return {
    code: "tooManyRuns",
    what: `these are ${count} runs`,
    why: `a scenario has at most ${MOST_RUNS}`,
    remedy: "remove some values, or write several scenarios",
  };
}
