/**
 * Brings a recorded workload to a load, in four ways.
 *
 * `arrivals` multiplies the times since the first submission, which also stretches the day; `runtimes`
 * multiplies runtimes, CPU times and requested times. The other two add jobs, as the source does
 * [PROV]: `overlay` runs a second copy a week behind the first, of which each job is kept with a
 * probability (4.7); `duplicate` submits each job a second time, at once, with a probability (5.3).
 * With those the load is met in expectation; its span is that of the original, for `overlay` plus the
 * week (rule SI-14). The trace is read twice, three times for `overlay`, and never held.
 */
import { createRandom, drawFraction, Fault } from "../../base/index.ts";
import { type SwfHeader, swfField } from "../../formats/index.ts";
import type { RescaleRequest, WorkloadSummary, WorkloadTarget } from "../../model/index.ts";
import { LoadMeter, noLoad, scaleRefused } from "./load.ts";
import { type TraceRow, type TraceRows, traceRows } from "./trace-rows.ts";
import { type WorkloadOut, writeWorkload } from "./workload-out.ts";

const WEEK_SEC = 7 * 86_400;

/**
 * Reads, changes and writes.
 *
 * @throws Fault of the files, `machineSizeUnknown`, `loadUnknown`, `scaleImpossible`, `traceIsPipe`
 */
export async function rescaleTrace(
  request: RescaleRequest,
  version: string,
  target: WorkloadTarget,
): Promise<WorkloadSummary> {
  const before = await survey(request);
  const change = changeOf(request, before);
  return writeWorkload(target, async (out) => {
    writeHeader({ request, before, change, version }, out);
    const meter = new LoadMeter();
    for await (const rows of changedRows(request, before, change)) {
      for (const { row, procs, runtimeSec } of rows) {
        meter.add(procs, runtimeSec, row[swfField.submit]);
        out.swf.row(row);
      }
      await out.drained();
    }
    const { procs } = before;
    return { jobs: meter.jobs, procs, load: meter.loadOn(procs) ?? 0, spanSec: meter.spanSec };
  });
}

/** Result of the first reading of a trace. */
interface Survey {
  readonly header: SwfHeader;
  readonly procs: number;
  readonly load: number;
  readonly firstSec: number;
  readonly spanSec: number;
  readonly lastId: number;
}

async function survey(request: RescaleRequest): Promise<Survey> {
  const rows = traceRows(request);
  const meter = new LoadMeter();
  let lastId = 0;
  for await (const batch of rows.batches()) {
    for (const { row, procs, runtimeSec } of batch) {
      meter.add(procs, runtimeSec, row[swfField.submit]);
      lastId = Math.max(lastId, row[swfField.jobNumber]);
    }
  }
  const procs = rows.machineProcs();
  const load = meter.loadOn(procs);
  if (load === undefined) throw noLoad(request.from);
  if (!rows.isRepeatable()) throw isPipe(request.from);
  return { header: rows.header, procs, load, firstSec: meter.firstSec, spanSec: meter.spanSec, lastId };
}

/** A factor of times, or the probability with which a job is added. */
interface Change {
  readonly factor: number;
  readonly probability: number;
}

function changeOf({ from, load, scale }: RescaleRequest, before: Survey): Change {
  if (scale === "arrivals") return { factor: before.load / load, probability: 0 };
  if (scale === "runtimes") return { factor: load / before.load, probability: 0 };
  const longer = scale === "overlay" ? (before.spanSec + WEEK_SEC) / before.spanSec : 1;
  const probability = (load / before.load) * longer - 1;
  if (probability >= 0 && probability <= 1) return { factor: 1, probability };
  const least = before.load / longer;
  throw scaleRefused(
    `${from}: --scale ${scale} cannot bring it to a load of ${load}`,
    `with none to all of its jobs added it has ${least.toFixed(3)} to ${(2 * least).toFixed(3)}`,
    "choose a load in between, or --scale arrivals",
  );
}

async function* changedRows(
  request: RescaleRequest,
  before: Survey,
  change: Change,
): AsyncGenerator<readonly TraceRow[], void, undefined> {
  const random = createRandom(request.seed);
  let nextId = before.lastId + 1;
  const copy = (job: TraceRow, laterSec: number): TraceRow => copyOf(job, nextId++, laterSec);
  const isAdded = (): boolean => drawFraction(random) < change.probability;
  const original = originalRows(traceRows(request));
  if (request.scale === "overlay") {
    const second = addedRows(traceRows(request), isAdded, (job) => copy(job, WEEK_SEC));
    yield* mergeByTime(original, second);
    return;
  }
  for await (const rows of original) {
    if (request.scale === "duplicate") {
      yield rows.flatMap((job) => (isAdded() ? [job, copy(job, 0)] : [job]));
    } else if (request.scale === "arrivals") {
      yield rows.map((job) => moved(job, before.firstSec, change.factor));
    } else yield rows.map((job) => stretched(job, change.factor));
  }
}

