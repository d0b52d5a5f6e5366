/**
 * A recorded workload that was played as it is ruled today and under a change of policies.
 */
import type { PolicyEffects } from "../../model/index.ts";
import type { TracePolicies } from "./trace-policies.ts";

/** Today's policies, and those that are tried. */
export interface TrialPolicies {
  /** Undefined where today there are none. */
  readonly present: TracePolicies | undefined;
  readonly after: TracePolicies;
}

/** A job whose start was recorded. Times are on one clock, whatever its zero. */
interface TrialJob {
  readonly consumer: string;
  /** From when on it waits. */
  readonly eligibleMs: number;
  readonly recordedStartMs: number;
}

/** When each of some jobs started; null where it never did. */
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
