/** Messages between brokers about the jobs that they have sent to shared clusters. */

/** A job that a broker has sent to a cluster, and that is not over. */
export interface DispatchedJob {
  /** `job/attempt`, as its broker calls it. */
  readonly id: string;
  readonly site: string;
  /** The cluster's own id for it; null until it is in its queue. */
  readonly siteJob: string | null;
  /** Consumer under usage policies. */
  readonly consumer: string;
  readonly procs: number;
  readonly gpus: number;
  readonly memoryBytes: number;
  /** Unix ms; null while it waits there. */
  readonly startedAtMs: number | null;
  readonly limitMs: number;
}

/** Jobs that a broker has sent to clusters by an instant, as far as reported. */
export interface DispatchList {
  /** By the clock of the sender. */
  readonly asOfMs: number;
  readonly dispatched: readonly DispatchedJob[];
  /** Number of further jobs, the oldest, not in the list. */
  readonly leftOut: number;
}

/** Another broker, with its last report. */
export interface PeerRecord extends DispatchList {
  readonly name: string;
  /** By the clock here. */
  readonly heardAtMs: number;
  readonly by: string;
}

/** Limit of jobs in one report, the newest. */
export const MOST_DISPATCHES_TOLD = 2000;
