/**
 * A replay of a trace whose queue is ordered by a priority, and throttled where the rules say so.
 *
 * Owners are the trace's own numbers as texts: user, group, queue, partition. A job that its user's limit
 * kept out of the queue for a while has waited since its submission all the same.
 */
import type { Discipline, PriorityRules } from "../model/index.ts";
import {
  createMachine,
  createReplay,
  createScheme,
  followScheme,
  type Owner,
  type Replay,
  type ReplayListener,
  type ReplayOperation,
  throttleReplay,
} from "../queue/index.ts";
import { type Looks, lookInto } from "./slots/sampled-replay.ts";
import type { TraceJob } from "./trace-job.ts";

/** What takes jobs in order of submission and plays them to the last end. */
export type JobTaker = Pick<Replay<TraceJob>, "offer" | "finish">;

/** A replay that is wanted. */
export interface PriorityOrder {
  readonly rules: PriorityRules;
  readonly discipline: Discipline;
  readonly procs: number;
  /** Of each pool; one pool of all of them when absent. */
  readonly poolProcs?: readonly number[];
  readonly listener: ReplayListener<TraceJob>;
  readonly operations: readonly ReplayOperation[];
  /** Looks at the site now and then. */
  readonly looks?: Looks;
}

/** Begins it. */
export function beginPriorityReplay(order: PriorityOrder): JobTaker {
  const { rules, discipline, procs, listener, operations, looks, poolProcs = [procs] } = order;
  const scheme = followScheme(createScheme(rules, procs), procs);
  const machine = createMachine(
    poolProcs.map((count) => [count]),
    { discipline, priority: scheme.priority },
  );
  scheme.attach(machine);
  const replay = createReplay<TraceJob>(
    machine,
    {
      ...listener,
      arrived: (job, handle) => {
        const { need, estimateMs } = job;
        const arrivedAtMs = throttled.offered(job).submitMs;
        scheme.arrived(handle, { need, estimateMs, arrivedAtMs, owner: ownerOf(job) });
      },
      started: (job, _pool, atMs) => scheme.started(ownerOf(job), job.need[0], atMs),
      finished: (finished) => {
        const { job, endMs } = finished;
        scheme.ended(ownerOf(job), job.need[0], endMs);
        listener.finished({ ...finished, job: throttled.left(finished) });
      },
    },
    operations,
  );
  const throttled = throttleReplay(looks === undefined ? replay : lookInto(replay, looks), {
    userOf: ({ user }) => String(user),
    limitOf: (user) => limitOf(rules, user),
  });
  return throttled;
}

function ownerOf({ user, group, queue, partition }: TraceJob): Owner {
  return {
    user: String(user),
    group: String(group),
    queue: String(queue),
    partition: String(partition),
  };
}

function limitOf(rules: PriorityRules, user: string): number | undefined {
  return rules.kind === "maui" ? (rules.users[user] ?? rules.users.default)?.maxProcs : undefined;
}
