/**
 * Forecast of a queue without further arrivals, kept so that the start of one more job can be read off.
 *
 * Equivalent to letting the job arrive and playing the queue forward until it starts; differs for speed in
 * this way: a job that comes last changes nothing for the others before it starts, so the others are
 * played once, and of each instant is kept what a last one must not need more than: what is free, and
 * beside the promise of the queue's head. Under a planning discipline the profile with all promises says
 * it at once.
 * Cost: one play of the queue to make it, then a comparison per instant for each job.
 */
import { assert, createHeap, type Heap, popHeap, pushHeap, smallestKey } from "../base/index.ts";
import { isPlanning } from "../model/index.ts";
import { earliest, freeAt } from "../profile/index.ts";
import { advance } from "./advance.ts";
import { endMsOf } from "./job-table.ts";
import type { Machine } from "./machine.ts";
import { copyQueue, type NamedQueue, nextInstant, note, type QueuedNeed, settle } from "./named-queue.ts";
import { end } from "./operations.ts";
import { earliestPlace } from "./placement.ts";
import { inQueueOrder } from "./waiting.ts";

/** One stretch of time, until the next one, in which nothing changes. */
interface Stretch {
  readonly fromMs: number;
  readonly free: readonly number[];
  /** Promised start of the head; Infinity where no job waits, −Infinity where no job may pass the head. */
  readonly shadowMs: number;
  /** Free amounts beside the head when it starts. */
  readonly extra: readonly number[];
}

/** An outlook on a queue. */
export type Outlook =
  | { readonly kind: "promises"; readonly machine: Machine }
  | { readonly kind: "stretches"; readonly stretches: readonly Stretch[] }
  /** Queue with reservations: each job that is asked about is simulated by itself. */
  | { readonly kind: "plays"; readonly queue: NamedQueue };

/** Plays a queue forward: hand in a copy. The site has one pool. */
export function outlookOf(copy: NamedQueue, nowMs: number): Outlook {
  const { machine } = copy;
  assert(machine.pools.length === 1, "one pool");
  settle(copy, nowMs);
  if (isPlanning(machine.rules.discipline)) return { kind: "promises", machine };
  if (machine.reservations.size > 0) return { kind: "plays", queue: copy };
  const ends = createHeap();
  for (const job of copy.running) pushEnd(ends, machine, copy.handleOf.get(job) ?? 0);
  const stretches = [stretchOf(machine)];
  while (ends.size > 0) {
    const atMs = smallestKey(ends);
    while (smallestKey(ends) === atMs) end(machine, popHeap(ends), atMs);
    const { handles, count } = advance(machine, atMs);
    for (let i = 0; i < count; i++) pushEnd(ends, machine, handles[i]);
    stretches.push(stretchOf(machine));
  }
  return { kind: "stretches", stretches };
}

function pushEnd(ends: Heap, { jobs }: Machine, handle: number): void {
  pushHeap(ends, endMsOf(jobs, handle), handle);
}

/** The earliest instant from `nowMs` on at which one more job would start behind all others, or Infinity. */
export function startIn(outlook: Outlook, { need, estimateMs }: QueuedNeed, nowMs: number): number {
  if (outlook.kind === "promises") {
    const { machine } = outlook;
    return earliest(machine.pools[0], need, estimateMs, Math.max(nowMs, machine.nowMs));
  }
  if (outlook.kind === "plays") return playedStart(outlook.queue, { need, estimateMs }, nowMs);
  const { stretches } = outlook;
  for (let i = 0; i < stretches.length; i++) {
    if (i + 1 < stretches.length && stretches[i + 1].fromMs <= nowMs) continue;
    const { fromMs, free, shadowMs, extra } = stretches[i];
    const startMs = Math.max(fromMs, nowMs);
    if (!isWithin(need, free)) continue;
    if (startMs + estimateMs <= shadowMs || isWithin(need, extra)) return startMs;
  }
  return Number.POSITIVE_INFINITY;
}

/** Id of the hypothetical job; no real job has an empty id. */
const ASKED = "";

function playedStart(queue: NamedQueue, asked: QueuedNeed, nowMs: number): number {
  const copy = copyQueue(queue);
  note(copy, { kind: "arrive", job: ASKED, ...asked });
  let atMs = Math.max(nowMs, copy.machine.nowMs);
  while (!settle(copy, atMs).includes(ASKED)) {
    const nextMs = nextInstant(copy);
    if (nextMs === Number.POSITIVE_INFINITY) return nextMs;
    atMs = Math.max(nextMs, atMs);
  }
  return atMs;
}

function stretchOf(machine: Machine): Stretch {
  const { nowMs, pools, rules, jobs } = machine;
  const free = jobs.need.map((_, column) => freeAt(pools[0], nowMs, column));
  const { handles, count } = inQueueOrder(machine);
  if (count === 0) return { fromMs: nowMs, free, shadowMs: Number.POSITIVE_INFINITY, extra: free };
  const nothing = jobs.need.map(() => -1);
  if (rules.discipline !== "easy") {
    return { fromMs: nowMs, free, shadowMs: Number.NEGATIVE_INFINITY, extra: nothing };
  }
  const head = handles[0];
  const { startMs } = earliestPlace(machine, head);
  const extra = jobs.need.map((column, c) => freeAt(pools[0], startMs, c) - column[head]);
  return { fromMs: nowMs, free, shadowMs: startMs, extra };
}

function isWithin(need: readonly number[], amounts: readonly number[]): boolean {
  for (let c = 0; c < need.length; c++) if (need[c] > amounts[c]) return false;
  return true;
}
