/**
 * Batch systems of the source's time and ours, by what of each bears on shares: no two are one system.
 *
 * - Maui: starts first whom the fair-share target is furthest from, by use in whole intervals; MAXPROC
 *   bounds what runs at once (the burst), FSCAP what may be begun in the window (the epoch). It stops nobody.
 * - Condor: a negotiation every so often, in which the one with the better effective priority (decayed use
 *   times a factor) is matched first; who is worse by a fifth is preempted, and begins anew. No limits.
 * - Slurm: fair-share by decayed use at every event; GrpTRES bounds what runs at once, GrpTRESMins ("safe")
 *   whether a job may begin that could pass the epoch's time with its limit. It stops nobody.
 *
 * Sources: their manuals. Real ones differ; real Slurm is played in `policies-slurm`.
 */
import type { OwnedJob } from "../../src/sim/enforcing/enforced-input.ts";
import { MINUTE } from "./workload.ts";

/** Names under which they are shown. `Maui-like without limits` is a control. */
export const BATCH_SYSTEMS = ["Maui-like", "Condor-like", "Slurm-like", "Maui-like without limits"] as const;
/** See {@link BATCH_SYSTEMS}. */
export type BatchSystemName = (typeof BATCH_SYSTEMS)[number];

/** What an organisation was promised, as parts of the processors. */
export interface Promised {
  readonly epoch: number;
  readonly burst: number;
}

/** A running job. */
export interface BatchRun {
  readonly job: OwnedJob;
  readonly fromMs: number;
}

/** What a system sees when it decides. */
export interface BatchView {
  readonly nowMs: number;
  readonly procs: number;
  /** The length of the epoch. */
  readonly epochMs: number;
  readonly promised: ReadonlyMap<string, Promised>;
  /** In the order in which they came. */
  readonly waiting: readonly OwnedJob[];
  readonly running: readonly BatchRun[];
  /** Processor time in ms of an organisation between two instants. */
  readonly usedMs: (vo: string, fromMs: number, toMs: number) => number;
  /** The same of all its past, of which each half-life counts half of the one after it. */
  readonly decayedMs: (vo: string, halfLifeMs: number) => number;
}

/** The next thing to do; asked again until there is none. */
export type BatchStep =
  | { readonly kind: "start"; readonly job: OwnedJob }
  | { readonly kind: "preempt"; readonly run: BatchRun };

/** A system. */
export interface BatchSystem {
  /** How often it decides; at every event where absent. */
  readonly cycleMs?: number;
  readonly next: (view: BatchView) => BatchStep | undefined;
}

/** Of Maui's fair-share window. */
const INTERVAL_MS = 5 * MINUTE;
const CONDOR_CYCLE_MS = MINUTE;
/** PREEMPTION_REQUIREMENTS: the better one's priority times this is below the worse one's. */
const CONDOR_MARGIN = 1.2;
/** As S-PEPs do, nobody is stopped sooner. */
const CONDOR_MIN_RUN_MS = MINUTE;
/** Nobody's effective priority is better. */
const CONDOR_BEST = 0.5;

/** The organisation of a job. */
export function voOf({ consumer }: OwnedJob): string {
  return consumer.split("/")[0] ?? consumer;
}

/** All of them. */
export const SYSTEMS: Readonly<Record<BatchSystemName, BatchSystem>> = {
  "Maui-like": { next: (view) => firstOf(view, mauiNeed, isWithinMaui) },
  "Maui-like without limits": { next: (view) => firstOf(view, mauiNeed, () => true) },
  "Slurm-like": { next: (view) => firstOf(view, slurmNeed, isWithinSlurm) },
  "Condor-like": { cycleMs: CONDOR_CYCLE_MS, next: negotiate },
};

