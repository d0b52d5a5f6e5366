/**
 * FCFS and EASY (rules QU-1, QU-2): disciplines that look at the queue anew at every instant.
 *
 * Equivalent to `fcfsPass` and `easyPass` on one pool; differs for speed in these ways:
 * 1. Running jobs alone only ever free processors. So no profile is kept: a number of free processors, and
 *    of EASY the estimated ends with what comes free at each, in a row.
 * 2. As long as nothing comes free, who could not start before cannot start later (ending by the shadow time
 *    only gets harder), so a pass at an arrival looks at the newcomers alone.
 * Source: [L95], [MF01]. Cost: O(waiting jobs) after an end, O(newcomers) else, and a scan of the estimated
 * ends for the head.
 */
import { grownNumbers, moveNumbers } from "./columns.ts";
import { leaveQueue, noteStarted, waiting, waitingCount } from "./queue.ts";
import { capacity, estimateMs, nowMs, procs, startMs } from "./site.ts";

let free: f64 = 0;
let backfills: bool = false;

/** Estimated ends of running jobs, ascending, and what comes free at each: places head..tail−1. */
let endMs = new StaticArray<f64>(8);
let freed = new StaticArray<f64>(8);
let head: i32 = 0;
let tail: i32 = 0;

/** Result of the last pass, valid until capacity is released: number of jobs examined. */
let looked: i32 = 0;
let holds: bool = false;
/** The promise to the head of the queue, and what is free beside it then; −1 where none was asked for. */
let shadowMs: f64 = -1;
let extra: f64 = 0;

/** Begins with an empty site; `easy` lets jobs past the head. */
export function beginInTurn(easy: bool): void {
  free = capacity;
  backfills = easy;
}

/** A job ends now. */
export function endInTurn(row: i32): void {
  const amount = procs[row];
  free += amount;
  holds = false;
  if (backfills) forgetEnd(startMs[row] + estimateMs[row], amount);
}

/** Starts the jobs that can start at the end of an instant. */
export function settleInTurn(): void {
  let from = looked;
  if (!holds) {
    let at = 0;
    while (at < waitingCount && procs[waiting[at]] <= free) start(waiting[at++]);
    leaveQueue(0, at);
    from = 1;
    shadowMs = -1;
  }
  if (backfills && from < waitingCount && free > 0) {
    if (shadowMs < 0) promiseHead(waiting[0]);
    backfill(from);
  }
  looked = waitingCount;
  holds = waitingCount > 0;
}

/** Starts of the jobs at `from` and behind, all behind the head, what does not touch its promise. */
function backfill(from: i32): void {
  const queue = waiting;
  let kept = from;
  let at = from;
  for (; at < waitingCount && free > 0; at++) {
    const row = queue[at];
    const wanted = procs[row];
    const endsInTime = nowMs + estimateMs[row] <= shadowMs;
    if (wanted <= free && (endsInTime || wanted <= extra)) {
      start(row);
      if (!endsInTime) extra -= wanted;
    } else {
      queue[kept++] = row;
    }
  }
  leaveQueue(kept, at);
}

function start(row: i32): void {
  const amount = procs[row];
  free -= amount;
  startMs[row] = nowMs;
  if (backfills) noteEnd(nowMs + estimateMs[row], amount);
  noteStarted(row);
}

/** The head's start beside running jobs, and what is free beside it then. */
function promiseHead(row: i32): void {
  const wanted = procs[row];
  let at = head;
  let then = free;
  while (then < wanted) then += freed[at++];
  shadowMs = endMs[at - 1];
  extra = then - wanted;
}

/** Place in the row of ends at which an end stands or would stand. */
function placeOf(atMs: f64): i32 {
  const ends = endMs;
  let low = head;
  let high = tail;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ends[middle] < atMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

function noteEnd(atMs: f64, amount: f64): void {
  let at = placeOf(atMs);
  if (at < tail && endMs[at] === atMs) {
    freed[at] += amount;
    return;
  }
  if (at - head < tail - at && head > 0) {
    moveNumbers(endMs, head - 1, head, at);
    moveNumbers(freed, head - 1, head, at);
    head--;
    at--;
  } else {
    if (tail === endMs.length) at -= makeRoom();
    moveNumbers(endMs, at + 1, at, tail);
    moveNumbers(freed, at + 1, at, tail);
    tail++;
  }
  endMs[at] = atMs;
  freed[at] = amount;
}

/** Takes an amount off an end that is noted. */
function forgetEnd(atMs: f64, amount: f64): void {
  const at = placeOf(atMs);
  freed[at] -= amount;
  if (freed[at] > 0) return;
  if (at - head < tail - at) {
    moveNumbers(endMs, head + 1, head, at);
    moveNumbers(freed, head + 1, head, at);
    head++;
  } else {
    moveNumbers(endMs, at, at + 1, tail);
    moveNumbers(freed, at, at + 1, tail);
    tail--;
  }
}

/** Moves the row to the front, in columns with room behind it; gives by how much places moved. */
function makeRoom(): i32 {
  const moved = head;
  if ((tail - head) * 2 > endMs.length) {
    endMs = grownNumbers(endMs, endMs.length * 2);
    freed = grownNumbers(freed, freed.length * 2);
  }
  moveNumbers(endMs, 0, head, tail);
  moveNumbers(freed, 0, head, tail);
  tail -= head;
  head = 0;
  return moved;
}