/** Rows of the original trace without their recorded waits, which do not hold for the changed workload. */
async function* originalRows(rows: TraceRows): AsyncGenerator<readonly TraceRow[], void, undefined> {
  for await (const batch of rows.batches()) {
    for (const { row } of batch) row[swfField.wait] = -1;
    yield batch;
  }
}

async function* addedRows(
  rows: TraceRows,
  isAdded: () => boolean,
  copy: (job: TraceRow) => TraceRow,
): AsyncGenerator<readonly TraceRow[], void, undefined> {
  for await (const batch of rows.batches()) yield batch.filter(isAdded).map(copy);
}

function copyOf(job: TraceRow, id: number, laterSec: number): TraceRow {
  const row = Float64Array.from(job.row);
  row[swfField.jobNumber] = id;
  row[swfField.submit] += laterSec;
  for (const field of [swfField.wait, swfField.precedingJob, swfField.thinkTime]) row[field] = -1;
  return { ...job, row };
}

function moved(job: TraceRow, firstSec: number, factor: number): TraceRow {
  const submitSec = job.row[swfField.submit];
  job.row[swfField.submit] = Math.round(firstSec + (submitSec - firstSec) * factor);
  return job;
}

function stretched(job: TraceRow, factor: number): TraceRow {
  for (const field of [swfField.runtime, swfField.averageCpu, swfField.requestedTime]) {
    const seconds = job.row[field];
    if (seconds > 0) job.row[field] = Math.max(1, Math.round(seconds * factor));
  }
  return { ...job, runtimeSec: job.row[swfField.runtime] };
}

interface Headed {
  readonly request: RescaleRequest;
  readonly before: Survey;
  readonly change: Change;
  readonly version: string;
}

/** The trace's own header, but for its counts of lines, and what was done to it. */
function writeHeader({ request, before, change, version }: Headed, { swf }: WorkloadOut): void {
  const { header, procs, load } = before;
  for (const line of header.lines) {
    const isStale = /^\s*;\s*(MaxJobs|MaxRecords|MaxProcs):/i.test(line);
    if (!isStale) swf.comment(line.replace(/^\s*;\s?/, ""));
  }
  swf.entry("MaxProcs", procs);
  const how =
    change.probability > 0
      ? `jobs added with probability ${change.probability}, seed ${request.seed}`
      : `times multiplied by ${change.factor}`;
  swf.entry(
    "Note",
    `brought from a load of ${Number(load.toPrecision(6))} to ${request.load} by Stint ${version}, ` +
      `--scale ${request.scale}: ${how}; waits are not known`,
  );
}

function isPipe(from: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "traceIsPipe",
    what: `${from}: this is a pipe`,
    why: "the workload is read twice: to compute its load, and to change it",
    remedy: "save it in a file first",
  });
}

// Two streams of jobs as one, in order of submission where both are; equal times from the first stream
// come first.

type Batches = AsyncGenerator<readonly TraceRow[], void, undefined>;

/** Merges; holds a batch of each. */
async function* mergeByTime(first: Batches, second: Batches): Batches {
  const one = new Lane(first);
  const other = new Lane(second);
  for (;;) {
    await one.fill();
    await other.fill();
    const merged: TraceRow[] = [];
    while (one.head !== undefined && other.head !== undefined) {
      const isFirst = one.head.row[swfField.submit] <= other.head.row[swfField.submit];
      merged.push(isFirst ? one.take() : other.take());
    }
    if (merged.length > 0) yield merged;
    if (one.hasEnded) return yield* other.rest();
    if (other.hasEnded) return yield* one.rest();
  }
}

/** A stream of rows, with the rows that were read from it and not yet taken. */
class Lane {
  readonly #batches: Batches;
  #rows: readonly TraceRow[] = [];
  #at = 0;
  #isRead = false;

  constructor(batches: Batches) {
    this.#batches = batches;
  }

  get head(): TraceRow | undefined {
    return this.#rows[this.#at];
  }

  get hasEnded(): boolean {
    return this.#isRead && this.head === undefined;
  }

  take(): TraceRow {
    return this.#rows[this.#at++];
  }

  /** Reads the next head, unless the stream has ended. */
  async fill(): Promise<void> {
    while (this.head === undefined && !this.#isRead) {
      const next = await this.#batches.next();
      this.#isRead = next.done === true;
      this.#rows = next.done === true ? [] : next.value;
      this.#at = 0;
    }
  }

  async *rest(): Batches {
    if (this.head !== undefined) yield this.#rows.slice(this.#at);
    yield* this.#batches;
  }
}
