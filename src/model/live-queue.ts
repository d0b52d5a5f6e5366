/**
 * What is in a cluster's queue at an instant, as far as it can be played forward: pools, what has its place,
 * and who waits in which order. Times are Unix ms.
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
  /** When the batch system expects it to start; null where it says nothing, or an instant that is past. */
  readonly expectedStartAtMs: number | null;
}

/** A queue at an instant. */
export interface LiveQueue {
  readonly atMs: number;
  /** What comes nearest to the cluster's own. */
  readonly discipline: Discipline;
  /** Whether memory is handed out there. */
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
    /** They need nodes of several pools, or more than there is. */
    readonly tooWide: number;
    /** They are for the jobs of a reservation. */
    readonly inReservations: number;
  };
}
