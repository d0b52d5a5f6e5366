/**
 * A trace in SWF as batches of jobs in order of submission.
 *
 * A sorted trace is streamed, in columns, which are used again for each batch. One whose submissions go back
 * must be held whole and sorted, which is only known when the first such line is met: the stream then ends
 * with "unsorted" and the caller reads again, holding (rule SI-4). A pipe cannot be read again and is always
 * held.
 */
import { Fault } from "../../base/index.ts";
import {
  maxBatchRows,
  readSwf,
  type SwfBatch,
  type SwfHeader,
  type TraceBytes,
} from "../../formats/index.ts";
import type { SimulationReport, SkippedJobs } from "../../model/index.ts";
import { batchOf, type JobBatch } from "../../queue/index.ts";
import type { WorkloadSite } from "./site.ts";
import {
  addRow,
  beyondCounting,
  createTraceColumns,
  jobAt,
  type TraceColumns,
  type TraceRules,
  type UnplacedJob,
} from "./trace-job.ts";
import type { WorkloadJob } from "./workload.ts";

/** Properties of a trace. Counts cover the part that was read so far. */
interface TraceFacts {
  readonly header: SwfHeader;
  readonly skipped: SkippedJobs;
  readonly unsorted: number;
  /** Jobs that the rule `kill` cut at their request. */
  readonly cut: number;
  /** Unix time in ms of instant 0, the first simulated job's submission. */
  readonly originUnixMs: number;
  readonly malformedMessages: readonly string[];
}

/** A trace that is to be read. */
export interface TraceToRead {
  readonly bytes: AsyncIterable<Uint8Array> & Partial<Pick<TraceBytes, "bytesTotal">>;
  readonly file: string;
  readonly lenient: boolean;
  /** True to hold and sort the trace; else streamed where possible. */
  readonly isHeld: boolean;
  readonly rules: Omit<TraceRules, "procs">;
  /** The widest job that is one, by the header, which is known with the first batch. */
  readonly widestProcs: (header: SwfHeader) => number;
}

/** One reading of a trace. */
export interface Trace {
  /** Ends early with "unsorted" where it was streamed and must be held. */
  batches(): AsyncGenerator<JobBatch<WorkloadJob>, "complete" | "unsorted", undefined>;
  /** May be asked from the first batch on. */
  facts(): TraceFacts;
}

/** Opens a trace for one reading. */
export function openTrace(order: TraceToRead): Trace {
  const { bytes, file, lenient } = order;
  const reader = readSwf(bytes, { file, lenient });
  const reading = createReading(order);
  return {
    batches: () => batchesOf(order, reader, reading),
    facts: () => ({
      header: reader.header,
      skipped: { ...reading.skipped, malformed: reader.malformed },
      unsorted: reading.unsorted,
      cut: reading.cut,
      originUnixMs: (reader.header.unixStartTime ?? 0) * 1000 + (reading.originMs ?? 0),
      malformedMessages: reader.malformedMessages,
    }),
  };
}

/** Number of jobs of a held trace per batch: metrics are updated between batches. */
const JOBS_AT_ONCE = 256;

async function* batchesOf(
  { bytes, isHeld }: TraceToRead,
  reader: ReturnType<typeof readSwf>,
  reading: Reading,
): ReturnType<Trace["batches"]> {
  const columns = createTraceColumns(maxBatchRows);
  const held: UnplacedJob[] = [];
  let first = 0;
  for await (const batch of reader) {
    const rules = reading.rules(reader.header);
    fill(columns, batch, reading, rules);
    // Whether a file can be read again is known when it is open.
    if (isHeld || bytes.bytesTotal === undefined) {
      for (let row = 0; row < columns.count; row++) held.push(jobAt(batch, columns, row, rules));
      continue;
    }
    if (reading.unsorted > 0) return "unsorted";
    const before = first;
    first += columns.count;
    if (columns.count > 0) reading.originMs ??= columns.submitMs[0];
    for (let row = 0; row < columns.count; row++) columns.submitMs[row] -= reading.originMs ?? 0;
    const placed = (row: number): WorkloadJob => {
      const job = jobAt(batch, columns, row, rules);
      job.id = before + row;
      return job;
    };
    yield { ...columns, jobAt: placed };
  }
  held.sort((a, b) => a.submitMs - b.submitMs);
  reading.originMs ??= held[0]?.submitMs;
  for (const [id, job] of held.entries()) {
    job.submitMs -= reading.originMs ?? 0;
    job.id = id;
  }
  for (let from = 0; from < held.length; from += JOBS_AT_ONCE) {
    yield batchOf(held.slice(from, from + JOBS_AT_ONCE));
  }
  return "complete";
}

