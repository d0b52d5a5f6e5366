/**
 * Description of a workload, from one reading of its trace.
 *
 * Memory: five numbers a job, for exact quantiles. Only jobs that a simulation would take are described
 * (rule SI-1); where the machine's size is not known none is too wide.
 */
import { Fault, MS_PER_SECOND } from "../../base/index.ts";
import {
  readSwf,
  type SwfBatch,
  type SwfReader,
  swfField,
  type TraceBytes,
  traceBytes,
} from "../../formats/index.ts";
import type {
  DescribeRequest,
  WorkloadArrivals,
  WorkloadDescription,
  WorkloadEstimates,
  WorkloadMachine,
} from "../../model/index.ts";
import { LoadMeter } from "../generate/load.ts";
import { jobOf, type TraceRules } from "../workload/trace-job.ts";
import { type LocalClock, localClock } from "./local-clock.ts";
import { Owners } from "./owners.ts";
import { Sizes } from "./sizes.ts";
import { SpreadOf } from "./spread-of.ts";

/** Input of a description beside the request. */
export interface DescribeHooks {
  /** The version of the program, for the report. */
  readonly version: string;
}

/**
 * Describes a trace.
 *
 * @throws Fault of the file, and `noJobLeft` where no job of it is one for a simulation
 */
export async function describeTrace(
  request: DescribeRequest,
  { version }: DescribeHooks,
): Promise<WorkloadDescription> {
  const bytes = traceBytes(request.trace);
  const reader = readSwf(bytes, { file: request.trace, lenient: request.lenient });
  const machine = (): Pick<WorkloadMachine, "procs" | "procsFrom"> => machineOf(request, reader);
  const survey = new Survey();
  for await (const batch of reader) survey.take(batch, machine().procs ?? Number.POSITIVE_INFINITY);
  return survey.describe({ request, version, bytes, reader, ...machine() });
}

function machineOf(
  { procs }: DescribeRequest,
  { header }: SwfReader,
): Pick<WorkloadMachine, "procs" | "procsFrom"> {
  if (procs !== undefined) return { procs, procsFrom: "option" };
  if (header.maxProcs !== undefined) return { procs: header.maxProcs, procsFrom: "header MaxProcs" };
  if (header.maxNodes !== undefined) return { procs: header.maxNodes, procsFrom: "header MaxNodes" };
  return { procs: null, procsFrom: null };
}

interface Described {
  readonly request: DescribeRequest;
  readonly version: string;
  readonly bytes: TraceBytes;
  readonly reader: SwfReader;
  readonly procs: number | null;
  readonly procsFrom: WorkloadMachine["procsFrom"];
}

/** All that is measured while the trace goes by. */
class Survey {
  readonly #load = new LoadMeter();
  readonly #sizes = new Sizes();
  readonly #runtimes = new SpreadOf();
  readonly #estimates = new Estimates();
  readonly #arrivals = new Arrivals();
  readonly #users = new Owners();
  readonly #groups = new Owners();
  readonly #queues = new Owners();
  readonly #statuses = { completed: 0, failed: 0, cancelled: 0, partial: 0, unknown: 0 };
  readonly #skipped = { noProcs: 0, noRuntime: 0, widerThanMachine: 0 };
  #lastEndSec = Number.NEGATIVE_INFINITY;
  #knowsWaits = true;

  take(batch: SwfBatch, procs: number): void {
    const rules: TraceRules = { procs, estimates: "exact", overrun: "extend", keepsRows: false };
    for (let at = 0; at < batch.count; at++) {
      const job = jobOf(batch, at, rules);
      if (typeof job === "string") this.#skipped[job]++;
      else this.#add(batch.fields, at, job.need[0]);
    }
  }

