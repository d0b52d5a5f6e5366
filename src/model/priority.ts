/**
 * In which order a site serves its queue: the rules of the priorities that real sites run.
 *
 * Read from a file of `stint sim --priority-config`, completed with defaults, computed in
 * `queue/priority`. Names of users, groups, accounts, queues and partitions are texts; those of a trace
 * are the numbers in its columns.
 */

/** The priorities that a simulation can be asked for. */
export type PriorityName = "slurm" | "maui" | "condor" | "age" | "size" | "length";

/** All of them, in the order in which they are listed to people. */
export const PRIORITY_NAMES: readonly PriorityName[] = ["slurm", "maui", "condor", "age", "size", "length"];

/** Something for each name; what is not named has what is usual. */
export type ByName<Value> = Readonly<Record<string, Value>>;

/** Which end of a scale goes first. */
type Favour = "small" | "large";

/** Weights and rules of a priority in the manner of Slurm's multifactor plugin. */
export interface SlurmRules {
  readonly kind: "slurm";
  readonly weights: {
    readonly age: number;
    readonly fairShare: number;
    readonly jobSize: number;
    readonly partition: number;
    readonly qos: number;
  };
  /** Waiting for so long gives the whole weight of age. */
  readonly maxAgeMs: number;
  /** Of past use; null: nothing is ever forgotten. */
  readonly halfLifeMs: number | null;
  /** Priorities are computed anew at multiples of this. */
  readonly calcPeriodMs: number;
  readonly fairShare: "fairTree" | "classic";
  readonly favour: Favour;
  /** Shares among siblings (1 where not named), and the account above (else the root). */
  readonly accounts: ByName<{ readonly shares: number; readonly parent?: string }>;
  readonly users: ByName<{ readonly shares: number; readonly nice: number }>;
  /** The priority of a quality of service: one per queue of the trace; 0 where not named. */
  readonly queues: ByName<number>;
  readonly partitions: ByName<number>;
}

/** A share of the delivered processor time in percent: to be met, not to fall below, not to exceed. */
export interface MauiTarget {
  readonly percent: number;
  readonly kind: "target" | "floor" | "ceiling";
}

/** Priority of a user, a group or a queue in the manner of Maui. */
export interface MauiCredential {
  readonly target?: MauiTarget;
  readonly priority: number;
}

/** Further settings of a user. */
interface MauiUser extends MauiCredential {
  /** Processors that his jobs may have at once. */
  readonly maxProcs?: number;
}

/** The parts of a Maui priority, each under its component. */
export interface MauiParts {
  readonly credential: { readonly user: number; readonly group: number; readonly queue: number };
  readonly fairShare: { readonly user: number; readonly group: number; readonly queue: number };
  /** Minutes in the queue; 1 + those ÷ the requested minutes. */
  readonly service: { readonly queueTime: number; readonly xFactor: number };
  /** Processors; requested seconds; their product. */
  readonly resource: { readonly procs: number; readonly wallTime: number; readonly procSeconds: number };
}

/** The components of a Maui priority. */
export type MauiComponent = keyof MauiParts;

/** Weights and rules of a priority in the manner of Maui. */
export interface MauiRules {
  readonly kind: "maui";
  readonly weights: Readonly<Record<MauiComponent, number>>;
  readonly parts: MauiParts;
  /** The most that a component may give, and as much may it take; absent: no bound. */
  readonly caps: Readonly<Partial<Record<MauiComponent, number>>>;
  readonly intervalMs: number;
  /** Intervals that count, the one under way among them. */
  readonly depth: number;
  /** Weight of an interval relative to the one after it. */
  readonly decay: number;
  /** The name `default` is for those not named. */
  readonly users: ByName<MauiUser>;
  readonly groups: ByName<MauiCredential>;
  readonly queues: ByName<MauiCredential>;
}

/** Rules of an effective user priority in the manner of HTCondor. */
export interface CondorRules {
  readonly kind: "condor";
  readonly halfLifeMs: number;
  /** For users not named. */
  readonly factor: number;
  readonly users: ByName<{ readonly factor: number }>;
}

/** Orders by one property of the job: time in the queue, processors, estimate. */
export interface PlainPriorityRules {
  readonly kind: "age" | "size" | "length";
  readonly favour: Favour;
}

/** The rules of any of them. */
export type PriorityRules = SlurmRules | MauiRules | CondorRules | PlainPriorityRules;
