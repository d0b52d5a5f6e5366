/**
 * A site whose workload is in JSON lines, in a scenario: played as every such workload is (rule SI-54).
 */
import { Fault } from "../../base/index.ts";
import { readPriorityFile } from "../../formats/priority-yaml/index.ts";
import type { LinesWorkload, SimulationRequest } from "../../model/index.ts";
import { type EnforcedWorkload, playEnforcedWorkload } from "../enforcing/enforced-workload.ts";
import type { TracePolicies } from "../enforcing/trace-policies.ts";
import { ownDiscipline } from "../site-driver.ts";
import { openSlotSampling } from "../slots/slot-sampling.ts";
import type { SlotSample } from "../slots/slot-statistics.ts";
import { writeWorkloadJobs } from "../workload/jobs-csv.ts";
import type { Played } from "../workload/play-state.ts";
import { type PreparedWorkload, prepareWorkload } from "../workload/prepare.ts";
import {
  type AskedPlay,
  assertPlayable,
  nothingEnded,
  playAsAsked,
  workloadFacts,
} from "../workload/simulate-workload.ts";
import { countingOf } from "./play-trace.ts";
import { type PlayedSite, playedJobs } from "./played-site.ts";
import { policedBy, policedEnded, policiesOfTask } from "./policed-jobs.ts";
import { watchProgram } from "./program-watch.ts";
import { slotCourseOf } from "./site-course.ts";
import { requestOf, type SiteTask } from "./site-task.ts";

/**
 * Simulates a workload in JSON lines.
 *
 * @throws Fault for everything that can be wrong with the file, and what `checkStop` throws
 */
export async function playLines(task: SiteTask, { trace, lenient }: LinesWorkload): Promise<PlayedSite> {
  const { reservations } = task.site;
  const request = {
    ...requestOf(task, trace),
    lenient,
    ...(reservations === undefined ? {} : { reservations }),
  };
  const { stoppedJobs = "requeue" } = request;
  const { priority: asked } = task.site;
  const workload = await prepared(request);
  assertPlayable(request, workload);
  const priority = asked === undefined ? undefined : await readPriorityFile(asked.name, asked.config);
  const { checkStop } = task;
  const policies = await policiesOfTask(task);
  const slotCounts: number[] = [];
  const note = (sample: SlotSample) => slotCounts.push(sample.slots.length);
  const slots = await openSlotSampling(request, note, countingOf(task, workload.jobs));
  try {
    const enforced =
      policies === undefined || task.site.policies?.pep === "none"
        ? undefined
        : playEnforcedWorkload(workload, {
            ...{ policies, stoppedJobs, file: trace, checkStop, priority, looks: slots },
            discipline: ownDiscipline(request),
          });
    const played =
      enforced?.played ?? (await playFreely(task, workload, { request, priority, looks: slots }));
    if (played.done.length === 0) throw nothingEnded(trace);
    for (const path of task.jobsOut) await writeWorkloadJobs(path, workload, played.done);
    await slots?.commit();
    const summary = slots?.summary();
    return {
      ...playedSite({ request, workload, policies, enforced }, played),
      ...(priority === undefined ? {} : { priority }),
      ...(summary === undefined ? {} : { slots: summary }),
      ...(slots === undefined ? {} : { slotCourse: slotCourseOf(slotCounts, slots.everyMs) }),
    };
  } catch (error) {
    await slots?.abort();
    throw error;
  }
}

/** By a discipline of ours or a program, which is begun in the scenario's folder. */
async function playFreely(
  task: SiteTask,
  workload: PreparedWorkload,
  asked: Pick<AskedPlay, "request" | "priority" | "looks">,
): Promise<Played> {
  const { version, writeError, checkStop, scenario } = task;
  const watch = watchProgram(task);
  try {
    const apart = { directory: scenario.folder, noteGroup: watch.noteGroup };
    return await playAsAsked(workload, { ...asked, hooks: { version, writeError }, apart, checkStop });
  } finally {
    watch.end();
  }
}

interface LinesPlay {
  readonly request: SimulationRequest;
  readonly workload: PreparedWorkload;
  readonly policies: TracePolicies | undefined;
  readonly enforced: EnforcedWorkload | undefined;
}

function playedSite(
  { request, workload, policies, enforced }: LinesPlay,
  { done, ...rest }: Played,
): PlayedSite {
  const inOrder = done.toSorted((one, other) => one.job.id - other.job.id);
  const placeOf = new Map(inOrder.map(({ job }, place) => [job.id, place]));
  const { played, note } = playedJobs(inOrder.map(({ job }) => job));
  for (const one of done) note(placeOf.get(one.job.id) ?? 0, one);
  const lastEndMs = played.times.endMs.reduce((last, ms) => Math.max(last, ms), 0);
  return {
    ...played,
    procs: workload.site.procs,
    sha256: workload.sha256,
    skipped: workload.skipped,
    reservations: workload.reservations.length,
    ...(policies === undefined
      ? {}
      : { policed: enforced ? policedBy(policies, enforced.outcomes) : policedEnded(policies, inOrder) }),
    workload: workloadFacts(request, workload, { done, ...rest }, lastEndMs),
  };
}

/** The scenario has no size for a site whose workload describes it. */
async function prepared(request: Parameters<typeof prepareWorkload>[0]): Promise<PreparedWorkload> {
  try {
    return await prepareWorkload(request);
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== "siteMissing") throw error;
    const { kind, code, what } = error;
    const why = "in a scenario a workload in JSON lines describes its pools itself, and this one has none";
    const remedy = 'add a line {"pool": "all", "procs": 128, "memory": "512G"}';
    throw new Fault({ kind, code, what, why, remedy });
  }
}
