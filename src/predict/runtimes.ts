/**
 * Runtime predictions.
 *
 * Two methods. *Recent*: the mean of the user's last two similar jobs [TEF07]; similar ones have the same
 * executable (where known) and ask for procs and time within the same powers of two, and where there are not
 * two of them the user's last two of any kind count. *Template*: the mean of the jobs that share a template
 * with it, from (user, executable, procs, time) to everything, the first with three past jobs or more [G97];
 * which attributes stand in a template follows [SFT98], which searches for the best set where ours is fixed.
 * Each has a bound by PD-1: of past ratios real ÷ predicted, or of the template's runtimes. No number is
 * above the requested walltime. A prediction tightens an estimate and is never a limit: it kills no job.
 */
import { binKey } from "./bins.ts";
import type { JobFacts } from "./job-facts.ts";
import type { Assurance } from "./ranks.ts";
import { addValue, boundOf, emptyValues, meanOf, type RecentValues, valuesOf } from "./recent-values.ts";

type RuntimeMethod = "recent" | "template";

/** A predicted runtime; both numbers are at most the requested walltime. */
export interface RuntimeForecast {
  readonly method: RuntimeMethod;
  readonly expectedMs: number;
  /** The requested upper bound; undefined where too few runs are known. */
  readonly boundMs: number | undefined;
  /** Attributes shared with the past jobs: `user executable procs time`, … , `all`. */
  readonly template: string;
  readonly runs: number;
}

/** Past runtimes of a site. Treat as opaque. */
export interface RuntimeHistory {
  /** Runtimes by template and the values of its attributes. */
  readonly categories: Map<string, RecentValues>;
  /** Real ÷ predicted of the method `recent`, by user. */
  readonly ratios: Map<string, RecentValues>;
}

/** Shared attributes, closest template first. */
const TEMPLATES: readonly (readonly ("user" | "executable" | "procs" | "time")[])[] = [
  ["user", "executable", "procs", "time"],
  ["user", "executable", "procs"],
  ["user", "executable"],
  ["user", "procs", "time"],
  ["user", "time"],
  ["executable", "procs", "time"],
  ["executable"],
  ["user"],
  ["procs", "time"],
  [],
];

const LEAST_RUNS = 3;
const MOST_RUNS = 200;
const LAST = 2;

/** A site without ended jobs. */
export function createRuntimes(): RuntimeHistory {
  return { categories: new Map(), ratios: new Map() };
}

/** Adds a job that has ended by itself or at its limit. */
export function observeRuntime(history: RuntimeHistory, job: JobFacts, runtimeMs: number): void {
  const before = recentMean(history, job);
  if (before !== undefined) addTo(history.ratios, job.user, runtimeMs / Math.max(1, before.meanMs));
  for (const template of TEMPLATES) {
    const key = categoryKey(template, job);
    if (key !== undefined) addTo(history.categories, key, runtimeMs);
  }
}

/** The forecast from the user's last two similar jobs; undefined for a user with fewer than two. */
export function forecastRecent(
  history: RuntimeHistory,
  job: JobFacts,
  assurance: Assurance,
): RuntimeForecast | undefined {
  const found = recentMean(history, job);
  if (found === undefined) return undefined;
  const ratios = valuesOf(history.ratios.get(job.user) ?? emptyValues(1));
  const ratio = boundOf(ratios, assurance);
  const boundMs = ratio === undefined ? undefined : atMost(job, Math.ceil(ratio * found.meanMs));
  const expectedMs = atMost(job, Math.round(found.meanMs));
  return { method: "recent", expectedMs, boundMs, template: found.template, runs: LAST };
}

/** The forecast from the closest template with enough past jobs; undefined where even `all` has too few. */
export function forecastByTemplate(
  history: RuntimeHistory,
  job: JobFacts,
  assurance: Assurance,
): RuntimeForecast | undefined {
  const found = categoriesOf(history, job).filter(({ runtimesMs }) => runtimesMs.length >= LEAST_RUNS);
  if (found.length === 0) return undefined;
  const [{ template, runtimesMs }] = found;
  const bounds = found.flatMap((it) => boundOf(it.runtimesMs, assurance) ?? []);
  return {
    method: "template",
    expectedMs: atMost(job, Math.round(meanOf(runtimesMs))),
    boundMs: bounds.length === 0 ? undefined : atMost(job, bounds[0]),
    template,
    runs: runtimesMs.length,
  };
}

interface Category {
  readonly template: string;
  readonly runtimesMs: readonly number[];
}

/** The categories of a job, closest first. */
function categoriesOf({ categories }: RuntimeHistory, job: JobFacts): Category[] {
  return TEMPLATES.flatMap((attributes) => {
    const recent = categories.get(categoryKey(attributes, job) ?? "none");
    if (recent === undefined) return [];
    return [{ template: attributes.join(" ") || "all", runtimesMs: valuesOf(recent) }];
  });
}

function recentMean(
  history: RuntimeHistory,
  job: JobFacts,
): { readonly meanMs: number; readonly template: string } | undefined {
  const similar: readonly string[] = ["user executable procs time", "user procs time", "user"];
  const found = categoriesOf(history, job).find(
    ({ template, runtimesMs }) => similar.includes(template) && runtimesMs.length >= LAST,
  );
  return found && { meanMs: meanOf(found.runtimesMs.slice(-LAST)), template: found.template };
}

function categoryKey(attributes: (typeof TEMPLATES)[number], job: JobFacts): string | undefined {
  const { user, executable } = job;
  if (executable === undefined && attributes.includes("executable")) return undefined;
  const [procs, time] = binKey(job).split("/");
  const values = { user, executable: executable ?? "", procs, time };
  return JSON.stringify([attributes, attributes.map((attribute) => values[attribute])]);
}

function atMost({ wallTimeMs }: JobFacts, ms: number): number {
  return Math.min(wallTimeMs, ms);
}

function addTo(lists: Map<string, RecentValues>, key: string, value: number): void {
  const recent = lists.get(key) ?? emptyValues(MOST_RUNS);
  lists.set(key, recent);
  addValue(recent, value);
}
