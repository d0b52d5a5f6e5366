/**
 * What a verification is made from: who used and asked for how much, when, and what was agreed.
 *
 * Plain data, the same from a logbook and from accounting alone, so that a site that runs no Stint can be
 * verified too. Times are Unix ms; amounts are processors, GPUs, bytes of memory and of storage, and bytes a
 * second.
 */
import type { AgreementDefinitions, Policy, SharedResource } from "../../model/index.ts";

/** A stretch of time, its end not in it. */
export interface Stretch {
  readonly fromMs: number;
  readonly toMs: number;
}

/** A stretch that may go on; then `toMs` is null. */
export interface OpenStretch {
  readonly fromMs: number;
  readonly toMs: number | null;
}

/** Amounts of some resources, integers ≥ 0; what is not said is none. */
export type Amounts = { readonly [Resource in SharedResource]?: number };

/** A stretch in which a job ran. */
export interface UsedRun extends OpenStretch {
  /** It ended because a node failed under it. */
  readonly isLost?: boolean;
}

/** What became of a job, as far as the record knows. */
export type UseOutcome = "completed" | "failed" | "cancelled" | "unfinished";

/**
 * A job: when it was demand, and when it ran. Files that lie in a store and what passes over a link are
 * recorded alike: they *run* while they are there, or pass, and are demand while they wait for room.
 */
export interface UseRecord {
  readonly id: string;
  /** What it is where it is no job: then it counts for no measure of jobs. */
  readonly of?: "files" | "transfers";
  /** `vo`, `vo/group`, `vo/group/user`. */
  readonly consumer: string;
  readonly need: Amounts;
  readonly submittedAtMs: number;
  /** When it could have started at once; never while it was held or waited for another job. In order. */
  readonly waits: readonly OpenStretch[];
  /** In order; none overlaps another. */
  readonly runs: readonly UsedRun[];
  /** Null while it is not over, and where that is not known. */
  readonly endedAtMs: number | null;
  readonly outcome: UseOutcome;
}

/** What the place has of each resource from an instant on. The first one also holds before. */
export interface CapacityStep {
  readonly fromMs: number;
  readonly amounts: Amounts;
}

/** The policies that hold from an instant on; null: always have. */
export interface PolicyTerm {
  readonly fromMs: number | null;
  readonly policies: readonly Policy[];
}

/** Time that the definitions leave out of what is measured. */
export interface ExcludedStretch extends Stretch {
  readonly why: "downtime" | "drain";
}

/** A stretch that is recorded; where it names a resource, of that alone. */
export interface RecordedStretch extends Stretch {
  readonly resource?: SharedResource;
}

/**
 * What is measured while it passes always has a record of its own (PO-66); all else has that of the whole,
 * unless stretches name it.
 */
export const RECORDED_APART: readonly SharedResource[] = ["network"];

/** Everything that is known of one place. */
export interface Evidence {
  /** `site`, or `site/pool`. */
  readonly place: string;
  /** In order of time; at least one. */
  readonly capacity: readonly CapacityStep[];
  /** In order of time. */
  readonly terms: readonly PolicyTerm[];
  readonly records: readonly UseRecord[];
  /** Of which time the record is; what is not in it is a gap. */
  readonly recorded: readonly RecordedStretch[];
  /** Stretches in which the place was down or took no new work. */
  readonly stopped: readonly ExcludedStretch[];
}

/** What is asked of it. */
export interface VerifyQuestion extends Stretch {
  readonly definitions: VerifyDefinitions;
}

/** What the words of the agreement mean, and from what part on a measure is a violation. */
export interface VerifyDefinitions
  extends Pick<AgreementDefinitions, "downtime" | "drain" | "demand" | "nodeFailure" | "time"> {
  /** Of the capacity over the period: a measure up to this is no violation. */
  readonly tolerancePpm: number;
}

/** What holds where no agreement says anything else. */
export const VERIFY_DEFAULTS: VerifyDefinitions = {
  downtime: "counted",
  drain: "counted",
  demand: "eligible",
  nodeFailure: "consumer",
  time: "wall",
  tolerancePpm: 0,
};
