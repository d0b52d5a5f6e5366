/**
 * A row per simulated job, as CSV or SWF (rule SI-6).
 *
 * Jobs end in another order than they were submitted; rows wait until all earlier ones are there, so
 * the memory used is that of the jobs that ended while the oldest one was still in the system.
 */
import { Fault, MS_PER_HOUR, MS_PER_SECOND } from "../base/index.ts";
import { openSafeFile, type SafeFile, swfField, swfWriter } from "../formats/index.ts";
import type { SimulationRequest } from "../model/index.ts";
import type { FinishedJob } from "../queue/index.ts";
import type { ReservedJob } from "./reserving/reservable-site.ts";
import type { TraceJob } from "./trace-job.ts";
import type { TraceFacts } from "./trace-workload.ts";

/** A job of a trace that has ended. */
export interface FinishedTraceJob extends FinishedJob<TraceJob> {
  /** The reservation that it ran in, where it held one. */
  readonly reserved?: ReservedJob<TraceJob>;
}

/** Takes finished jobs in any order, writes them in order of submission. */
export interface JobsOut {
  add(finished: FinishedTraceJob): void;
  /** Waits until the file has taken what was written. */
  drained(): Promise<void>;
  /** Makes the file appear, whole. */
  commit(): Promise<void>;
  /** Leaves nothing behind. */
  abort(): Promise<void>;
}

/** Writer of rows in one format. */
interface RowFormat {
  begin(facts: TraceFacts): void;
  row(finished: FinishedTraceJob): void;
  flush(): void;
}

const CSV_COLUMNS = "job_id,submit,start,end,procs,wait,runtime,estimate,user,planned_start,backfilled";
/** Behind the others, where jobs may reserve. */
const RESERVED_COLUMNS = ",reserved,fixed_su,delayed_jobs";

/** Options of the rows. */
export interface RowsWanted {
  readonly request: SimulationRequest;
  /** True where CSV has the columns of reservations: held, price f, number of delayed jobs. */
  readonly hasReserved?: boolean;
}

/** Opens the file asked for, so that what cannot be written is known before anything is simulated. */
export async function openJobsOut(
  path: string,
  { request, hasReserved = false }: RowsWanted,
  facts: () => TraceFacts,
): Promise<JobsOut> {
  if (!/\.(csv|swf)(\.gz)?$/.test(path)) throw unknownFormat(path);
  const file = await openSafeFile(path);
  const format = /\.csv(\.gz)?$/.test(path) ? csvFormat(file, hasReserved) : swfFormat(file, request);
  const early = new Map<number, FinishedTraceJob>();
  let next = 0;
  return {
    add(finished) {
      early.set(finished.job.order, finished);
      for (let due = early.get(next); due !== undefined; due = early.get(next)) {
        if (next === 0) format.begin(facts());
        early.delete(next++);
        format.row(due);
      }
    },
    drained: () => file.drained(),
    async commit() {
      format.flush();
      await file.commit();
    },
    abort: () => file.abort(),
  };
}

function unknownFormat(path: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "outputFormatUnknown",
    what: `${path}: this kind of file cannot be written`,
    why: "rows per job are written as CSV or SWF, told by the end of the name",
    remedy: "name a file that ends in .csv, .csv.gz, .swf or .swf.gz",
  });
}

function csvFormat(file: SafeFile, hasReserved: boolean): RowFormat {
  let held = "";
  const flush = (): void => {
    file.write(held);
    held = "";
  };
  return {
    begin: () => {
      held += `${CSV_COLUMNS}${hasReserved ? RESERVED_COLUMNS : ""}\n`;
    },
    row: (finished) => {
      held += `${csvRow(finished)}${hasReserved ? reservedCells(finished) : ""}\n`;
      if (held.length > 65_536) flush();
    },
    flush,
  };
}

function csvRow({ job, startMs, endMs, promisedMs, backfilled }: FinishedTraceJob): string {
  const planned = promisedMs === undefined ? "" : seconds(promisedMs);
  const wait = seconds(startMs - job.submitMs);
  const times = `${seconds(job.submitMs)},${seconds(startMs)},${seconds(endMs)}`;
  const lengths = `${wait},${seconds(job.runtimeMs)},${seconds(job.estimateMs)}`;
  return `${job.id},${times},${job.need[0]},${lengths},${job.user},${planned},${backfilled ? 1 : 0}`;
}

function reservedCells({ reserved }: FinishedTraceJob): string {
  if (reserved === undefined) return ",0,,";
  return `,1,${reserved.fixedProcMs / MS_PER_HOUR},${reserved.delayed.length}`;
}

function seconds(ms: number): number {
  return ms / MS_PER_SECOND;
}

/** SWF status of a job that did not end. */
const STATUS_FAILED = 0;

function swfFormat(file: SafeFile, request: SimulationRequest): RowFormat {
  const writer = swfWriter((text) => file.write(text));
  return {
    begin: (facts) => {
      for (const line of facts.header.lines) writer.comment(line.replace(/^\s*;\s?/, ""));
      writer.entry(
        "Note",
        `waits simulated by Stint: ${facts.procs} processors, ${request.discipline}, ` +
          `${request.estimates} estimates, overrun ${request.overrun}`,
      );
    },
    row: ({ job, startMs }) => {
      const row = Float64Array.from(job.row ?? []);
      row[swfField.wait] = seconds(startMs - job.submitMs);
      row[swfField.runtime] = seconds(job.runtimeMs);
      row[swfField.allocatedProcs] = job.need[0];
      if (job.isCut) row[swfField.status] = STATUS_FAILED;
      writer.row(row);
    },
    flush: () => writer.flush(),
  };
}
