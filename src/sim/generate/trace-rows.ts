/**
 * The jobs of a trace as rows of SWF, for repeated reading.
 *
 * Lines that would be skipped by a simulation (rule SI-1) are left out.
 */
import { Fault } from "../../base/index.ts";
import { readSwf, type SwfHeader, swfField, swfFieldCount, traceBytes } from "../../formats/index.ts";
import { jobOf, type TraceRules } from "../workload/trace-job.ts";

/** A trace, and the machine for which it is read. */
export interface RowsRequest {
  readonly from: string;
  readonly procs?: number;
  readonly lenient: boolean;
}

/** A job of a trace; the row is the reader's own until the next is asked for. */
export interface TraceRow {
  readonly row: Float64Array;
  readonly procs: number;
  readonly runtimeSec: number;
}

/** One reading of a trace. */
export interface TraceRows {
  /** Complete with the first row. */
  readonly header: SwfHeader;
  /** May be asked from the first row on. */
  machineProcs(): number;
  /** True where the input can be read again; a pipe cannot. */
  isRepeatable(): boolean;
  batches(): AsyncGenerator<readonly TraceRow[], void, undefined>;
}

/**
 * Begins a reading.
 *
 * @throws Fault of the file, and `machineSizeUnknown`, while rows are read
 */
export function traceRows(request: RowsRequest): TraceRows {
  const bytes = traceBytes(request.from);
  const reader = readSwf(bytes, { file: request.from, lenient: request.lenient });
  const machineProcs = (): number => {
    const procs = request.procs ?? reader.header.maxProcs ?? reader.header.maxNodes;
    if (procs === undefined) throw sizeUnknown(request.from);
    return procs;
  };
  return {
    header: reader.header,
    machineProcs,
    isRepeatable: () => bytes.bytesTotal !== undefined,
    async *batches() {
      for await (const batch of reader) {
        const rules: TraceRules = {
          procs: machineProcs(),
          estimates: "exact",
          overrun: "extend",
          keepsRows: true,
        };
        const rows: TraceRow[] = [];
        for (let at = 0; at < batch.count; at++) {
          const job = jobOf(batch, at, rules);
          if (typeof job === "string") continue;
          const row = job.row ?? new Float64Array(swfFieldCount);
          rows.push({ row, procs: job.need[0], runtimeSec: row[swfField.runtime] });
        }
        yield rows;
      }
    },
  };
}

function sizeUnknown(trace: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "machineSizeUnknown",
    what: `${trace}: the size of the machine is not known`,
    why: "the trace's header has neither MaxProcs nor MaxNodes",
    remedy: "give the number of processors with --procs N",
  });
}
