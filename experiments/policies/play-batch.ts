/**
 * Plays jobs of one processor each through a batch system of `batch-systems.ts`, event by event.
 */
import { assert } from "../../src/base/index.ts";
import type { OwnedJob } from "../../src/sim/enforcing/enforced-input.ts";
import {
  type BatchRun,
  type BatchStep,
  type BatchSystem,
  type BatchView,
  type Promised,
  voOf,
} from "./batch-systems.ts";

/** What is played. */
export interface BatchOrder {
  readonly jobs: readonly OwnedJob[];
  readonly procs: number;
  readonly epochMs: number;
  readonly promised: ReadonlyMap<string, Promised>;
  readonly untilMs: number;
}

/** When a job ran; what was preempted begins anew. */
export interface BatchPlayed {
  readonly job: OwnedJob;
  readonly runs: readonly { readonly fromMs: number; readonly toMs: number | null }[];
  readonly endMs: number | null;
}

interface Play extends BatchOrder {
  readonly runs: Map<string, { fromMs: number; toMs: number | null }[]>;
  readonly ends: Map<string, number>;
  waiting: OwnedJob[];
  running: BatchRun[];
}

/** Plays it until its end. */
export function playBatch(order: BatchOrder, system: BatchSystem): readonly BatchPlayed[] {
  const play: Play = { ...order, runs: new Map(), ends: new Map(), waiting: [], running: [] };
  let came = 0;
  let nowMs = 0;
  for (;;) {
    play.running = play.running.filter((run) => !endsNow(play, run, nowMs));
    while (order.jobs[came] !== undefined && order.jobs[came].submitMs <= nowMs) {
      play.waiting.push(order.jobs[came++]);
    }
    if (nowMs % (system.cycleMs ?? 1) === 0) decide(play, system, nowMs);
    const submitMs = order.jobs[came]?.submitMs ?? Number.POSITIVE_INFINITY;
    const endMs = Math.min(...play.running.map(({ job, fromMs }) => fromMs + job.runtimeMs));
    // Limits on use fall behind with time alone: who waits is looked at again.
    const againMs =
      play.waiting.length > 0
        ? nextMultiple(nowMs, system.cycleMs ?? LOOK_EVERY_MS)
        : Number.POSITIVE_INFINITY;
    nowMs = Math.min(submitMs, endMs, againMs);
    if (nowMs >= order.untilMs) break;
  }
  return order.jobs.map((job) => ({
    job,
    runs: play.runs.get(job.id) ?? [],
    endMs: play.ends.get(job.id) ?? null,
  }));
}

const LOOK_EVERY_MS = 5_000;

function nextMultiple(nowMs: number, everyMs: number): number {
  return (Math.floor(nowMs / everyMs) + 1) * everyMs;
}

function endsNow(play: Play, { job, fromMs }: BatchRun, nowMs: number): boolean {
  if (fromMs + job.runtimeMs > nowMs) return false;
  play.ends.set(job.id, nowMs);
  closeRun(play, job, nowMs);
  return true;
}

function decide(play: Play, { next }: BatchSystem, nowMs: number): void {
  for (let step = next(viewOf(play, nowMs)); step !== undefined; step = next(viewOf(play, nowMs))) {
    carryOut(play, step, nowMs);
  }
}

function carryOut(play: Play, step: BatchStep, nowMs: number): void {
  if (step.kind === "start") {
    const { job } = step;
    play.waiting = play.waiting.filter((it) => it !== job);
    play.running = [...play.running, { job, fromMs: nowMs }];
    const runs = play.runs.get(job.id) ?? [];
    runs.push({ fromMs: nowMs, toMs: null });
    play.runs.set(job.id, runs);
    return;
  }
  const { run } = step;
  play.running = play.running.filter((it) => it !== run);
  closeRun(play, run.job, nowMs);
  play.waiting = [run.job, ...play.waiting];
}

function closeRun(play: Play, job: OwnedJob, nowMs: number): void {
  const last = play.runs.get(job.id)?.at(-1);
  assert(last !== undefined, "what ends was begun");
  last.toMs = nowMs;
}

function viewOf(play: Play, nowMs: number): BatchView {
  const { procs, epochMs, promised, waiting, running } = play;
  const spans = (vo: string) =>
    play.jobs.flatMap((job) =>
      voOf(job) === vo
        ? (play.runs.get(job.id) ?? []).map(({ fromMs, toMs }) => [fromMs, toMs ?? nowMs])
        : [],
    );
  return {
    ...{ nowMs, procs, epochMs, promised, waiting, running },
    usedMs: (vo, fromMs, untilMs) =>
      spans(vo).reduce(
        (sum, [from, to]) => sum + Math.max(0, Math.min(to, untilMs) - Math.max(from, fromMs)),
        0,
      ),
    // The integral of 2^(-age ÷ half-life) over each run.
    decayedMs: (vo, halfLifeMs) => {
      const rate = Math.LN2 / halfLifeMs;
      const until = (atMs: number) => Math.exp(-rate * (nowMs - atMs)) / rate;
      return spans(vo).reduce((sum, [from, to]) => sum + until(to) - until(from), 0);
    },
  };
}
