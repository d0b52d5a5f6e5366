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
import { assert } from "../base/index.ts";
import { isPlanning } from "../model/index.ts";
import { earliest, freeAt } from "../profile/index.ts";
import { siteAhead, startAhead } from "./drive/ahead.ts";
import { createDrive, drive } from "./drive/drive.ts";
import type { Machine } from "./machine.ts";
import { copyQueue, type NamedQueue, note, type QueuedNeed, settle } from "./named-queue.ts";
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
  const stretches = [stretchOf(machine)];
  const sampler = { settled: () => stretches.push(stretchOf(machine)) };
  drive(createDrive(siteAhead(machine), [sampler]), Number.POSITIVE_INFINITY);
  return { kind: "stretches", stretches };
}

/** The earliest instant from `nowMs` on at which one more job would start behind all others, or Infinity. */
export function startIn(outlook: Outlook, { need, estimateMs }: QueuedNeed, nowMs: number): number {
  if (outlook.kind === "promises") {
    const { machine } = outlook;
    return earliest(machine.pools[0], need, estimateMs, Math.max(nowMs, machine.nowMs));
  }
  if (outlook.kind === "plays") {
    const copy = copyQueue(outlook.queue);
    note(copy, { kind: "arrive", job: ASKED, need, estimateMs });
    return startInQueue(copy, ASKED, Math.max(nowMs, copy.machine.nowMs));
  }
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

/**
 * Start of a job of a queue if every job used its whole limit and no other arrived, for every discipline;
 * Infinity where it never starts (held, or waiting to be resumed). The queue is advanced: pass a copy.
 */
export function startInQueue(copy: NamedQueue, job: string, nowMs: number): number {
  if (copy.running.has(job) || settle(copy, nowMs).includes(job)) return nowMs;
  const handle = copy.handleOf.get(job);
  return handle === undefined ? Number.POSITIVE_INFINITY : startAhead(copy.machine, handle, nowMs);
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
