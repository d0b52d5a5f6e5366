/**
 * A site machine whose jobs have names, with what has not been told to it.
 *
 * Events change the state at once but the machine looks at its queue once per round: what happens to it
 * is collected and fed in the order that one instant has (rule QU-8) when the queue is settled. A live
 * clock is late; instants that it passed over (planned starts, estimated ends) are stepped through, and
 * whoever was cancelled or held meanwhile does not start at them. A clock that has leapt so far that
 * somebody could start and end on the way is another matter: nobody was started then, so the machine is made
 * anew at the instant that it is.
 */
import { assert } from "../base/index.ts";
import type { Discipline } from "../model/index.ts";
import { indexAt } from "../profile/index.ts";
import { adopt, type FoundJob } from "./adopt.ts";
import { advance, wakeAt } from "./advance.ts";
import { checkpoint, machineFrom } from "./checkpoint.ts";
import { endMsOf, jobState } from "./job-table.ts";
import { LayeredMap } from "./layered-map.ts";
import { createMachine, type FixedRectangle, type Machine, phase } from "./machine.ts";
import { arrive, cancel, end, hold, release, resume, suspend } from "./operations.ts";
import { cancelReservation, type ReservationRefusal, reserve } from "./reservations.ts";

/** Amounts and run time that a job needs, in the columns of the machine. */
export interface QueuedNeed {
  readonly need: readonly number[];
  readonly estimateMs: number;
}

/** Something that happened to a job of this queue and is not yet fed to the machine. */
export type QueueOperation =
  | { readonly kind: "end" | "cancel" | "hold" | "release" | "suspend" | "resume"; readonly job: string }
  | ({ readonly kind: "arrive"; readonly job: string } & QueuedNeed)
  /** The slots that are kept free under this name come free. */
  | { readonly kind: "letGo"; readonly job: string };

/** A queue whose jobs have names. */
export interface NamedQueue {
  machine: Machine;
  /** Handles of the jobs in the machine, by id and back. */
  readonly handleOf: Map<string, number>;
  readonly jobOf: Map<number, string>;
  /** Jobs that run or are about to, as the machine believes. */
  readonly running: Set<string>;
  /** Jobs held before they ever entered the machine, with their needs. */
  readonly heldOutside: Map<string, QueuedNeed>;
  /** Slots that are kept free, by name: their ids in the machine. */
  readonly slots: Map<string, readonly number[]>;
  /** The last id that a slot was given. */
  lastSlot: number;
  pending: QueueOperation[];
  /** Names of jobs whose arrival is pending: thousands may arrive before the queue is settled. */
  readonly coming: Set<string>;
  /** Grows with every change. */
  version: number;
}

/** An empty queue of a site. */
export function createNamedQueue(
  capacity: readonly number[],
  discipline: Discipline,
  nowMs: number,
): NamedQueue {
  return {
    machine: createMachine([capacity], { discipline }, nowMs),
    handleOf: new Map(),
    jobOf: new Map(),
    running: new Set(),
    heldOutside: new Map(),
    slots: new Map(),
    lastSlot: 0,
    pending: [],
    coming: new Set(),
    version: 0,
  };
}

/** Notes what happened to a job; the machine learns of it when the queue is settled. */
export function note(queue: NamedQueue, operation: QueueOperation): void {
  queue.version++;
  if (queue.coming.delete(operation.job)) {
    const at = queue.pending.findIndex(({ kind, job }) => kind === "arrive" && job === operation.job);
    const [arrival] = queue.pending.splice(at, 1);
    if (operation.kind === "hold" && arrival.kind === "arrive") queue.heldOutside.set(arrival.job, arrival);
    return;
  }
  const outside = queue.heldOutside.get(operation.job);
  if (outside !== undefined) {
    queue.heldOutside.delete(operation.job);
    if (operation.kind === "release") putOff(queue, { ...outside, kind: "arrive", job: operation.job });
    return;
  }
  putOff(queue, operation);
}

