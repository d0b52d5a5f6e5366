/**
 * Sweeps: an array whose jobs differ in the values of parameters.
 *
 * Points are numbered, the last parameter changing fastest; the values of a point follow from its number, so
 * that a sweep is one small record however many jobs it has. Source: parameter sweeps in the manner of Nimrod
 * [WMS slide 47].
 */
/** A parameter: its values one by one, or numbers from the first on in equal steps. */
export type SweepParameter =
  | { readonly name: string; readonly values: readonly string[] }
  | { readonly name: string; readonly from: number; readonly step: number; readonly count: number };

/** Parameters of an array of jobs. */
export interface Sweep {
  readonly parameters: readonly SweepParameter[];
  /** Every combination of values, or the first values, the second ones and so on. */
  readonly combine: "product" | "zip";
  /** Numbers of the points, as ranges `0-4,7`, of which the jobs are made; all where absent. */
  readonly points?: string;
  /** Chooses the points by the outputs of those before; all of them where absent. */
  readonly search?: Search;
  /** Some jobs run first; time limit and memory of the others are proposed from their use. */
  readonly scouts?: ScoutMode;
}

/** Use of the proposal: it is only shown, applied to the other jobs, or these wait for a decision. */
export const SCOUT_MODES = ["propose", "use", "wait"] as const;
/** One of the modes of scouts. */
export type ScoutMode = (typeof SCOUT_MODES)[number];

/** Search: the outputs of jobs choose the points of the next ones. */
export interface Search {
  readonly objective: Objective;
  readonly goal: "minimize" | "maximize";
  readonly method: SearchMethod;
  /** Number of points at a time. */
  readonly parallel: number;
  /** Largest number of points. */
  readonly evaluations: number;
}

/** Where the value of a point is read; without a file in what its job writes to its output. */
export type Objective =
  | { readonly kind: "pattern"; readonly pattern: string; readonly file?: string }
  | { readonly kind: "json"; readonly path: string; readonly file?: string }
  | { readonly kind: "exitCode" };

/** Method by which points are chosen. */
export type SearchMethod =
  | {
      readonly kind: "annealing";
      readonly seed: number;
      /** First temperature, in units of the objective; a tenth of its first value where absent. */
      readonly t0?: number;
      /** Factor of the temperature from point to point; down to a hundredth in all where absent. */
      readonly cooling?: number;
      readonly restarts: number;
    }
  | { readonly kind: "random"; readonly seed: number }
  /** A program at the broker that is asked, with its arguments. */
  | { readonly kind: "exec"; readonly command: readonly string[] };

/** A point of a search; its value is null where its job failed, and absent before it is known. */
export interface SearchPoint {
  readonly index: number;
  readonly values: Readonly<Record<string, string>>;
  readonly value?: number | null;
}

/** Why a search is over. */
export type SearchEnd =
  | { readonly kind: "evaluated" }
  | { readonly kind: "chosen" }
  | { readonly kind: "cancelled" }
  | { readonly kind: "objectiveMissing"; readonly index: number; readonly why: string }
  | { readonly kind: "programFailed"; readonly why: string };

/** Progress of a search. */
export interface SearchSummary {
  readonly evaluated: number;
  readonly failed: number;
  readonly best: (SearchPoint & { readonly value: number }) | null;
  /** Null while it goes on. */
  readonly end: SearchEnd | null;
}

/** Largest number of points of a search. */
export const MOST_EVALUATIONS = 1000;

/** Longest text of the points of a sweep. */
export const MOST_POINTS_TEXT = 200_000;

/** Number of values of a parameter. */
export function valueCount(parameter: SweepParameter): number {
  return "values" in parameter ? parameter.values.length : parameter.count;
}

/** Number of points before any are left out; may be more than a safe integer, then it is not exact. */
export function pointsOf({ parameters, combine }: Pick<Sweep, "parameters" | "combine">): number {
  const counts = parameters.map(valueCount);
  if (counts.length === 0) return 0;
  return combine === "zip" ? Math.min(...counts) : counts.reduce((product, count) => product * count, 1);
}

/** Values of the parameters at a point, by name. */
export function valuesAt({ parameters, combine }: Sweep, point: number): Readonly<Record<string, string>> {
  const values: [string, string][] = [];
  let rest = point;
  for (const parameter of parameters.toReversed()) {
    const count = valueCount(parameter);
    values.push([parameter.name, sweepValue(parameter, combine === "zip" ? point : rest % count)]);
    rest = Math.floor(rest / count);
  }
  return Object.fromEntries(values.reverse());
}

/** One of the values of a parameter. */
export function sweepValue(parameter: SweepParameter, at: number): string {
  if ("values" in parameter) return parameter.values[at] ?? "";
  // Twelve digits: 0.1 + 2 · 0.1 is 0.3 to whoever wrote it.
  return String(Number((parameter.from + at * parameter.step).toPrecision(12)));
}

/** Number of the point of the job at a place in its array. */
export function pointAt(sweep: Sweep, place: number): number {
  if (sweep.points === undefined) return place;
  let chosen = CHOSEN.get(sweep);
  if (chosen === undefined) {
    chosen = sweep.points.split(",").flatMap((range) => {
      const [first = 0, last = first] = range.split("-").map(Number);
      return Array.from({ length: last - first + 1 }, (_, at) => first + at);
    });
    CHOSEN.set(sweep, chosen);
  }
  return chosen[place] ?? 0;
}

/** Points by sweep, which are read once. */
const CHOSEN = new WeakMap<Sweep, readonly number[]>();

/** Number of jobs of a sweep, as far as it can be counted. */
export function jobsOfSweep(sweep: Sweep): number {
  if (sweep.search !== undefined) return sweep.search.evaluations;
  if (sweep.points === undefined) return pointsOf(sweep);
  return sweep.points.split(",").reduce((sum, range) => {
    const [first = 0, last = first] = range.split("-").map(Number);
    return sum + last - first + 1;
  }, 0);
}

/** True if points may be chosen among all, and the indexes are those of the evaluations. */
function isSearchable({ points, combine, search }: Sweep, indexes: readonly number[]): boolean {
  const most = search?.evaluations ?? 0;
  const isAll = indexes.length === most && indexes.at(-1) === most - 1;
  return points === undefined && combine === "product" && isAll;
}

/** Why a sweep cannot be the one of an array with these indexes; undefined where it can. */
export function faultOfSweep(
  sweep: Sweep,
  indexes: readonly number[],
): "sweepEmpty" | "sweepTooSmall" | undefined {
  const jobs = jobsOfSweep(sweep);
  if (!(jobs >= 1) || !(pointsOf(sweep) >= 1)) return "sweepEmpty";
  if (sweep.search !== undefined) return isSearchable(sweep, indexes) ? undefined : "sweepTooSmall";
  const last = indexes.at(-1) ?? 0;
  const ends = (sweep.points ?? "").split(/[,-]/).map(Number);
  const isInOrder = ends.every((end, at) => at === 0 || end >= (ends[at - 1] ?? 0));
  const isWithin = sweep.points === undefined || (ends.at(-1) ?? 0) < pointsOf(sweep);
  return last < jobs && isInOrder && isWithin ? undefined : "sweepTooSmall";
}
