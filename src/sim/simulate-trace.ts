/**
 * One trace through one machine under one discipline: read, replay, measure, write.
 *
 * The three parts take turns batch by batch and are timed apart, so that `simulationMs` is the replay
 * alone. Nothing of the trace is kept but the jobs in the system and the values for exact quantiles.
 */
import { stat } from "node:fs/promises";
import { Fault } from "../base/index.ts";
import type { ReservationRow } from "../formats/index.ts";
import {
  isProgram,
  type PriorityRules,
  type SimulationOutcome,
  type SimulationProgress,
  type SimulationRequest,
} from "../model/index.ts";
import type { Feed, ReplayListener } from "../queue/index.ts";
import { policiesMisplaced, priorityOf } from "./asked-rules.ts";
import { beginColumnReplay, type ColumnReplay } from "./column-replay.ts";
import type { EnforcedReplay, enforcedReplay } from "./enforcing/enforced-replay.ts";
import type { TracePolicies } from "./enforcing/trace-policies.ts";
import { type FinishedTraceJob, type JobsOut, openJobsOut } from "./jobs-out.ts";
import { MetricsOfRun } from "./metrics.ts";

import {
  beginReplay,
  beginSiteDriver,
  type DriverOrder,
  ownDiscipline,
  type SiteDriver,
} from "./site-driver.ts";
import type { SlotSampling } from "./slots/slot-sampling.ts";
import type { SlotSample } from "./slots/slot-statistics.ts";
import type { TraceJob } from "./trace-job.ts";
import { readTraceReservations, refusedAt, reserveAll } from "./trace-reservations.ts";
import { openWorkload, type ReadingMode, type TraceFacts, type TraceWorkload } from "./trace-workload.ts";
import { UtilisationBins } from "./utilisation-course.ts";

/** Input of a run beside the request. */
export interface RunHooks {
  /** The version of the program, for the report. */
  readonly version: string;
  readonly onProgress?: (progress: SimulationProgress) => void;
  /** Where the stderr of a program that is the discipline goes; nowhere when absent. */
  readonly writeError?: (text: string) => void;
  /** Told of every sample of the slots, where they are sampled. */
  readonly onSlotSample?: (sample: SlotSample) => void;
}

/**
 * Simulates a trace.
 *
 * @throws Fault for everything that can be wrong with the files, the sizes and the reservations
 */
export async function simulateTrace(request: SimulationRequest, hooks: RunHooks): Promise<SimulationOutcome> {
  const reservations = await readTraceReservations(request.reservations);
  const priority = await priorityOf(request);
  const policies = await policiesOf(request);
  const order = { request, hooks, reservations, priority, policies };
  // A program is begun once: its trace is held from the start, and not begun again when it is unsorted.
  if (!isProgram(request.discipline)) {
    const streamed = await simulateOnce(order, "streamed");
    if (streamed !== "unsorted") return streamed;
  }
  const held = await simulateOnce(order, "held");
  if (held === "unsorted") throw new Error("what must hold: a trace that was sorted is sorted");
  return held;
}

/** Number of jobs between two updates of metrics, files and progress while a program decides. */
const JOBS_BETWEEN_STOCK_TAKING = 256;

interface Order {
  readonly request: SimulationRequest;
  readonly hooks: RunHooks;
  readonly reservations: readonly ReservationRow[];
  readonly priority: PriorityRules | undefined;
  readonly policies: Enforced | undefined;
}

/** Policies to play under, and what plays. */
interface Enforced {
  readonly rules: TracePolicies;
  readonly begin: typeof enforcedReplay;
}

/** The policies that are asked for, if any. @throws Fault `policiesMisplaced` beside a program */
async function policiesOf({ policies, discipline }: SimulationRequest): Promise<Enforced | undefined> {
  if (policies === undefined) return undefined;
  if (isProgram(discipline)) throw policiesMisplaced(discipline);
  const { readTracePolicies } = await import("./enforcing/read-trace-policies.ts");
  const { enforcedReplay } = await import("./enforcing/enforced-replay.ts");
  return { rules: await readTracePolicies(policies, Date.now()), begin: enforcedReplay };
}