function putOff(queue: NamedQueue, operation: QueueOperation): void {
  queue.pending.push(operation);
  if (operation.kind === "arrive") queue.coming.add(operation.job);
}

/**
 * Settles the queue at an instant: feeds what is pending and lets start what can.
 *
 * @returns the jobs that start, in the order in which the machine starts them
 */
export function settle(queue: NamedQueue, nowMs: number): string[] {
  queue.version++;
  const starts: string[] = [];
  if (hasLeapt(queue, nowMs)) makeAnew(queue, nowMs);
  for (;;) {
    const nextMs = nextInstant(queue);
    if (nextMs >= nowMs) break;
    endOverdue(queue, nextMs);
    takeAway(queue, nextMs);
    collectStarts(queue, nextMs, starts);
  }
  endOverdue(queue, nowMs);
  for (const operation of inPhases(queue)) feed(queue, operation, nowMs);
  queue.pending = [];
  queue.coming.clear();
  collectStarts(queue, nowMs, starts);
  return starts;
}

/**
 * Keeps a slot free under a name, one more where there is one already. Who waits is displaced (rule QU-7).
 * The queue was settled at this instant. Of the last columns of the queue that a slot does not name it takes
 * nothing.
 *
 * @returns why not, and then nothing has changed
 */
export function keepFree(
  queue: NamedQueue,
  name: string,
  slot: FixedRectangle,
  nowMs: number,
): ReservationRefusal | undefined {
  const id = queue.lastSlot + 1;
  const need = queue.machine.jobs.need.map((_, column) => slot.need[column] ?? 0);
  const refusal = reserve(queue.machine, id, { ...slot, need }, nowMs);
  if (refusal !== undefined) return refusal;
  queue.version++;
  queue.lastSlot = id;
  const before = queue.slots.get(name) ?? [];
  if (!joins(queue.machine, before, id)) queue.slots.set(name, [...before, id]);
  return undefined;
}

/**
 * Keeps as much of a slot of processors free as is left from instant to instant, under a name. The queue was
 * settled at `nowMs`, not later than the slot's start, and nobody waits in it.
 */
export function keepWhatIsLeft(
  queue: NamedQueue,
  name: string,
  slot: { readonly procs: number; readonly startMs: number; readonly endMs: number },
  nowMs: number,
): void {
  const [{ times, free, tail }] = queue.machine.pools;
  const stretches: FixedRectangle[] = [];
  for (let at = indexAt(queue.machine.pools[0], slot.startMs); at < tail && times[at] < slot.endMs; at++) {
    const startMs = Math.max(times[at], slot.startMs);
    const endMs = at + 1 < tail ? Math.min(times[at + 1], slot.endMs) : slot.endMs;
    const need = free.map((column, c) => (c === 0 ? Math.min(slot.procs, column[at]) : 0));
    if (need[0] > 0) stretches.push({ pool: 0, need, startMs, durationMs: endMs - startMs });
  }
  for (const stretch of stretches) {
    const refusal = keepFree(queue, name, stretch, nowMs);
    assert(refusal === undefined, "what is left can be kept free");
  }
}

/**
 * Merges a slot with an earlier one of the same name and size that ends where it begins. After a restart the
 * queue has them as one slot, and no start or end at the seam may add a candidate (rule MK-3).
 */
function joins({ reservations }: Machine, before: readonly number[], id: number): boolean {
  const slot = reservations.get(id);
  assert(slot !== undefined, "a slot that was made is there");
  for (const earlier of before) {
    const first = reservations.get(earlier);
    if (first === undefined || first.startMs + first.durationMs !== slot.startMs) continue;
    if (first.pool !== slot.pool || !first.need.every((amount, c) => amount === slot.need[c])) continue;
    reservations.set(earlier, { ...first, durationMs: first.durationMs + slot.durationMs });
    reservations.delete(id);
    return true;
  }
  return false;
}

