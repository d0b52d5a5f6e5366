/**
 * A cluster's queue at an instant, as input of a simulation: pools, fixed jobs, and waiting jobs in order.
 * Times are Unix ms.
 */
import type { Discipline } from "./discipline.ts";

/** Processors, bytes and GPUs. */
export type LiveAmounts = readonly [procs: number, memoryBytes: number, gpus: number];

/** A set of nodes with equal partitions. */
export interface LivePool {
  /** The partitions, joined by `+`; unlike all others. */
  readonly name: string;
  readonly capacity: LiveAmounts;
}

/** Something that has its place: a running job, or what is reserved. */
export interface LiveRectangle {
  readonly pool: number;
  readonly need: LiveAmounts;
  readonly startAtMs: number;
  readonly endAtMs: number;
}

/** A job that waits for its turn. */
export interface LiveWaiting {
  readonly siteJob: string;
  readonly queue: string;
  readonly user: string | null;
  readonly account: string | null;
  readonly need: LiveAmounts;
  readonly limitMs: number;
  readonly pools: readonly number[];
  /** Start expected by the batch system; null without one, or with one in the past. */
  readonly expectedStartAtMs: number | null;
}

/** A queue at an instant. */
export interface LiveQueue {
  readonly atMs: number;
  /** The discipline closest to the cluster's own. */
  readonly discipline: Discipline;
  /** True where memory is allocated. */
  readonly countsMemory: boolean;
  readonly pools: readonly LivePool[];
  readonly running: readonly LiveRectangle[];
  readonly reserved: readonly LiveRectangle[];
  /** In order of priority. */
  readonly waiting: readonly LiveWaiting[];
  /** Waiting jobs that are not in it, by the reason. */
  readonly leftOut: {
    /** Held, too early, dependent, over a limit: they wait for something of their own. */
    readonly forTheirOwn: number;
    /** Jobs that need nodes of several pools, or more than exist. */
    readonly tooWide: number;
    /** Jobs of reservations. */
    readonly inReservations: number;
  };
}
