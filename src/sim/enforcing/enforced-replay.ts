/**
 * A trace under usage policies: a replay whose jobs an enforcer lets in one by one (rule SI-83).
 *
 * The whole trace is held: what is played is `play-enforced`, behind the same door as every other replay.
 */
import { assert } from "../../base/index.ts";
import {
  ENFORCEMENT_DEFAULTS,
  type EnforcementRules,
  type EnforcingSummary,
  type Policy,
} from "../../model/index.ts";
import type { ReplayListener } from "../../queue/index.ts";
import type { TraceJob } from "../trace-job.ts";
import { playEnforced } from "./play-enforced.ts";

/** Policies with all that it takes to play under them. */
export interface TracePolicies {
  /** The site that they are of. */
  readonly site: string;
  readonly policies: readonly Policy[];
  readonly form: EnforcementRules["form"];
  readonly consumerOf: (job: Pick<TraceJob, "user" | "group">) => string;
}

/** No budget is anybody's here: nobody is hurt. */
const RULES: EnforcementRules = {
  ...ENFORCEMENT_DEFAULTS,
  granted: ["hold", "suspend"],
  actionsPerHour: Number.MAX_SAFE_INTEGER,
  suspendedPpm: 1_000_000,
};

/** A replay under an enforcer. */
export interface EnforcedReplay {
  offer(job: TraceJob): void;
  finish(): void;
  /** What came of it, once it is finished. */
  summary(): EnforcingSummary;
}

/** Takes jobs in order of submission; all are played when they are all there. */
export function enforcedReplay(
  { site, policies, form, consumerOf }: TracePolicies,
  procs: number,
  listener: Pick<ReplayListener<TraceJob>, "finished">,
): EnforcedReplay {
  const jobs: TraceJob[] = [];
  let done: EnforcingSummary | undefined;
  return {
    offer: (job) => void jobs.push(job),
    finish() {
      const { jobs: played, looks } = playEnforced({
        site,
        capacity: { cpu: procs, gpu: 0, memory: 0 },
        policies: [{ fromMs: 0, policies }],
        rules: { ...RULES, form },
        jobs: jobs.map((job) => ({
          id: String(job.order),
          consumer: consumerOf(job),
          submitMs: job.submitMs,
          need: { cpu: job.need[0], gpu: 0, memory: 0 },
          runtimeMs: job.runtimeMs,
          estimateMs: Math.max(job.runtimeMs, job.estimateMs),
        })),
      });
      for (const [at, { startMs, endMs }] of played.entries()) {
        if (startMs === null || endMs === null) continue;
        listener.finished({ job: jobs[at], startMs, endMs, promisedMs: undefined, backfilled: false });
      }
      done = {
        ...{ site, form, looks },
        stops: played.reduce((sum, { stops }) => sum + stops, 0),
        stoppedJobs: played.filter(({ stops }) => stops > 0).length,
        neverStarted: played.filter(({ startMs }) => startMs === null).length,
      };
    },
    summary() {
      assert(done !== undefined, "a replay is finished before it is summed up");
      return done;
    },
  };
}
