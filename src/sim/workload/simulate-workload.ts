/**
 * One workload in JSON lines through one site: read, play, measure, write (rules SI-1, SI-51 to SI-54).
 */
import { Fault, MS_PER_SECOND } from "../../base/index.ts";
import {
  isProgram,
  type PriorityRules,
  type SimulationOutcome,
  type SimulationReport,
  type SimulationRequest,
  type SlotSummary,
  type WorkloadFacts,
} from "../../model/index.ts";
import { policiesMisplaced, priorityOf } from "../asked-rules.ts";
import { type EnforcedWorkload, playEnforcedWorkload } from "../enforcing/enforced-workload.ts";
import { readTracePolicies } from "../enforcing/read-trace-policies.ts";
import type { ApartProgram } from "../external/program.ts";
import type { SiteEvent } from "../external/protocol.ts";
import { submitted } from "../external/site-events.ts";
import { MetricsOfRun } from "../metrics.ts";
import type { RunHooks } from "../simulate-trace.ts";
import type { Looks } from "../slots/sampler.ts";
import { openSlotSampling } from "../slots/slot-sampling.ts";
import { UtilisationBins } from "../utilisation-course.ts";
import type { WorkloadJob } from "./jobs.ts";
import { writeWorkloadJobs } from "./jobs-csv.ts";
import { playWorkload, playWorkloadBy } from "./play.ts";
import type { Played } from "./play-state.ts";
import { type PreparedWorkload, prepareWorkload } from "./prepare.ts";

/**
 * Simulates a workload with several resources, pools and events.
 *
 * @throws Fault for everything that can be wrong with the file, the site, and the options
 */
export async function simulateWorkload(
  request: SimulationRequest,
  hooks: RunHooks,
): Promise<SimulationOutcome> {
  assertRowsInCsv(request);
  const enforcing = await policiesBefore(request);
  const readAt = performance.now();
  const workload = await prepareWorkload(request);
  const priority = await priorityOf(request);
  assertPlayable(request, workload);
  const slots = await openSlotSampling(request, hooks.onSlotSample);
  try {
    const playAt = performance.now();
    hooks.onProgress?.({ jobsDone: 0, readFraction: 1, virtualUnixMs: workload.originMs });
    const { stoppedJobs = "requeue", trace: file } = request;
    const enforced =
      enforcing &&
      playEnforcedWorkload(workload, { ...enforcing, priority, looks: slots, stoppedJobs, file });
    const played =
      enforced?.played ?? (await playAsAsked(workload, { request, priority, looks: slots, hooks }));
    const doneAt = performance.now();
    if (played.done.length === 0) throw nothingEnded(file);
    if (request.jobsOut !== undefined) await writeWorkloadJobs(request.jobsOut, workload, played.done);
    await slots?.commit();
    return outcomeOf(request, workload, played, {
      version: hooks.version,
      readMs: rounded(playAt - readAt),
      simulationMs: rounded(doneAt - playAt),
      ...{ enforced, priority, slots: slots?.summary() },
    });
  } catch (error) {
    await slots?.abort();
    throw error;
  }
}

/** How a workload is played, and by whom. */
export interface AskedPlay {
  readonly request: SimulationRequest;
  readonly priority: PriorityRules | undefined;
  readonly looks?: Looks | undefined;
  readonly hooks: Pick<RunHooks, "version" | "writeError">;
  readonly apart?: ApartProgram;
  readonly checkStop?: () => void;
  /** So many of the first jobs ran already. */
  readonly underWay?: number;
}

/**
 * Plays a workload under a discipline of ours, or by the program that the request names.
 *
 * @throws Fault as `playWorkload` and `playWorkloadBy`
 */
export async function playAsAsked(
  workload: PreparedWorkload,
  { request, hooks, apart, ...asked }: AskedPlay,
): Promise<Played> {
  const { discipline, stoppedJobs = "requeue", trace: file } = request;
  if (!isProgram(discipline)) return playWorkload(workload, { ...asked, discipline, stoppedJobs, file });
  const { beginProgramAt } = await import("../external/begin.ts");
  const pools = workload.site.pools.map(({ name, memoryBytes, gpus }, at) => {
    const memory = memoryBytes === undefined ? {} : { memory: memoryBytes };
    return { name, procs: workload.site.capacity[at][0], ...memory, ...(gpus === undefined ? {} : { gpus }) };
  });
  const place = apart === undefined ? {} : { apart };
  return playWorkloadBy(workload, { ...asked, stoppedJobs, file }, (site) =>
    beginProgramAt({ request, hooks, pools, site, submitted: submittedOf, ...place }),
  );
}

/** A job as a program is told of it: what it does not ask for is not said. */
function submittedOf(job: WorkloadJob): SiteEvent {
  const { name, user, memoryBytes, gpus, pools } = job;
  return {
    ...submitted(job),
    ...{ user, name },
    ...(memoryBytes === 0 ? {} : { memory: memoryBytes }),
    ...(gpus === 0 ? {} : { gpus }),
    ...(pools === undefined ? {} : { pools }),
  };
}

