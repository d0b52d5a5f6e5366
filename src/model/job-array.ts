/**
 * Job arrays: one submission, many jobs that differ in their index.
 *
 * An array is written as its indexes, `0-9`, `1,3,5`, `0-20:4` (every fourth), and after `%` how many of its
 * jobs may be at sites at once. These are ordinary jobs with ids `ARRAY-INDEX`.
 */
import { accepted, mulDiv, type Result, refused } from "../base/index.ts";
import { endOfJob, type JobEnd } from "./dependency.ts";
import type { JobRecord } from "./job.ts";
import type { JobDescription } from "./job-description.ts";
import { type RunState, runStateOf } from "./job-state.ts";
import type { ScoutSummary } from "./scouts.ts";
import { pointAt, type SearchSummary, valuesAt } from "./sweep.ts";

/** Pattern of an array as text; what it says may still be wrong (see {@link readArray}). */
export const ARRAY_PATTERN =
  "^\\d{1,9}(-\\d{1,9}(:\\d{1,9})?)?(,\\d{1,9}(-\\d{1,9}(:\\d{1,9})?)?)*(%\\d{1,9})?$";

/** Largest length of an array as text. */
export const MOST_ARRAY_CHARACTERS = 2000;

/** Largest number of jobs of an array. */
export const MOST_MEMBERS = 100_000;

/** An array, read. */
interface ArrayIndexes {
  /** Each once, ascending. */
  readonly indexes: readonly number[];
  /** Largest number of its jobs at sites at once; null: no limit. */
  readonly atMost: number | null;
}

/** Why a text is no array. */
export type ArrayFault =
  | ("notUnderstood" | "backwards" | "noStep" | "noneAtOnce" | "tooMany")
  | ("sweepEmpty" | "sweepTooSmall" | "searchWaits" | "searchScouts" | "searchByToken" | "searchPattern");

/** Reads an array. Work is bounded by {@link MOST_MEMBERS}, whatever the text says. */
export function readArray(text: string): Result<ArrayIndexes, ArrayFault> {
  if (text.length > MOST_ARRAY_CHARACTERS || !new RegExp(ARRAY_PATTERN).test(text)) {
    return refused("notUnderstood");
  }
  const [list = "", throttle] = text.split("%");
  if (throttle !== undefined && Number(throttle) === 0) return refused("noneAtOnce");
  const indexes = new Set<number>();
  for (const part of list.split(",")) {
    const [range = "", stepText = "1"] = part.split(":");
    const [first = 0, last = first] = range.split("-").map(Number);
    const step = Number(stepText);
    if (step === 0) return refused("noStep");
    if (last < first) return refused("backwards");
    if (Math.floor((last - first) / step) >= MOST_MEMBERS) return refused("tooMany");
    for (let index = first; index <= last; index += step) indexes.add(index);
    if (indexes.size > MOST_MEMBERS) return refused("tooMany");
  }
  const atMost = throttle === undefined ? null : Number(throttle);
  return accepted({ indexes: [...indexes].sort((a, b) => a - b), atMost });
}

/** The indexes of an array that was accepted. */
export function indexesOf(text: string): readonly number[] {
  const read = readArray(text);
  return read.ok ? read.value.indexes : [];
}

/** Id of the job with this index. */
export function memberId(array: string, index: number): string {
  return `${array}-${index}`;
}

/** Array and index of an id of the form that jobs of arrays have; undefined for any other. */
export function memberOf(id: string): { readonly array: string; readonly index: number } | undefined {
  const [, array, index] = /^(.+)-(\d{1,9})$/.exec(id) ?? [];
  return array === undefined ? undefined : { array, index: Number(index) };
}

/** Variables of other batch systems that tell the index, where a description has them empty. */
const INDEX_VARIABLES = ["PBS_ARRAYID", "PBS_ARRAY_INDEX", "SGE_TASK_ID", "LSB_JOBINDEX"];

/** A job of an array. */
interface Member {
  readonly array: string;
  readonly index: number;
  /** Values of its parameters, where they do not follow from the index. */
  readonly values?: Readonly<Record<string, string>>;
}

/** Description of one job of an array: that of the array, and variables that tell its program the index. */
export function memberDescription(
  { array: _, ...whole }: JobDescription,
  { array, index, values }: Member,
): JobDescription {
  const description = atPoint(whole, index, values);
  const told = INDEX_VARIABLES.filter((name) => description.environment[name] === "");
  const environment = {
    ...description.environment,
    ...Object.fromEntries(told.map((name) => [name, String(index)])),
    STINT_ARRAY_ID: array,
    STINT_ARRAY_INDEX: String(index),
    // The name that programs written for Slurm read.
    SLURM_ARRAY_TASK_ID: String(index),
  };
  return { ...description, environment };
}

