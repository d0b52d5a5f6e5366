/**
 * Jobs by class, user or group: their number, processor-hours, waits and bounded slowdowns (rule SI-87).
 *
 * Memory: two numbers a job and grouping, for exact quantiles.
 */
import { ExactSum, exactProduct, MS_PER_HOUR, MS_PER_SECOND } from "../../base/index.ts";
import {
  type ClassLimits,
  type GroupedJobs,
  type JobGroup,
  type JobGrouping,
  USUAL_LIMITS,
} from "../../model/index.ts";
import { Distribution } from "../distribution.ts";
import { boundedSlowdown } from "../metrics.ts";
import type { WorkloadJob } from "../workload/workload.ts";
import { fairnessOf } from "./fairness.ts";

/** A job that came to its end, with all that it is grouped by. */
export interface GroupedJob {
  readonly job: Pick<WorkloadJob, "user" | "group" | "need" | "submitMs" | "runtimeMs">;
  readonly startMs: number;
  readonly endMs: number;
}

/** Name of the group of jobs whose user or group the workload does not give. */
const UNKNOWN = "unknown";

const CLASSES = ["short narrow", "short wide", "long narrow", "long wide"] as const;

/** Takes jobs as they end, in any order. */
export class JobGroups {
  readonly #by: JobGrouping;
  readonly #limits: ClassLimits;
  readonly #groups = new Map<string, Tally>();

  constructor(by: JobGrouping, limits: ClassLimits = USUAL_LIMITS) {
    this.#by = by;
    this.#limits = limits;
  }

  add(done: GroupedJob): void {
    const name = this.#nameOf(done);
    const tally = this.#groups.get(name) ?? new Tally();
    this.#groups.set(name, tally);
    tally.add(done);
  }

  /** Of all jobs taken; at least one. */
  summary(): GroupedJobs {
    const tallies = [...this.#groups.values()];
    const total = {
      jobs: tallies.reduce((sum, { jobs }) => sum + jobs, 0),
      procHours: tallies.reduce((sum, { procHours }) => sum + procHours, 0),
    };
    const by = this.#by;
    const { narrowProcs, shortMs } = this.#limits;
    if (by === "class") {
      const groups = CLASSES.flatMap((name) => this.#groups.get(name)?.group(name, total) ?? []);
      return { by, narrowProcs, shortSec: shortMs / MS_PER_SECOND, groups };
    }
    const groups = [...this.#groups].map(([name, tally]) => tally.group(name, total));
    groups.sort((one, other) => other.procHours - one.procHours || (one.name < other.name ? -1 : 1));
    const known = groups.filter(({ name }) => name !== UNKNOWN);
    return { by, groups, ...(known.length === 0 ? {} : { fairness: fairnessOf(known) }) };
  }

  #nameOf({ job }: GroupedJob): string {
    if (this.#by === "class") return classOf(job, this.#limits);
    const name = job[this.#by];
    return name === "" || name === "-1" ? UNKNOWN : name;
  }
}

/** The class of a job: at a limit it is short, and narrow. */
function classOf(
  { need, runtimeMs }: Pick<WorkloadJob, "need" | "runtimeMs">,
  { narrowProcs, shortMs }: ClassLimits,
): (typeof CLASSES)[number] {
  const length = runtimeMs <= shortMs ? "short" : "long";
  return `${length} ${need[0] <= narrowProcs ? "narrow" : "wide"}`;
}

class Tally {
  readonly #waits = new Distribution();
  readonly #slowdowns = new Distribution();
  readonly #waitSum = new ExactSum();
  readonly #workSum = new ExactSum();
  #slowdownSum = 0;
  jobs = 0;

  get procHours(): number {
    return this.#workSum.dividedBy(MS_PER_HOUR);
  }

  add({ job, startMs, endMs }: GroupedJob): void {
    const waitMs = startMs - job.submitMs;
    const slowdown = boundedSlowdown(endMs - job.submitMs, job.runtimeMs);
    this.jobs++;
    this.#waits.add(waitMs);
    this.#waitSum.add(waitMs);
    this.#slowdowns.add(slowdown);
    this.#slowdownSum += slowdown;
    this.#workSum.add(exactProduct(job.need[0], job.runtimeMs));
  }

  group(name: string, total: Pick<JobGroup, "jobs" | "procHours">): JobGroup {
    const { jobs, procHours } = this;
    return {
      ...{ name, jobs, procHours },
      jobShare: jobs / total.jobs,
      workShare: procHours / total.procHours,
      waitMeanSec: this.#waitSum.dividedBy(jobs) / MS_PER_SECOND,
      waitMedianSec: this.#waits.quantile(0.5) / MS_PER_SECOND,
      waitP95Sec: this.#waits.quantile(0.95) / MS_PER_SECOND,
      boundedSlowdownMean: this.#slowdownSum / jobs,
      boundedSlowdownMedian: this.#slowdowns.quantile(0.5),
      boundedSlowdownP95: this.#slowdowns.quantile(0.95),
    };
  }
}
