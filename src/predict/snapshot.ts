/** A site at one moment, as far as predictions need it. */
import type { Discipline } from "../model/index.ts";
import type { FixedRectangle } from "../queue/index.ts";

/** A running or waiting job. */
export interface SnapshotJob {
  readonly user: string;
  readonly queue: string;
  /** Procs first, then memory and whatever else the site counts. */
  readonly need: readonly number[];
  readonly estimateMs: number;
  readonly arrivedAtMs: number;
  /** Start of the job; undefined while it waits. */
  readonly startedAtMs: number | undefined;
}

/** A site of one pool: running and waiting jobs, reservations, and the discipline. */
export interface SiteSnapshot {
  readonly nowMs: number;
  readonly capacity: readonly number[];
  readonly discipline: Discipline;
  /** Jobs in order of arrival. */
  readonly jobs: readonly SnapshotJob[];
  /** Reservations from now on; of an active one the remaining time. */
  readonly reservations: readonly FixedRectangle[];
}

/** A need in all resources of the site; 0 for those without a value. */
export function needOf(capacity: ArrayLike<number>, named: readonly number[]): number[] {
  return Array.from(capacity, (_, column) => named[column] ?? 0);
}

/** The remaining estimate of a running job, in ms; one beyond its estimate gets another minute. */
export function restOf({ startedAtMs, estimateMs }: SnapshotJob, nowMs: number): number {
  const restMs = (startedAtMs ?? nowMs) + estimateMs - nowMs;
  return restMs > 0 ? restMs : OVERDUE_MS;
}

const OVERDUE_MS = 60_000;
