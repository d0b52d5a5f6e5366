/**
 * A site at one moment, as much of it as predictions need.
 */
import type { Discipline } from "../model/index.ts";
import type { FixedRectangle } from "../queue/index.ts";

/** A job that runs or waits there. */
export interface SnapshotJob {
  readonly user: string;
  readonly queue: string;
  /** Procs first, then memory and whatever else the site counts. */
  readonly need: readonly number[];
  readonly estimateMs: number;
  readonly arrivedAtMs: number;
  /** When it started; undefined while it waits. */
  readonly startedAtMs: number | undefined;
}

/** A site of one pool: what runs, what waits, what is reserved, and by which rule it starts jobs. */
export interface SiteSnapshot {
  readonly nowMs: number;
  readonly capacity: readonly number[];
  readonly discipline: Discipline;
  /** In order of arrival. */
  readonly jobs: readonly SnapshotJob[];
  /** From now on; one that has begun is told with what is left of it. */
  readonly reservations: readonly FixedRectangle[];
}

/** A need in as many resources as the site counts: nothing of those that it does not name. */
export function needOf(capacity: ArrayLike<number>, named: readonly number[]): number[] {
  return Array.from(capacity, (_, column) => named[column] ?? 0);
}

/** What is left of a running job's estimate, in ms; one beyond it is taken to stay a minute more. */
export function restOf({ startedAtMs, estimateMs }: SnapshotJob, nowMs: number): number {
  const restMs = (startedAtMs ?? nowMs) + estimateMs - nowMs;
  return restMs > 0 ? restMs : OVERDUE_MS;
}

const OVERDUE_MS = 60_000;
