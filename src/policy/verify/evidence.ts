/**
 * Input of a verification: requests and use over time, and the agreement.
 *
 * Plain data, the same from a logbook and from accounting alone, so that a site that runs no Stint can be
 * verified too. Times are Unix ms; amounts are processors, GPUs, bytes of memory and of storage, and bytes a
 * second.
 */
import type { AgreementDefinitions, Policy, SharedResource } from "../../model/index.ts";

/** A stretch of time, [from, to). */
export interface Stretch {
  readonly fromMs: number;
  readonly toMs: number;
}

/** A stretch that may be unfinished; then `toMs` is null. */
export interface OpenStretch {
  readonly fromMs: number;
  readonly toMs: number | null;
}

/** Amounts of some resources, integers ≥ 0; absent ones are 0. */
export type Amounts = { readonly [Resource in SharedResource]?: number };

/** A stretch in which a job ran. */
export interface UsedRun extends OpenStretch {
  /** True where it ended because a node failed. */
  readonly isLost?: boolean;
}

/** Outcome of a job, as far as it is recorded. */
export type UseOutcome = "completed" | "failed" | "cancelled" | "unfinished";

/**
 * A job: when it was demand, and when it ran. Files in a store and transfers over a link are recorded alike:
 * they *run* while they are stored or transferred, and are demand while they wait for capacity.
 */
export interface UseRecord {
  readonly id: string;
  /** Kind of a record that is no job, and so counts for no measure of jobs. */
  readonly of?: "files" | "transfers";
  /** Consumer path: `vo`, `vo/group`, `vo/group/user`. */
  readonly consumer: string;
  readonly need: Amounts;
  readonly submittedAtMs: number;
  /**
   * Times at which it could have started at once: not while it was held or waited for another job. In order.
   */
  readonly waits: readonly OpenStretch[];
  /** Runs in order, without overlap. */
  readonly runs: readonly UsedRun[];
  /** Null while it is not over, and where that is not known. */
  readonly endedAtMs: number | null;
  readonly outcome: UseOutcome;
}

/** Capacity of the place from an instant on. The first one also holds before. */
export interface CapacityStep {
  readonly fromMs: number;
  readonly amounts: Amounts;
}

/** The policies that hold from an instant on; null: always have. */
export interface PolicyTerm {
  readonly fromMs: number | null;
  readonly policies: readonly Policy[];
}

/** Time that the definitions exclude from measures. */
export interface ExcludedStretch extends Stretch {
  readonly why: "downtime" | "drain";
}

/** A recorded stretch; where it names a resource, of that alone. */
export interface RecordedStretch extends Stretch {
  readonly resource?: SharedResource;
}

/**
 * Resources measured while they pass, with a record of their own: a gap in it concerns them alone. All other
 * resources share the record of the whole, unless stretches name them.
 */
export const RECORDED_APART: readonly SharedResource[] = ["network"];

/** The whole record of one place. */
export interface Evidence {
  /** `site`, or `site/pool`. */
  readonly place: string;
  /** Capacities in order of time; at least one. */
  readonly capacity: readonly CapacityStep[];
  /** Policies in order of time. */
  readonly terms: readonly PolicyTerm[];
  readonly records: readonly UseRecord[];
  /** Recorded time; the rest is a gap, in which nothing is known and nothing is measured. */
  readonly recorded: readonly RecordedStretch[];
  /** Stretches in which the place was down or took no new work. */
  readonly stopped: readonly ExcludedStretch[];
}

/** Period and definitions of a verification. */
export interface VerifyQuestion extends Stretch {
  readonly definitions: VerifyDefinitions;
}

/** Definitions of the agreement, and the tolerance of a violation. */
export interface VerifyDefinitions
  extends Pick<AgreementDefinitions, "downtime" | "drain" | "demand" | "nodeFailure" | "time"> {
  /** Parts per million of the capacity over the period: a measure up to this is no violation. */
  readonly tolerancePpm: number;
}

/** Definitions where no agreement gives others. */
export const VERIFY_DEFAULTS: VerifyDefinitions = {
  downtime: "counted",
  drain: "counted",
  demand: "eligible",
  nodeFailure: "consumer",
  time: "wall",
  tolerancePpm: 0,
};
