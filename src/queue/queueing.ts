/**
 * FCFS and EASY: disciplines that look at the queue anew at every instant.
 *
 * Sources: [L95] for EASY (aggressive backfilling), [MF01] for the comparison; reservations and
 * several pools by rules QU-1, QU-2 and QU-7. Their profiles hold running jobs and reservations only; a
 * promise lives for one pass.
 */
import { freeAt, release } from "../profile/index.ts";
import { jobState } from "./job-table.ts";
import { type Machine, poolsOf, takeUpNeed } from "./machine.ts";
import { earliestPlace, markStarted, occupy, type Place, poolThatFitsNow } from "./placement.ts";
import { inQueueOrder } from "./waiting.ts";

/** One pass of FCFS (rule QU-1). Cost: O(jobs that start + 1) for one pool. */
export function fcfsPass(machine: Machine): void {
  const blocked = new Uint8Array(machine.pools.length);
  let open = machine.pools.length;
  const { handles, count } = inQueueOrder(machine);
  for (let i = 0; i < count && open > 0; i++) {
    const pool = poolThatFitsNow(machine, handles[i], blocked);
    if (pool >= 0) startNow(machine, handles[i], pool);
    else open -= markAll(blocked, poolsOf(machine, handles[i]));
  }
  forgetStarted(machine);
}

/**
 * One pass of EASY (rule QU-2). Behind the head of a single pool, jobs that need more processors than are
 * free now are skipped without a search of the profile.
 * Cost: O(waiting jobs × breakpoints until their ends), in one pool of those that are narrow enough.
 */
export function easyPass(machine: Machine): void {
  const hasHead = new Uint8Array(machine.pools.length);
  let headless = machine.pools.length;
  const isAlone = headless === 1;
  const [procs] = machine.jobs.need;
  let freeNow = isAlone ? freeAt(machine.pools[0], machine.nowMs) : Number.POSITIVE_INFINITY;
  const promises: { handle: number; place: Place }[] = [];
  const { handles, count } = inQueueOrder(machine);
  for (let i = 0; i < count; i++) {
    const handle = handles[i];
    if (headless === 0) {
      if (isAlone ? freeNow === 0 : isFull(machine)) break;
      if (procs[handle] > freeNow) continue;
    }
    const pool = poolThatFitsNow(machine, handle);
    if (pool >= 0) {
      startNow(machine, handle, pool);
      freeNow -= procs[handle];
      continue;
    }
    const fresh = markAll(hasHead, poolsOf(machine, handle));
    headless -= fresh;
    if (fresh > 0) {
      const place = earliestPlace(machine, handle);
      occupy(machine, handle, place);
      promises.push({ handle, place });
    }
  }
  for (const { handle, place } of promises) {
    const profile = machine.pools[place.pool];
    release(profile, takeUpNeed(machine, handle), machine.jobs.estimateMs[handle], place.startMs);
  }
  forgetStarted(machine);
}

/** True where no pool has a free processor now: then no job can start. */
function isFull({ pools, nowMs }: Machine): boolean {
  return pools.every((profile) => freeAt(profile, nowMs) === 0);
}

/** Starts a waiting job here and now; it leaves the queue when the pass is over. */
export function startNow(machine: Machine, handle: number, pool: number): void {
  occupy(machine, handle, { pool, startMs: machine.nowMs });
  markStarted(machine, handle);
}

/** Takes the jobs that started in this pass out of the queue. */
export function forgetStarted(machine: Machine): void {
  const { waiting, jobs, started } = machine;
  if (started.count === 0) return;
  if (started.count === 1) {
    const at = waiting.handles.indexOf(started.handles[0]);
    waiting.handles.copyWithin(at, at + 1, waiting.count);
    waiting.count--;
    return;
  }
  let kept = 0;
  for (let i = 0; i < waiting.count; i++) {
    const handle = waiting.handles[i];
    if (jobs.state[handle] === jobState.waiting) waiting.handles[kept++] = handle;
  }
  waiting.count = kept;
}

/** Sets the marks at these places; gives how many were not set before. */
function markAll(marks: Uint8Array, places: readonly number[]): number {
  let fresh = 0;
  for (const place of places) {
    if (marks[place] === 0) fresh++;
    marks[place] = 1;
  }
  return fresh;
}
