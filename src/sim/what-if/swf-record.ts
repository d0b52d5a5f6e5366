/**
 * A trace in SWF as a record: its recorded waits tell when each job started, and the machine is one pool.
 *
 * Rows without processors or a runtime are no jobs, as in a simulation of the trace.
 */
import { MS_PER_SECOND } from "../../base/index.ts";
import { readSwf, type SwfBatch, swfField, traceBytes } from "../../formats/index.ts";
import type { JobEntry, PoolEntry, WorkloadEntry } from "../../formats/workload-jsonl/index.ts";
import type { SimulationRequest } from "../../model/index.ts";
import type { WorkloadSource } from "../workload/prepare.ts";
import { machineSizeUnknown } from "../workload/trace.ts";

/**
 * Opens a trace as a workload with one pool, `site`.
 *
 * @throws Fault as `readSwf`; `machineSizeUnknown` where neither the header nor `--procs` tells the size
 */
export function swfRecord({ trace, lenient, procs }: SimulationRequest): WorkloadSource {
  const bytes = traceBytes(trace);
  const reader = readSwf(bytes, { file: trace, lenient });
  let noProcs = 0;
  async function* entries(): AsyncGenerator<readonly WorkloadEntry[], void, undefined> {
    const seen = new Set<string>();
    let isFirst = true;
    for await (const batch of reader) {
      const { maxProcs, maxNodes } = reader.header;
      const size = procs ?? maxProcs ?? maxNodes;
      if (size === undefined) throw machineSizeUnknown(trace);
      const found: WorkloadEntry[] = isFirst ? [machine(size)] : [];
      isFirst = false;
      for (let at = 0; at < batch.count; at++) {
        const job = jobEntry(batch, at, seen);
        if (job === undefined) noProcs++;
        else found.push(job);
      }
      yield found;
    }
  }
  return {
    bytes,
    entries: entries(),
    get malformed() {
      return reader.malformed + noProcs;
    },
    malformedMessages: reader.malformedMessages,
  };
}

const UNSAID = { memoryBytes: undefined, gpus: undefined, nodes: undefined };

function machine(procs: number): PoolEntry {
  return { kind: "pool", line: 0, name: "site", procs, ...UNSAID };
}

function jobEntry({ fields, line }: SwfBatch, at: number, seen: Set<string>): JobEntry | undefined {
  const said = (field: keyof typeof swfField): number => fields[swfField[field]][at];
  const ms = (field: keyof typeof swfField): number => Math.round(said(field) * MS_PER_SECOND);
  const procs = said("requestedProcs") > 0 ? said("requestedProcs") : said("allocatedProcs");
  if (!(procs > 0)) return undefined;
  const number = String(said("jobNumber"));
  const id = seen.has(number) ? `${number}#${line[at]}` : number;
  seen.add(id);
  return {
    ...{ kind: "job", line: line[at], id, submitMs: ms("submit"), procs, ...UNSAID },
    ...{ submittedMs: undefined, tasksPerNode: undefined, pools: undefined },
    recordedStartMs: said("wait") >= 0 ? ms("submit") + ms("wait") : undefined,
    runtimeMs: Math.max(0, ms("runtime")),
    limitMs: said("requestedTime") > 0 ? ms("requestedTime") : undefined,
    ...{ user: label("u", said("user")), group: label("g", said("group")), queue: label("q", said("queue")) },
  };
}

function label(kind: string, number: number): string | undefined {
  return number < 0 ? undefined : `${kind}${number}`;
}
