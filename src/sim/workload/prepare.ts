/**
 * A workload file as a whole: read, checked against the site, and put in order.
 *
 * Everything is held: what a line means can depend on one far behind it. About 1 KB a job.
 */
import { Fault } from "../../base/index.ts";
import {
  type CancelEntry,
  type DownEntry,
  type JobEntry,
  lineFault,
  type PeriodEntry,
  type PoolEntry,
  type ReservationEntry,
  readWorkloadLines,
  type WorkloadEntry,
  type WorkloadReader,
} from "../../formats/workload-jsonl/index.ts";
import type { SimulationRequest, SkippedJobs } from "../../model/index.ts";
import { type Unfit, workloadJob } from "./jobs.ts";
import { poolNamed, siteOf, type WorkloadSite } from "./site.ts";
import {
  type Cancellation,
  type DownEvent,
  reservationsBeside,
  type Workload,
  type WorkloadJob,
} from "./workload.ts";

interface Lines {
  readonly pool: PoolEntry[];
  readonly job: JobEntry[];
  readonly cancel: CancelEntry[];
  readonly down: DownEntry[];
  readonly reservation: ReservationEntry[];
  readonly period: PeriodEntry[];
}

/** Where the lines of a workload come from. */
export type WorkloadSource = Pick<WorkloadReader, "bytes" | "entries" | "malformed" | "malformedMessages">;

/** What makes other pools of those of a file, to ask what if. */
export type PoolChange = (pools: readonly PoolEntry[]) => readonly PoolEntry[];

/**
 * Reads and prepares a workload; on its own pools, unless they are changed.
 *
 * @throws Fault of the reader, of the site, and `jobTwice`, `jobUnknown`, `poolUnknown`, `noJobLeft`,
 * `periodTwice`
 */
export async function prepareWorkload(
  request: SimulationRequest,
  changePools: PoolChange = (pools) => pools,
  reader: WorkloadSource = readWorkloadLines(request.trace, request),
): Promise<Workload> {
  const { trace } = request;
  const lines: Lines = { pool: [], job: [], cancel: [], down: [], reservation: [], period: [] };
  for await (const entries of reader.entries) for (const entry of entries) sortIn(lines, entry);
  assertOnce(trace, lines.job);
  assertOnePeriod(trace, lines.period);
  const asksGpus = lines.job.some(({ gpus }) => (gpus ?? 0) > 0);
  const site = siteOf(request, changePools(lines.pool), asksGpus);
  const { kept, early, unfit } = judgeJobs(lines, site, request);
  const count = (reason: Unfit) => unfit.filter((other) => other === reason).length;
  const fitNowhere = {
    unknownPool: count("unknownPool"),
    procs: count("procs"),
    memory: count("memory"),
    gpus: count("gpus"),
    together: count("together"),
  };
  const skipped = {
    noProcs: 0,
    noRuntime: count("noRuntime"),
    widerThanMachine: Object.values(fitNowhere).reduce((sum, jobs) => sum + jobs, 0),
    malformed: reader.malformed,
  };
  if (kept.length === 0) throw nothingLeft(trace, skipped);
  const unsorted = countUnsorted(kept);
  const sorted = kept.toSorted((one, other) => one.submitMs - other.submitMs);
  const originMs = sorted[0].submitMs;
  const jobs = sorted.map((job, id) => ({
    ...job,
    id,
    submitMs: job.submitMs - originMs,
    recordedStartMs: job.recordedStartMs === undefined ? undefined : job.recordedStartMs - originMs,
  }));
  return {
    isTrace: false,
    ...{ site, jobs, originMs, skipped, fitNowhere, unsorted, cancelledEarly: early },
    events: eventsOf(lines, { site, jobs, originMs, file: trace }),
    reservations: [
      ...lines.reservation.map((entry) => ({ ...entry, file: trace })),
      ...(await reservationsBeside(request.reservations, originMs)),
    ],
    period: lines.period[0],
    sha256: reader.bytes.sha256(),
    malformedMessages: reader.malformedMessages,
  };
}

function sortIn(lines: Lines, entry: WorkloadEntry): void {
  switch (entry.kind) {
    case "pool":
      lines.pool.push(entry);
      return;
    case "job":
      lines.job.push(entry);
      return;
    case "cancel":
      lines.cancel.push(entry);
      return;
    case "down":
      lines.down.push(entry);
      return;
    case "reservation":
      lines.reservation.push(entry);
      return;
    case "period":
      lines.period.push(entry);
  }
}

