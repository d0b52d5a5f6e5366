/**
 * The jobs at the site, in rows that are used again, and the instant that is played.
 */
import { grownNumbers, grownPlaces } from "./columns.ts";

/** The instant, in ms. */
export let nowMs: f64 = 0;
/** All processors of the site. */
export let capacity: f64 = 0;

/** The number of the job among all that were handed over, which is the order of arrival. */
export let order = new StaticArray<f64>(8);
export let procs = new StaticArray<f64>(8);
export let runtimeMs = new StaticArray<f64>(8);
export let estimateMs = new StaticArray<f64>(8);
export let submitMs = new StaticArray<f64>(8);
/** The start; of a job that waits, the one that is planned for it. */
export let startMs = new StaticArray<f64>(8);
/** The start it was promised on arrival; NaN where the discipline promises none. */
export let promisedMs = new StaticArray<f64>(8);
/** 1 where a job before it in the queue still waited at its start. */
export let backfilled = new StaticArray<f64>(8);
let spareRows = new StaticArray<i32>(8);
let spares: i32 = 0;
let rows: i32 = 0;

/** Sets how many processors there are; once, before anything happens. */
export function openSite(processors: f64): void {
  capacity = processors;
}

/** Goes to an instant. */
export function goTo(atMs: f64): void {
  nowMs = atMs;
}

/** A row for a job that arrives now. */
export function takeRow(): i32 {
  if (spares > 0) return spareRows[--spares];
  if (rows === order.length) growRows();
  return rows++;
}

/** Gives the row of a job back that has ended; it keeps what it says until it is taken anew. */
export function giveRowBack(row: i32): void {
  spareRows[spares++] = row;
}

function growRows(): void {
  const more = rows * 2;
  order = grownNumbers(order, more);
  procs = grownNumbers(procs, more);
  runtimeMs = grownNumbers(runtimeMs, more);
  estimateMs = grownNumbers(estimateMs, more);
  submitMs = grownNumbers(submitMs, more);
  startMs = grownNumbers(startMs, more);
  promisedMs = grownNumbers(promisedMs, more);
  backfilled = grownNumbers(backfilled, more);
  spareRows = grownPlaces(spareRows, more);
}
