/**
 * A replay with a throttle before it: jobs beyond their user's limit come to the machine later.
 *
 * Equivalent to a replay in which such a job is submitted at the instant at which it may enter, after
 * the ends and before the pass of that instant. How long it waited counts from its own submission: the
 * job handed to the listener is the one that was offered.
 */
import type { Replay } from "../replay.ts";
import type { FinishedJob, ReplayJob } from "../replay-run.ts";
import { createThrottle } from "./throttle.ts";

/** What a throttled replay asks of a job's owner. */
export interface ThrottleRules<Job> {
  readonly userOf: (job: Job) => string;
  readonly limitOf: (user: string) => number | undefined;
}

/** A replay that is driven through its throttle. */
export interface ThrottledReplay<Job extends ReplayJob> {
  readonly offer: (job: Job) => void;
  readonly finish: () => void;
  /** To be told of every end; gives the job as it was offered. */
  readonly left: (finished: FinishedJob<Job>) => Job;
  /** The job as it was offered. */
  readonly offered: (job: Job) => Job;
}

/** Puts a throttle before a replay to which nothing was offered yet. */
export function throttleReplay<Job extends ReplayJob>(
  { steps }: Pick<Replay<Job>, "steps">,
  { userOf, limitOf }: ThrottleRules<Job>,
): ThrottledReplay<Job> {
  const throttle = createThrottle<Job>(limitOf);
  /** Jobs that entered late, with what they were offered as. */
  const late = new Map<Job, Job>();
  let offeredAtMs = Number.POSITIVE_INFINITY;

  function playUntil(untilMs: number): void {
    for (;;) {
      const atMs = Math.min(steps.nextInstantMs(), offeredAtMs);
      if (atMs >= untilMs) return;
      steps.happen(atMs);
      if (atMs === offeredAtMs) offeredAtMs = Number.POSITIVE_INFINITY;
      const entering = throttle.entering();
      for (const job of entering) steps.expect(asOf(job, atMs));
      if (entering.length > 0) steps.happen(atMs);
      steps.settle(atMs);
    }
  }

  function asOf(job: Job, atMs: number): Job {
    if (job.submitMs === atMs) return job;
    const entered = { ...job, submitMs: atMs };
    late.set(entered, job);
    return entered;
  }

  return {
    offer: (job) => {
      playUntil(job.submitMs);
      throttle.submit(userOf(job), job.need[0], job);
      offeredAtMs = job.submitMs;
    },
    finish: () => playUntil(Number.POSITIVE_INFINITY),
    left: ({ job }) => {
      throttle.left(userOf(job), job.need[0]);
      const offered = late.get(job) ?? job;
      late.delete(job);
      return offered;
    },
    offered: (job) => late.get(job) ?? job,
  };
}
