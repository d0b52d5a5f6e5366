/**
 * A workload driven through an empty site: batches of jobs in order of submission, and whoever acts beside
 * their arrivals and ends.
 *
 * Where nobody does, on one pool of processors, under a discipline of ours and in order of arrival, the
 * kernel plays it; a property test holds the two together. There is no choice for the caller.
 */
import { assert } from "../../base/index.ts";
import type { ComingJobs, EndedJobs } from "../plain-columns.ts";
import { createPlainReplay, finishedOf, type PlainDiscipline } from "../plain-replay.ts";
import { createArrivals } from "./arrivals.ts";
import { type Actor, createDrive, drive, driveWithProgram } from "./drive.ts";
import { createOrderedSite, type OrderedSite, type SiteOrder } from "./ordered-site.ts";
import type { FinishedJob, ReplayJob } from "./replay-job.ts";
import { observeEnds } from "./site.ts";

/** Jobs to come, in columns; each also as an object, for whoever looks at it. */
export interface JobBatch<Job extends ReplayJob> extends ComingJobs {
  readonly jobAt: (row: number) => Job;
}

/** Actors at a site, and who takes the jobs at their submission: the site where absent. */
interface Beside<Job extends ReplayJob> {
  readonly actors: readonly Actor[];
  readonly submit?: (job: Job, atMs: number) => void;
}

/** Site of a drive, the actors beside its arrivals and ends, and the callbacks for ends. */
export interface WorkloadDriveOrder<Job extends ReplayJob> extends SiteOrder<Job> {
  /** Actors at the site; undefined where nothing but arrivals and ends happens. */
  readonly beside?: ((place: OrderedSite<Job>) => Beside<Job>) | undefined;
  /** Called after each `offer` and `finish` with all ends, in columns that the next call overwrites. */
  readonly ended?: ((ended: EndedJobs) => void) | undefined;
  /** Called for each end with its job; where absent, no object is made for an end. */
  readonly finished?: ((finished: FinishedJob<Job>) => void) | undefined;
}

/** A drive under way; the promise that a call returns, where a program decides, must be awaited. */
export interface WorkloadDrive<Job extends ReplayJob> {
  /** Takes the next jobs, each of which fits into a pool; plays what comes before the last of them. */
  offer(jobs: JobBatch<Job>): Promise<void> | undefined;
  /** Plays everything to the last end. */
  finish(): Promise<void> | undefined;
}

/** Begins a drive. */
export function createWorkloadDrive<Job extends ReplayJob>(
  order: WorkloadDriveOrder<Job>,
): WorkloadDrive<Job> {
  const { capacity, discipline, priority, beside } = order;
  const isPlain = beside === undefined && priority === undefined && capacity.length === 1;
  if (!isPlain || discipline === "external" || capacity[0].length > 1) return driveJobs(order);
  return driveColumns(order, discipline);
}

/** Drive in which the kernel plays the jobs, in columns. */
function driveColumns<Job extends ReplayJob>(
  { capacity, ended, finished }: WorkloadDriveOrder<Job>,
  discipline: PlainDiscipline,
): WorkloadDrive<Job> {
  const replay = createPlainReplay(capacity[0][0], discipline);
  const present = new Map<number, Job>();
  let offered = 0;
  const tell = (all: EndedJobs, tooWide: Float64Array): void => {
    assert(tooWide.length === 0, "jobs that fit nowhere were left out");
    ended?.(all);
    if (finished === undefined) return;
    for (let at = 0; at < all.count; at++) {
      const number = all.order[at];
      const job = present.get(number);
      assert(job !== undefined, "a job comes to one end");
      present.delete(number);
      finished(finishedOf(job, all, at));
    }
  };
  return {
    offer(jobs) {
      for (let row = 0; finished !== undefined && row < jobs.count; row++) {
        present.set(offered + row, jobs.jobAt(row));
      }
      offered += jobs.count;
      const outcome = replay.offer(jobs);
      tell(outcome.ended, outcome.tooWide);
      return undefined;
    },
    finish() {
      const outcome = replay.finish();
      tell(outcome.ended, outcome.tooWide);
      return undefined;
    },
  };
}

/** Drive in which actors change the site through its verbs, job by job. */
function driveJobs<Job extends ReplayJob>(order: WorkloadDriveOrder<Job>): WorkloadDrive<Job> {
  const { beside, ended, finished } = order;
  const place = createOrderedSite<Job>(order);
  const columns = ended && inColumns(ended);
  observeEnds(place.site, (one) => {
    columns?.add(one);
    finished?.(one);
  });
  const { actors, submit = place.submit } = beside?.(place) ?? { actors: [] };
  const arrivals = createArrivals<Job>((job, atMs) => submit(job, atMs));
  const driven = createDrive(place.site, [...actors, arrivals, ...place.actors]);
  if (driven.consult.length > 0) {
    return {
      async offer(jobs) {
        for (let at = 0; at < jobs.count; at++) {
          await driveWithProgram(driven, jobs.submitMs[at]);
          arrivals.expect(jobs.jobAt(at));
        }
        columns?.tell();
      },
      async finish() {
        await driveWithProgram(driven, Number.POSITIVE_INFINITY);
        columns?.tell();
      },
    };
  }
  return {
    offer(jobs) {
      for (let at = 0; at < jobs.count; at++) {
        drive(driven, jobs.submitMs[at]);
        arrivals.expect(jobs.jobAt(at));
      }
      columns?.tell();
      return undefined;
    },
    finish() {
      drive(driven, Number.POSITIVE_INFINITY);
      columns?.tell();
      return undefined;
    },
  };
}

/** Collects ends, for whoever takes them in columns. */
export function inColumns(ended: (ended: EndedJobs) => void): {
  readonly add: (finished: FinishedJob) => void;
  readonly tell: () => void;
} {
  let all: FinishedJob[] = [];
  const column = (of: (finished: FinishedJob) => number) => Float64Array.from(all, of);
  return {
    add: (finished) => void all.push(finished),
    tell() {
      ended({
        order: Float64Array.from(all.keys()),
        submitMs: column(({ job }) => job.submitMs),
        procs: column(({ job }) => job.need[0]),
        runtimeMs: column(({ job }) => job.runtimeMs),
        startMs: column(({ startMs }) => startMs),
        endMs: column(({ endMs }) => endMs),
        promisedMs: column(({ promisedMs }) => promisedMs ?? Number.NaN),
        backfilled: column(({ backfilled }) => (backfilled ? 1 : 0)),
        count: all.length,
      });
      all = [];
    },
  };
}

/** A batch of jobs that are there as objects. */
export function batchOf<Job extends ReplayJob>(jobs: readonly Job[]): JobBatch<Job> {
  return {
    submitMs: Float64Array.from(jobs, ({ submitMs }) => submitMs),
    procs: Float64Array.from(jobs, ({ need }) => need[0]),
    runtimeMs: Float64Array.from(jobs, ({ runtimeMs }) => runtimeMs),
    estimateMs: Float64Array.from(jobs, ({ estimateMs }) => estimateMs),
    count: jobs.length,
    jobAt: (row) => jobs[row],
  };
}
