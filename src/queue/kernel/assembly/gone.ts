/**
 * Results of a call: the jobs that ended, in the order of their ends, and those wider than the site.
 */
import { grownNumbers } from "./columns.ts";
import * as site from "./site.ts";

export let order = new StaticArray<f64>(8);
export let submitMs = new StaticArray<f64>(8);
export let procs = new StaticArray<f64>(8);
export let runtimeMs = new StaticArray<f64>(8);
export let startMs = new StaticArray<f64>(8);
export let endMs = new StaticArray<f64>(8);
export let promisedMs = new StaticArray<f64>(8);
export let backfilled = new StaticArray<f64>(8);
export let count: i32 = 0;
export let tooWide = new StaticArray<f64>(8);
export let tooWideCount: i32 = 0;

/** Discards the results of the last call. */
export function forgetTold(): void {
  count = 0;
  tooWideCount = 0;
}

/** Tells of a job that ends now. */
export function tellEnd(row: i32): void {
  if (count === order.length) grow();
  const at = count++;
  order[at] = site.order[row];
  submitMs[at] = site.submitMs[row];
  procs[at] = site.procs[row];
  runtimeMs[at] = site.runtimeMs[row];
  startMs[at] = site.startMs[row];
  endMs[at] = site.nowMs;
  promisedMs[at] = site.promisedMs[row];
  backfilled[at] = site.backfilled[row];
}

/** Tells of a job that can never start. */
export function tellTooWide(number: f64): void {
  if (tooWideCount === tooWide.length) tooWide = grownNumbers(tooWide, tooWideCount * 2);
  tooWide[tooWideCount++] = number;
}

function grow(): void {
  const rows = count * 2;
  order = grownNumbers(order, rows);
  submitMs = grownNumbers(submitMs, rows);
  procs = grownNumbers(procs, rows);
  runtimeMs = grownNumbers(runtimeMs, rows);
  startMs = grownNumbers(startMs, rows);
  endMs = grownNumbers(endMs, rows);
  promisedMs = grownNumbers(promisedMs, rows);
  backfilled = grownNumbers(backfilled, rows);
}
