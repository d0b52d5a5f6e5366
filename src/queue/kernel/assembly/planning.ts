/**
 * Conservative backfilling and its variant that plans afresh (rules QU-3, QU-4, QU-5): every waiting job
 * holds a promised start.
 *
 * Equivalent to `planning` on one pool; see `compress` for what is done differently for speed.
 * Source: [MF01]; slots as in [PROV] ch. 3.
 */
import { compress, forgetFreed, noteFreed } from "./compress.ts";
import { nextPlannedMs, popPlanned, schedule } from "./planned.ts";
import { earliest, openProfile, shift } from "./profile.ts";
import { dequeue, enqueue, noteStarted, waiting, waitingCount } from "./queue.ts";
import { capacity, estimateMs, nowMs, procs, promisedMs, startMs } from "./site.ts";

let cameFree: bool = false;
let plansAfresh: bool = false;

/** Begins with an empty site; `repack` plans afresh whenever something comes free early. */
export function beginPlanning(repack: bool): void {
  plansAfresh = repack;
  openProfile(capacity);
}

/** A job ends now. */
export function endPlanned(row: i32): void {
  const estimatedMs = startMs[row] + estimateMs[row];
  if (estimatedMs <= nowMs) return;
  shift(procs[row], nowMs, estimatedMs);
  noteFreed(nowMs, estimatedMs);
  cameFree = true;
}

/** Compresses or repacks the schedule if capacity was released, then starts the jobs that are due. */
export function settlePlanned(): void {
  if (cameFree) {
    if (plansAfresh) repack();
    else compress();
    cameFree = false;
  }
  while (nextPlannedMs() <= nowMs) {
    const row = popPlanned();
    dequeue(row);
    noteStarted(row);
  }
}

/** Promises a job that arrives now its start. */
export function arrivePlanned(row: i32): void {
  plan(row);
  const atMs = startMs[row];
  promisedMs[row] = atMs;
  if (atMs === nowMs) {
    noteStarted(row);
  } else {
    schedule(row);
    enqueue(row);
  }
}

/** Puts a job where it can start earliest. */
function plan(row: i32): void {
  const amount = procs[row];
  const durationMs = estimateMs[row];
  const atMs = earliest(amount, durationMs, nowMs);
  shift(-amount, atMs, atMs + durationMs);
  startMs[row] = atMs;
}

/** Takes all promises back and places every waiting job again, in the order of arrival (rule QU-5). */
function repack(): void {
  forgetFreed();
  for (let i = 0; i < waitingCount; i++) {
    const row = waiting[i];
    const atMs = startMs[row];
    shift(procs[row], atMs, atMs + estimateMs[row]);
  }
  for (let i = 0; i < waitingCount; i++) {
    const row = waiting[i];
    plan(row);
    schedule(row);
  }
}
