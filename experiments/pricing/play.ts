/**
 * One workload with jobs that reserve, through one cluster, and what the figures of [PROV] 5.3 need of it.
 */
import { ExactSum, exactProduct, MS_PER_HOUR } from "../../src/base/index.ts";
import { candidatesFor, PLAIN_PRICE } from "../../src/market/index.ts";
import type { Discipline, ReservingRules } from "../../src/model/index.ts";
import {
  createArrivals,
  createDrive,
  createOrderedSite,
  type FinishedJob,
  feedOf,
  observeEnds,
  tryReservations,
} from "../../src/queue/index.ts";
import { drawReserving } from "../../src/sim/reserving/draw-reserving.ts";
import type { Lister, ReservedJob } from "../../src/sim/reserving/reservable-site.ts";
import { createReserver } from "../../src/sim/reserving/reserver.ts";
import type { WorkloadJob } from "../../src/sim/workload/workload.ts";
import { listPlannedAnew } from "./planned-anew.ts";

/** What is played. */
export interface Play {
  readonly jobs: readonly WorkloadJob[];
  readonly procs: number;
  readonly discipline: Discipline;
  /** α in millionths, or undefined where the job queues. */
  readonly alphaOf: (job: WorkloadJob) => number | undefined;
  /** What a queued job's delay costs, in processors; its processors when absent. Integers ≥ 0. */
  readonly weightOf?: (job: WorkloadJob) => number;
  /** Prices after the source's letter, see `planned-anew.ts`; those of `market` where absent. */
  readonly isPlannedAnew?: boolean;
}

/** What came of it, by the jobs' places. */
export interface Played {
  readonly waitsMs: Float64Array;
  readonly reserved: ReadonlyMap<number, ReservedJob<WorkloadJob>>;
  /** Busy processor time before the last submission, as a share of the cluster. */
  readonly utilisation: number;
}

/** Plays it to the last end. */
export function play({ jobs, procs, discipline, alphaOf, weightOf, isPlannedAnew = false }: Play): Played {
  const waitsMs = new Float64Array(jobs.length);
  const reserved = new Map<number, ReservedJob<WorkloadJob>>();
  const lastMs = jobs[jobs.length - 1].submitMs;
  const busy = new ExactSum();
  const finished = ({ job, startMs, endMs }: FinishedJob<WorkloadJob>): void => {
    waitsMs[job.id] = startMs - job.submitMs;
    busy.add(exactProduct(job.need[0], Math.max(0, Math.min(endMs, lastMs) - Math.min(startMs, lastMs))));
  };
  const { site, submit } = createOrderedSite<WorkloadJob>({ capacity: [[procs]], discipline });
  const reserver = createReserver({
    ...{ site, submit, alphaOf, firstId: 0 },
    ...(isPlannedAnew ? { lister: listPlannedAnew } : {}),
    ...(weightOf === undefined ? {} : { lister: listerWith((handle) => weightOf(site.jobs[handle])) }),
    accepted: (it, reservation) => {
      finished(it);
      reserved.set(it.job.id, reservation);
    },
  });
  observeEnds(site, finished);
  const arrivals = createArrivals<WorkloadJob>((job, atMs) => reserver.submit(job, atMs));
  const feed = feedOf(createDrive(site, [arrivals, reserver]), arrivals);
  for (const job of jobs) feed.offer(job);
  feed.finish();
  return { waitsMs, reserved, utilisation: busy.dividedBy(Math.max(1, lastMs)) / procs };
}

/** The price list of `market` with other delay costs. */
function listerWith(weightOf: (handle: number) => number): Lister {
  return (tried, shape) => {
    const startsMs = candidatesFor(tried, { kind: "whenever" }, PLAIN_PRICE.tariff);
    const weights = Float64Array.from(tried.present.handles, weightOf);
    const { isPossible, delayedJobs, weightedDelayMs } = tryReservations(tried, shape, startsMs, weights);
    return Array.from(startsMs, (startMs, at) => ({
      startMs,
      fixedProcMs: weightedDelayMs[at],
      delayedJobs: delayedJobs[at],
      delayProcMs: weightedDelayMs[at],
    })).filter((_, at) => isPossible[at] === 1);
  };
}

/** Jobs drawn by a seed, as a scenario draws them. */
export function drawnBy(rules: ReservingRules, seed: number): Play["alphaOf"] {
  const next = drawReserving(rules, seed);
  return () => next();
}

/** The numbers of a figure. */
export interface Priced {
  /** Mean f in SU; 0 where nobody reserved. */
  readonly fixedSu: number;
  readonly reservedWaitHours: number;
  readonly queuedWaitHours: number;
  readonly utilisation: number;
  readonly reservations: number;
}

/** The numbers of one play. */
export function pricedOf({ waitsMs, reserved, utilisation }: Played): Priced {
  let fixedProcMs = 0;
  for (const one of reserved.values()) fixedProcMs += one.fixedProcMs;
  const waits = { reserved: 0, queued: 0 };
  waitsMs.forEach((waitMs, order) => {
    waits[reserved.has(order) ? "reserved" : "queued"] += waitMs;
  });
  const queued = waitsMs.length - reserved.size;
  return {
    fixedSu: fixedProcMs / MS_PER_HOUR / Math.max(1, reserved.size),
    reservedWaitHours: waits.reserved / MS_PER_HOUR / Math.max(1, reserved.size),
    queuedWaitHours: waits.queued / MS_PER_HOUR / Math.max(1, queued),
    utilisation,
    reservations: reserved.size,
  };
}

/** The wait of those that reserved over that of those that queued; 1 where nobody waits. */
export function waitRatioOf({ reservedWaitHours, queuedWaitHours }: Priced): number {
  return queuedWaitHours > 0 ? reservedWaitHours / queuedWaitHours : 1;
}

/** The mean of each number over several plays. */
export function meanOf(all: readonly Priced[]): Priced {
  const mean = (of: (one: Priced) => number): number =>
    all.reduce((sum, one) => sum + of(one), 0) / all.length;
  return {
    fixedSu: mean(({ fixedSu }) => fixedSu),
    reservedWaitHours: mean(({ reservedWaitHours }) => reservedWaitHours),
    queuedWaitHours: mean(({ queuedWaitHours }) => queuedWaitHours),
    utilisation: mean(({ utilisation }) => utilisation),
    reservations: mean(({ reservations }) => reservations),
  };
}
