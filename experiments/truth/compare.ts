/**
 * Starts of the same jobs in several plays, compared: by how much later with a slot than without.
 */
import type { Interval } from "../../src/model/index.ts";
import { intervalOf } from "../../src/sim/scenario/intervals.ts";
import { studentT } from "../../src/sim/scenario/student-t.ts";

/** When each job of a play started, by its name, in ms since the play began. */
export type Starts = ReadonlyMap<string, number>;

/** A job, and how much its time weighs. */
export interface WeighedJob {
  readonly name: string;
  readonly procs: number;
}

/** Delays of jobs times their processors, in processor-milliseconds. */
export interface Delay {
  /** Of those that started later: as a price counts. */
  readonly laterProcMs: number;
  /** Of all, those that started earlier taken off. */
  readonly netProcMs: number;
}

const CONFIDENCE = 0.95;

/** By how much later the jobs start than in another play. Jobs that are missing in either count nothing. */
export function delayOf(jobs: readonly WeighedJob[], base: Starts, other: Starts): Delay {
  let [laterProcMs, netProcMs] = [0, 0];
  for (const { name, procs } of jobs) {
    const [before, after] = [base.get(name), other.get(name)];
    if (before === undefined || after === undefined) continue;
    laterProcMs += Math.max(0, after - before) * procs;
    netProcMs += (after - before) * procs;
  }
  return { laterProcMs, netProcMs };
}

/** The mean of delays that were measured against different plays of the same. */
export function meanDelay(delays: readonly Delay[]): Delay {
  const mean = (of: (delay: Delay) => number): number =>
    delays.reduce((sum, delay) => sum + of(delay), 0) / delays.length;
  return { laterProcMs: mean((it) => it.laterProcMs), netProcMs: mean((it) => it.netProcMs) };
}

/** A mean over pairs with its interval of 95 % (Student's t). */
export function meanOf(values: readonly number[]): Interval {
  return intervalOf(values, true);
}

/**
 * The ratio of two sums over pairs, with its interval of 95 %: the residuals `value − ratio × base` are taken
 * as drawn from one distribution (the usual ratio estimator, linearised), Student's t with pairs − 1 degrees
 * of freedom. Undefined where there is nothing to divide by.
 */
export function ratioOf(pairs: readonly (readonly [base: number, value: number])[]): Interval | undefined {
  const count = pairs.length;
  const base = pairs.reduce((sum, [one]) => sum + one, 0) / count;
  if (!(base > 0)) return undefined;
  const mean = pairs.reduce((sum, [, one]) => sum + one, 0) / count / base;
  if (count < 2) return { mean, low: null, high: null, count };
  const squares = pairs.reduce((sum, [one, value]) => sum + (value - mean * one) ** 2, 0);
  const half = (studentT(CONFIDENCE, count - 1) * Math.sqrt(squares / (count - 1) / count)) / base;
  return { mean, low: mean - half, high: mean + half, count };
}
