/**
 * What a look at a queue says of every job that waits: its planned start without a slot and with it, under a
 * discipline. The price of the slot is the sum over them (rule MK-1), so this is the price job by job.
 */
import { machineOfSnapshot } from "../../src/market/index.ts";
import type { Discipline, QueueSnapshot } from "../../src/model/index.ts";
import { startsBeside } from "../../src/queue/index.ts";

/** A job that waited, in the order of the queue. */
export interface SeenWaiting {
  readonly name: string;
  readonly procs: number;
  readonly limitMs: number;
}

/** What was seen of a cluster at the instant of the question. Instants in Unix ms. */
export interface SeenQueue {
  readonly atMs: number;
  readonly procs: number;
  readonly running: readonly { readonly name: string; readonly procs: number; readonly endMs: number }[];
  readonly waiting: readonly SeenWaiting[];
}

/** A slot with its place. */
export interface PlacedSlot {
  readonly procs: number;
  readonly startMs: number;
  readonly durationMs: number;
}

/** v and v′ of a job, in Unix ms. */
export interface PlannedJob {
  readonly name: string;
  readonly procs: number;
  readonly withoutMs: number;
  readonly withMs: number;
}

/** Every waiting job's plan; undefined where the slot is not possible beside what runs. */
export function planOf(
  { atMs, procs, running, waiting }: SeenQueue,
  slot: PlacedSlot,
  discipline: Discipline,
): readonly PlannedJob[] | undefined {
  const snapshot: QueueSnapshot = {
    ...{ nowMs: atMs, procs, discipline, reservations: [] },
    running: running.map((job) => ({ id: job.name, procs: job.procs, endMs: job.endMs })),
    queued: waiting.map((job) => ({ id: job.name, procs: job.procs, estimateMs: job.limitMs })),
  };
  const tried = machineOfSnapshot(snapshot);
  const { startMs, durationMs } = slot;
  const starts = startsBeside(tried, { pool: 0, need: [slot.procs], startMs, durationMs });
  if (!(starts instanceof Float64Array)) return undefined;
  const { present } = tried;
  return waiting.map(({ name, procs: width }, at) => ({
    ...{ name, procs: width },
    withoutMs: present.startMs[at],
    withMs: starts[at],
  }));
}

/** The price of the delays in a plan, in processor-milliseconds: who starts earlier brings no rebate. */
export function priceOf(plan: readonly PlannedJob[]): number {
  return plan.reduce((sum, job) => sum + Math.max(0, job.withMs - job.withoutMs) * job.procs, 0);
}
