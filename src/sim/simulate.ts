/**
 * One workload through one site: read, play, measure, write (rules SI-1 to SI-6, SI-50 to SI-54).
 *
 * Reading and playing take turns batch by batch and are timed apart: `simulationMs` is the play alone.
 * Of a trace in SWF that is in order nothing is kept but the jobs in the system and the values for exact
 * quantiles; a workload in JSON lines is held whole.
 */
import { Fault } from "../base/index.ts";
import { isWorkloadFile } from "../formats/index.ts";
import {
  type EnergyUse,
  isProgram,
  type PriorityRules,
  type SimulationOutcome,
  type SimulationProgress,
  type SimulationReport,
  type SimulationRequest,
} from "../model/index.ts";
import type { EndedJobs } from "../queue/index.ts";
import { assertOfTrace, policiesOf, priorityOf } from "./asked-rules.ts";
import type { BusyRun } from "./energy/energy-meter.ts";
import type { TracePolicies } from "./enforcing/trace-policies.ts";
import type { GroupsOfRun } from "./groups/groups-of-run.ts";
import { MetricsOfRun } from "./metrics.ts";
import type { SlotSampling } from "./slots/slot-sampling.ts";
import type { SlotSample } from "./slots/slot-statistics.ts";
import { UtilisationBins } from "./utilisation-course.ts";
import { noneEnded, workloadFacts } from "./workload/facts.ts";
import { beginPlay } from "./workload/play.ts";
import type { DoneJob, Ends, WorkloadPlay } from "./workload/play-state.ts";
import type { PoolChange } from "./workload/prepare.ts";
import { type Reading, readLines, readTrace } from "./workload/reading.ts";
import { openRowsOut, type RowsOut } from "./workload/rows-out.ts";
import { reservationsBeside, type WorkloadFrame } from "./workload/workload.ts";

/** Input of a run beside the request. */
export interface RunHooks {
  /** The version of the program, for the report. */
  readonly version: string;
  readonly onProgress?: (progress: SimulationProgress) => void;
  /** Receiver of the stderr of a program that is the discipline; absent: its stderr is dropped. */
  readonly writeError?: (text: string) => void;
  /** Called with each sample of the slots, where slots are sampled. */
  readonly onSlotSample?: (sample: SlotSample) => void;
  /** Called when a play begins, perhaps again where it begins anew; takes each job of it that ends. */
  readonly openJobs?: () => (done: DoneJob) => void;
  /** Other pools than those of a workload in JSON lines. */
  readonly changePools?: PoolChange;
}

/** Settings of a simulation. */
interface Asked {
  readonly request: SimulationRequest;
  readonly hooks: RunHooks;
  readonly priority: PriorityRules | undefined;
  readonly policies: TracePolicies | undefined;
}

/**
 * Simulates a workload, whichever format it is in (rule FO-50).
 *
 * @throws Fault for everything that can be wrong with the files, the sizes and the options; AggregateError of
 * Faults where policies are not in order
 */
export async function simulateFile(request: SimulationRequest, hooks: RunHooks): Promise<SimulationOutcome> {
  const isLines = await isWorkloadFile(request.trace);
  if (!isLines) assertOfTrace(request);
  const asked = { request, hooks, priority: await priorityOf(request), policies: await policiesOf(request) };
  if (isLines) return sorted(await simulateOnce(asked, await readLines(request, hooks.changePools)));
  const reservations = await reservationsBeside(request.reservations, 0);
  // A program is begun once: its trace is held from the start, and not begun again when it is unsorted.
  if (!isProgram(request.discipline)) {
    const streamed = await simulateOnce(asked, readTrace(request, reservations, false));
    if (streamed !== "unsorted") return streamed;
  }
  return sorted(await simulateOnce(asked, readTrace(request, reservations, true)));
}

function sorted(outcome: SimulationOutcome | "unsorted"): SimulationOutcome {
  if (outcome === "unsorted") throw new Error("what must hold: what is held is sorted");
  return outcome;
}

async function simulateOnce(asked: Asked, reading: Reading): Promise<SimulationOutcome | "unsorted"> {
  const outputs = await openOutputs(asked, reading);
  const run = new Run(asked, reading, outputs);
  try {
    const outcome = await run.play();
    for (const output of outputsOf(outputs)) {
      if (outcome === "unsorted") await output.abort();
      else await output.commit();
    }
    return outcome;
  } catch (error) {
    for (const output of outputsOf(outputs)) await output.abort();
    throw error;
  } finally {
    await run.end();
  }
}