/** The first instant at which the queue could change unasked: a planned start or an estimated end. */
export function nextInstant(queue: NamedQueue): number {
  let nextMs = wakeAt(queue.machine);
  for (const job of queue.running)
    nextMs = Math.min(nextMs, endMsOf(queue.machine.jobs, handleFor(queue, job)));
  return nextMs;
}

/** A queue of its own in the same state, to try things on. */
export function copyQueue(queue: NamedQueue): NamedQueue {
  return { ...lentQueue(queue), handleOf: new Map(queue.handleOf), jobOf: new Map(queue.jobOf) };
}

/** Names of the jobs that `settle` would start at an instant; the queue is not changed. */
export function startsWhenSettled(queue: NamedQueue, nowMs: number): string[] {
  return settle(lentQueue(queue), nowMs);
}

/** A copy for as long as the queue does not change: the names, which are most of it, are not copied. */
export function lentQueue(queue: NamedQueue): NamedQueue {
  return {
    machine: machineFrom(checkpoint(queue.machine), queue.machine.rules),
    handleOf: new LayeredMap(queue.handleOf),
    jobOf: new LayeredMap(queue.jobOf),
    running: new Set(queue.running),
    heldOutside: new Map(queue.heldOutside),
    slots: new Map(queue.slots),
    lastSlot: queue.lastSlot,
    pending: [...queue.pending],
    coming: new Set(queue.coming),
    version: queue.version,
  };
}

/** True where a waiting job could start and reach its estimated end before an instant. */
function hasLeapt(queue: NamedQueue, nowMs: number): boolean {
  const lateMs = nowMs - nextInstant(queue);
  if (!(lateMs > 0)) return false;
  const { waiting, jobs } = queue.machine;
  for (let i = 0; i < waiting.count; i++) if (jobs.estimateMs[waiting.handles[i]] <= lateMs) return true;
  return false;
}

/**
 * Replaces the queue's machine by one that begins at an instant: with the running jobs that have not reached
 * their estimated ends, the rest of the slots that are kept free, and all other jobs in order of arrival.
 */
function makeAnew(queue: NamedQueue, nowMs: number): void {
  const { machine, jobOf, handleOf } = queue;
  const before = { ...machine };
  const { jobs } = before;
  const names = [...jobOf].sort(([one], [other]) => jobs.arrival[one] - jobs.arrival[other]);
  const isRunning = ([handle]: [number, string]): boolean => jobs.state[handle] === jobState.running;
  const capacities = before.pools.map(({ capacity }) => [...capacity]);
  // In its place: others hold it.
  Object.assign(machine, createMachine(capacities, before.rules, nowMs));
  queue.running.clear();
  for (const [handle, name] of names) {
    jobOf.delete(handle);
    handleOf.delete(name);
  }
  const take = ([handle, name]: [number, string]): void => {
    const found = foundIn(before, handle);
    if (found.state === "running") {
      if (found.startMs + found.estimateMs <= nowMs) return;
      queue.running.add(name);
    }
    const taken = adopt(machine, found);
    jobOf.set(taken, name);
    handleOf.set(name, taken);
  };
  names.filter(isRunning).forEach(take);
  for (const [id, { pool, need, ...fixed }] of before.reservations) {
    const startMs = Math.max(fixed.startMs, nowMs);
    const durationMs = fixed.startMs + fixed.durationMs - startMs;
    if (durationMs <= 0) continue;
    const refusal = reserve(machine, id, { pool, need, startMs, durationMs }, nowMs);
    assert(refusal === undefined, "what was kept free beside what runs can be kept free");
  }
  names.filter((named) => !isRunning(named)).forEach(take);
}

function foundIn({ jobs }: Machine, handle: number): FoundJob {
  const planned = {
    need: jobs.need.map((column) => column[handle]),
    estimateMs: jobs.estimateMs[handle],
    arrivedAtMs: jobs.arrivedAtMs[handle],
  };
  switch (jobs.state[handle]) {
    case jobState.running:
      return { ...planned, state: "running", startMs: jobs.startMs[handle], pool: jobs.pool[handle] };
    case jobState.held:
      return { ...planned, state: "held" };
    case jobState.suspended:
      return { ...planned, state: "suspended" };
    default:
      return { ...planned, state: "waiting" };
  }
}

