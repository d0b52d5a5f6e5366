/**
 * Use of a site that was recorded job by job, under today's policies and under a change (rule SI-84): what a
 * broker's log has.
 */
import type { Policy, PolicyEffects } from "../../model/index.ts";
import { effectsOf } from "./effects.ts";
import type { Starts } from "./played-trial.ts";
import { type JobToStart, type SiteToPlay, startsUnder } from "./starts-under.ts";

/** A job that ran. Times are on one clock, whatever its zero. */
export interface UsedJob extends Omit<JobToStart, "submitMs"> {
  /** Instant from which the job waited. */
  readonly eligibleMs: number;
  readonly startMs: number;
  /** False for a job before the period, which only fills the windows of use. */
  readonly isCompared: boolean;
}

/** Recorded use, and the policies to try on it. */
export interface UseTrial extends SiteToPlay {
  /** In any order. */
  readonly jobs: readonly UsedJob[];
  /** Policies that are enforced today; empty where none are. */
  readonly present: readonly Policy[];
  readonly after: readonly Policy[];
}

/** Plays the recorded jobs under both sets of policies. */
export function affectedUse(trial: UseTrial): PolicyEffects {
  const { site, capacity, present, after } = trial;
  const jobs = trial.jobs.toSorted((one, other) => one.eligibleMs - other.eligibleMs);
  const originMs = jobs[0]?.eligibleMs ?? 0;
  const toStart = jobs.map(({ eligibleMs, ...job }) => ({ ...job, submitMs: eligibleMs - originMs }));
  const compared = jobs.flatMap(({ isCompared }, at) => (isCompared ? [at] : []));
  const startsIn = (policies: readonly Policy[]): Starts => {
    const starts = startsUnder(policies, toStart, trial);
    return compared.map((at) => starts[at]);
  };
  return effectsOf(site, {
    jobs: compared.map((at) => {
      const { consumer, startMs } = jobs[at];
      return { consumer, eligibleMs: toStart[at].submitMs, recordedStartMs: startMs - originMs };
    }),
    ...{ today: startsIn(present), changed: startsIn(after) },
    site: { procs: capacity.cpu },
  });
}
