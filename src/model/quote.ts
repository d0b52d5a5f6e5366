/** Price of a slot: question and answer of `stint quote` on a queue snapshot. */
import type { Discipline } from "./discipline.ts";

/** A site's queue at one instant, from a file: one pool of processors. Times in ms. */
export interface QueueSnapshot {
  readonly nowMs: number;
  readonly procs: number;
  readonly discipline: Discipline;
  readonly running: readonly SnapshotRunning[];
  /** In order of arrival. */
  readonly queued: readonly SnapshotQueued[];
  readonly reservations: readonly SnapshotReservation[];
}

/** A job that runs. */
interface SnapshotRunning {
  readonly id: string;
  readonly procs: number;
  /** Estimated end. */
  readonly endMs: number;
}

/** A job that waits. */
interface SnapshotQueued {
  readonly id: string;
  readonly procs: number;
  readonly estimateMs: number;
}

/** A reservation. */
interface SnapshotReservation {
  readonly id: string;
  readonly procs: number;
  readonly startMs: number;
  readonly durationMs: number;
}

/** Question on a snapshot, with at most one of `startMs` and `fromMs`. */
export interface SnapshotQuestion {
  readonly file: string;
  readonly procs: number;
  readonly durationMs: number;
  /** Exactly then. */
  readonly startMs?: number;
  /** From then on. */
  readonly fromMs?: number;
}

/** A possible start with its price. Money in processor-milliseconds. */
export interface QuotedStart {
  readonly startMs: number;
  readonly unitPriceThousandths: number;
  readonly fixedProcMs: number;
  /** Number of waiting jobs that would start later, with the value of the delays. */
  readonly delaysJobs: number;
  readonly delayProcMs: number;
}

/**
 * Prices a slot in a queue that a file describes.
 *
 * @throws Fault with the place in the file where it is no such description
 */
export type QuoteSnapshot = (question: SnapshotQuestion) => Promise<readonly QuotedStart[]>;
