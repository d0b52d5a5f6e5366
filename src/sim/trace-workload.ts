/**
 * A trace file as a stream of jobs in order of submission.
 *
 * A sorted trace is streamed batch by batch. One whose submissions go back must be held whole and
 * sorted, which is only known when the first such line is met: the stream then ends with "unsorted" and
 * the caller reads again, holding. A pipe cannot be read again and is always held.
 */
import { Fault } from "../base/index.ts";
import {
  maxBatchRows,
  readSwf,
  type SwfBatch,
  type SwfHeader,
  type SwfReader,
  type TraceBytes,
  traceBytes,
} from "../formats/index.ts";
import type { SimulationReport, SimulationRequest, SkippedJobs } from "../model/index.ts";
import {
  addRow,
  beyondCounting,
  createTraceColumns,
  jobOf,
  type TraceColumns,
  type TraceJob,
  type TraceRules,
  type UnplacedJob,
} from "./trace-job.ts";

/** Streamed as it is read, or held whole and sorted. */
export type ReadingMode = "streamed" | "held";

/** Facts on a trace; counts are of the rows read so far, complete at the end. */
export interface TraceFacts {
  readonly header: SwfHeader;
  readonly procs: number;
  readonly procsFrom: SimulationReport["procsFrom"];
  readonly skipped: SkippedJobs;
  readonly unsorted: number;
  /** Unix time in ms of instant 0, the first simulated job's submission. */
  readonly originUnixMs: number;
  readonly malformedMessages: readonly string[];
}

/** One reading of a trace. */
export interface TraceWorkload {
  readonly bytes: TraceBytes;
  /** Jobs by the batch; ends early with "unsorted" where it was streamed and must be held. */
  batches(): AsyncGenerator<readonly TraceJob[], "complete" | "unsorted", undefined>;
  /**
   * Jobs in columns, reused for each batch, for a file that can be read again; ends early with "unsorted"
   * where it must be held. Jobs are objects, too, where rows of them are written.
   */
  columns(): AsyncGenerator<TraceColumns, "complete" | "unsorted", undefined>;
  /** May be asked from the first batch on. */
  facts(): TraceFacts;
}

/** Opens a trace for one reading. */
export function openWorkload(request: SimulationRequest, mode: ReadingMode): TraceWorkload {
  const bytes = traceBytes(request.trace);
  const reader = readSwf(bytes, { file: request.trace, lenient: request.lenient });
  const reading = new Reading(request, reader);
  return {
    bytes,
    batches: () => (mode === "held" ? heldBatches(reading) : streamedBatches(reading, bytes)),
    columns: () => reading.columns(),
    facts: () => reading.facts(),
  };
}

async function* streamedBatches(
  reading: Reading,
  bytes: TraceBytes,
): AsyncGenerator<readonly TraceJob[], "complete" | "unsorted", undefined> {
  for await (const jobs of reading.jobBatches()) {
    if (bytes.bytesTotal === undefined) return yield* heldBatches(reading, jobs);
    const placed: TraceJob[] = [];
    for (const job of jobs) {
      if (reading.isOutOfOrder(job)) return "unsorted";
      placed.push(reading.place(job));
    }
    yield placed;
  }
  return "complete";
}

async function* heldBatches(
  reading: Reading,
  first: readonly UnplacedJob[] = [],
): AsyncGenerator<readonly TraceJob[], "complete", undefined> {
  const all = [...first];
  for (const job of first) reading.isOutOfOrder(job);
  for await (const jobs of reading.jobBatches()) {
    for (const job of jobs) {
      reading.isOutOfOrder(job);
      all.push(job);
    }
  }
  all.sort((a, b) => a.submitMs - b.submitMs);
  yield all.map((job) => reading.place(job));
  return "complete";
}

/** The state of one reading. */
class Reading {
  readonly #request: SimulationRequest;
  readonly #reader: SwfReader;
  readonly #batches: AsyncIterator<readonly UnplacedJob[]>;
  readonly #skipped = { noProcs: 0, noRuntime: 0, widerThanMachine: 0 };
  #rules: TraceRules | undefined;
  #procsFrom: SimulationReport["procsFrom"] = "option";
  #unsorted = 0;
  #latestMs = Number.NEGATIVE_INFINITY;
  /** Total run time of the jobs read so far. */
  #lengthMs = 0;
  #originMs: number | undefined;
  #order = 0;

  constructor(request: SimulationRequest, reader: SwfReader) {
    this.#request = request;
    this.#reader = reader;
    this.#batches = this.#readBatches();
  }

