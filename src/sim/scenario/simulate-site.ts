/**
 * One site in one replicate of one run: its workload through its machine, measured.
 */
import { Fault, formatPosition, MS_PER_SECOND } from "../../base/index.ts";
import { type ReservationRow, readReservationsCsv } from "../../formats/index.ts";
import type { Scenario, ScenarioMeasures, ScenarioRow, ScenarioSite } from "../../model/index.ts";
import { createMachine, createReplay, type OperationRefusal, type Replay } from "../../queue/index.ts";
import { type FinishedTraceJob, type JobsOut, openJobsOut } from "../jobs-out.ts";
import { MetricsOfRun } from "../metrics.ts";
import type { TraceJob } from "../trace-job.ts";
import { type Counted, countedOf } from "./counted.ts";
import { courseOf, type JobTimes, queueLengthIn, type SiteCourse, utilisationIn } from "./site-course.ts";
import { type SiteWorkload, siteWorkload, totalProcs } from "./site-workload.ts";
import { waitCounts } from "./wait-counts.ts";

/** What comes of it. */
export interface SiteOutcome {
  readonly row: ScenarioRow;
  readonly course: SiteCourse;
  readonly waitCounts: readonly number[];
}

/** Which site, of what, and where its rows per job go. */
export interface SiteTask {
  readonly scenario: Pick<Scenario, "warmUp" | "coolDown">;
  readonly run: string;
  readonly site: ScenarioSite;
  /** From 1. */
  readonly replicate: number;
  readonly seed: number;
  readonly version: string;
  /** Files to write a row per job to, by the ends of their names. */
  readonly jobsOut: readonly string[];
  /** Asked every few thousand jobs; throws to stop. */
  readonly checkStop: () => void;
}

/** Jobs between two looks at whether to stop, and at whether files keep up. */
const JOBS_AT_ONCE = 2048;

/**
 * Simulates it.
 *
 * @throws Fault for everything that can be wrong with the files, and what `checkStop` throws
 */
export async function simulateSite(task: SiteTask): Promise<SiteOutcome> {
  const { site, seed, version, checkStop, jobsOut } = task;
  const reservations = site.reservations === undefined ? [] : await readReservationsCsv(site.reservations);
  const keepsRows = jobsOut.length > 0;
  const workload = await siteWorkload(site, { seed, version, keepsRows, checkStop });
  const outs: JobsOut[] = [];
  try {
    for (const path of jobsOut)
      outs.push(await openJobsOut(path, requestOf(site, path), () => workload.facts));
    const played = await play(task, { workload, reservations, outs });
    for (const out of outs) await out.commit();
    return outcomeOf(task, workload, played);
  } catch (error) {
    for (const out of outs) await out.abort();
    throw error;
  }
}

/** The rules as files state them. */
function requestOf({ name, discipline, estimates, overrun }: ScenarioSite, jobsOut: string) {
  return { trace: name, discipline, estimates, overrun, lenient: false, jobsOut };
}

interface Stage {
  readonly workload: SiteWorkload;
  readonly reservations: readonly ReservationRow[];
  readonly outs: readonly JobsOut[];
}

interface Played {
  readonly times: JobTimes;
  readonly isBackfilled: Uint8Array;
  /** The jobs in the order in which they ended. */
  readonly ended: Int32Array;
  readonly reservations: number;
}

async function play(task: SiteTask, stage: Stage): Promise<Played> {
  const { jobs } = stage.workload;
  const { outs } = stage;
  const times: JobTimes = {
    procs: Float64Array.from(jobs, ({ need }) => need[0]),
    submitMs: Float64Array.from(jobs, ({ submitMs }) => submitMs),
    startMs: new Float64Array(jobs.length),
    endMs: new Float64Array(jobs.length),
  };
  const isBackfilled = new Uint8Array(jobs.length);
  const ended = new Int32Array(jobs.length);
  let endedCount = 0;
  const replay = replayOf(task, stage, (finished) => {
    const { job, startMs, endMs, backfilled } = finished;
    times.startMs[job.order] = startMs;
    times.endMs[job.order] = endMs;
    isBackfilled[job.order] = backfilled ? 1 : 0;
    ended[endedCount++] = job.order;
    if (endedCount % JOBS_AT_ONCE === 0) task.checkStop();
    for (const out of outs) out.add(finished);
  });
  for (const job of jobs) {
    replay.offer(job);
    if (job.order % JOBS_AT_ONCE === 0) {
      task.checkStop();
      for (const out of outs) await out.drained();
    }
  }
  replay.finish();
  for (const out of outs) await out.drained();
  return { times, isBackfilled, ended, reservations: stage.reservations.length };
}

