/**
 * A recorded workload that was played as it is ruled today and under a change of policies.
 */
import type { PolicyEffects } from "../../model/index.ts";
import type { TracePolicies } from "./trace-policies.ts";

/** Today's policies, and those that are tried. */
export interface TrialPolicies {
  /** Today's policies; undefined where there are none. */
  readonly present: TracePolicies | undefined;
  readonly after: TracePolicies;
}

/** A job whose start was recorded. Times are on one clock, whatever its zero. */
interface TrialJob {
  readonly consumer: string;
  /** Instant from which the job waits. */
  readonly eligibleMs: number;
  readonly recordedStartMs: number;
}

/** Starts of some jobs, in their order; null for a job that never started. */
export type Starts = readonly (number | null)[];

/** The record and both plays of it. */
export interface PlayedTrial {
  readonly jobs: readonly TrialJob[];
  /** In the order of the jobs. */
  readonly today: Starts;
  readonly changed: Starts;
  /** Facts on the site and the record. */
  readonly site: Pick<PolicyEffects, "procs" | "pools" | "record">;
}
