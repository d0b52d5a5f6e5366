/**
 * A row per job that came to its end, in order of submission, as CSV or SWF (rules SI-6, SI-54).
 *
 * Jobs end in another order than they were submitted; rows wait until all earlier ones are there, so
 * the memory used is that of the jobs that ended while the oldest one was still in the system. Where one
 * never comes to its end, the others wait for the end of all.
 */
import { Fault, MS_PER_HOUR, MS_PER_SECOND } from "../../base/index.ts";
import { openSafeFile, type SafeFile, type SwfHeader, swfField, swfWriter } from "../../formats/index.ts";
import type { SimulationRequest } from "../../model/index.ts";
import type { DoneJob } from "./play-state.ts";
import type { WorkloadFrame } from "./workload.ts";

/** Takes finished jobs in any order, writes them in order of submission. */
export interface RowsOut {
  add(done: DoneJob): void;
  /** Waits until the file has taken what was written. */
  drained(): Promise<void>;
  /** Makes the file appear, whole. */
  commit(): Promise<void>;
  /** Leaves nothing behind. */
  abort(): Promise<void>;
}

/** Writer of rows in one format. */
interface RowFormat {
  begin(): void;
  row(done: DoneJob): void;
  flush(): void;
}

const TRACE_COLUMNS = "job_id,submit,start,end,procs,wait,runtime,estimate,user,planned_start,backfilled";
const COLUMNS =
  "job_id,pool,submit,start,end,procs,memory,gpus,wait,runtime,estimate,user,planned_start,backfilled";
/** Behind the others, where jobs may reserve. */
const RESERVED_COLUMNS = ",reserved,fixed_su,delayed_jobs";

/** Options of the rows. */
export interface RowsWanted {
  readonly request: Pick<SimulationRequest, "discipline" | "estimates" | "overrun">;
  /** Known with the first row. */
  readonly frame: () => Pick<WorkloadFrame, "isTrace" | "site">;
  /** The comments of a trace, for one in SWF. */
  readonly header: () => SwfHeader | undefined;
  /**
   * True if the CSV has columns for reservations: their holder, their price f, and the number of delayed
   * jobs.
   */
  readonly hasReserved?: boolean;
}

/** Opens the file asked for, so that what cannot be written is known before anything is simulated. */
export async function openRowsOut(path: string, wanted: RowsWanted): Promise<RowsOut> {
  if (!/\.(csv|swf)(\.gz)?$/.test(path)) throw unknownFormat(path);
  const file = await openSafeFile(path);
  const format = /\.csv(\.gz)?$/.test(path) ? csvFormat(file, wanted) : swfFormat(file, wanted);
  const early = new Map<number, DoneJob>();
  let next = 0;
  let isBegun = false;
  const write = (done: DoneJob): void => {
    if (!isBegun) format.begin();
    isBegun = true;
    format.row(done);
  };
  return {
    add(done) {
      early.set(done.job.id, done);
      for (let due = early.get(next); due !== undefined; due = early.get(next)) {
        early.delete(next++);
        write(due);
      }
    },
    drained: () => file.drained(),
    async commit() {
      for (const done of [...early.values()].sort((a, b) => a.job.id - b.job.id)) write(done);
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
    why: "rows per job are written as CSV or SWF, by the extension of the file name",
    remedy: "name a file that ends in .csv, .csv.gz, .swf or .swf.gz",
  });
}

function csvFormat(file: SafeFile, { frame, hasReserved = false }: RowsWanted): RowFormat {
  let held = "";
  const flush = (): void => {
    file.write(held);
    held = "";
  };
  return {
    begin: () => {
      const columns = frame().isTrace ? TRACE_COLUMNS : COLUMNS;
      held += `${columns}${hasReserved ? RESERVED_COLUMNS : ""}\n`;
    },
    row: (done) => {
      held += `${csvRow(done, frame())}${hasReserved ? reservedCells(done) : ""}\n`;
      if (held.length > 65_536) flush();
    },
    flush,
  };
}

function csvRow(
  { job, startMs, endMs, promisedMs, backfilled, pool }: DoneJob,
  { isTrace, site }: Pick<WorkloadFrame, "isTrace" | "site">,
): string {
  const planned = promisedMs === undefined ? "" : seconds(promisedMs);
  const wait = seconds(startMs - job.submitMs);
  const times = `${seconds(job.submitMs)},${seconds(startMs)},${seconds(endMs)}`;
  const lengths = `${wait},${seconds(job.runtimeMs)},${seconds(job.estimateMs)}`;
  const rest = `${lengths},${cell(job.user)},${planned},${backfilled ? 1 : 0}`;
  if (isTrace) return `${job.name},${times},${job.need[0]},${rest}`;
  const { memoryBytes = 0, gpus = 0 } = job;
  const name = `${cell(job.name)},${cell(site.pools[pool].name)}`;
  return `${name},${times},${job.need[0]},${memoryBytes},${gpus},${rest}`;
}

/** A text as a field of CSV. */
function cell(text: string): string {
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function reservedCells({ reserved }: DoneJob): string {
  if (reserved === undefined) return ",0,,";
  return `,1,${reserved.fixedProcMs / MS_PER_HOUR},${reserved.delayed.length}`;
}

function seconds(ms: number): number {
  return ms / MS_PER_SECOND;
}

/** SWF status of a job that did not end. */
const STATUS_FAILED = 0;

function swfFormat(file: SafeFile, { request, frame, header }: RowsWanted): RowFormat {
  const writer = swfWriter((text) => file.write(text));
  return {
    begin: () => {
      for (const line of header()?.lines ?? []) writer.comment(line.replace(/^\s*;\s?/, ""));
      writer.entry(
        "Note",
        `waits simulated by Stint: ${frame().site.procs} processors, ${request.discipline}, ` +
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