/** Starts the first job of who needs most, where it may and fits; every job is one processor wide. */
function firstOf(
  view: BatchView,
  needOf: (view: BatchView, vo: string) => number,
  isWithin: (view: BatchView, job: OwnedJob) => boolean,
): BatchStep | undefined {
  if (view.running.length >= view.procs) return undefined;
  const firsts = firstJobs(view).filter((job) => isWithin(view, job));
  const best = mostOf(firsts, (job) => needOf(view, voOf(job)));
  return best === undefined ? undefined : { kind: "start", job: best };
}

/** The first that waits of each organisation. */
function firstJobs({ promised, waiting }: BatchView): readonly OwnedJob[] {
  return [...promised.keys()].flatMap((vo) => waiting.find((job) => voOf(job) === vo) ?? []);
}

function mostOf<Value>(values: readonly Value[], need: (value: Value) => number): Value | undefined {
  const [first, ...others] = values;
  if (first === undefined) return undefined;
  return others.reduce((best, it) => (need(it) > need(best) ? it : best), first);
}

function promisedOf({ promised }: BatchView, vo: string): Promised {
  return promised.get(vo) ?? { epoch: 0, burst: 0 };
}

function isWithinBurst(view: BatchView, vo: string): boolean {
  const own = view.running.filter(({ job }) => voOf(job) === vo).length;
  return own < promisedOf(view, vo).burst * view.procs;
}

/** What an organisation may use in an epoch. */
function epochUseMs(view: BatchView, vo: string): number {
  return promisedOf(view, vo).epoch * view.procs * view.epochMs;
}

/** Use in the window, of which the interval under way counts as far as it has come. */
function mauiUseMs(view: BatchView, vo: string): number {
  const lastMs = Math.floor(view.nowMs / INTERVAL_MS) * INTERVAL_MS;
  return view.usedMs(vo, lastMs - view.epochMs + INTERVAL_MS, view.nowMs);
}

/** How far below its target its part of what all have used is. */
function mauiNeed(view: BatchView, vo: string): number {
  const all = [...view.promised.keys()].reduce((sum, it) => sum + mauiUseMs(view, it), 0);
  return promisedOf(view, vo).epoch - (all === 0 ? 0 : mauiUseMs(view, vo) / all);
}

function isWithinMaui(view: BatchView, job: OwnedJob): boolean {
  const vo = voOf(job);
  return isWithinBurst(view, vo) && mauiUseMs(view, vo) < epochUseMs(view, vo);
}

/** Fair share 2^(-use ÷ share), of which the order is that of use ÷ share. */
function slurmNeed(view: BatchView, vo: string): number {
  return -view.decayedMs(vo, view.epochMs) / promisedOf(view, vo).epoch;
}

function isWithinSlurm(view: BatchView, job: OwnedJob): boolean {
  const vo = voOf(job);
  // "safe": what runs may last to its limit, and this job too.
  const bound = view.running
    .filter((run) => voOf(run.job) === vo)
    .reduce((sum, run) => sum + run.fromMs + run.job.estimateMs - view.nowMs, job.estimateMs);
  return isWithinBurst(view, vo) && view.decayedMs(vo, view.epochMs) + bound <= epochUseMs(view, vo);
}

/** Smaller is better. */
function condorPriority(view: BatchView, vo: string): number {
  return (CONDOR_BEST + view.decayedMs(vo, view.epochMs) / view.epochMs) / promisedOf(view, vo).epoch;
}

/** A free machine for the best one; else that of somebody who is worse by the margin. */
function negotiate(view: BatchView): BatchStep | undefined {
  const best = mostOf(firstJobs(view), (job) => -condorPriority(view, voOf(job)));
  if (best === undefined) return undefined;
  if (view.running.length < view.procs) return { kind: "start", job: best };
  const limit = CONDOR_MARGIN * condorPriority(view, voOf(best));
  const victims = view.running.filter(
    ({ job, fromMs }) => condorPriority(view, voOf(job)) > limit && fromMs + CONDOR_MIN_RUN_MS <= view.nowMs,
  );
  // Who has begun last loses least.
  const run = mostOf(victims, ({ fromMs }) => fromMs);
  return run === undefined ? undefined : { kind: "preempt", run };
}
