/**
 * One site in one replicate of one run: its workload through its machine, whatever format it is in, measured,
 * with its rows per job and per slot (rule SI-38).
 */
import { Fault } from "../../base/index.ts";
import type { SwfHeader } from "../../formats/index.ts";
import { readPriorityFile } from "../../formats/priority-yaml/index.ts";
import type { LinesWorkload, PriorityRules } from "../../model/index.ts";
import type { TracePolicies } from "../enforcing/trace-policies.ts";
import { openSlotSampling, type SlotSampling } from "../slots/slot-sampling.ts";
import type { SlotSample } from "../slots/slot-statistics.ts";
import { nothingEnded, workloadFacts } from "../workload/facts.ts";
import { type Played, playWorkload } from "../workload/play.ts";
import { assertPlayable } from "../workload/playable.ts";
import { prepareWorkload } from "../workload/prepare.ts";
import { openRowsOut, type RowsOut } from "../workload/rows-out.ts";
import { reservationsBeside, type Workload } from "../workload/workload.ts";
import { countedOf } from "./counted.ts";
import { measuredSite } from "./measured-site.ts";
import { type PlayedSite, playedJobs } from "./played-site.ts";
import { policedBy, policedEnded, policiesOfTask } from "./policed-jobs.ts";
import { watchProgram } from "./program-watch.ts";
import { reservingSeed } from "./seeds.ts";
import { slotCourseOf } from "./site-course.ts";
import type { SiteOutcome } from "./site-outcome.ts";
import { requestOf, type SiteTask } from "./site-task.ts";
import { siteWorkload } from "./site-workload.ts";

/** Workload and rules of the simulation. */
interface Stage {
  readonly task: SiteTask;
  readonly workload: Workload;
  readonly header: SwfHeader | undefined;
  readonly priority: PriorityRules | undefined;
  readonly policies: TracePolicies | undefined;
}

/**
 * Simulates one site of a scenario task.
 *
 * @throws Fault for everything that can be wrong with the files and a program, and what `checkStop` throws
 */
export async function simulateSite(task: SiteTask): Promise<SiteOutcome> {
  const { site, seed, version, checkStop, jobsOut } = task;
  const source = site.workload;
  const making = { seed, version, checkStop, keepsRows: jobsOut.length > 0 };
  const { workload, header } =
    source.kind === "lines"
      ? { workload: await linesOf(task, source), header: undefined }
      : await siteWorkload(site, source, making);
  const asked = site.priority;
  const priority = asked && (await readPriorityFile(asked.name, asked.config));
  const reservations =
    source.kind === "lines" ? workload.reservations : await reservationsBeside(site.reservations, 0);
  const policies = await policiesOfTask(task);
  const stage = { task, workload: { ...workload, reservations }, header, priority, policies };
  return measuredSite(task, await playSite(stage));
}

async function linesOf(task: SiteTask, { trace, lenient }: LinesWorkload): Promise<Workload> {
  const { reservations } = task.site;
  const request = {
    ...{ ...requestOf(task, trace), lenient },
    ...(reservations === undefined ? {} : { reservations }),
  };
  const workload = await prepareWorkload(request).catch((error: unknown) => {
    throw error instanceof Fault && error.code === "siteMissing" ? withoutPools(error) : error;
  });
  assertPlayable(request, workload);
  if (workload.site.hasNodes && task.site.reserving !== undefined) throw reservingOnNodes(trace);
  return workload;
}

function reservingOnNodes(trace: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "wordsDoNotFit",
    what: `${trace}: jobs cannot reserve here`,
    why: "a reservation is priced for an amount of a pool's capacity, without regard to nodes",
    remedy: "write reserving: none, or pools without nodes",
  });
}

/**
 * Fault that a workload in JSON lines has no pools, in a scenario's words: there the size of a site cannot be
 * given beside such a workload.
 */
function withoutPools({ kind, code, what }: Fault): Fault {
  const why = "in a scenario a workload in JSON lines describes its pools itself, and this one has none";
  const remedy = 'add a line {"pool": "all", "procs": 128, "memory": "512G"}';
  return new Fault({ kind, code, what, why, remedy });
}