async function simulateOnce(order: Order, mode: ReadingMode): Promise<SimulationOutcome | "unsorted"> {
  const { request } = order;
  const workload = openWorkload(request, mode);
  const outputs = await openOutputs(order, workload);
  const isInColumns = mode === "streamed" && (await canPlayColumns(order));
  const run = new Run(order, workload, outputs);
  try {
    const outcome = await run.play(isInColumns);
    if (outcome === "unsorted") await abort(outputs);
    else for (const output of outputsOf(outputs)) await output.commit();
    return outcome;
  } catch (error) {
    await abort(outputs);
    throw error;
  } finally {
    await run.end();
  }
}

/** Whether nothing but arrivals and ends happens, nobody looks on, and the file can be read again. */
async function canPlayColumns({ request, reservations, priority, policies }: Order): Promise<boolean> {
  if (isProgram(request.discipline) || priority !== undefined || policies !== undefined) return false;
  if (reservations.length > 0 || request.sampleSlotsMs !== undefined) return false;
  const found = await stat(request.trace).catch(() => undefined);
  return found?.isFile() === true;
}

/** Outputs of a run beside its report. */
interface Outputs {
  readonly jobs: JobsOut | undefined;
  readonly slots: SlotSampling | undefined;
}

async function openOutputs({ request, hooks }: Order, workload: TraceWorkload): Promise<Outputs> {
  const slots = await samplingOf(request, hooks);
  if (request.jobsOut === undefined) return { jobs: undefined, slots };
  try {
    return { jobs: await openJobsOut(request.jobsOut, { request }, () => workload.facts()), slots };
  } catch (error) {
    await slots?.abort();
    throw error;
  }
}

async function samplingOf(request: SimulationRequest, hooks: RunHooks): Promise<SlotSampling | undefined> {
  if (request.sampleSlotsMs === undefined && request.slotsOut === undefined) return undefined;
  const { openSlotSampling } = await import("./slots/slot-sampling.ts");
  return openSlotSampling(request, hooks.onSlotSample);
}

function outputsOf({ jobs, slots }: Outputs): (JobsOut | SlotSampling)[] {
  return [jobs, slots].filter((output) => output !== undefined);
}

async function abort(outputs: Outputs): Promise<void> {
  for (const output of outputsOf(outputs)) await output.abort();
}

/** One run from its first batch to its report. */
class Run {
  readonly #order: Order;
  readonly #workload: TraceWorkload;
  readonly #outputs: Outputs;
  readonly #metrics = new MetricsOfRun();
  readonly #bins = new UtilisationBins();
  #finished: FinishedTraceJob[] = [];
  #replay: Feed<TraceJob> | undefined;
  /** In place of #replay, where the trace is played in columns. */
  #columns: ColumnReplay | undefined;
  /** The replay under an enforcer. */
  #enforced: EnforcedReplay | undefined;
  /** In place of #replay, where a program is the discipline. */
  #program: SiteDriver | undefined;
  #readMs = 0;
  #simulationMs = 0;
  #killed = 0;
  #lastEndMs = 0;

  constructor(order: Order, workload: TraceWorkload, outputs: Outputs) {
    this.#order = order;
    this.#workload = workload;
    this.#outputs = outputs;
  }

