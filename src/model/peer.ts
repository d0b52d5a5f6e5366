/**
 * What brokers tell each other of the jobs that they have sent to clusters that several of them use.
 */

/** A job that a broker has sent to a cluster, and that is not over. */
export interface DispatchedJob {
  /** `job/attempt`, as its broker calls it. */
  readonly id: string;
  readonly site: string;
  /** The cluster's own id for it; null until it is in its queue. */
  readonly siteJob: string | null;
  /** As whom policies judge it. */
  readonly consumer: string;
  readonly procs: number;
  readonly gpus: number;
  readonly memoryBytes: number;
  /** Unix ms; null while it waits there. */
  readonly startedAtMs: number | null;
  readonly limitMs: number;
}

/** All that a broker has sent to clusters at an instant, as far as it is told. */
export interface DispatchList {
  /** By the clock of the broker that tells it. */
  readonly asOfMs: number;
  readonly dispatched: readonly DispatchedJob[];
  /** How many more there were than are told, the oldest. */
  readonly leftOut: number;
}

/** Another broker, and what it told last. */
export interface PeerRecord extends DispatchList {
  readonly name: string;
  /** By the clock here. */
  readonly heardAtMs: number;
  readonly by: string;
}

/** So many jobs are told at once, the newest. */
export const MOST_DISPATCHES_TOLD = 2000;
