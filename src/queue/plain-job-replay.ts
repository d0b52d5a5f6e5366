/**
 * A replay of the plain case for callers that have their jobs as objects.
 *
 * Equivalent to `createReplay` with a listener for ends and jobs that are too wide alone, called in batches;
 * a property test shows it.
 */
import { assert } from "../base/index.ts";
import type { Feed } from "./drive/arrivals.ts";
import type { ReplayListener } from "./drive/replay.ts";
import type { FinishedJob, ReplayJob } from "./drive/replay-job.ts";
import { createComingJobs, type EndedJobs } from "./plain-columns.ts";
import { createPlainReplay, type PlainDiscipline, type PlainOutcome } from "./plain-replay.ts";

/** So many are handed on at once. */
const BATCH = 512;

/** The empty site on which a replay begins. */
export interface PlainSite {
  /** Number of processors, ≥ 1. */
  readonly procs: number;
  readonly discipline: PlainDiscipline;
}

/** Begins a plain replay; `finished` and `tooWide` are called in batches. */
export function replayPlainly<Job extends ReplayJob>(
  { procs, discipline }: PlainSite,
  listener: Pick<ReplayListener<Job>, "finished" | "tooWide">,
): Feed<Job> {
  const replay = createPlainReplay(procs, discipline);
  const inHand = createComingJobs(BATCH);
  const jobs = new Map<number, Job>();
  let offered = 0;
  const takeOut = (order: number): Job => {
    const job = jobs.get(order);
    assert(job !== undefined, "a job comes to one end");
    jobs.delete(order);
    return job;
  };
  const tell = ({ ended, tooWide }: PlainOutcome): void => {
    for (let at = 0; at < ended.count; at++) {
      listener.finished(finishedOf(takeOut(ended.order[at]), ended, at));
    }
    for (const order of tooWide) listener.tooWide?.(takeOut(order));
  };
  const handOn = (): void => {
    tell(replay.offer(inHand));
    inHand.count = 0;
  };
  return {
    offer(job) {
      const at = inHand.count++;
      jobs.set(offered++, job);
      inHand.submitMs[at] = job.submitMs;
      inHand.procs[at] = job.need[0];
      inHand.runtimeMs[at] = job.runtimeMs;
      inHand.estimateMs[at] = job.estimateMs;
      if (inHand.count === BATCH) handOn();
    },
    finish() {
      handOn();
      tell(replay.finish());
    },
  };
}

/** A row of what has ended, as an object. */
export function finishedOf<Job extends ReplayJob>(job: Job, ended: EndedJobs, at: number): FinishedJob<Job> {
  const promisedMs = ended.promisedMs[at];
  return {
    job,
    startMs: ended.startMs[at],
    endMs: ended.endMs[at],
    promisedMs: Number.isNaN(promisedMs) ? undefined : promisedMs,
    backfilled: ended.backfilled[at] === 1,
  };
}
