/**
 * A replay of the plain case: one pool of processors, arrivals and ends, no observers; and the effect of one
 * more reservation of processors on a queue. The equivalence of each is stated where it is used
 * (`plain-replay`, `impact/conservative-procs`, `impact/backfill-procs`).
 *
 * Written in AssemblyScript: TypeScript's grammar, numbers of a fixed kind, no objects that are collected.
 */
import * as coming from "./coming.ts";
import {
  boardRows,
  boardStep,
  displaceAll,
  findFirstDisplaced,
  layOutBoard,
  triedColumn,
  useClasses,
} from "./displace.ts";
import { nextEndMs, popEnd } from "./ends.ts";
import * as gone from "./gone.ts";
import { beginInTurn, endInTurn, settleInTurn } from "./in-turn.ts";
import { nextPlannedMs } from "./planned.ts";
import { arrivePlanned, beginPlanning, endPlanned, settlePlanned } from "./planning.ts";
import { arrangePlay, expectTrials, layOutPlay, playPresent, playTable, tryAll } from "./play-trials.ts";
import { forgetPast } from "./profile.ts";
import { beginStarted, enqueue, startedCount } from "./queue.ts";
import * as site from "./site.ts";

// Beside the replay: what a reservation would displace (see `displace`), and what it would do to a queue that
// is played forward (see `play-trials`).
export {
  arrangePlay,
  boardRows,
  boardStep,
  displaceAll,
  expectTrials,
  findFirstDisplaced,
  layOutBoard,
  layOutPlay,
  playPresent,
  playTable,
  triedColumn,
  tryAll,
  useClasses,
};

/** The disciplines, as they are named to `begin`. */
export const FCFS: i32 = 0;
export const EASY: i32 = 1;
export const CONSERVATIVE: i32 = 2;
export const REPACK: i32 = 3;

let plans: bool = false;

/** Begins on an empty site; once, before anything else. */
export function begin(processors: f64, discipline: i32): void {
  site.openSite(processors);
  plans = discipline === CONSERVATIVE || discipline === REPACK;
  if (plans) beginPlanning(discipline === REPACK);
  else beginInTurn(discipline === EASY);
}

/** Makes room for so many jobs more; gives at which place they are to be written in the coming columns. */
export function makeRoom(more: i32): i32 {
  return coming.makeRoomForComing(more);
}

/** Where a column of the jobs to come begins: submission, processors, runtime, estimate. */
export function comingColumn(column: i32): usize {
  if (column === 0) return changetype<usize>(coming.submit);
  if (column === 1) return changetype<usize>(coming.procs);
  return column === 2 ? changetype<usize>(coming.runtime) : changetype<usize>(coming.estimate);
}

/** Takes so many jobs that were written there, and plays every instant before `untilMs`. */
export function play(more: i32, untilMs: f64): void {
  coming.addComing(more);
  gone.forgetTold();
  for (;;) {
    const atMs = min(min(coming.nextArrivalMs(), nextEndMs()), nextPlannedMs());
    if (atMs >= untilMs || atMs === Infinity) return;
    site.goTo(atMs);
    if (plans) playPlanned(atMs);
    else playInTurn(atMs);
    if (startedCount > 0) beginStarted();
  }
}

/** Number of jobs that ended in the last call. */
export function endedCount(): i32 {
  return gone.count;
}

/** Place of a column of the ended jobs; columns are numbered in the order of `gone`. */
export function endedColumn(column: i32): usize {
  if (column === 0) return changetype<usize>(gone.order);
  if (column === 1) return changetype<usize>(gone.submitMs);
  if (column === 2) return changetype<usize>(gone.procs);
  if (column === 3) return changetype<usize>(gone.runtimeMs);
  if (column === 4) return changetype<usize>(gone.startMs);
  if (column === 5) return changetype<usize>(gone.endMs);
  return column === 6 ? changetype<usize>(gone.promisedMs) : changetype<usize>(gone.backfilled);
}

/** Number of jobs wider than the site in the last call. */
export function tooWideCount(): i32 {
  return gone.tooWideCount;
}

/** Place of the numbers of the jobs wider than the site. */
export function tooWideColumn(): usize {
  return changetype<usize>(gone.tooWide);
}

/** One instant under FCFS or EASY. */
function playInTurn(atMs: f64): void {
  while (nextEndMs() === atMs) {
    const row = popEnd();
    endInTurn(row);
    leave(row);
  }
  while (coming.nextArrivalMs() === atMs) {
    const row = letNextIn();
    if (row >= 0) enqueue(row);
  }
  settleInTurn();
}

/** One instant under conservative or repack. */
function playPlanned(atMs: f64): void {
  forgetPast(atMs);
  while (nextEndMs() === atMs) {
    const row = popEnd();
    endPlanned(row);
    leave(row);
  }
  settlePlanned();
  while (coming.nextArrivalMs() === atMs) {
    const row = letNextIn();
    if (row >= 0) arrivePlanned(row);
  }
}

function leave(row: i32): void {
  gone.tellEnd(row);
  site.giveRowBack(row);
}

/** Gives the job that arrives next its row; −1 where it is wider than the site. */
function letNextIn(): i32 {
  const at = coming.takeComing();
  const procs = coming.procs[at];
  if (procs > site.capacity) {
    gone.tellTooWide(coming.orderOfTaken());
    return -1;
  }
  const row = site.takeRow();
  site.order[row] = coming.orderOfTaken();
  site.procs[row] = procs;
  site.runtimeMs[row] = coming.runtime[at];
  site.estimateMs[row] = coming.estimate[at];
  site.submitMs[row] = site.nowMs;
  site.promisedMs[row] = NaN;
  return row;
}