/** Plays the workload of a stage, and writes the rows. */
async function playSite(stage: Stage): Promise<PlayedSite> {
  const { task, workload, header } = stage;
  const request = requestOf(task, fileOf(task));
  const slotCounts: number[] = [];
  const note = (sample: SlotSample) => slotCounts.push(sample.slots.length);
  const outs: RowsOut[] = [];
  let slots: SlotSampling | undefined;
  const outputs = (): readonly (RowsOut | SlotSampling)[] => (slots === undefined ? outs : [...outs, slots]);
  try {
    for (const path of task.jobsOut) {
      const hasReserved = task.site.reserving !== undefined;
      outs.push(
        await openRowsOut(path, { request, frame: () => workload, header: () => header, hasReserved }),
      );
    }
    slots = await openSlotSampling(request, note, countingOf(task, workload));
    const played = await playedBy(stage, slots);
    if (!workload.isTrace && played.done.length === 0) throw nothingEnded(fileOf(task));
    for (const one of played.done) for (const out of outs) out.add(one);
    for (const out of outputs()) await out.commit();
    const summary = slots?.summary();
    return {
      ...playedSite(stage, played),
      ...(summary === undefined ? {} : { slots: summary }),
      ...(slots === undefined ? {} : { slotCourse: slotCourseOf(slotCounts, slots.everyMs) }),
    };
  } catch (error) {
    for (const out of outputs()) await out.abort();
    throw error;
  }
}

/** The file of a workload in JSON lines; a trace is called as its site. */
function fileOf({ site }: SiteTask): string {
  return site.workload.kind === "lines" ? site.workload.trace : site.name;
}

/**
 * Test whether a sample counts: whether it lies in the time in which jobs count. The last end is not known
 * yet.
 */
function countingOf({ scenario }: SiteTask, { jobs }: Workload): (atMs: number) => boolean {
  const submitMs = Float64Array.from(jobs, (job) => job.submitMs);
  const { fromMs, untilMs } = countedOf(scenario, submitMs, Number.POSITIVE_INFINITY);
  return (atMs) => atMs >= fromMs && atMs <= untilMs;
}

/** A program is begun in the scenario's folder. */
async function playedBy(
  { task, workload, priority, policies }: Stage,
  looks: SlotSampling | undefined,
): Promise<Played> {
  const { site, seed, version, writeError, checkStop, scenario } = task;
  const request = requestOf(task, fileOf(task));
  const { discipline, stoppedJobs = "requeue", trace: file } = request;
  const { reserving, reservations } = site;
  const watch = watchProgram(task);
  const apart = { directory: scenario.folder, noteGroup: watch.noteGroup };
  try {
    return await playWorkload(
      workload,
      {
        ...{ discipline, stoppedJobs, priority, checkStop, looks },
        file: workload.isTrace ? (reservations ?? file) : file,
        policies: site.policies?.pep === "none" ? undefined : policies,
        reserving: reserving && { rules: reserving, seed: reservingSeed(seed) },
        program: { request, hooks: { version, writeError }, apart },
      },
      async () => looks?.drained(),
    );
  } finally {
    watch.end();
  }
}

function playedSite({ task, workload, priority, policies }: Stage, played: Played): PlayedSite {
  const { done, enforced, ...counts } = played;
  const inOrder = done.toSorted((one, other) => one.job.id - other.job.id);
  const placeOf = new Map(inOrder.map(({ job }, place) => [job.id, place]));
  const { played: jobs, note } = playedJobs(inOrder.map(({ job }) => job));
  const reserved = done.flatMap(({ reserved: one }) => {
    const id = one && placeOf.get(one.job.id);
    return one === undefined || id === undefined ? [] : [{ ...one, job: { ...one.job, id } }];
  });
  const inOrderOfEnds = enforced ? inOrder.toSorted((one, other) => one.endMs - other.endMs) : done;
  for (const one of inOrderOfEnds) note(placeOf.get(one.job.id) ?? 0, one);
  const lastEndMs = jobs.times.endMs.reduce((last, ms) => Math.max(last, ms), 0);
  const policed =
    policies &&
    (enforced ? policedBy(policies, enforced.outcomes) : policedEnded(policies, inOrder, workload.isTrace));
  return {
    ...jobs,
    ...{ procs: workload.site.procs, sha256: workload.sha256, skipped: workload.skipped },
    reservations: workload.reservations.length,
    ...(policed === undefined ? {} : { policed }),
    ...(priority === undefined ? {} : { priority }),
    ...(task.site.reserving === undefined ? {} : { reserved }),
    ...(workload.isTrace
      ? {}
      : { workload: workloadFacts(requestOf(task, ""), workload, counts, lastEndMs) }),
  };
}