/** A description with `_PARAM_name_` and `${name}` replaced by values, which are variables, too. */
function atPoint(
  { sweep, ...description }: JobDescription,
  place: number,
  chosen?: Readonly<Record<string, string>>,
): Omit<JobDescription, "sweep"> {
  if (sweep === undefined) return description;
  const values = chosen ?? valuesAt(sweep, pointAt(sweep, place));
  const names = Object.keys(values).join("|");
  const written = new RegExp(`_PARAM_(${names})_|\\$\\{(${names})\\}`, "g");
  const put = (text: string): string =>
    text.replace(written, (whole, one?: string, other?: string) => values[one ?? other ?? ""] ?? whole);
  const variables = Object.entries(values).map(([name, value]) => [`STINT_PARAM_${name}`, value]);
  const own = Object.entries(description.environment).map(([name, text]) => [name, put(text)]);
  const { name, stdInput, userTags } = description;
  return {
    ...description,
    ...(name === undefined ? {} : { name: put(name) }),
    ...(stdInput === undefined ? {} : { stdInput: put(stdInput) }),
    executable: put(description.executable),
    arguments: description.arguments.map(put),
    environment: Object.fromEntries([...own, ...variables]),
    stdOutput: put(description.stdOutput),
    stdError: put(description.stdError),
    outputSandbox: description.outputSandbox.map(put),
    userTags: Object.fromEntries(Object.entries(userTags).map(([key, text]) => [key, put(text)])),
  };
}

/** Numbers of jobs of an array by state; `failed` are those among DONE whose program failed. */
export type ArrayCounts = Readonly<Record<RunState | "failed", number>>;

/** An array, with what has become of its jobs. Times are Unix ms. */
export interface ArrayRecord {
  readonly id: string;
  /** Of all its jobs; `array` is there. */
  readonly description: JobDescription;
  readonly inputBytes?: number;
  readonly consumer: string;
  readonly owner: string;
  readonly submittedAtMs: number;
  /** In the order of acceptance of jobs, before that of its first job. */
  readonly order: number;
  /** Number of its jobs. */
  readonly size: number;
  readonly counts: ArrayCounts;
  /** The end of its last job; null before. */
  readonly endedAtMs: number | null;
  /** Jobs that have run to their end, and the sum of their run times; absent: none. */
  readonly ran?: RanJobs;
  /** Where a search chooses the points of its jobs. */
  readonly search?: SearchSummary;
  /** Where some of its jobs run before the others. */
  readonly scouts?: ScoutSummary;
}

/** Jobs that have ended after a run. */
interface RanJobs {
  readonly jobs: number;
  readonly ms: number;
}

/** Estimate of the time until the last job of an array ends, as long as the jobs before took, ms. */
export function timeLeftMs({ counts, size, ran }: ArrayRecord): number | undefined {
  const { DONE, ABORTED, CANCELLED, RUNNING } = counts;
  const left = size - DONE - ABORTED - CANCELLED;
  if (ran === undefined || left === 0 || RUNNING === 0) return undefined;
  return mulDiv(ran.ms, mulDiv(left, 1, RUNNING, "up"), ran.jobs, "up");
}

/** Result of an array: `ok` if all its jobs succeeded; undefined while one is active. */
export function endOfArray({
  counts,
  endedAtMs,
  search,
}: Pick<ArrayRecord, "counts" | "endedAtMs" | "search">): JobEnd | undefined {
  if (endedAtMs === null) return undefined;
  // A failed point is an answer; a search without a best point, or one that broke off, has none.
  if (search !== undefined) return search.best !== null && isWhole(search) ? "ok" : "failed";
  return counts.failed + counts.ABORTED + counts.CANCELLED === 0 ? "ok" : "failed";
}

function isWhole({ end }: SearchSummary): boolean {
  return end?.kind === "evaluated" || end?.kind === "chosen";
}

/** Category of a job in the counts of its array: its state, and whether its program failed. */
export function countedAs(job: JobRecord): readonly (keyof ArrayCounts)[] {
  const state = runStateOf(job);
  return state === "DONE" && endOfJob(job) === "failed" ? ["DONE", "failed"] : [state];
}
