/**
 * A replay of the plain case for whoever has his jobs as objects: arrivals and ends on one pool.
 *
 * Equivalent to `createReplay` with a listener to whom only ends and jobs that are too wide are told, after
 * the call in which they happened; a property test holds the two together.
 */
import type { Machine } from "./machine.ts";
import type { EndedJobs } from "./plain-columns.ts";
import { createComingJobs } from "./plain-columns.ts";
import { createPlainReplay } from "./play-plain.ts";
import type { Replay } from "./replay.ts";
import type { FinishedJob, ReplayJob, ReplayListener } from "./replay-run.ts";

/** Begins it on an empty machine of the plain kind (`isPlainSite`). */
export function replayPlainly<Job extends ReplayJob>(
  machine: Machine,
  listener: Pick<ReplayListener<Job>, "finished" | "tooWide">,
): Pick<Replay<Job>, "offer" | "finish"> {
  const replay = createPlainReplay(machine);
  const { ended, tooWide } = replay;
  const inHand = createComingJobs(1);
  const jobs = new Map<number, Job>();
  let offered = 0;
  const takeOut = (order: number): Job => {
    const job = jobs.get(order);
    if (job === undefined) throw new Error("what must hold: a job comes to one end");
    jobs.delete(order);
    return job;
  };
  const tell = (): void => {
    for (let at = 0; at < ended.count; at++) {
      listener.finished(finishedOf(takeOut(ended.order[at]), ended, at));
    }
    for (const order of tooWide) listener.tooWide?.(takeOut(order));
  };
  return {
    offer(job) {
      jobs.set(offered++, job);
      inHand.submitMs[0] = job.submitMs;
      inHand.procs[0] = job.need[0];
      inHand.runtimeMs[0] = job.runtimeMs;
      inHand.estimateMs[0] = job.estimateMs;
      inHand.count = 1;
      replay.offer(inHand);
      tell();
    },
    finish() {
      replay.finish();
      tell();
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
