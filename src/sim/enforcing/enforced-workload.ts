/**
 * A workload with several resources and pools under usage policies (rule SI-80).
 *
 * The enforcer is the live one: it sees the totals of the site, and neither pools nor nodes. An admitted job
 * may wait in the queue of a full pool, or for nodes.
 */
import { assert } from "../../base/index.ts";
import { ENFORCEMENT_DEFAULTS, type EnforcementRules, isProgram } from "../../model/index.ts";
import type { SiteAmounts } from "../../policy/index.ts";
import { inColumns } from "../../queue/index.ts";
import { type BegunProgram, decideAt } from "../external/deciding-program.ts";
import { createNodeSide } from "../workload/node-side.ts";
import { downTwice, nodeDownAlready } from "../workload/outages.ts";
import {
  type DoneJob,
  type Ends,
  nothingPlayed,
  type PlayedCounts,
  type PlayRules,
  type WorkloadPlay,
} from "../workload/play-state.ts";
import { beginProgramFor, wordsFor } from "../workload/program-words.ts";
import { noteChange, reservedAmounts } from "../workload/reservations.ts";
import { vectorOf, type WorkloadSite } from "../workload/site.ts";
import { type DownEvent, ownerOf, type WorkloadFrame, type WorkloadJob } from "../workload/workload.ts";
import type {
  CapacityLoss,
  EnforcedOutcome,
  EnforcedWorkload,
  EnforcingInput,
  EnforcingOutcome,
  OwnedJob,
} from "./enforced-input.ts";
import { playEnforced, playEnforcedBy } from "./play-enforced.ts";
import type { TracePolicies } from "./trace-policies.ts";

/** Enforcement rules without budgets: a simulation affects no real job, so nothing limits the actions. */
export const UNBOUNDED_RULES: Omit<EnforcementRules, "form"> = {
  ...ENFORCEMENT_DEFAULTS,
  granted: ["hold", "suspend"],
  actionsPerHour: Number.MAX_SAFE_INTEGER,
  suspendedPpm: 1_000_000,
};

/** Rules and policies of a simulation with an enforcer. */
interface EnforcedRules extends PlayRules {
  readonly policies: TracePolicies;
}

/**
 * Begins a simulation with an enforcer: all jobs are played when they are all there.
 *
 * @throws Fault `downTwice`, `reservationConflict`, and for all that can be wrong with a program; what
 * `checkStop` throws
 */
export async function beginEnforcedPlay(
  frame: WorkloadFrame,
  rules: EnforcedRules,
  { ended, finished }: Ends,
): Promise<WorkloadPlay> {
  const program = isProgram(rules.discipline) ? await beginProgramFor(frame, rules) : undefined;
  const counts = nothingPlayed(frame.cancelledEarly);
  const jobs: WorkloadJob[] = [];
  const { site, form } = rules.policies;
  let enforced: EnforcedWorkload | undefined;
  return {
    counts,
    offer(batch) {
      for (let row = 0; row < batch.count; row++) jobs.push(batch.jobAt(row));
      return undefined;
    },
    async finish() {
      const workload = { ...frame, jobs };
      const input = inputOf(workload, rules);
      const outcome =
        program === undefined
          ? playEnforced(input)
          : await playEnforcedBy(input, deciderOf(program, workload));
      const { jobs: outcomes, looks } = outcome;
      note(workload, rules, { counts, outcome });
      const columns = ended && inColumns(ended);
      for (const one of outcomes.flatMap((outcome, at) => doneJob(jobs[at], outcome))) {
        finished?.(one);
        columns?.add(one);
      }
      columns?.tell();
      enforced = {
        outcomes,
        summary: {
          ...{ site, form, looks },
          stops: outcomes.reduce((sum, { stops }) => sum + stops, 0),
          stoppedJobs: outcomes.filter(({ stops }) => stops > 0).length,
          neverStarted: outcomes.filter(({ startMs, gone }) => startMs === null && gone === null).length,
        },
      };
    },
    stop: async () => program?.program.stop(),
    enforced() {
      assert(enforced !== undefined, "a play is finished before it is summed up");
      return enforced;
    },
  };
}

/** The program hears of jobs when they are let in, and decides who of them starts. */
function deciderOf(program: BegunProgram, workload: WorkloadFrame): Parameters<typeof playEnforcedBy>[1] {
  const { numberOf, submitted } = wordsFor(workload);
  const jobOf = ({ id }: { readonly id: number }): WorkloadJob => workload.jobs[id];
  return (site) =>
    decideAt(program, site, {
      numberOf: (played) => numberOf(jobOf(played)),
      submitted: (played) => submitted(jobOf(played)),
    });
}

function inputOf(workload: WorkloadFrame, rules: EnforcedRules): EnforcingInput {
  const { site, jobs, events } = workload;
  const { policies, stoppedJobs, checkStop, underWay = 0, file, priority, looks } = rules;
  const discipline = isProgram(rules.discipline) ? "external" : rules.discipline;
  const nodes = site.hasNodes ? createNodeSide(workload, discipline) : undefined;
  const pools = site.capacity.map((amounts) => amountsOf(site, amounts));
  return {
    site: policies.site,
    capacity: pools.reduce(sumOf),
    pools,
    policies: [{ fromMs: 0, policies: policies.policies }],
    rules: { ...UNBOUNDED_RULES, form: policies.form },
    jobs: jobs.map((job) => {
      const consumer = policies.consumerOf(job, workload.isTrace);
      return ownedJob(job, site, { consumer, isUnderWay: job.id < underWay });
    }),
    losses: events.flatMap((event) => (event.kind === "down" ? [lossOf(event, site, file)] : [])),
    takenAway: events.flatMap((event) =>
      event.kind === "cancel" ? [{ atMs: event.atMs, job: String(event.job) }] : [],
    ),
    nodes,
    reservations: reservedAmounts(workload, nodes).map(({ need, ...reserved }) => ({
      ...{ ...reserved, need: amountsOf(site, need) },
    })),
    ...{ stoppedJobs, priority, sampling: looks, discipline },
    ...(checkStop === undefined ? {} : { checkStop }),
  };
}