function assertOnePeriod(file: string, [first, second]: readonly PeriodEntry[]): void {
  if (second === undefined) return;
  throw lineFault({ file, line: second.line }, 1, {
    code: "periodTwice",
    what: "the period is given twice",
    why: `line ${first.line} has it already`,
    remedy: "take one of them out",
  });
}

function assertOnce(file: string, jobs: readonly JobEntry[]): void {
  const lineOf = new Map<string, number>();
  for (const { id, line } of jobs) {
    const earlier = lineOf.get(id);
    if (earlier !== undefined) {
      throw lineFault({ file, line }, 1, {
        code: "jobTwice",
        what: `the job ${id} appears twice`,
        why: `line ${earlier} already has this id, and cancellations refer to jobs by id`,
        remedy: "give it another id",
      });
    }
    lineOf.set(id, line);
  }
}

interface Judged {
  readonly kept: readonly WorkloadJob[];
  readonly unfit: readonly Unfit[];
  readonly early: number;
}

function judgeJobs(lines: Lines, site: WorkloadSite, request: SimulationRequest): Judged {
  const cancelledMs = new Map<string, number>();
  for (const { job, atMs } of lines.cancel) {
    cancelledMs.set(job, Math.min(atMs, cancelledMs.get(job) ?? atMs));
  }
  const kept: WorkloadJob[] = [];
  const unfit: Unfit[] = [];
  let early = 0;
  for (const entry of lines.job) {
    const job = workloadJob(entry, site, request);
    if (typeof job === "string") unfit.push(job);
    else if ((cancelledMs.get(entry.id) ?? Number.POSITIVE_INFINITY) <= entry.submitMs) early++;
    else kept.push(job);
  }
  return { kept, unfit, early };
}

function countUnsorted(jobs: readonly WorkloadJob[]): number {
  let latestMs = 0;
  let unsorted = 0;
  for (const { submitMs } of jobs) {
    if (submitMs < latestMs) unsorted++;
    latestMs = Math.max(latestMs, submitMs);
  }
  return unsorted;
}

interface Placed {
  readonly site: WorkloadSite;
  readonly jobs: readonly WorkloadJob[];
  readonly originMs: number;
  readonly file: string;
}

function eventsOf(lines: Lines, placed: Placed): readonly (Cancellation | DownEvent)[] {
  const { jobs, originMs, file } = placed;
  const idOf = new Map(jobs.map(({ name, id }) => [name, id]));
  const known = new Set(lines.job.map(({ id }) => id));
  const cancellations = lines.cancel.flatMap(({ job: name, atMs, line }): Cancellation[] => {
    const job = idOf.get(name);
    if (job !== undefined) return [{ kind: "cancel", atMs: atMs - originMs, job }];
    if (known.has(name)) return [];
    throw lineFault({ file, line }, 1, {
      code: "jobUnknown",
      what: `there is no job ${name} to cancel`,
      why: "no line of the file describes it",
      remedy: "check its id",
    });
  });
  // What was over before the first job is of no interest; what was down then is down from the beginning.
  const downs = lines.down
    .filter(({ untilMs }) => untilMs > originMs)
    .map((entry) => downEvent(entry, placed));
  return [...cancellations, ...downs].sort((one, other) => one.atMs - other.atMs);
}

function downEvent(entry: DownEntry, { site, originMs, file }: Placed): DownEvent {
  const { atMs, untilMs, line, node } = entry;
  const pool = poolNamed(site, entry.pool, { file, line });
  if (node !== undefined && site.nodes[pool] <= node) {
    throw lineFault({ file, line }, 1, {
      code: "nodeUnknown",
      what: `pool ${entry.pool} has no node ${node}`,
      why: `it has ${site.nodes[pool]}, counted from 0`,
      remedy: "check its number, or state how many processors are down",
    });
  }
  if (node === undefined && site.hasNodes) {
    throw lineFault({ file, line }, 1, {
      code: "nodeMissing",
      what: "the node that is down is not given",
      why: "this site has nodes, and an outage takes a whole node",
      remedy: 'write for instance "node": 0; a pool without nodes counts as one node',
    });
  }
  return {
    kind: "down",
    atMs: Math.max(0, atMs - originMs),
    untilMs: untilMs - originMs,
    ...{ pool, node, entry },
  };
}

function nothingLeft(trace: string, { noRuntime, widerThanMachine, malformed }: SkippedJobs): Fault {
  return new Fault({
    kind: "badInput",
    code: "noJobLeft",
    what: `${trace}: no job is left to simulate`,
    why: `skipped: ${noRuntime} without a runtime, ${widerThanMachine} fit nowhere, ${malformed} malformed`,
    remedy: "check that this is the workload you mean, and that the site is as large as its machine",
  });
}