function replayOf(
  { site }: SiteTask,
  { reservations }: Stage,
  finished: (finished: FinishedTraceJob) => void,
): Replay<TraceJob> {
  const machine = createMachine(
    site.pools.map(({ procs }) => [procs]),
    { discipline: site.discipline },
  );
  const operations = reservations.map((row, reservation) => ({
    kind: "reserve" as const,
    atMs: 0,
    reservation,
    fixed: { pool: 0, need: [row.procs], startMs: row.startMs, durationMs: row.durationMs },
  }));
  const refused = (operation: { kind: string; reservation?: number }, refusal: OperationRefusal): void => {
    throw reservationRefused(site, reservations[operation.reservation ?? 0], refusal);
  };
  return createReplay<TraceJob>(machine, { finished, refused }, operations);
}

function outcomeOf(task: SiteTask, workload: SiteWorkload, played: Played): SiteOutcome {
  const { site, run, replicate, seed, scenario } = task;
  const { discipline, estimates, overrun } = site;
  const { jobs, facts, sha256 } = workload;
  const { times } = played;
  const lastEndMs = times.endMs.reduce((last, ms) => Math.max(last, ms), 0);
  const counted = countedOf(scenario, times.submitMs, lastEndMs);
  const procs = totalProcs(site);
  const queue = queueLengthIn(times, counted);
  const row: ScenarioRow = {
    ...{ run, site: site.name, replicate, seed, discipline, estimates, overrun, procs },
    workloadSha256: sha256,
    reservations: played.reservations,
    jobs: jobs.length,
    jobsCounted: counted.end - counted.first,
    skipped: facts.skipped,
    killed: jobs.filter(({ isCut }) => isCut).length,
    ...jobMeasures(jobs, counted, played),
    utilisation: utilisationIn(times, procs, counted),
    queueLengthMean: queue.mean,
    queueLengthMax: queue.max,
    makespanSec: lastEndMs / MS_PER_SECOND,
  };
  const waits = times.submitMs
    .subarray(counted.first, counted.end)
    .map((submitMs, at) => times.startMs[counted.first + at] - submitMs);
  return { row, course: courseOf(times, procs, counted), waitCounts: waitCounts(waits) };
}

type OfTheSite = "utilisation" | "queueLengthMean" | "queueLengthMax" | "makespanSec";

/**
 * What is measured of the jobs that count, as in every simulation: taken in the order in which they ended,
 * on which the last digit of a mean of slowdowns depends.
 */
function jobMeasures(
  jobs: readonly TraceJob[],
  { first, end }: Counted,
  { times, isBackfilled, ended }: Played,
): Omit<ScenarioMeasures, OfTheSite> {
  const metrics = new MetricsOfRun();
  for (const order of ended) {
    if (order < first || order >= end) continue;
    const job = jobs[order];
    metrics.add({
      job,
      startMs: times.startMs[job.order],
      endMs: times.endMs[job.order],
      promisedMs: undefined,
      backfilled: isBackfilled[job.order] === 1,
    });
  }
  const { jobs: _, utilisation: __, makespanSec: ___, ...measures } = metrics.summary(1);
  return measures;
}

function reservationRefused(
  { name, reservations, pools }: ScenarioSite,
  row: ReservationRow,
  refusal: OperationRefusal,
): Fault {
  const where = formatPosition({ file: reservations ?? "", line: row.line, column: 1 });
  const why =
    refusal.kind === "conflict"
      ? `${refusal.shortage.missing[0]} processors are missing at ${refusal.shortage.atMs / MS_PER_SECOND} s`
      : refusal.kind;
  return new Fault({
    kind: "refused",
    code: "reservationConflict",
    what: `${where}: reservation ${row.id} cannot be made`,
    why: `${why}; pool ${pools[0].name} of ${name} has ${pools[0].procs} in all`,
    remedy: "make it smaller, shorter or at another time, or take another one out",
  });
}
