/**
 * A workload with several resources and pools under usage policies (rule SI-80).
 *
 * The enforcer is the live one: it sees the totals of the site, and neither pools nor nodes. An admitted job
 * may wait in the queue of a full pool, or for nodes.
 */
import type { EnforcingSummary } from "../../model/index.ts";
import type { SiteAmounts } from "../../policy/index.ts";
import type { WorkloadJob } from "../workload/jobs.ts";
import { createNodeSide } from "../workload/node-side.ts";
import { downTwice, nodeDownAlready } from "../workload/outages.ts";
import { type DoneJob, ownerOf, type Played, type PlayRules } from "../workload/play-state.ts";
import type { DownEvent, PreparedWorkload } from "../workload/prepare.ts";
import { noteChange, reservedAmounts } from "../workload/reservations.ts";
import { vectorOf, type WorkloadSite } from "../workload/site.ts";
import type {
  CapacityLoss,
  EnforcedOutcome,
  EnforcingInput,
  EnforcingOutcome,
  OwnedJob,
} from "./enforced-input.ts";
import { UNBOUNDED_RULES } from "./enforced-replay.ts";
import { playEnforced } from "./play-enforced.ts";
import type { TracePolicies } from "./trace-policies.ts";

/** Outcome of a workload that was simulated with an enforcer. */
export interface EnforcedWorkload {
  readonly played: Played;
  /** In order of submission. */
  readonly outcomes: readonly EnforcedOutcome[];
  readonly summary: EnforcingSummary;
}

/** Rules and policies of a simulation with an enforcer. */
export interface EnforcedOrder extends Omit<PlayRules, "discipline"> {
  readonly policies: TracePolicies;
  /** Behind the enforcer; first come, first served where absent. */
  readonly discipline?: EnforcingInput["discipline"];
  /** So many of the first jobs ran already when the record begins. */
  readonly underWay?: number;
}

/**
 * Simulates a workload with an enforcer.
 *
 * @throws Fault `downTwice`, `reservationConflict`; what `checkStop` throws
 */
export function playEnforcedWorkload(workload: PreparedWorkload, order: EnforcedOrder): EnforcedWorkload {
  const { site, form } = order.policies;
  const outcome = playEnforced(inputOf(workload, order));
  const { jobs: outcomes, looks } = outcome;
  return {
    played: playedOf(workload, order, outcome),
    outcomes,
    summary: {
      ...{ site, form, looks },
      stops: outcomes.reduce((sum, { stops }) => sum + stops, 0),
      stoppedJobs: outcomes.filter(({ stops }) => stops > 0).length,
      neverStarted: outcomes.filter(({ startMs, gone }) => startMs === null && gone === null).length,
    },
  };
}

function inputOf(workload: PreparedWorkload, order: EnforcedOrder): EnforcingInput {
  const { site, jobs, events } = workload;
  const { policies, stoppedJobs, discipline, checkStop, underWay = 0, file, priority, looks } = order;
  const nodes = site.hasNodes ? createNodeSide(workload, discipline ?? "fcfs") : undefined;
  const pools = site.capacity.map((amounts) => amountsOf(site, amounts));
  return {
    site: policies.site,
    capacity: pools.reduce(sumOf),
    pools,
    policies: [{ fromMs: 0, policies: policies.policies }],
    rules: { ...UNBOUNDED_RULES, form: policies.form },
    jobs: jobs.map((job) => ownedJob(job, site, { policies, isUnderWay: job.id < underWay })),
    losses: events.flatMap((event) => (event.kind === "down" ? [lossOf(event, site, file)] : [])),
    takenAway: events.flatMap((event) =>
      event.kind === "cancel" ? [{ atMs: event.atMs, job: String(event.job) }] : [],
    ),
    nodes,
    reservations: reservedAmounts(workload, nodes).map(({ need, ...reserved }) => ({
      ...{ ...reserved, need: amountsOf(site, need) },
    })),
    ...{ stoppedJobs, priority, sampling: looks },
    ...(discipline === undefined ? {} : { discipline }),
    ...(checkStop === undefined ? {} : { checkStop }),
  };
}

interface Owning {
  readonly policies: TracePolicies;
  readonly isUnderWay: boolean;
}

/** A job that runs at the beginning arrives a ms before all others, with as much more to run. */
function ownedJob(job: WorkloadJob, site: WorkloadSite, { policies, isUnderWay }: Owning): OwnedJob {
  const { id, user, group, submitMs, need, runtimeMs, estimateMs, pools } = job;
  const earlierMs = isUnderWay ? 1 : 0;
  return {
    id: String(id),
    consumer: policies.consumerNamed({ user: said(user), group: said(group) }),
    owner: ownerOf(job),
    shape: job.shape,
    submitMs: submitMs - earlierMs,
    need: amountsOf(site, need),
    runtimeMs: runtimeMs + earlierMs,
    estimateMs: Math.max(runtimeMs, estimateMs) + earlierMs,
    ...(pools === undefined ? {} : { pools }),
    ...(isUnderWay ? { isUnderWay } : {}),
  };
}

function said(text: string): string | null {
  return text === "" ? null : text;
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

function playedOf(
  workload: PreparedWorkload,
  { stoppedJobs }: EnforcedOrder,
  { jobs: outcomes, notes, brokenReservations, hits }: EnforcingOutcome,
): Played {
  const { jobs, events } = workload;
  const downs = events.filter((event) => event.kind === "down");
  const counted = (gone: EnforcedOutcome["gone"]) => outcomes.filter((one) => one.gone === gone).length;
  const [cancelledWaiting, cancelledRunning] = [counted("takenWaiting"), counted("takenRunning")];
  const stopped = notes.filter(({ kind }) => kind === "failed").length;
  const lost = counted("lost");
  const played: Played = {
    done: outcomes.flatMap((outcome, at) => doneJob(jobs[at], outcome)).sort((a, b) => a.endMs - b.endMs),
    interrupted: outcomes.flatMap(({ gone }, at) => (gone === "takenRunning" ? [jobs[at]] : [])),
    cancelledWaiting: workload.cancelledEarly + cancelledWaiting,
    cancelledRunning,
    cancelledEnded: events.length - downs.length - cancelledWaiting - cancelledRunning,
    outages: downs.length,
    ...{ stopped, lost, requeued: stoppedJobs === "lost" ? 0 : stopped },
    ...{ brokenReservations, reservationChanges: [], reservedMissingProcMs: 0, startedLate: 0 },
    wastedProcMs: outcomes.reduce((sum, outcome) => sum + wastedBy(outcome), 0),
    down: downs.map((event) => ({
      ...{ procs: amountsDown(event, workload.site).cpu, fromMs: event.atMs, untilMs: event.untilMs },
    })),
  };
  for (const { hit, ...outage } of hits) noteChange({ workload, played }, outage, hit);
  return played;
}

/** When a job started that came to its end: the start that led to it (rule SI-51). */
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
