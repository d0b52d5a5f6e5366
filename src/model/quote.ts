/**
 * What a slot costs: the question and the answer of `stint quote` on a written-down queue.
 */
import type { Discipline } from "./discipline.ts";

/** A site's queue at one moment, as somebody wrote it down: one pool of processors. Times in ms. */
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
  /** Its estimated end. */
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

/** What is asked of a snapshot. At most one of `startMs` and `fromMs` is said. */
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
  /** How many waiting jobs would start later, and what that is worth. */
  readonly delaysJobs: number;
  readonly delayProcMs: number;
}

/**
 * Prices a slot in a queue that a file describes.
 *
 * @throws Fault with the place in the file where it is no such description
 */
export type QuoteSnapshot = (question: SnapshotQuestion) => Promise<readonly QuotedStart[]>;
