/**
 * A site whose workload is a trace, recorded or drawn, in a scenario: through the driver that its words ask
 * for, with its rows per job and per slot.
 */
import type { ReservationRow } from "../../formats/index.ts";
import { readPriorityFile } from "../../formats/priority-yaml/index.ts";
import type { PriorityRules } from "../../model/index.ts";
import { enforcedReplay } from "../enforcing/enforced-replay.ts";
import type { TracePolicies } from "../enforcing/trace-policies.ts";
import { type FinishedTraceJob, type JobsOut, openJobsOut } from "../jobs-out.ts";
import type { ReservedJob } from "../reserving/reservable-site.ts";
import type { Accepted } from "../reserving/reserver.ts";
import { beginSiteDriver, ownDiscipline, type SiteDriver } from "../site-driver.ts";
import { openSlotSampling, type SlotSampling } from "../slots/slot-sampling.ts";
import type { TraceJob } from "../trace-job.ts";
import { readTraceReservations, refusedAt, reserveAll } from "../trace-reservations.ts";
import { countedOf } from "./counted.ts";
import { type PlayedSite, playedJobs } from "./played-site.ts";
import { policedAlone, policedBy, policiesOfTask } from "./policed-jobs.ts";
import { type ProgramWatch, watchProgram } from "./program-watch.ts";
import { reservingSeed } from "./seeds.ts";
import { slotCourseOf } from "./site-course.ts";
import { requestOf, type SiteTask } from "./site-task.ts";
import { type SiteWorkload, siteWorkload, type TraceSource, totalProcs } from "./site-workload.ts";

/** Jobs between two checks for a stop, and whether files keep up. */
const JOBS_AT_ONCE = 2048;

interface Stage {
  readonly task: SiteTask;
  readonly workload: SiteWorkload;
  readonly reservations: readonly ReservationRow[];
  readonly rules: PriorityRules | undefined;
  readonly outs: readonly JobsOut[];
  readonly slots: SlotSampling | undefined;
  /** Slots at each sample. */
  readonly slotCounts: number[];
}

/**
 * Simulates a trace.
 *
 * @throws Fault for everything that can be wrong with the files and a program, and what `checkStop` throws
 */
export async function playTrace(task: SiteTask, source: TraceSource): Promise<PlayedSite> {
  const { site, seed, version, checkStop, jobsOut } = task;
  const reservations = await readTraceReservations(site.reservations);
  const { priority } = site;
  const rules = priority === undefined ? undefined : await readPriorityFile(priority.name, priority.config);
  const keepsRows = jobsOut.length > 0;
  const workload = await siteWorkload(site, source, { seed, version, keepsRows, checkStop });
  const outs: JobsOut[] = [];
  const slotCounts: number[] = [];
  let slots: SlotSampling | undefined;
  try {
    const request = requestOf(task, site.name);
    const hasReserved = site.reserving !== undefined;
    for (const path of jobsOut) {
      outs.push(await openJobsOut(path, { request, hasReserved }, () => workload.facts));
    }
    const isCounted = countingOf(task, workload.jobs);
    slots = await openSlotSampling(request, (sample) => slotCounts.push(sample.slots.length), isCounted);
    const stage = { task, workload, reservations, rules, outs, slots, slotCounts };
    const played = await play(stage);
    for (const out of outputsOf(stage)) await out.commit();
    return played;
  } catch (error) {
    for (const out of outputsOf({ outs, slots })) await out.abort();
    throw error;
  }
}

function outputsOf({ outs, slots }: Pick<Stage, "outs" | "slots">): readonly (JobsOut | SlotSampling)[] {
  return slots === undefined ? outs : [...outs, slots];
}

/** Which samples count, which is known before the last end is: those of the time that counts for jobs. */
export function countingOf(
  { scenario }: SiteTask,
  jobs: readonly { readonly submitMs: number }[],
): (atMs: number) => boolean {
  const submitMs = Float64Array.from(jobs, (job) => job.submitMs);
  const { fromMs, untilMs } = countedOf(scenario, submitMs, Number.POSITIVE_INFINITY);
  return (atMs) => atMs >= fromMs && atMs <= untilMs;
}

