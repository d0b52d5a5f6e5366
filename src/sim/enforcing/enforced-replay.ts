/**
 * A trace under usage policies: a replay whose jobs an enforcer lets in one by one (rule SI-83).
 *
 * The whole trace is held: what is played is `play-enforced`, behind the interface of every other replay.
 */
import { assert } from "../../base/index.ts";
import {
  type Discipline,
  ENFORCEMENT_DEFAULTS,
  type EnforcementRules,
  type EnforcingSummary,
  type PriorityRules,
} from "../../model/index.ts";
import type { SiteAmounts } from "../../policy/index.ts";
import type { ReplayListener, ReplayOperation } from "../../queue/index.ts";
import type { Looks } from "../slots/sampler.ts";
import { ownerOf, type TraceJob } from "../trace-job.ts";
import type { AskedReservation, EnforcedOutcome } from "./enforced-input.ts";
import { playEnforced } from "./play-enforced.ts";
import type { TracePolicies } from "./trace-policies.ts";

/** Rules without budgets: a simulation has no users to protect. */
export const UNBOUNDED_RULES: Omit<EnforcementRules, "form"> = {
  ...ENFORCEMENT_DEFAULTS,
  granted: ["hold", "suspend"],
  actionsPerHour: Number.MAX_SAFE_INTEGER,
  suspendedPpm: 1_000_000,
};

/** A replay under an enforcer. */
export interface EnforcedReplay {
  offer(job: TraceJob): void;
  finish(): void;
  /** Outcome of the replay, once it is finished. */
  summary(): EnforcingSummary;
  /** Outcomes job by job, in order of submission. */
  outcomes(): readonly EnforcedOutcome[];
}

/** A trace that is to be played under policies. */
export interface EnforcedReplayOrder {
  readonly policies: TracePolicies;
  /** Processors of each pool. */
  readonly poolProcs: readonly number[];
  readonly discipline: Discipline;
  readonly rules: PriorityRules | undefined;
  readonly looks: Looks | undefined;
  readonly listener: Pick<ReplayListener<TraceJob>, "finished" | "refused">;
  /** Reservations made beside the trace. */
  readonly operations: readonly ReplayOperation[];
  readonly checkStop?: () => void;
}

/** Takes jobs in order of submission; all are played when they are all there. */
export function enforcedReplay(order: EnforcedReplayOrder): EnforcedReplay {
  const { policies: named, poolProcs, discipline, rules: priority, looks, listener, checkStop } = order;
  const { site, policies, form, consumerOf } = named;
  const jobs: TraceJob[] = [];
  let done: EnforcingSummary | undefined;
  let outcomes: readonly EnforcedOutcome[] = [];
  return {
    offer: (job) => void jobs.push(job),
    finish() {
      const pools = poolProcs.map(amountsOf);
      const { jobs: played, looks: asked } = playEnforced({
        site,
        capacity: amountsOf(poolProcs.reduce((sum, procs) => sum + procs)),
        pools,
        policies: [{ fromMs: 0, policies }],
        rules: { ...UNBOUNDED_RULES, form },
        ...{ discipline, priority, sampling: looks },
        reservations: order.operations.flatMap((operation) => reservationsOf(operation, listener)),
        jobs: jobs.map((job) => ({
          id: String(job.order),
          consumer: consumerOf(job),
          owner: ownerOf(job),
          submitMs: job.submitMs,
          need: amountsOf(job.need[0]),
          runtimeMs: job.runtimeMs,
          estimateMs: Math.max(job.runtimeMs, job.estimateMs),
          ...(job.pools === undefined ? {} : { pools: job.pools }),
        })),
        ...(checkStop === undefined ? {} : { checkStop }),
      });
      outcomes = played;
      // Those that never start leave no gap in the order: rows are written in it.
      let place = 0;
      for (const [at, { startMs, endMs }] of played.entries()) {
        if (startMs === null || endMs === null) continue;
        const job = { ...jobs[at], order: place++ };
        listener.finished({ job, startMs, endMs, promisedMs: undefined, backfilled: false });
      }
      done = {
        ...{ site, form, looks: asked },
        stops: played.reduce((sum, { stops }) => sum + stops, 0),
        stoppedJobs: played.filter(({ stops }) => stops > 0).length,
        neverStarted: played.filter(({ startMs }) => startMs === null).length,
      };
    },
    summary() {
      assert(done !== undefined, "a replay is finished before it is summed up");
      return done;
    },
    outcomes: () => outcomes,
  };
}

function amountsOf(procs: number): SiteAmounts {
  return { cpu: procs, gpu: 0, memory: 0 };
}

function reservationsOf(
  operation: ReplayOperation,
  { refused }: EnforcedReplayOrder["listener"],
): readonly AskedReservation[] {
  if (operation.kind !== "reserve") return [];
  const { need, ...rectangle } = operation.fixed;
  return [{ ...rectangle, need: amountsOf(need[0]), refused: (why) => refused?.(operation, why) }];
}

/** When each job would start under policies; null where it never does. */
export function enforcedStarts(
  { site, policies, form }: TracePolicies,
  jobs: readonly {
    readonly consumer: string;
    readonly submitMs: number;
    readonly runtimeMs: number;
    readonly estimateMs: number;
    readonly procs: number;
  }[],
  { procs, discipline }: { readonly procs: number; readonly discipline: Discipline },
): readonly (number | null)[] {
  const { jobs: played } = playEnforced({
    site,
    capacity: { cpu: procs, gpu: 0, memory: 0 },
    policies: [{ fromMs: 0, policies }],
    rules: { ...UNBOUNDED_RULES, form },
    discipline,
    jobs: jobs.map(({ consumer, submitMs, runtimeMs, estimateMs, procs: wide }, at) => ({
      ...{ id: String(at), consumer, submitMs, runtimeMs, estimateMs },
      need: { cpu: wide, gpu: 0, memory: 0 },
    })),
  });
  return played.map(({ startMs }) => startMs);
}