  /** The jobs of each batch as they stand in the file; several loops continue one reading. */
  jobBatches(): AsyncIterable<readonly UnplacedJob[]> {
    const batches = this.#batches;
    return { [Symbol.asyncIterator]: () => ({ next: () => batches.next() }) };
  }

  /** True for a job submitted before one that is earlier in the file; such jobs are counted. */
  isOutOfOrder(job: UnplacedJob): boolean {
    const isBehind = job.submitMs < this.#latestMs;
    if (isBehind) this.#unsorted++;
    else this.#latestMs = job.submitMs;
    this.#addLength(job.runtimeMs);
    return isBehind;
  }

  /** Whatever the order, the last one ends before this sum, which has to be a number that is exact. */
  #addLength(runtimeMs: number): void {
    this.#lengthMs += runtimeMs;
    if (this.#lengthMs + Math.abs(this.#latestMs) <= Number.MAX_SAFE_INTEGER) return;
    throw beyondCounting("the whole", "one after the other its jobs run for more than 285,000 years");
  }

  /** Gives the next job in order of submission its number and its time from the origin (SI-1). */
  place(job: UnplacedJob): TraceJob {
    this.#originMs ??= job.submitMs;
    job.order = this.#order++;
    job.submitMs -= this.#originMs;
    return job;
  }

  facts(): TraceFacts {
    const { header, malformed, malformedMessages } = this.#reader;
    const beganMs = (header.unixStartTime ?? 0) * 1000;
    return {
      header,
      procs: this.#rulesNow().procs,
      procsFrom: this.#procsFrom,
      skipped: { ...this.#skipped, malformed },
      unsorted: this.#unsorted,
      originUnixMs: beganMs + (this.#originMs ?? 0),
      malformedMessages,
    };
  }

  /** The jobs of each batch in columns, in their order and place, as long as none is out of order. */
  async *columns(): AsyncGenerator<TraceColumns, "complete" | "unsorted", undefined> {
    const columns = createTraceColumns(maxBatchRows);
    for await (const batch of this.#reader) {
      if (!this.#fill(columns, batch)) return "unsorted";
      yield columns;
    }
    return "complete";
  }

  /** True where the whole batch is in order. */
  #fill(columns: TraceColumns, batch: SwfBatch): boolean {
    const rules = this.#rulesNow();
    const { submitMs, jobs } = columns;
    columns.count = 0;
    columns.cut = 0;
    jobs.length = 0;
    for (let at = 0; at < batch.count; at++) {
      const reason = addRow(columns, batch, at, rules);
      if (reason !== undefined) {
        this.#skipped[reason]++;
        continue;
      }
      const row = columns.count - 1;
      if (submitMs[row] < this.#latestMs) return false;
      this.#latestMs = submitMs[row];
      this.#originMs ??= submitMs[row];
      submitMs[row] -= this.#originMs;
      this.#addLength(columns.runtimeMs[row]);
      if (this.#request.jobsOut === undefined) continue;
      const job = jobOf(batch, at, rules);
      if (typeof job !== "string") jobs.push(this.place(job));
    }
    return true;
  }

  async *#readBatches(): AsyncGenerator<readonly UnplacedJob[], undefined, undefined> {
    for await (const batch of this.#reader) {
      const rules = this.#rulesNow();
      const jobs: UnplacedJob[] = [];
      for (let at = 0; at < batch.count; at++) {
        const job = jobOf(batch, at, rules);
        if (typeof job === "string") this.#skipped[job]++;
        else jobs.push(job);
      }
      yield jobs;
    }
    return undefined;
  }

  #rulesNow(): TraceRules {
    this.#rules ??= {
      procs: this.#procs(),
      estimates: this.#request.estimates,
      overrun: this.#request.overrun,
      keepsRows: /\.swf(\.gz)?$/.test(this.#request.jobsOut ?? ""),
    };
    return this.#rules;
  }

  #procs(): number {
    if (this.#request.procs !== undefined) return this.#request.procs;
    const { maxProcs, maxNodes } = this.#reader.header;
    this.#procsFrom = maxProcs === undefined ? "header MaxNodes" : "header MaxProcs";
    const procs = maxProcs ?? maxNodes;
    if (procs !== undefined) return procs;
    throw machineSizeUnknown(this.#request.trace);
  }
}

/** Fault of a trace without the size of its machine. */
export function machineSizeUnknown(trace: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "machineSizeUnknown",
    what: `${trace}: the size of the machine is not known`,
    why: "the trace's header has neither MaxProcs nor MaxNodes",
    remedy: "say how many processors the machine has: --procs N",
  });
}