/** @throws Fault `optionMisplaced` where rows per job are to be written in another format than CSV */
function assertRowsInCsv({ jobsOut }: SimulationRequest): void {
  if (jobsOut === undefined || /\.csv(\.gz)?$/.test(jobsOut)) return;
  throw misplaced(`--jobs-out ${jobsOut}`, "rows per job of such a workload are written as .csv or .csv.gz");
}

/**
 * Whether a workload in JSON lines can be played as it is asked.
 *
 * @throws Fault `optionMisplaced`
 */
export function assertPlayable(
  { discipline, sampleSlotsMs }: SimulationRequest,
  { site }: Pick<PreparedWorkload, "site">,
): void {
  if (!site.hasNodes) return;
  if (sampleSlotsMs !== undefined) {
    throw misplaced("--sample-slots", "a slot is an amount of a pool, and tells nothing of tasks on nodes");
  }
  if (isProgram(discipline)) {
    throw misplaced("--discipline exec:", "a program is told of pools, and not on which nodes tasks lie");
  }
}

/**
 * The policies that a workload in JSON lines is played under, if any, and the discipline behind them.
 *
 * @throws Fault `policiesMisplaced`, and as the files are read
 */
async function policiesBefore({ policies, discipline }: SimulationRequest) {
  if (policies === undefined) return undefined;
  if (isProgram(discipline)) throw policiesMisplaced(discipline);
  return { policies: await readTracePolicies(policies, Date.now()), discipline };
}

function misplaced(option: string, why: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "optionMisplaced",
    what: `${option} means nothing for a workload in JSON lines`,
    why,
    remedy: "leave it out; docs/guides/workload-format.md says what such a file can hold",
  });
}

/** No job of the workload came to its end. */
export function nothingEnded(file: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "noJobLeft",
    what: `${file}: no job comes to its end`,
    why: "all of them are cancelled or lost",
    remedy: "check that this is the workload you mean",
  });
}

interface Circumstances {
  readonly version: string;
  readonly readMs: number;
  readonly simulationMs: number;
  readonly enforced: EnforcedWorkload | undefined;
  readonly priority: PriorityRules | undefined;
  readonly slots: SlotSummary | undefined;
}

function outcomeOf(
  request: SimulationRequest,
  workload: PreparedWorkload,
  played: Played,
  { version, readMs, simulationMs, enforced, priority, slots }: Circumstances,
): SimulationOutcome {
  const { site, skipped, unsorted, sha256, malformedMessages } = workload;
  const metrics = new MetricsOfRun();
  const bins = new UtilisationBins();
  let lastEndMs = 0;
  for (const done of played.done) {
    metrics.add(done);
    if (enforced === undefined) bins.add(done.job.need[0], done.startMs, done.endMs);
    lastEndMs = Math.max(lastEndMs, done.endMs);
  }
  for (const { job, runs } of enforced?.outcomes ?? []) {
    for (const { fromMs, toMs } of runs) bins.add(job.need.cpu, fromMs, toMs ?? fromMs);
  }
  const report: SimulationReport = {
    version,
    trace: request.trace,
    traceSha256: sha256,
    ...{ discipline: request.discipline, estimates: request.estimates, overrun: request.overrun },
    ...(priority === undefined ? {} : { priority }),
    ...{ procs: site.procs, procsFrom: site.procsFrom },
    reservations: workload.reservations.length,
    skipped,
    unsorted,
    killed: played.done.filter(({ job }) => job.isCut).length,
    workload: workloadFacts(request, workload, played, lastEndMs),
    ...metrics.summary(site.procs),
    ...(slots === undefined ? {} : { slots }),
    ...(enforced === undefined ? {} : { enforcing: enforced.summary }),
    simulationMs,
    readMs,
  };
  return { report, course: bins.course(site.procs, lastEndMs), malformedMessages };
}

/** What a report says of a workload that was played; its last job ended at `lastEndMs`. */
export function workloadFacts(
  { stoppedJobs = "requeue" }: SimulationRequest,
  { site, fitNowhere, reservations }: PreparedWorkload,
  played: Played,
  lastEndMs: number,
): WorkloadFacts {
  const downProcMs = played.down.reduce(
    (sum, { procs, fromMs, untilMs }) => sum + procs * Math.max(0, Math.min(untilMs, lastEndMs) - fromMs),
    0,
  );
  return {
    pools: site.pools,
    stoppedJobs,
    fitNowhere,
    cancelled: {
      waiting: played.cancelledWaiting,
      running: played.cancelledRunning,
      ended: played.cancelledEnded,
    },
    ...{ outages: played.outages, stopped: played.stopped, requeued: played.requeued, lost: played.lost },
    brokenReservations: played.brokenReservations,
    ...(site.hasNodes && reservations.length > 0 ? reservedFacts(played) : {}),
    startedLate: played.startedLate,
    wastedProcSec: played.wastedProcMs / MS_PER_SECOND,
    downProcSec: downProcMs / MS_PER_SECOND,
  };
}

function reservedFacts({
  reservationChanges,
  reservedMissingProcMs,
}: Played): Pick<WorkloadFacts, "reservationChanges" | "reservedMissingProcSec"> {
  return { reservationChanges, reservedMissingProcSec: reservedMissingProcMs / MS_PER_SECOND };
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10;
}