  async play(isInColumns: boolean): Promise<SimulationOutcome | "unsorted"> {
    const read = isInColumns ? await this.#playColumns() : await this.#playJobs();
    if (read === "unsorted") return "unsorted";
    const facts = this.#workload.facts();
    const replay = this.#columns ?? this.#replay;
    if (replay === undefined && this.#program === undefined) throw nothingLeft(this.#order.request, facts);
    this.#simulate(() => replay?.finish());
    await this.#waitFor(() => this.#program?.finish());
    await this.#takeStock();
    if (this.#metrics.jobs === 0) throw noneStarted(this.#order.request);
    this.#tellProgress(this.#lastEndMs);
    return this.#outcome(facts);
  }

  async #playColumns(): Promise<"complete" | "unsorted"> {
    const batches = this.#workload.columns();
    for (;;) {
      const batch = await this.#next(batches);
      if (batch.done === true) return batch.value;
      const columns = batch.value;
      if (columns.count === 0) continue;
      this.#columns ??= this.#begunInColumns();
      this.#simulate(() => this.#columns?.offer(columns));
      this.#killed += columns.cut;
      await this.#takeStock();
      this.#tellProgress(columns.submitMs[columns.count - 1]);
    }
  }

  async #playJobs(): Promise<"complete" | "unsorted"> {
    const batches = this.#workload.batches();
    for (;;) {
      const batch = await this.#next(batches);
      if (batch.done === true) return batch.value;
      if (isProgram(this.#order.request.discipline)) await this.#offerToProgram(batch.value);
      else this.#simulate(() => this.#offer(batch.value));
      await this.#takeStock();
      this.#tellProgress(batch.value.at(-1)?.submitMs ?? this.#lastEndMs);
    }
  }

  async #next<Batch, End>(
    batches: AsyncGenerator<Batch, End, undefined>,
  ): Promise<IteratorResult<Batch, End>> {
    const askedAt = performance.now();
    const batch = await batches.next();
    this.#readMs += performance.now() - askedAt;
    return batch;
  }

  #begunInColumns(): ColumnReplay {
    const { discipline } = this.#order.request;
    if (isProgram(discipline)) throw new Error("what must hold: a program is told of jobs one by one");
    const { procs } = this.#workload.facts();
    const takers = { metrics: this.#metrics, bins: this.#bins, jobsOut: this.#outputs.jobs };
    return beginColumnReplay({ procs, discipline, ...takers });
  }

  #offer(jobs: readonly TraceJob[]): void {
    if (jobs.length === 0) return;
    this.#replay ??= this.#begun();
    for (const job of jobs) this.#replay.offer(job);
  }