  #add(fields: SwfBatch["fields"], at: number, procs: number): void {
    const runtimeSec = fields[swfField.runtime][at];
    const submitSec = fields[swfField.submit][at];
    const work = procs * runtimeSec;
    this.#load.add(procs, runtimeSec, submitSec);
    this.#sizes.add(procs, work);
    this.#runtimes.add(runtimeSec);
    this.#arrivals.add(submitSec * MS_PER_SECOND);
    const requestedSec = fields[swfField.requestedTime][at];
    if (requestedSec > 0) this.#estimates.add(runtimeSec, requestedSec);
    this.#users.add(fields[swfField.user][at], work);
    this.#groups.add(fields[swfField.group][at], work);
    this.#queues.add(fields[swfField.queue][at], work);
    this.#statuses[statusOf(fields[swfField.status][at])]++;
    const waitSec = fields[swfField.wait][at];
    if (waitSec < 0) this.#knowsWaits = false;
    this.#lastEndSec = Math.max(this.#lastEndSec, submitSec + waitSec + runtimeSec);
  }

  describe({ request, version, bytes, reader, procs, procsFrom }: Described): WorkloadDescription {
    const { header } = reader;
    const skipped = { ...this.#skipped, malformed: reader.malformed };
    const sizes = this.#sizes.summary();
    const runtimesSec = this.#runtimes.spread();
    if (sizes === undefined || runtimesSec === null) throw nothingLeft(request.trace, skipped);
    const beganMs = header.unixStartTime === undefined ? undefined : header.unixStartTime * MS_PER_SECOND;
    const clock = localClock(header);
    const at = (submitSec: number): string | null =>
      beganMs === undefined ? null : isoInstant(beganMs + submitSec * MS_PER_SECOND);
    return {
      version,
      trace: request.trace,
      traceSha256: bytes.sha256(),
      machine: {
        procs,
        procsFrom,
        computer: header.value("Computer") ?? null,
        installation: header.value("Installation") ?? null,
        timeZone: beganMs === undefined ? null : clock.zone,
      },
      jobs: this.#load.jobs,
      skipped,
      unsorted: this.#arrivals.unsorted,
      firstSubmitAt: at(this.#load.firstSec),
      lastSubmitAt: at(this.#load.lastSec),
      spanSec: this.#load.spanSec,
      workProcSec: this.#load.workProcSec,
      load: procs === null ? null : (this.#load.loadOn(procs) ?? null),
      recordedUtilisation: this.#recordedUtilisation(procs),
      sizes,
      runtimesSec,
      estimates: this.#estimates.summary(),
      arrivals: this.#arrivals.summary(clock, beganMs),
      users: this.#users.shares(() => null),
      groups: this.#groups.shares(() => null),
      queues: this.#queues.shares((id) => queueName(reader, id)),
      statuses: { ...this.#statuses },
    };
  }

  #recordedUtilisation(procs: number | null): number | null {
    if (procs === null || !this.#knowsWaits) return null;
    return this.#load.workProcSec / (procs * (this.#lastEndSec - this.#load.firstSec));
  }
}

/** SWF's numbers for how a job ended. */
function statusOf(status: number): keyof WorkloadDescription["statuses"] {
  if (status === 0) return "failed";
  if (status === 1) return "completed";
  if (status === 5) return "cancelled";
  return status >= 2 && status <= 4 ? "partial" : "unknown";
}

/** From header lines like "Queue: 3 normal". */
function queueName({ header }: SwfReader, id: number): string | null {
  for (const [key, value] of header.entries) {
    const [, number, name] = /^(\d+)\s+(.+)$/.exec(value) ?? [];
    if (key.toLowerCase() === "queue" && Number(number) === id) return name ?? null;
  }
  return null;
}

/** Date and time in ISO 8601; null for an instant that no calendar has. */
function isoInstant(unixMs: number): string | null {
  const date = new Date(unixMs);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

function nothingLeft(trace: string, skipped: WorkloadDescription["skipped"]): Fault {
  const { noProcs, noRuntime, widerThanMachine, malformed } = skipped;
  return new Fault({
    kind: "badInput",
    code: "noJobLeft",
    what: `${trace}: no job is left to describe`,
    why:
      `skipped: ${noProcs} without processors, ${noRuntime} without a runtime, ` +
      `${widerThanMachine} wider than the machine, ${malformed} malformed`,
    remedy: "check that this is the trace you mean, and that --procs is the size of its machine",
  });
}

/** Takes submissions in any order; keeps eight bytes of each. */
class Arrivals {
  #submitsMs = new Float64Array(1024);
  #count = 0;
  #latestMs = Number.NEGATIVE_INFINITY;
  #unsorted = 0;

  add(submitMs: number): void {
    if (this.#count === this.#submitsMs.length) this.#grow();
    this.#submitsMs[this.#count++] = submitMs;
    if (submitMs < this.#latestMs) this.#unsorted++;
    else this.#latestMs = submitMs;
  }

  /** Jobs that came after one with a later submission. */
  get unsorted(): number {
    return this.#unsorted;
  }

  /** `beganMs` is the Unix time of submission time 0; undefined where the trace has no dates. */
  summary(clock: LocalClock, beganMs: number | undefined): WorkloadArrivals {
    const submitsMs = this.#submitsMs.subarray(0, this.#count);
    if (this.#unsorted > 0) submitsMs.sort();
    const gaps = new SpreadOf();
    for (let i = 1; i < submitsMs.length; i++) gaps.add((submitsMs[i] - submitsMs[i - 1]) / 1000);
    const spread = { gapsSec: gaps.spread(), gapVariation: gaps.variation() };
    if (beganMs === undefined) return { byHour: null, byWeekday: null, ...spread };
    const byHour = new Array<number>(24).fill(0);
    const byWeekday = new Array<number>(7).fill(0);
    for (const submitMs of submitsMs) {
      const { hour, weekday } = clock.read(beganMs + submitMs);
      byHour[hour]++;
      byWeekday[weekday]++;
    }
    return { byHour, byWeekday, ...spread };
  }

  #grow(): void {
    const grown = new Float64Array(this.#submitsMs.length * 2);
    grown.set(this.#submitsMs);
    this.#submitsMs = grown;
  }
}

// How well requested times foretell runtimes.
//
// Accuracy is runtime over requested time, as in Mu'alem & Feitelson [MF01]; above 1 a job ran longer
// than was asked for.

const TENTHS = 10;
const TOP = 10;

/** Takes the jobs that have a requested time. */
class Estimates {
  readonly #accuracy = new SpreadOf();
  readonly #tenths = new Array<number>(TENTHS).fill(0);
  readonly #requests = new Map<number, number>();
  #jobs = 0;
  #under = 0;
  #exact = 0;

  /** Both in seconds, above 0. */
  add(runtimeSec: number, requestedSec: number): void {
    this.#jobs++;
    const accuracy = runtimeSec / requestedSec;
    this.#accuracy.add(accuracy);
    if (runtimeSec === requestedSec) this.#exact++;
    if (runtimeSec > requestedSec) this.#under++;
    else this.#tenths[Math.ceil(accuracy * TENTHS) - 1]++;
    this.#requests.set(requestedSec, (this.#requests.get(requestedSec) ?? 0) + 1);
  }

  summary(): WorkloadEstimates {
    const share = (count: number): number => (this.#jobs === 0 ? 0 : count / this.#jobs);
    const byUse = [...this.#requests].sort(([a, jobsA], [b, jobsB]) => jobsB - jobsA || a - b);
    return {
      jobs: this.#jobs,
      accuracy: this.#accuracy.spread(),
      byTenth: this.#tenths.map(share),
      underestimatedShare: share(this.#under),
      exactShare: share(this.#exact),
      values: this.#requests.size,
      popular: byUse.slice(0, TOP).map(([requestedSec, jobs]) => ({ requestedSec, jobShare: share(jobs) })),
    };
  }
}
