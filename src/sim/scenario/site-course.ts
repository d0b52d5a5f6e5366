/**
 * Utilisation and number of waiting jobs of a site over time: exact means over a stretch, the largest number
 * of waiting jobs, and a series in equal steps for charts.
 */
import { ExactSum, exactProduct, MS_PER_SECOND } from "../../base/index.ts";

/** When each job of a replicate was submitted, started and ended, by its place in the order. */
export interface JobTimes {
  readonly procs: Float64Array;
  readonly submitMs: Float64Array;
  readonly startMs: Float64Array;
  readonly endMs: Float64Array;
}

/** Means over equal steps from the first submission to the last end. */
export interface SiteSeries {
  readonly stepSec: number;
  /** Busy shares of the site, 0 … 1. */
  readonly busy: readonly number[];
  /** Jobs waiting. */
  readonly waiting: readonly number[];
  /** The stretch that is counted. */
  readonly fromSec: number;
  readonly untilSec: number;
}

/** Number of slots over time: means over the samples of equal steps, from the first submission. */
export interface SlotCourse {
  readonly stepSec: number;
  readonly counts: readonly number[];
}

/** A stretch of time. */
export interface Stretch {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Steps of a course: about as many as a picture has room for. */
const STEPS = 160;

/** Busy processor time over that of `siteProcs` in the stretch. */
export function utilisationIn(times: JobTimes, siteProcs: number, { fromMs, untilMs }: Stretch): number {
  const busy = new ExactSum();
  times.procs.forEach((procs, at) => {
    const beganMs = Math.max(fromMs, times.startMs[at]);
    const overMs = Math.min(untilMs, times.endMs[at]);
    if (overMs > beganMs) busy.add(exactProduct(procs, overMs - beganMs));
  });
  return busy.dividedBy(untilMs - fromMs) / siteProcs;
}

/** The mean over time, and the most at one instant, of the jobs that wait in the stretch. */
export function queueLengthIn(
  { submitMs, startMs }: JobTimes,
  { fromMs, untilMs }: Stretch,
): { readonly mean: number; readonly max: number } {
  const waited = new ExactSum();
  submitMs.forEach((ms, at) => {
    const length = Math.min(untilMs, startMs[at]) - Math.max(fromMs, ms);
    if (length > 0) waited.add(length);
  });
  const starts = startMs.toSorted();
  let max = 0;
  let started = 0;
  const startedUntil = (ms: number): number => {
    while (started < starts.length && starts[started] <= ms) started++;
    return started;
  };
  for (let submitted = 1; submitted <= submitMs.length; submitted++) {
    const nowMs = submitMs[submitted - 1];
    // What is there when the stretch begins waits in it too.
    const isLastBefore = nowMs <= fromMs && (submitMs[submitted] ?? Number.POSITIVE_INFINITY) > fromMs;
    const isInside = nowMs > fromMs && nowMs < untilMs && submitMs[submitted] !== nowMs;
    if (isLastBefore) max = Math.max(max, submitted - startedUntil(fromMs));
    else if (isInside) max = Math.max(max, submitted - startedUntil(nowMs));
  }
  return { mean: waited.dividedBy(untilMs - fromMs), max };
}

/** The course over the whole of it, until `lastMs` or the last end; `counted` is drawn beside it. */
export function courseOf(times: JobTimes, siteProcs: number, counted: Stretch, lastMs = 1): SiteSeries {
  const lastEndMs = times.endMs.reduce((last, ms) => Math.max(last, ms), lastMs);
  const stepMs = lastEndMs / STEPS;
  const busy = new Float64Array(STEPS);
  const waiting = new Float64Array(STEPS);
  times.procs.forEach((procs, at) => {
    addTo(busy, stepMs, { fromMs: times.startMs[at], untilMs: times.endMs[at], amount: procs });
    addTo(waiting, stepMs, { fromMs: times.submitMs[at], untilMs: times.startMs[at], amount: 1 });
  });
  return {
    stepSec: stepMs / MS_PER_SECOND,
    busy: Array.from(busy, (sum) => sum / stepMs / siteProcs),
    waiting: Array.from(waiting, (sum) => sum / stepMs),
    fromSec: counted.fromMs / MS_PER_SECOND,
    untilSec: counted.untilMs / MS_PER_SECOND,
  };
}

/** The course of slots counted at every multiple of `everyMs`; a step has so many samples, the last fewer. */
export function slotCourseOf(counts: readonly number[], everyMs: number): SlotCourse {
  const samples = Math.max(1, Math.ceil(counts.length / STEPS));
  const means: number[] = [];
  for (let from = 0; from < counts.length; from += samples) {
    const some = counts.slice(from, from + samples);
    means.push(some.reduce((sum, count) => sum + count, 0) / some.length);
  }
  return { stepSec: (samples * everyMs) / MS_PER_SECOND, counts: means };
}

interface Lasting extends Stretch {
  readonly amount: number;
}

function addTo(steps: Float64Array, stepMs: number, { fromMs, untilMs, amount }: Lasting): void {
  const first = Math.floor(fromMs / stepMs);
  const last = Math.min(steps.length - 1, Math.floor(untilMs / stepMs));
  for (let step = first; step <= last; step++) {
    const length = Math.min(untilMs, (step + 1) * stepMs) - Math.max(fromMs, step * stepMs);
    if (length > 0) steps[step] += amount * length;
  }
}
