/** Answers of an adapter's program, checked: what a program writes is not trusted to have the right types. */
import type { SurveyedState } from "../../engine/index.ts";
import { type AskAdapter, adapterFault } from "./adapter-process.ts";

/** Optional verbs; every program knows describe, snapshot, submit and cancel. */
const OPTIONAL_VERBS = ["hold", "release", "signal"] as const;
/** One of the optional verbs. */
type OptionalVerb = (typeof OPTIONAL_VERBS)[number];

/** Answer of `describe`. */
export interface AdapterDescription {
  readonly procs: number;
  readonly memoryBytes: number;
  readonly gpus: number;
  readonly verbs: ReadonlySet<OptionalVerb>;
}

/** A job in the answer of `snapshot`. */
export interface AdapterJob {
  /** The batch system's id. */
  readonly job: string;
  /** The key with which Stint submitted it; null: somebody else's. */
  readonly key: string | null;
  readonly state: SurveyedState;
  readonly procs: number;
  readonly memoryBytes: number;
  readonly limitMs: number | null;
  readonly submittedAtMs: number | null;
  readonly startedAtMs: number | null;
  readonly reason: string | null;
  readonly user: string | null;
}

const MOST_JOBS = 200_000;
const MOST_TEXT = 500;
const STATES: readonly SurveyedState[] = ["waiting", "held", "running", "suspended"];

type Fields = Readonly<Record<string, unknown>>;

/** Asks `describe`. @throws Fault */
export async function describeAdapter(site: string, ask: AskAdapter): Promise<AdapterDescription> {
  const said = fieldsOf(await ask("describe", {}));
  const procs = wholeOf(said.procs);
  if (said.protocol !== 1) throw adapterFault(site, 'its answer to describe lacks "protocol": 1');
  if (procs === null || procs < 1)
    throw adapterFault(site, "its answer to describe has no procs of 1 or more");
  const given = Array.isArray(said.verbs) ? said.verbs : [];
  const verbs = new Set(OPTIONAL_VERBS.filter((verb) => given.includes(verb)));
  const memoryBytes = wholeOf(said.memoryBytes) ?? procs * 2 ** 30;
  return { procs, memoryBytes, gpus: wholeOf(said.gpus) ?? 0, verbs };
}

/** Asks `snapshot`. @throws Fault */
export async function adapterJobs(site: string, ask: AskAdapter): Promise<readonly AdapterJob[]> {
  const { jobs } = fieldsOf(await ask("snapshot", {}));
  if (!Array.isArray(jobs)) throw adapterFault(site, "its answer to snapshot has no list of jobs");
  if (jobs.length > MOST_JOBS)
    throw adapterFault(site, `its answer to snapshot has more than ${MOST_JOBS} jobs`);
  return jobs.map((one: unknown): AdapterJob => {
    const said = fieldsOf(one);
    const job = jobIdOf(said.job);
    if (job === null) throw adapterFault(site, "its answer to snapshot has a job without an id");
    const seconds = wholeOf(said.limitSec);
    return {
      job,
      key: typeof said.key === "string" ? said.key : null,
      state: STATES.find((state) => state === said.state) ?? "unknown",
      procs: Math.max(1, wholeOf(said.procs) ?? 1),
      memoryBytes: wholeOf(said.memoryBytes) ?? 0,
      limitMs: seconds === null ? null : seconds * 1000,
      submittedAtMs: instantOf(said.submittedAt),
      startedAtMs: instantOf(said.startedAt),
      reason: textOf(said.reason),
      user: textOf(said.user),
    };
  });
}

/** Id of a job in an answer; null for anything else. */
export function jobIdOf(value: unknown): string | null {
  const text = typeof value === "number" ? String(value) : value;
  return typeof text === "string" && /^[A-Za-z0-9_.[\],%-]{1,200}$/.test(text) ? text : null;
}

/** The value as an object, empty for anything else. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function wholeOf(value: unknown): number | null {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

/** Unix seconds, possibly with a fraction, as Unix ms. */
function instantOf(value: unknown): number | null {
  return typeof value === "number" && value > 0 && value < 1e11 ? Math.round(value * 1000) : null;
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value.slice(0, MOST_TEXT) : null;
}
