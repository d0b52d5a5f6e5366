/**
 * Use of processors counted in windows of fixed length, older ones weighing less, exactly and lazily.
 *
 * Equivalent to adding every processor-millisecond to the window it falls into and weighing window i
 * before the present one with decay^i, as Maui's FSINTERVAL, FSDEPTH and FSDECAY [MAUI]. It differs in
 * counting to the millisecond where Maui samples at every iteration of its scheduler. Windows begin at
 * multiples of the interval from instant 0.
 * Cost: O(depth) at a start, an end or a question.
 */
import { assert } from "../../base/index.ts";

/** Length, number and weights of the windows of use. */
export interface Windows {
  readonly intervalMs: number;
  /** Number of windows that count, the present one included. */
  readonly depth: number;
  /** Weight of a window relative to the one after it, 0 … 1. */
  readonly decay: number;
}

/** Use of one consumer by window. */
export interface WindowedUsage {
  /** Processor-milliseconds, the present window first. */
  readonly usedProcMs: number[];
  procs: number;
  asOfMs: number;
}

/** Nothing used yet. */
export function noWindowedUsage({ depth }: Windows): WindowedUsage {
  return { usedProcMs: new Array<number>(depth).fill(0), procs: 0, asOfMs: 0 };
}

/** The weighted use at an instant, in processor-milliseconds. */
export function windowedUsageAt(usage: WindowedUsage, atMs: number, windows: Windows): number {
  catchUp(usage, atMs, windows);
  let weight = 1;
  let sum = 0;
  for (const used of usage.usedProcMs) {
    sum += used * weight;
    weight *= windows.decay;
  }
  return sum;
}

/** From this instant on `change` processors more (less, where negative) are in use. */
export function changeWindowedUse(
  usage: WindowedUsage,
  change: number,
  { atMs, windows }: { readonly atMs: number; readonly windows: Windows },
): void {
  catchUp(usage, atMs, windows);
  usage.procs += change;
}

/** Counts what was used since the last change into the windows it falls into. */
function catchUp(usage: WindowedUsage, atMs: number, { intervalMs, depth }: Windows): void {
  assert(atMs >= usage.asOfMs, "starts and ends are told in order of time");
  const { usedProcMs, procs } = usage;
  const present = Math.floor(atMs / intervalMs);
  const passed = present - Math.floor(usage.asOfMs / intervalMs);
  for (let i = Math.min(passed, depth); i > 0; i--) {
    // What is older than all windows is not counted at all.
    const endMs = (present - i + 1) * intervalMs;
    const beganMs = Math.max(usage.asOfMs, endMs - intervalMs);
    usedProcMs[0] += procs * (endMs - beganMs);
    usedProcMs.unshift(0);
    usedProcMs.pop();
    usage.asOfMs = endMs;
  }
  usedProcMs[0] += procs * (atMs - usage.asOfMs);
  usage.asOfMs = atMs;
}