/** Feeds what keeps waiting jobs from starting, where nothing else about them comes before it. */
function takeAway(queue: NamedQueue, atMs: number): void {
  const later = new Set<string>();
  queue.pending = queue.pending.filter((operation) => {
    const { kind, job } = operation;
    const isNow = (kind === "cancel" || kind === "hold") && !queue.running.has(job) && !later.has(job);
    if (isNow) feed(queue, operation, atMs);
    else later.add(job);
    return !isNow;
  });
}

function endOverdue(queue: NamedQueue, atMs: number): void {
  for (const job of queue.running) {
    const handle = handleFor(queue, job);
    if (endMsOf(queue.machine.jobs, handle) <= atMs) leave(queue, job, atMs);
  }
}

function collectStarts(queue: NamedQueue, atMs: number, starts: string[]): void {
  const { handles, count } = advance(queue.machine, atMs);
  for (let i = 0; i < count; i++) {
    const job = queue.jobOf.get(handles[i]);
    assert(job !== undefined, "whatever starts has an id");
    queue.running.add(job);
    starts.push(job);
  }
}

/**
 * Ends first, arrivals last, the rest in the order given (rule QU-8).
 */
function inPhases({ pending, running }: NamedQueue): QueueOperation[] {
  const phaseOf = ({ kind, job }: QueueOperation): number => {
    if (kind === "arrive") return 2;
    return kind === "end" && running.has(job) ? 0 : 1;
  };
  return [...pending].sort((a, b) => phaseOf(a) - phaseOf(b));
}

function feed(queue: NamedQueue, operation: QueueOperation, nowMs: number): void {
  const { machine } = queue;
  const { job } = operation;
  if (operation.kind === "letGo") {
    // One whose time is over is gone from the machine already.
    for (const id of queue.slots.get(job) ?? []) cancelReservation(machine, id, nowMs);
    queue.slots.delete(job);
    return;
  }
  if (operation.kind === "arrive") {
    const arrived = arrive(machine, operation, nowMs);
    assert(arrived.ok, "a job is placed only at a site that has as much as it needs");
    queue.handleOf.set(job, arrived.value);
    queue.jobOf.set(arrived.value, job);
    return;
  }
  const handle = queue.handleOf.get(job);
  if (handle === undefined) return;
  switch (operation.kind) {
    case "end":
      leave(queue, job, nowMs);
      return;
    case "cancel":
      takeOut(queue, job, cancel, nowMs);
      return;
    case "suspend":
      queue.running.delete(job);
      suspend(machine, handle, nowMs);
      return;
    case "hold":
      hold(machine, handle, nowMs);
      return;
    case "release":
      release(machine, handle, nowMs);
      return;
    case "resume":
      resume(machine, handle, nowMs);
  }
}

/**
 * A job has ended. Where it does not run, or a slot was kept free at this instant before it was known, it
 * leaves like a cancelled one: what it frees is the same.
 */
function leave(queue: NamedQueue, job: string, atMs: number): void {
  const { machine, running } = queue;
  const comesFirst = machine.phase === phase.ends || machine.nowMs < atMs;
  takeOut(queue, job, running.has(job) && comesFirst ? end : cancel, atMs);
}

function takeOut(queue: NamedQueue, job: string, quit: typeof end | typeof cancel, atMs: number): void {
  const handle = handleFor(queue, job);
  quit(queue.machine, handle, atMs);
  queue.jobOf.delete(handle);
  queue.handleOf.delete(job);
  queue.running.delete(job);
}

function handleFor(queue: NamedQueue, job: string): number {
  const handle = queue.handleOf.get(job);
  assert(handle !== undefined, "a job that runs at a site is in its machine");
  return handle;
}
