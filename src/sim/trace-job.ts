/**
 * From a line of a trace to a job of a simulation, or the reason why it is none (rules SI-1, SI-2).
 */
import { Fault, MS_PER_SECOND } from "../base/index.ts";
import { type SwfBatch, swfField, swfFieldCount } from "../formats/index.ts";
import type { EstimateRule, OverrunRule, SkippedJobs } from "../model/index.ts";
import { type ComingJobs, createComingJobs, type Owner, type ReplayJob } from "../queue/index.ts";

/** A job of a trace. */
export interface TraceJob extends ReplayJob {
  /** 0, 1, 2 … in order of submission. */
  readonly order: number;
  readonly user: number;
  /** Number in the trace; −1 for none. */
  readonly group: number;
  readonly queue: number;
  readonly partition: number;
  /** True where the rule `kill` cut the job at its request. */
  readonly isCut: boolean;
  /** The 18 SWF fields of the job, where the result is to be written as SWF. */
  readonly row: Float64Array | undefined;
}

/** The rules by which lines become jobs. */
export interface TraceRules {
  readonly procs: number;
  readonly estimates: EstimateRule;
  readonly overrun: OverrunRule;
  readonly keepsRows: boolean;
}

/** The reasons for which a line is no job here. */
export type SkipReason = Exclude<keyof SkippedJobs, "malformed">;

/**
 * A job before it has its place in the order; its `submitMs` still counts from the trace's own time 0.
 * It is filled in and not copied: a trace has many.
 */
export type UnplacedJob = { -readonly [Key in keyof TraceJob]: TraceJob[Key] };

/** Jobs of a trace in columns, as a plain replay takes them. */
export interface TraceColumns extends ComingJobs {
  /** Number of jobs that the rule `kill` cut at their request. */
  cut: number;
  /** Job objects of the columns, only where rows are written. */
  readonly jobs: UnplacedJob[];
}

/** Room for a batch of a trace. */
export function createTraceColumns(rows: number): TraceColumns {
  return { ...createComingJobs(rows), cut: 0, jobs: [] };
}

/**
 * Appends row `at` of a batch to the jobs in columns; returns the reason where it is skipped. The only place
 * that interprets a row (rule SI-1).
 *
 * @throws Fault `beyondCounting` where its times or its size cannot be counted exactly
 */
export function addRow(
  into: TraceColumns,
  { fields, line }: SwfBatch,
  at: number,
  rules: TraceRules,
): SkipReason | undefined {
  const requestedProcs = fields[swfField.requestedProcs][at];
  const procs = requestedProcs > 0 ? requestedProcs : fields[swfField.allocatedProcs][at];
  if (!(procs > 0)) return "noProcs";
  const recordedMs = milliseconds(fields[swfField.runtime][at]);
  if (!(recordedMs > 0)) return "noRuntime";
  if (procs > rules.procs) return "widerThanMachine";
  const askedMs = milliseconds(fields[swfField.requestedTime][at]);
  const requestedMs = askedMs > 0 ? askedMs : recordedMs;
  const isCut = rules.overrun === "kill" && recordedMs > requestedMs;
  const runtimeMs = isCut ? requestedMs : recordedMs;
  const submitMs = milliseconds(fields[swfField.submit][at]);
  const longestMs = Math.max(runtimeMs, requestedMs);
  if (Math.abs(submitMs) + longestMs > Number.MAX_SAFE_INTEGER) {
    throw beyondCounting(`line ${line[at]}`, "its times together pass 285,000 years");
  }
  if (procs * longestMs > Number.MAX_SAFE_INTEGER) {
    throw beyondCounting(`line ${line[at]}`, "its processors times its length pass 2^53 milliseconds");
  }
  if (isCut) into.cut++;
  const row = into.count++;
  into.submitMs[row] = submitMs;
  into.procs[row] = procs;
  into.runtimeMs[row] = runtimeMs;
  into.estimateMs[row] = rules.estimates === "exact" ? runtimeMs : Math.max(runtimeMs, requestedMs);
  return undefined;
}

/** Instants and lengths are exact integers, in milliseconds. @param what the line, or the whole trace */
export function beyondCounting(what: string, why: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "beyondCounting",
    what: `${what} of the trace cannot be simulated`,
    why,
    remedy: "check the times there (SWF has them in seconds), or leave the line out",
  });
}

/** The row in hand of {@link jobOf}. */
const inHand = createTraceColumns(1);

/** Makes a job of row `at` of a batch; gives the reason where it is none. */
export function jobOf(batch: SwfBatch, at: number, rules: TraceRules): UnplacedJob | SkipReason {
  inHand.count = 0;
  inHand.cut = 0;
  const reason = addRow(inHand, batch, at, rules);
  if (reason !== undefined) return reason;
  const { fields } = batch;
  const job: UnplacedJob = {
    order: -1,
    id: fields[swfField.jobNumber][at],
    // The engine keeps these as doubles because they begin as such; as small integers they would change
    // their kind at the first long time, and all that was compiled for them would be thrown away.
    submitMs: Number.NaN,
    need: [inHand.procs[0]],
    runtimeMs: Number.NaN,
    estimateMs: Number.NaN,
    user: fields[swfField.user][at],
    group: fields[swfField.group][at],
    queue: fields[swfField.queue][at],
    partition: fields[swfField.partition][at],
    isCut: inHand.cut > 0,
    row: rules.keepsRows ? rowOf(batch, at) : undefined,
  };
  job.submitMs = inHand.submitMs[0];
  job.runtimeMs = inHand.runtimeMs[0];
  job.estimateMs = inHand.estimateMs[0];
  return job;
}

function milliseconds(seconds: number): number {
  return Math.round(seconds * MS_PER_SECOND);
}

function rowOf({ fields }: SwfBatch, at: number): Float64Array {
  const row = new Float64Array(swfFieldCount);
  for (let c = 0; c < swfFieldCount; c++) row[c] = fields[c][at];
  return row;
}

/** Owners are the trace's own numbers as texts. */
export function ownerOf({ user, group, queue, partition }: TraceJob): Owner {
  return { user: String(user), group: String(group), queue: String(queue), partition: String(partition) };
}
