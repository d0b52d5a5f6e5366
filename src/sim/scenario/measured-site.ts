/**
 * From a site that was played to its row of numbers and what is drawn of it.
 */
import { MS_PER_SECOND } from "../../base/index.ts";
import type { GroupedJobs, ReservingSummary, ScenarioMeasures, ScenarioRow } from "../../model/index.ts";
import { JobGroups } from "../groups/job-groups.ts";
import { MetricsOfRun } from "../metrics.ts";
import { type CountedWaits, reservingSummary } from "../reserving/reserving-summary.ts";
import { type Counted, countedOf } from "./counted.ts";
import type { PlayedSite } from "./played-site.ts";
import { policingOf, runTimes } from "./policy-facts.ts";
import { courseOf, type JobTimes, queueLengthIn, utilisationIn } from "./site-course.ts";
import type { SiteOutcome } from "./site-outcome.ts";
import type { SiteTask } from "./site-task.ts";
import { waitCounts } from "./wait-counts.ts";

/**
 * Measures a site whose workload was simulated.
 *
 * @throws Fault `nothingCounted`
 */
export function measuredSite(task: SiteTask, played: PlayedSite): SiteOutcome {
  const { times, procs, slotCourse, policed } = played;
  const lastEndMs = times.endMs.reduce((last, ms) => Math.max(last, ms), 0);
  const counted = countedOf(task.scenario, times.submitMs, lastEndMs);
  const waits = times.submitMs
    .subarray(counted.first, counted.end)
    .map((submitMs, at) => times.startMs[counted.first + at] - submitMs);
  const reserving = reservingOf(task, played, { waitsMs: waits, first: counted.first });
  const { pep } = task.site.policies ?? {};
  const policing =
    policed === undefined || pep === undefined ? undefined : policingOf({ policed, pep, procs, counted });
  const classes = groupedBy("class", played, counted);
  const users = groupedBy("user", played, counted);
  return {
    row: {
      ...rowOf(task, played, counted, lastEndMs),
      classes: classes.groups,
      ...(users.fairness === undefined ? {} : { fairness: users.fairness }),
      ...(reserving === undefined ? {} : { reserving }),
      ...(policing === undefined ? {} : { policies: policing.facts }),
    },
    course: { ...courseOf(times, procs, counted), busy: courseOf(busyTimes(played), procs, counted).busy },
    ...(policing === undefined ? {} : { levelSeries: policing.courses }),
    waitCounts: waitCounts(waits),
    users: users.groups,
    ...(slotCourse === undefined ? {} : { slotCourse }),
  };
}

function groupedBy(by: "class" | "user", { jobs, times }: PlayedSite, { first, end }: Counted): GroupedJobs {
  const groups = new JobGroups(by);
  for (let place = first; place < end; place++) {
    groups.add({ job: jobs[place], startMs: times.startMs[place], endMs: times.endMs[place] });
  }
  return groups.summary();
}

function reservingOf(
  { site }: SiteTask,
  { reserved }: PlayedSite,
  waits: CountedWaits,
): ReservingSummary | undefined {
  const { reserving } = site;
  return reserving === undefined ? undefined : reservingSummary(reserving, reserved ?? [], waits);
}

function rowOf(
  task: SiteTask,
  played: PlayedSite,
  counted: Counted,
  lastEndMs: number,
): Omit<ScenarioRow, "classes"> {
  const { site, run, replicate, seed } = task;
  const { discipline, estimates, overrun } = site;
  const { jobs, times, procs, priority, slots, workload } = played;
  const queue = queueLengthIn(times, counted);
  return {
    ...{ run, site: site.name, replicate, seed, discipline, estimates, overrun, procs },
    workloadSha256: played.sha256,
    reservations: played.reservations,
    jobs: jobs.length,
    jobsCounted: counted.end - counted.first,
    skipped: played.skipped,
    killed: jobs.filter(({ isCut }) => isCut).length,
    ...jobMeasures(played, counted),
    utilisation: utilisationIn(busyTimes(played), procs, counted),
    queueLengthMean: queue.mean,
    queueLengthMax: queue.max,
    makespanSec: lastEndMs / MS_PER_SECOND,
    ...(priority === undefined ? {} : { priority }),
    ...(slots === undefined ? {} : { slots }),
    ...(workload === undefined ? {} : { workload }),
  };
}

/** Times at which processors were busy, which they are not for a suspended job. */
function busyTimes({ times, policed }: PlayedSite): JobTimes {
  return policed === undefined ? times : runTimes(policed, () => true);
}

type OfTheSite = "utilisation" | "queueLengthMean" | "queueLengthMax" | "makespanSec";

/**
 * Measures of the counted jobs, as in every simulation: in order of their ends, on which the last digit of a
 * mean of slowdowns depends.
 */
function jobMeasures(
  { jobs, times, isBackfilled, ended }: PlayedSite,
  { first, end }: Counted,
): Omit<ScenarioMeasures, OfTheSite> {
  const metrics = new MetricsOfRun();
  for (const place of ended) {
    if (place < first || place >= end) continue;
    metrics.add({
      job: jobs[place],
      startMs: times.startMs[place],
      endMs: times.endMs[place],
      promisedMs: undefined,
      backfilled: isBackfilled[place] === 1,
      pool: 0,
    });
  }
  const { jobs: _, utilisation: __, makespanSec: ___, ...measures } = metrics.summary(1);
  return measures;
}