async function play(stage: Stage): Promise<PlayedSite> {
  const { task, workload, reservations, rules, outs, slots, slotCounts } = stage;
  const { jobs, facts, sha256 } = workload;
  const policies = await policiesOfTask(task);
  if (policies !== undefined && task.site.policies?.pep !== "none") return playPoliced(stage, policies);
  const { played, note } = playedJobs(jobs);
  const reserved: ReservedJob<TraceJob>[] = [];
  let ended = 0;
  await drive(stage, (finished) => {
    if (finished.reserved !== undefined) reserved.push(finished.reserved);
    note(finished.job.order, finished);
    if (++ended % JOBS_AT_ONCE === 0) task.checkStop();
    for (const out of outs) out.add(finished);
  });
  return {
    ...played,
    procs: totalProcs(task.site),
    sha256,
    skipped: facts.skipped,
    reservations: reservations.length,
    ...(policies === undefined ? {} : { policed: policedAlone(policies, jobs, played.times) }),
    ...(rules === undefined ? {} : { priority: rules }),
    ...(task.site.reserving === undefined ? {} : { reserved }),
    ...(slots === undefined ? {} : sampledBy(slots, slotCounts)),
  };
}

/** The jobs are let in by an enforcer; those that never start are in no measure but of the policies. */
async function playPoliced(stage: Stage, policies: TracePolicies): Promise<PlayedSite> {
  const { task, workload, outs, rules, slots, reservations } = stage;
  const finished: FinishedTraceJob[] = [];
  const order = orderOf(stage, (one) => void finished.push(one));
  const { checkStop } = task;
  const replay = enforcedReplay({
    ...{ ...order, policies, checkStop },
    discipline: ownDiscipline(order.request),
  });
  for (const job of workload.jobs) replay.offer(job);
  replay.finish();
  task.checkStop();
  const { played, note } = playedJobs(finished.map(({ job }) => job));
  for (const one of finished) for (const out of outs) out.add(one);
  finished.sort((one, other) => one.endMs - other.endMs || one.job.order - other.job.order);
  for (const one of finished) note(one.job.order, one);
  for (const out of outputsOf(stage)) await out.drained();
  const { facts, sha256 } = workload;
  return {
    ...played,
    ...{ procs: totalProcs(task.site), sha256, skipped: facts.skipped },
    reservations: reservations.length,
    policed: policedBy(policies, replay.outcomes()),
    ...(rules === undefined ? {} : { priority: rules }),
    ...(slots === undefined ? {} : sampledBy(slots, stage.slotCounts)),
  };
}

/** Summary of samples of slots. */
function sampledBy(slots: SlotSampling, counts: readonly number[]): Pick<PlayedSite, "slots" | "slotCourse"> {
  const summary = slots.summary();
  const slotCourse = slotCourseOf(counts, slots.everyMs);
  return summary === undefined ? { slotCourse } : { slots: summary, slotCourse };
}

type Finished = (finished: FinishedTraceJob) => void;

async function drive(stage: Stage, finished: Finished): Promise<void> {
  const { task, workload } = stage;
  const { jobs } = workload;
  const watch = watchProgram(task);
  let driver: SiteDriver | undefined;
  try {
    driver = await begin(stage, finished, watch);
    for (let from = 0; from < jobs.length; from += JOBS_AT_ONCE) {
      task.checkStop();
      await driver.offer(jobs.slice(from, from + JOBS_AT_ONCE));
      for (const out of outputsOf(stage)) await out.drained();
    }
    await driver.finish();
    for (const out of outputsOf(stage)) await out.drained();
  } finally {
    await driver?.stop();
    watch.end();
  }
}

function begin(stage: Stage, finished: Finished, { noteGroup }: ProgramWatch): Promise<SiteDriver> {
  const { site, seed, scenario, version, writeError } = stage.task;
  const { reserving } = site;
  const accepted: Accepted<TraceJob> = (job, reserved) => finished({ ...job, reserved });
  const draw = reserving && { rules: reserving, seed: reservingSeed(seed), accepted };
  return beginSiteDriver({
    ...orderOf(stage, finished),
    ...(draw === undefined ? {} : { reserving: draw }),
    hooks: { version, writeError },
    apart: { directory: scenario.folder, noteGroup },
  });
}

/** Order of a driver of either kind. */
function orderOf({ task, reservations, rules, slots }: Stage, finished: Finished) {
  const { site } = task;
  const [first] = site.pools;
  const limit = `pool ${first.name} of ${site.name} has ${first.procs} in all`;
  return {
    request: requestOf(task, site.name),
    poolProcs: site.pools.map(({ procs }) => procs),
    ...{ rules, looks: slots },
    listener: { finished, refused: refusedAt(reservations, { file: site.reservations ?? "", limit }) },
    operations: reserveAll(reservations),
  };
}
