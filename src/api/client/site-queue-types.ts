/**
 * The queue of a cluster as the API says it.
 */
import type { Discipline, HiddenPart, LiveQueue } from "../../model/index.ts";

/** The queue of a cluster as a workload. */
export interface SiteQueueView {
  readonly site: string;
  /** Of which instant it is true. */
  readonly at: string;
  /** What comes nearest to the cluster's own. */
  readonly discipline: Discipline;
  readonly running: number;
  readonly waiting: number;
  /** Waiting jobs that are not in it: they wait for something of their own, or for more than one pool. */
  readonly leftOut: LiveQueue["leftOut"];
  /** What the look does not show. */
  readonly unknown: readonly HiddenPart[];
  /** Of a workload file, without their ends. */
  readonly lines: readonly string[];
}
