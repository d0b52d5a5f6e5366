/**
 * Bins of jobs with similar requests, and the waits in each.
 *
 * A bin is a queue, a power of two of procs and one of walltime. It stores its latest 1,024 waits, so that
 * classes can be formed again from other sets of bins.
 */
import { MS_PER_SECOND } from "../base/index.ts";
import type { JobFacts } from "./job-facts.ts";

/** A bin of one queue. */
export interface Bin {
  readonly key: string;
  /** ⌊log2 procs⌋ */
  readonly procs: number;
  /** ⌊log2 of the wall time in seconds⌋, at least 0. */
  readonly wallTime: number;
  /** The latest waits, oldest first. */
  recent: RecentWait[];
}

/** Begin and end of a wait. */
export interface RecentWait {
  readonly submittedAtMs: number;
  readonly startedAtMs: number;
}

const MOST_RECENT = 1024;

/** The name of a job's bin within its queue: `procs/wallTime`, both as powers of two. */
export function binKey({ procs, wallTimeMs }: Pick<JobFacts, "procs" | "wallTimeMs">): string {
  return `${powerOf(procs)}/${powerOf(wallTimeMs / MS_PER_SECOND)}`;
}

/** An empty bin for a job. */
export function createBin({ procs, wallTimeMs }: Pick<JobFacts, "procs" | "wallTimeMs">): Bin {
  return {
    key: binKey({ procs, wallTimeMs }),
    procs: powerOf(procs),
    wallTime: powerOf(wallTimeMs / MS_PER_SECOND),
    recent: [],
  };
}

/** Adds a wait; now and then drops what exceeds the latest 1,024. */
export function addToBin(bin: Bin, wait: RecentWait): void {
  bin.recent.push(wait);
  if (bin.recent.length >= 2 * MOST_RECENT) bin.recent = bin.recent.slice(-MOST_RECENT);
}

/** The latest 1,024 waits, oldest first. */
export function recentOf({ recent }: Bin): readonly RecentWait[] {
  return recent.length > MOST_RECENT ? recent.slice(-MOST_RECENT) : recent;
}

function powerOf(amount: number): number {
  return Math.max(0, Math.floor(Math.log2(amount)));
}
