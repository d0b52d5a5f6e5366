/**
 * A workload that is read while it is played, whichever format it is in.
 */
import { type SwfHeader, traceBytes } from "../../formats/index.ts";
import type { SimulationRequest, SkippedJobs, WorkloadFacts } from "../../model/index.ts";
import { batchOf, type JobBatch } from "../../queue/index.ts";
import type { PoolChange } from "./prepare.ts";
import { machineOf, openTrace, siteOfProcs } from "./trace.ts";
import type { Workload, WorkloadFrame, WorkloadJob } from "./workload.ts";

/** A workload that is read as it is played. */
export interface Reading {
  /** Ends early with "unsorted" where it was streamed and must be held. */
  readonly batches: () => AsyncGenerator<JobBatch<WorkloadJob>, "complete" | "unsorted", undefined>;
  /** Known with the first batch. */
  readonly frame: () => WorkloadFrame;
  readonly header: () => SwfHeader | undefined;
  /** Complete at the end. */
  readonly facts: () => ReadFacts;
  /** The fraction that was read, where that is known. */
  readonly readFraction: () => number | undefined;
}

/** Notes on a workload that was read. */
interface ReadFacts {
  readonly sha256: () => string;
  readonly skipped: SkippedJobs;
  readonly unsorted: number;
  /** Jobs that the rule `kill` cut; undefined where that is to be counted at their ends. */
  readonly cut: number | undefined;
  readonly originUnixMs: number;
  readonly malformedMessages: readonly string[];
  readonly fitNowhere?: WorkloadFacts["fitNowhere"];
}

/** A trace in SWF, streamed, or held from the start. */
export function readTrace(
  request: SimulationRequest,
  reservations: WorkloadFrame["reservations"],
  isHeld: boolean,
): Reading {
  const { trace: file, lenient, estimates, overrun, jobsOut = "" } = request;
  const bytes = traceBytes(file);
  const trace = openTrace({
    ...{ bytes, file, lenient, isHeld },
    rules: { estimates, overrun, keepsRows: /\.swf(\.gz)?$/.test(jobsOut) },
    widestProcs: (header) => machineOf(file, header, request.procs).procs,
  });
  let frame: WorkloadFrame | undefined;
  return {
    batches: () => trace.batches(),
    frame() {
      if (frame !== undefined) return frame;
      const { procs, procsFrom } = machineOf(file, trace.facts().header, request.procs);
      const site = siteOfProcs([{ name: "site", procs }], procsFrom);
      frame = {
        ...{ isTrace: true, site, reservations },
        jobs: [],
        events: [],
        originMs: 0,
        cancelledEarly: 0,
      };
      return frame;
    },
    header: () => trace.facts().header,
    facts: () => ({ ...trace.facts(), sha256: () => bytes.sha256() }),
    readFraction: () =>
      bytes.bytesTotal === undefined ? undefined : bytes.bytesRead / Math.max(1, bytes.bytesTotal),
  };
}

/** A workload in JSON lines. @throws Fault as `prepareWorkload`, and for options that it cannot have */
export async function readLines(request: SimulationRequest, changePools?: PoolChange): Promise<Reading> {
  const { prepareWorkload } = await import("./prepare.ts");
  const { assertPlayable, assertRowsInCsv } = await import("./playable.ts");
  assertRowsInCsv(request);
  const workload = await prepareWorkload(request, changePools);
  assertPlayable(request, workload);
  return readingOf(workload);
}

/** Jobs between two updates of metrics, files and progress. */
const JOBS_AT_ONCE = 256;

/** One of a workload that is held. */
function readingOf(workload: Workload): Reading {
  const { jobs } = workload;
  let offered = 0;
  return {
    async *batches() {
      while (offered < jobs.length) {
        const some = jobs.slice(offered, offered + JOBS_AT_ONCE);
        offered += some.length;
        yield batchOf(some);
      }
      return "complete";
    },
    frame: () => workload,
    header: () => undefined,
    facts: () => ({
      ...workload,
      ...{ sha256: () => workload.sha256, originUnixMs: workload.originMs, cut: undefined },
    }),
    readFraction: () => offered / jobs.length,
  };
}
