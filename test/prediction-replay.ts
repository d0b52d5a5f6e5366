/**
 * Replays what a trace recorded (its own waits) through the prediction from past waits, and counts how often
 * the promises were kept. Used by the test of coverage and by `bench/prediction.ts`.
 */
import { readSwf, swfField, traceBytes } from "../src/formats/index.ts";
import { boundWait, classOfJob, createHistory, type JobFacts, observeWaits } from "../src/predict/index.ts";

/** A job of a trace with its recorded wait. */
export interface RecordedJob {
  readonly facts: JobFacts;
  readonly submitMs: number;
  readonly waitMs: number;
  readonly runtimeMs: number;
}

/** How the promises to some jobs were kept. */
export interface Coverage {
  readonly name: string;
  readonly promises: number;
  /** Stretches of jobs of one user, each submitted within an hour of the one before. */
  readonly bursts: number;
  /** The part of the promises that was kept. */
  readonly kept: number;
  /** The median of wait ÷ bound, of all and of the jobs that waited at all: near 0 the bounds say little. */
  readonly medianRatio: number;
  readonly medianRatioOfWaiting: number;
}

/** Promises from which on a class is judged (rule PD-21): chance alone moves what is kept by 0.007. */
const ENOUGH_PROMISES = 1000;
const BURST_MS = 3_600_000;

/** Whether a class has had promises enough to be judged. */
export function isEnough({ promises }: Coverage): boolean {
  return promises >= ENOUGH_PROMISES;
}

/** The first `most` jobs of a trace, in order of submission. */
export async function recordedJobs(path: string, most = Number.POSITIVE_INFINITY): Promise<RecordedJob[]> {
  const jobs: RecordedJob[] = [];
  for await (const { count, fields } of readSwf(traceBytes(path), { file: path, lenient: false })) {
    for (let at = 0; at < count && jobs.length < most; at++) {
      const asked = fields[swfField.requestedProcs][at];
      const procs = asked > 0 ? asked : fields[swfField.allocatedProcs][at];
      const runtime = fields[swfField.runtime][at];
      const wait = fields[swfField.wait][at];
      if (!(procs > 0) || !(runtime > 0) || !(wait >= 0)) continue;
      const wallTimeMs = Math.max(fields[swfField.requestedTime][at], runtime) * 1000;
      const user = String(fields[swfField.user][at]);
      const queue = String(fields[swfField.queue][at]);
      const executable = String(fields[swfField.executable][at]);
      const facts = { id: String(jobs.length), queue, user, executable, procs, wallTimeMs };
      const submitMs = fields[swfField.submit][at] * 1000;
      jobs.push({ facts, submitMs, waitMs: wait * 1000, runtimeMs: runtime * 1000 });
    }
  }
  return jobs.sort((a, b) => a.submitMs - b.submitMs);
}

/** What happened to which job (by its place), in order of time; at one instant submissions first. */
export function siteEvents(jobs: readonly RecordedJob[]): { job: number; atMs: number; isStart: boolean }[] {
  return jobs
    .flatMap(({ submitMs, waitMs }, job) => [
      { job, atMs: submitMs, isStart: false },
      { job, atMs: submitMs + waitMs, isStart: true },
    ])
    .sort((a, b) => a.atMs - b.atMs || Number(a.isStart) - Number(b.isStart) || a.job - b.job);
}

/** Promises every job its 0.95-bound (at 0.95) when it is submitted, and sees what became of them. */
export function coverageOf(jobs: readonly RecordedJob[]): {
  readonly whole: Coverage;
  /** By the classes as they are at the end, the largest first. */
  readonly classes: readonly Coverage[];
} {
  const history = createHistory();
  const promised = jobs.map((): number | undefined => undefined);
  for (const { job, atMs, isStart } of siteEvents(jobs)) {
    const { facts } = jobs[job];
    if (isStart) {
      observeWaits(history, { kind: "started", id: facts.id, atMs });
    } else {
      promised[job] = boundWait(history, facts, { quantile: 0.95, confidence: 0.95 }, atMs)?.value;
      observeWaits(history, { kind: "submitted", job: facts, atMs });
    }
  }
  const outcomes = jobs.flatMap((job, i): Outcome[] => {
    const boundMs = promised[i];
    return boundMs === undefined ? [] : [{ ...job, boundMs }];
  });
  const groups = new Map<string, Outcome[]>();
  for (const outcome of outcomes) {
    const { facts } = outcome;
    const name = `${facts.queue}: ${classOfJob(history, facts)}`;
    const group = groups.get(name) ?? [];
    groups.set(name, group);
    group.push(outcome);
  }
  const classes = [...groups].map(([name, group]) => measure(name, group));
  return { whole: measure("all", outcomes), classes: classes.sort((a, b) => b.promises - a.promises) };
}

interface Outcome extends RecordedJob {
  readonly boundMs: number;
}

function measure(name: string, outcomes: readonly Outcome[]): Coverage {
  const ratios = outcomes.map(({ waitMs, boundMs }) => (waitMs === 0 ? 0 : waitMs / boundMs));
  ratios.sort((a, b) => a - b);
  const waiting = ratios.filter((ratio) => ratio > 0);
  return {
    name,
    promises: outcomes.length,
    bursts: burstsIn(outcomes),
    kept: ratios.filter((ratio) => ratio <= 1).length / ratios.length,
    medianRatio: ratios[ratios.length >> 1],
    medianRatioOfWaiting: waiting[waiting.length >> 1],
  };
}

function burstsIn(jobs: readonly RecordedJob[]): number {
  const latest = new Map<string, number>();
  let bursts = 0;
  for (const { facts, submitMs } of jobs) {
    if (submitMs - (latest.get(facts.user) ?? Number.NEGATIVE_INFINITY) > BURST_MS) bursts++;
    latest.set(facts.user, submitMs);
  }
  return bursts;
}
