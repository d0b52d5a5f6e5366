/**
 * Interface of all priorities of a site: a scheme receives starts and ends, and orders the waiting jobs.
 *
 * A scheme depends on nothing but the workload's past: what was submitted, started and ended up to the
 * instant it is asked about. So two runs of one workload give the same order (rule QU-12).
 */
import type { QueuedJob } from "../machine.ts";

/** Names of a job's user, group, queue and partition. */
export interface Owner {
  readonly user: string;
  /** The user's group or account. */
  readonly group: string;
  readonly queue: string;
  readonly partition: string;
}

/** A waiting job with its owner. */
export interface OwnedJob extends QueuedJob {
  readonly owner: Owner;
}

/** The site at the instant of the question. */
interface SiteNow {
  readonly nowMs: number;
  readonly freeProcs: number;
}

/** A way of ordering a queue. */
export interface PriorityScheme {
  /** Somebody has submitted a job; known from then on. */
  known(owner: Owner): void;
  started(owner: Owner, procs: number, atMs: number): void;
  ended(owner: Owner, procs: number, atMs: number): void;
  /** A number for each of these, all that wait in order of arrival; higher goes first. */
  order(waiting: readonly OwnedJob[], site: SiteNow): readonly number[];
}