interface Owning {
  readonly consumer: string;
  readonly isUnderWay: boolean;
}

/**
 * Job for a simulation with an enforcer. One that runs when the record begins arrives 1 ms before all others,
 * with 1 ms more to run.
 */
function ownedJob(job: WorkloadJob, site: WorkloadSite, { consumer, isUnderWay }: Owning): OwnedJob {
  const { id, submitMs, need, runtimeMs, estimateMs, pools, shape } = job;
  const earlierMs = isUnderWay ? 1 : 0;
  return {
    id: String(id),
    consumer,
    owner: ownerOf(job),
    ...(shape === undefined ? {} : { shape }),
    submitMs: submitMs - earlierMs,
    need: amountsOf(site, need),
    runtimeMs: runtimeMs + earlierMs,
    estimateMs: Math.max(runtimeMs, estimateMs) + earlierMs,
    ...(pools === undefined ? {} : { pools }),
    ...(isUnderWay ? { isUnderWay } : {}),
  };
}

function lossOf(event: DownEvent, site: WorkloadSite, file: string): CapacityLoss {
  const { atMs, untilMs, pool, node } = event;
  const refusedAs = () =>
    node === undefined ? downTwice(file, event, atMs) : nodeDownAlready(file, event, atMs);
  const which = node === undefined ? {} : { node };
  return { fromMs: atMs, untilMs, pool, ...which, ...amountsDown(event, site), refusedAs };
}

/** Capacity lost in an outage: an amount of a pool, or one of its nodes. */
function amountsDown({ pool, node, entry }: DownEvent, site: WorkloadSite): SiteAmounts {
  return amountsOf(site, node === undefined ? vectorOf(entry, site.resources) : site.perNode[pool]);
}

/** A vector of a site in the words of policies. */
function amountsOf({ resources }: WorkloadSite, vector: readonly number[]): SiteAmounts {
  const of = (name: (typeof resources)[number]) => vector[resources.indexOf(name)] ?? 0;
  return { cpu: of("procs"), gpu: of("gpus"), memory: of("memory") };
}

function sumOf(one: SiteAmounts, other: SiteAmounts): SiteAmounts {
  return { cpu: one.cpu + other.cpu, gpu: one.gpu + other.gpu, memory: one.memory + other.memory };
}

interface Noting {
  readonly counts: PlayedCounts;
  readonly outcome: EnforcingOutcome;
}

/** Counts what came of the jobs. */
function note(
  workload: WorkloadFrame,
  { stoppedJobs }: EnforcedRules,
  { counts, outcome: { jobs: outcomes, notes, brokenReservations, hits } }: Noting,
): void {
  const { jobs, events, site } = workload;
  const downs = events.filter((event) => event.kind === "down");
  const counted = (gone: EnforcedOutcome["gone"]) => outcomes.filter((one) => one.gone === gone).length;
  const [cancelledWaiting, cancelledRunning] = [counted("takenWaiting"), counted("takenRunning")];
  const stopped = notes.filter(({ kind }) => kind === "failed").length;
  for (const [at, { gone }] of outcomes.entries()) {
    if (gone === "takenRunning") counts.interrupted.push(jobs[at]);
  }
  counts.cancelledWaiting += cancelledWaiting;
  counts.cancelledRunning = cancelledRunning;
  counts.cancelledEnded = events.length - downs.length - cancelledWaiting - cancelledRunning;
  counts.outages = downs.length;
  counts.stopped = stopped;
  counts.lost = counted("lost");
  counts.requeued = stoppedJobs === "lost" ? 0 : stopped;
  counts.brokenReservations = brokenReservations;
  counts.wastedProcMs = outcomes.reduce((sum, one) => sum + wastedBy(one), 0);
  for (const down of downs) {
    const { atMs: fromMs, untilMs } = down;
    counts.down.push({ procs: amountsDown(down, site).cpu, fromMs, untilMs });
  }
  for (const { hit, ...outage } of hits) noteChange({ workload, counts }, outage, hit);
}

/** Start that led to the end of a job (rule SI-51); null for a job that did not come to its end. */
function startOf({ runs, firstRun, endMs }: EnforcedOutcome): number | null {
  return endMs === null ? null : (runs[firstRun]?.fromMs ?? null);
}

function doneJob(job: WorkloadJob, outcome: EnforcedOutcome): readonly DoneJob[] {
  const { endMs, pool } = outcome;
  const startMs = startOf(outcome);
  if (startMs === null || endMs === null) return [];
  return [{ job, startMs, endMs, promisedMs: undefined, backfilled: false, pool: pool ?? 0 }];
}

/** Processor time that led to no end. */
function wastedBy({ job, runs, endMs }: EnforcedOutcome): number {
  const ranMs = runs.reduce((sum, { fromMs, toMs }) => sum + (toMs ?? fromMs) - fromMs, 0);
  return job.need.cpu * (ranMs - (endMs === null ? 0 : job.runtimeMs));
}
