/**
 * A site whose workload is in JSON lines, in a scenario: played as every such workload is (rule SI-38).
 */
import { Fault } from "../../base/index.ts";
import { isProgram, type LinesWorkload } from "../../model/index.ts";
import { playEnforcedWorkload } from "../enforcing/enforced-workload.ts";
import { writeWorkloadJobs } from "../workload/jobs-csv.ts";
import { playWorkload } from "../workload/play.ts";
import { type PreparedWorkload, prepareWorkload } from "../workload/prepare.ts";
import { nothingEnded, workloadFacts } from "../workload/simulate-workload.ts";
import { type PlayedSite, playedJobs } from "./played-site.ts";
import { policedBy, policedEnded, policiesOfTask } from "./policed-jobs.ts";
import { requestOf, type SiteTask } from "./site-task.ts";

/**
 * Plays it.
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
  const { discipline, stoppedJobs = "requeue" } = request;
  if (isProgram(discipline)) throw new Error("what must hold: no program decides about JSON lines");
  const workload = await prepared(request);
  const { checkStop } = task;
  const policies = await policiesOfTask(task);
  const enforced =
    policies === undefined || task.site.policies?.pep === "none"
      ? undefined
      : playEnforcedWorkload(workload, { policies, stoppedJobs, file: trace, checkStop });
  const { done, ...rest } =
    enforced?.played ?? playWorkload(workload, { discipline, stoppedJobs, file: trace, checkStop });
  if (done.length === 0) throw nothingEnded(trace);
  for (const path of task.jobsOut) await writeWorkloadJobs(path, workload, done);
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

/** A scenario says no size of a site whose workload describes it. */
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