/** Outputs of a run beside its report. */
interface Outputs {
  readonly rows: RowsOut | undefined;
  readonly slots: SlotSampling | undefined;
}

async function openOutputs({ request, hooks }: Asked, { frame, header }: Reading): Promise<Outputs> {
  const slots = await samplingOf(request, hooks);
  if (request.jobsOut === undefined) return { rows: undefined, slots };
  try {
    return { rows: await openRowsOut(request.jobsOut, { request, frame, header }), slots };
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

type EnergyMeter = (procs: number, runs: readonly BusyRun[]) => EnergyUse;

/** The meter of energy, where it is asked for. */
async function energyMeter({ power }: SimulationRequest): Promise<EnergyMeter | undefined> {
  if (power === undefined) return undefined;
  const { energyOf } = await import("./energy/energy-meter.ts");
  return (procs, runs) => energyOf(power, procs, runs);
}

async function groupsOf(
  { request, policies }: Asked,
  { isTrace }: WorkloadFrame,
): Promise<GroupsOfRun | undefined> {
  if (request.by === undefined) return undefined;
  const { GroupsOfRun: Groups } = await import("./groups/groups-of-run.ts");
  return new Groups(request, policies, isTrace);
}

function outputsOf({ rows, slots }: Outputs): (RowsOut | SlotSampling)[] {
  return [rows, slots].filter((output) => output !== undefined);
}

/** One run from its first batch to its report. */
class Run {
  readonly #asked: Asked;
  readonly #reading: Reading;
  readonly #outputs: Outputs;
  readonly #metrics = new MetricsOfRun();
  readonly #bins = new UtilisationBins();
  /** Kept where energy is asked for. */
  readonly #busyRuns: BusyRun[] = [];
  #play: WorkloadPlay | undefined;
  #groups: GroupsOfRun | undefined;
  #takeJob: ((done: DoneJob) => void) | undefined;
  /** Jobs that ended in the last call. */
  #ended: EndedJobs | undefined;
  #finished: DoneJob[] = [];
  #readMs = 0;
  #simulationMs = 0;
  #killed = 0;
  #lastEndMs = 0;

  constructor(asked: Asked, reading: Reading, outputs: Outputs) {
    this.#asked = asked;
    this.#reading = reading;
    this.#outputs = outputs;
  }

  async play(): Promise<SimulationOutcome | "unsorted"> {
    const batches = this.#reading.batches();
    for (;;) {
      const batch = await this.#next(batches);
      if (batch.done === true) {
        if (batch.value === "unsorted") return "unsorted";
        break;
      }
      const { count, submitMs } = batch.value;
      if (count === 0) continue;
      this.#play ??= await this.#begun();
      const play = this.#play;
      await this.#simulate(() => play.offer(batch.value));
      this.#tellProgress(submitMs[count - 1]);
    }
    const play = this.#play;
    if (play === undefined) throw nothingLeft(this.#asked.request, this.#reading);
    await this.#simulate(() => play.finish());
    if (this.#metrics.jobs === 0) throw noneEnded(this.#asked.request, this.#reading.frame());
    this.#tellProgress(this.#lastEndMs);
    return this.#outcome(play, await energyMeter(this.#asked.request));
  }

  /** Stops whatever still runs, however the run went. */
  async end(): Promise<void> {
    await this.#play?.stop();
  }

  async #next<Batch, End>(
    batches: AsyncGenerator<Batch, End, undefined>,
  ): Promise<IteratorResult<Batch, End>> {
    const askedAt = performance.now();
    const batch = await batches.next();
    this.#readMs += performance.now() - askedAt;
    return batch;
  }

  async #begun(): Promise<WorkloadPlay> {
    const { request, hooks, priority, policies } = this.#asked;
    const { discipline, stoppedJobs = "requeue", trace: file } = request;
    const frame = this.#reading.frame();
    const rules = { discipline, stoppedJobs, priority, policies, file, looks: this.#outputs.slots };
    const { rows } = this.#outputs;
    this.#groups = await groupsOf(this.#asked, frame);
    this.#takeJob = hooks.openJobs?.();
    const isCounted = this.#reading.facts().cut === undefined || policies !== undefined;
    const isNamed =
      rows !== undefined || this.#groups !== undefined || this.#takeJob !== undefined || isCounted;
    const ends: Ends = {
      ended: (ended) => {
        this.#ended = ended;
      },
      ...(isNamed ? { finished: (done) => void this.#finished.push(done) } : {}),
    };
    return beginPlay(frame, { ...rules, program: { request, hooks } }, ends);
  }

  async #simulate(part: () => Promise<void> | undefined): Promise<void> {
    const beganAt = performance.now();
    await part();
    this.#simulationMs += performance.now() - beganAt;
    this.#takeStock();
    for (const output of outputsOf(this.#outputs)) await output.drained();
  }

  /** Takes the jobs that ended in the last call into metrics and files. */
  #takeStock(): void {
    if (this.#ended === undefined) return;
    const { count, procs, startMs, endMs } = this.#ended;
    this.#metrics.addAll(this.#ended);
    const isStopped = this.#asked.policies !== undefined;
    for (let at = 0; at < count; at++) {
      this.#lastEndMs = Math.max(this.#lastEndMs, endMs[at]);
      if (!isStopped) this.#addBusy(procs[at], startMs[at], endMs[at]);
    }
    for (const done of this.#finished) {
      if (done.job.isCut) this.#killed++;
      this.#outputs.rows?.add(done);
      this.#groups?.add(done);
      this.#takeJob?.(done);
    }
    this.#ended = undefined;
    this.#finished = [];
  }

  #addBusy(procs: number, startMs: number, endMs: number): void {
    this.#bins.add(procs, startMs, endMs);
    if (this.#asked.request.power !== undefined) this.#busyRuns.push({ procs, startMs, endMs });
  }

  #tellProgress(virtualMs: number): void {
    this.#asked.hooks.onProgress?.({
      jobsDone: this.#metrics.jobs,
      readFraction: this.#reading.readFraction(),
      virtualUnixMs: this.#reading.facts().originUnixMs + virtualMs,
    });
  }

  #outcome(play: WorkloadPlay, energyOfRuns: EnergyMeter | undefined): SimulationOutcome {
    const { request, hooks, priority, policies } = this.#asked;
    const frame = this.#reading.frame();
    const { procs, procsFrom } = frame.site;
    const facts = this.#reading.facts();
    const slots = this.#outputs.slots?.summary();
    const enforced = play.enforced?.();
    for (const { job, runs } of enforced?.outcomes ?? []) {
      for (const { fromMs, toMs } of runs) this.#addBusy(job.need.cpu, fromMs, toMs ?? fromMs);
    }
    const report: SimulationReport = {
      version: hooks.version,
      trace: request.trace,
      traceSha256: facts.sha256(),
      discipline: request.discipline,
      ...(priority === undefined ? {} : { priority }),
      ...{ estimates: request.estimates, overrun: request.overrun, procs, procsFrom },
      reservations: frame.reservations.length,
      ...{ skipped: facts.skipped, unsorted: facts.unsorted },
      killed: policies === undefined ? (facts.cut ?? this.#killed) : this.#killed,
      ...(facts.fitNowhere === undefined
        ? {}
        : {
            workload: workloadFacts(
              request,
              { ...frame, fitNowhere: facts.fitNowhere },
              play.counts,
              this.#lastEndMs,
            ),
          }),
      ...this.#metrics.summary(procs),
      ...(slots === undefined ? {} : { slots }),
      ...(enforced === undefined ? {} : { enforcing: enforced.summary }),
      ...this.#groups?.summary(),
      ...(energyOfRuns === undefined ? {} : { energy: energyOfRuns(procs, this.#busyRuns) }),
      ...{ simulationMs: rounded(this.#simulationMs), readMs: rounded(this.#readMs) },
    };
    const course = this.#bins.course(procs, this.#lastEndMs);
    return { report, course, malformedMessages: facts.malformedMessages };
  }
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10;
}

function nothingLeft({ trace }: SimulationRequest, { facts, frame }: Reading): Fault {
  const { skipped } = facts();
  const counts =
    `${skipped.noProcs} without processors, ${skipped.noRuntime} without a runtime, ` +
    `${skipped.widerThanMachine} wider than ${frame().site.procs} processors, ${skipped.malformed} malformed`;
  return new Fault({
    kind: "badInput",
    code: "noJobLeft",
    what: `${trace}: no job is left to simulate`,
    why: `skipped: ${counts}`,
    remedy: "check that this is the trace you mean, and that --procs is the size of its machine",
  });
}
