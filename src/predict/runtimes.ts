/**
 * How long a job will run.
 *
 * Two ways. *Recent*: the mean of the user's last two similar jobs [TEF07]; similar ones have the same
 * executable (where known) and ask for procs and time within the same powers of two, and where there are not
 * two of them the user's last two of any kind count. *Template*: the mean of the jobs that share a template
 * with it, from (user, executable, procs, time) to everything, the first with enough past jobs [G97]; which
 * attributes stand in a template follows [SFT98], which searches for the best set where ours is fixed.
 * Each gives a bound too: of past ratios real ÷ predicted, and of the template's runtimes, by PD-1.
 * A prediction tightens an estimate and is never a limit: no job is killed for it (rule PD-16).
 */
import { binKey } from "./bins.ts";
import type { JobFacts } from "./job-facts.ts";
import type { Assurance } from "./ranks.ts";
import { addValue, boundOf, meanOf, noValues, type RecentValues, valuesOf } from "./recent-values.ts";

/** How a runtime was predicted. */
type RuntimeMethod = "recent" | "template";

/** A predicted runtime; both numbers are at most the requested time. */
export interface RuntimeForecast {
  readonly method: RuntimeMethod;
  readonly expectedMs: number;
  /** The upper bound asked for; undefined where too few runs are known. */
  readonly boundMs: number | undefined;
  /** What its past jobs have in common: `user executable procs time`, … , `all`. */
  readonly template: string;
  /** How many past jobs it rests on. */
  readonly runs: number;
}

/** The past of a site. Treat as opaque. */
export interface RuntimeHistory {
  /** By template and the values of its attributes. */
  readonly categories: Map<string, RecentValues>;
  /** Real ÷ predicted of the method `recent`, by user. */
  readonly ratios: Map<string, RecentValues>;
}

/** Attributes in common, the closest first. */
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

/** Fewer jobs are no category yet. */
const LEAST_RUNS = 3;
const MOST_RUNS = 200;
const LAST = 2;

/** Of a site where nothing has ended. */
export function createRuntimes(): RuntimeHistory {
  return { categories: new Map(), ratios: new Map() };
}

/** Takes in a job that has ended by itself or at its limit. */
export function observeRuntime(history: RuntimeHistory, job: JobFacts, runtimeMs: number): void {
  const before = recentMean(history, job);
  if (before !== undefined) addTo(history.ratios, job.user, runtimeMs / Math.max(1, before.meanMs));
  for (const template of TEMPLATES) {
    const key = categoryKey(template, job);
    if (key !== undefined) addTo(history.categories, key, runtimeMs);
  }
}

/** The forecast of the user's last two similar jobs; undefined of a user with fewer than two. */
export function forecastRecent(
  history: RuntimeHistory,
  job: JobFacts,
  assurance: Assurance,
): RuntimeForecast | undefined {
  const found = recentMean(history, job);
  if (found === undefined) return undefined;
  const ratios = valuesOf(history.ratios.get(job.user) ?? noValues(1));
  const ratio = boundOf(ratios, assurance);
  const boundMs = ratio === undefined ? undefined : atMost(job, Math.ceil(ratio * found.meanMs));
  const expectedMs = atMost(job, Math.round(found.meanMs));
  return { method: "recent", expectedMs, boundMs, template: found.template, runs: LAST };
}

/** The forecast of the closest template with enough past jobs; undefined where not even all are enough. */
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

/** The job's categories, the closest first. */
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
  const recent = lists.get(key) ?? noValues(MOST_RUNS);
  lists.set(key, recent);
  addValue(recent, value);
}
