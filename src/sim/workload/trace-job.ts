/**
 * From a line of a trace to a job of a simulation, or the reason why it is none (rules SI-1, SI-2).
 */
import { Fault, MS_PER_SECOND } from "../../base/index.ts";
import { type SwfBatch, swfField, swfFieldCount } from "../../formats/index.ts";
import type { EstimateRule, OverrunRule, SkippedJobs } from "../../model/index.ts";
import { type ComingJobs, createComingJobs } from "../../queue/index.ts";
import type { WorkloadJob } from "./workload.ts";

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
 * A job before it has its place in the order, its line as its id; times still count from the trace's own time
 * 0. It is filled in and not copied: a trace has many.
 */
export type UnplacedJob = { -readonly [Key in keyof WorkloadJob]: WorkloadJob[Key] };

/** Jobs of a trace in columns, as a plain replay takes them. */
export interface TraceColumns extends ComingJobs {
  /** Number of jobs that the rule `kill` cut at their request. */
  cut: number;
  /** The row of its batch that each of them is. */
  readonly rows: Int32Array;
}

/** Room for a batch of a trace. */
export function createTraceColumns(rows: number): TraceColumns {
  return { ...createComingJobs(rows), cut: 0, rows: new Int32Array(rows) };
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
  into.rows[row] = at;
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
  return addRow(inHand, batch, at, rules) ?? jobAt(batch, inHand, 0, rules);
}

/** The job in a row of the columns that were made of a batch. */
export function jobAt(batch: SwfBatch, columns: TraceColumns, row: number, rules: TraceRules): UnplacedJob {
  const { fields, line } = batch;
  const at = columns.rows[row];
  const job: UnplacedJob = {
    id: line[at],
    name: String(fields[swfField.jobNumber][at]),
    // The engine keeps these as doubles because they begin as such; as small integers they would change
    // their kind at the first long time, and all that was compiled for them would be thrown away.
    submitMs: Number.NaN,
    need: [columns.procs[row]],
    runtimeMs: Number.NaN,
    estimateMs: Number.NaN,
    user: String(fields[swfField.user][at]),
    group: String(fields[swfField.group][at]),
    queue: String(fields[swfField.queue][at]),
    partition: String(fields[swfField.partition][at]),
    isCut: columns.runtimeMs[row] < milliseconds(fields[swfField.runtime][at]),
    row: rules.keepsRows ? rowOf(batch, at) : undefined,
  };
  job.submitMs = columns.submitMs[row];
  job.runtimeMs = columns.runtimeMs[row];
  job.estimateMs = columns.estimateMs[row];
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