/** The state of one reading. */
interface Reading {
  readonly skipped: { noProcs: number; noRuntime: number; widerThanMachine: number };
  readonly rules: (header: SwfHeader) => TraceRules;
  cut: number;
  unsorted: number;
  latestMs: number;
  /** Sum of all run times read so far, in ms. */
  lengthMs: number;
  originMs: number | undefined;
}

function createReading({ rules, widestProcs }: TraceToRead): Reading {
  let known: TraceRules | undefined;
  return {
    skipped: { noProcs: 0, noRuntime: 0, widerThanMachine: 0 },
    rules: (header) => {
      known ??= { ...rules, procs: widestProcs(header) };
      return known;
    },
    ...{ cut: 0, unsorted: 0, latestMs: Number.NEGATIVE_INFINITY, lengthMs: 0, originMs: undefined },
  };
}

/**
 * The jobs of a batch as they stand in the file; those submitted before one that stands earlier are counted.
 *
 * @throws Fault `beyondCounting`: whatever the order, the last job ends before the sum of all run times,
 * which has to be a number that is exact
 */
function fill(columns: TraceColumns, batch: SwfBatch, reading: Reading, rules: TraceRules): void {
  const { submitMs, runtimeMs } = columns;
  columns.count = 0;
  columns.cut = 0;
  let { latestMs, lengthMs } = reading;
  for (let at = 0; at < batch.count; at++) {
    const reason = addRow(columns, batch, at, rules);
    if (reason !== undefined) {
      reading.skipped[reason]++;
      continue;
    }
    const row = columns.count - 1;
    if (submitMs[row] < latestMs) reading.unsorted++;
    else latestMs = submitMs[row];
    lengthMs += runtimeMs[row];
    if (lengthMs + Math.abs(latestMs) > Number.MAX_SAFE_INTEGER) {
      throw beyondCounting("the whole", "one after the other its jobs run for more than 285,000 years");
    }
  }
  reading.cut += columns.cut;
  reading.latestMs = latestMs;
  reading.lengthMs = lengthMs;
}

/** The machine that a trace was recorded on. */
export function machineOf(
  trace: string,
  header: SwfHeader,
  procs: number | undefined,
): { readonly procs: number; readonly procsFrom: SimulationReport["procsFrom"] } {
  if (procs !== undefined) return { procs, procsFrom: "option" };
  const { maxProcs, maxNodes } = header;
  if (maxProcs !== undefined) return { procs: maxProcs, procsFrom: "header MaxProcs" };
  if (maxNodes !== undefined) return { procs: maxNodes, procsFrom: "header MaxNodes" };
  throw machineSizeUnknown(trace);
}

/** A site of pools of processors. */
export function siteOfProcs(
  pools: readonly { readonly name: string; readonly procs: number }[],
  procsFrom: SimulationReport["procsFrom"],
): WorkloadSite {
  const capacity = pools.map(({ procs }) => [procs]);
  return {
    ...{ pools, capacity, perNode: capacity, nodes: pools.map(() => 1) },
    ...{ resources: ["procs"], hasNodes: false, procsFrom },
    procs: pools.reduce((sum, { procs }) => sum + procs, 0),
  };
}

/** A trace in SWF that does not say how large its machine is. */
export function machineSizeUnknown(trace: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "machineSizeUnknown",
    what: `${trace}: the size of the machine is not known`,
    why: "the trace's header has neither MaxProcs nor MaxNodes",
    remedy: "give the number of processors with --procs N",
  });
}