  #begun(): Feed<TraceJob> {
    const { policies } = this.#order;
    const order = this.#driverOrder();
    if (policies === undefined) return beginReplay(order);
    const discipline = ownDiscipline(order.request);
    this.#enforced = policies.begin({ ...order, discipline, policies: policies.rules });
    return this.#enforced;
  }

  /** Nothing goes on any more, however the run went. */
  async end(): Promise<void> {
    await this.#program?.stop();
  }

  async #offerToProgram(jobs: readonly TraceJob[]): Promise<void> {
    for (let from = 0; from < jobs.length; from += JOBS_BETWEEN_STOCK_TAKING) {
      const some = jobs.slice(from, from + JOBS_BETWEEN_STOCK_TAKING);
      this.#program ??= await beginSiteDriver({ ...this.#driverOrder(), hooks: this.#order.hooks });
      await this.#waitFor(() => this.#program?.offer(some));
      await this.#takeStock();
      this.#tellProgress(some[0].submitMs, from / jobs.length);
    }
  }

  /** What the driver of either kind needs. */
  #driverOrder(): Omit<DriverOrder, "hooks"> {
    const { request, reservations, priority } = this.#order;
    const { procs } = this.#workload.facts();
    const place = {
      file: request.reservations ?? "",
      limit: request.procs === undefined ? undefined : `the machine has ${procs} in all`,
    };
    const listener: ReplayListener<TraceJob> = {
      finished: (finished) => this.#finished.push(finished),
      refused: refusedAt(reservations, place),
    };
    return {
      request,
      poolProcs: [procs],
      rules: priority,
      looks: this.#outputs.slots,
      listener,
      operations: reserveAll(reservations),
    };
  }

  #simulate(part: () => void): void {
    const beganAt = performance.now();
    part();
    this.#simulationMs += performance.now() - beganAt;
  }

  async #waitFor(part: () => Promise<void> | undefined): Promise<void> {
    const beganAt = performance.now();
    await part();
    this.#simulationMs += performance.now() - beganAt;
  }

  /** Takes the jobs that ended in the last stretch into metrics and files. */
  async #takeStock(): Promise<void> {
    if (this.#columns !== undefined) this.#lastEndMs = Math.max(this.#lastEndMs, this.#columns.takeStock());
    for (const finished of this.#finished) {
      const { job, startMs, endMs } = finished;
      this.#metrics.add(finished);
      this.#bins.add(job.need[0], startMs, endMs);
      this.#lastEndMs = Math.max(this.#lastEndMs, endMs);
      if (job.isCut) this.#killed++;
      this.#outputs.jobs?.add(finished);
    }
    this.#finished = [];
    for (const output of outputsOf(this.#outputs)) await output.drained();
  }

  /** @param done the fraction of the work, where it is not that of the reading */
  #tellProgress(virtualMs: number, done?: number): void {
    const { bytesRead, bytesTotal } = this.#workload.bytes;
    const read = bytesTotal === undefined ? undefined : bytesRead / Math.max(1, bytesTotal);
    this.#order.hooks.onProgress?.({
      jobsDone: this.#metrics.jobs,
      readFraction: done ?? read,
      virtualUnixMs: this.#workload.facts().originUnixMs + virtualMs,
    });
  }

  #outcome(facts: TraceFacts): SimulationOutcome {
    const { request, hooks, reservations, priority } = this.#order;
    const slots = this.#outputs.slots?.summary();
    const report = {
      version: hooks.version,
      trace: request.trace,
      traceSha256: this.#workload.bytes.sha256(),
      discipline: request.discipline,
      ...(priority === undefined ? {} : { priority }),
      estimates: request.estimates,
      overrun: request.overrun,
      procs: facts.procs,
      procsFrom: facts.procsFrom,
      reservations: reservations.length,
      skipped: facts.skipped,
      unsorted: facts.unsorted,
      killed: this.#killed,
      ...this.#metrics.summary(facts.procs),
      ...(slots === undefined ? {} : { slots }),
      ...(this.#enforced === undefined ? {} : { enforcing: this.#enforced.summary() }),
      simulationMs: rounded(this.#simulationMs),
      readMs: rounded(this.#readMs),
    };
    return {
      report,
      course: this.#bins.course(facts.procs, this.#lastEndMs),
      malformedMessages: facts.malformedMessages,
    };
  }
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10;
}

function nothingLeft({ trace }: SimulationRequest, { skipped, procs }: TraceFacts): Fault {
  const counts =
    `${skipped.noProcs} without processors, ${skipped.noRuntime} without a runtime, ` +
    `${skipped.widerThanMachine} wider than ${procs} processors, ${skipped.malformed} malformed`;
  return new Fault({
    kind: "badInput",
    code: "noJobLeft",
    what: `${trace}: no job is left to simulate`,
    why: `skipped: ${counts}`,
    remedy: "check that this is the trace you mean, and that --procs is the size of its machine",
  });
}

/** The fault of a simulation in which no job ever starts, so that there is nothing to measure. */
function noneStarted({ trace, policies }: SimulationRequest): Fault {
  const isPoliced = policies !== undefined;
  return new Fault({
    kind: "badInput",
    code: "noJobStarted",
    what: `${trace}: no job ever starts`,
    why: isPoliced
      ? "the policies give a share to none of the trace's users and groups"
      : "none of them finds the processors that it needs, or the program that decides starts none",
    remedy: isPoliced
      ? "map its users and groups to consumers with --owners FILE, or leave out --policies"
      : "check the reservations and the program",
  });
}
