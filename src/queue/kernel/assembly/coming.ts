/**
 * Jobs that were handed over and have not arrived, in columns, in order of submission.
 */
import { grownNumbers, moveNumbers } from "./columns.ts";

export let submit = new StaticArray<f64>(8);
export let procs = new StaticArray<f64>(8);
export let runtime = new StaticArray<f64>(8);
export let estimate = new StaticArray<f64>(8);
let next: i32 = 0;
let count: i32 = 0;
let nextOrder: f64 = 0;

/** Moves who is left to the front and makes room for so many more behind them; gives how many are left. */
export function makeRoomForComing(more: i32): i32 {
  const left = count - next;
  moveNumbers(submit, 0, next, count);
  moveNumbers(procs, 0, next, count);
  moveNumbers(runtime, 0, next, count);
  moveNumbers(estimate, 0, next, count);
  next = 0;
  count = left;
  if (left + more > submit.length) {
    const rows = (left + more) * 2;
    submit = grownNumbers(submit, rows);
    procs = grownNumbers(procs, rows);
    runtime = grownNumbers(runtime, rows);
    estimate = grownNumbers(estimate, rows);
  }
  return left;
}

/** Counts jobs that were written behind those that are left. */
export function addComing(more: i32): void {
  count += more;
}

/** The next arrival, or Infinity. */
export function nextArrivalMs(): f64 {
  return next < count ? submit[next] : Infinity;
}

/** The place of the job that arrives next; there must be one. */
export function takeComing(): i32 {
  nextOrder += 1;
  return next++;
}

/** The number of the job that was taken last, among all. */
export function orderOfTaken(): f64 {
  return nextOrder - 1;
}
