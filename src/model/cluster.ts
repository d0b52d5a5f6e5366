/**
 * Snapshot of a whole batch system: enough to explain and to predict every job in it.
 *
 * Plain data, the same for every batch system. Nothing is guessed: a missing value is null, an unknown word
 * is kept as written, and hidden parts are listed. Times are Unix ms, amounts processors (as the system
 * counts them), bytes and whole devices.
 */

import type { Discipline } from "./discipline.ts";

/** One look at everything. */
export interface ClusterSnapshot {
  /** The instant of which it is true, at the latest. */
  readonly atMs: number;
  /** The batch system, with its version where known: `slurm`, `22.05.8`. */
  readonly system: string;
  readonly version: string | null;
  /** The cluster's own name. */
  readonly name: string | null;
  readonly partitions: readonly ClusterPartition[];
  readonly nodes: readonly ClusterNode[];
  /** Everything in the queue, ours or not; what ended is not here. */
  readonly jobs: readonly ClusterJob[];
  readonly reservations: readonly ClusterReservation[];
  readonly qos: readonly ClusterQos[];
  readonly associations: readonly ClusterAssociation[];
  /** Those that the system counts itself; of others a job may ask all the same. */
  readonly licenses: readonly ClusterLicense[];
  /** The system's settings that bear on scheduling, in its own words: `PriorityWeightAge` → `1000`. */
  readonly settings: Readonly<Record<string, string>>;
  readonly scheduling: SchedulingRules;
  /** Parts that are hidden from us, or unreadable, with reasons. */
  readonly hidden: readonly HiddenPart[];
}

/** Allocation of resources in a batch system, and the waiting jobs for which it plans starts. */
export interface SchedulingRules {
  /** True where memory is allocated to jobs, false where it follows the processors. */
  readonly countsMemory: boolean;
  /** True where a job without a memory request gets all memory of its nodes. */
  readonly givesWholeMemory: boolean;
  /** True where jobs get whole cores even if they request single threads. */
  readonly countsCores: boolean;
  /** True where every job gets whole nodes. */
  readonly wholeNodesOnly: boolean;
  /** True where limits of QOS and associations are enforced. */
  readonly enforcesLimits: boolean;
  /** The one that comes nearest. */
  readonly discipline: Discipline;
}

/** Something that a look does not show. */
export interface HiddenPart {
  /** `jobs of others`, `priority factors`, … */
  readonly what: string;
  readonly why: string;
}

/** Permitted names: null for all, else a list; `denied` applies in addition. */
export interface AllowedNames {
  readonly allowed: readonly string[] | null;
  readonly denied: readonly string[];
}

/** A queue with its nodes. */
export interface ClusterPartition {
  readonly name: string;
  /** `UP`, `DOWN`, `DRAIN`, `INACTIVE`: UP and DRAIN ones start jobs, UP and DOWN ones accept them. */
  readonly state: string;
  readonly isDefault: boolean;
  readonly isHidden: boolean;
  readonly nodes: readonly string[];
  /** Null: no limit. */
  readonly maxTimeMs: number | null;
  readonly defaultTimeMs: number | null;
  readonly minNodes: number;
  readonly maxNodes: number | null;
  readonly maxProcsPerNode: number | null;
  readonly maxMemoryPerNodeBytes: number | null;
  readonly maxMemoryPerProcBytes: number | null;
  readonly defaultMemoryPerNodeBytes: number | null;
  readonly defaultMemoryPerProcBytes: number | null;
  readonly accounts: AllowedNames;
  readonly qosNames: AllowedNames;
  readonly groups: AllowedNames;
  /** A QOS whose limits count for every job of the partition. */
  readonly qos: string | null;
  /** Jobs of a higher tier are considered first. */
  readonly priorityTier: number;
  readonly priorityFactor: number;
  /** `NO`, `EXCLUSIVE`, `YES:4`, `FORCE:4`: whether jobs share nodes and processors. */
  readonly oversubscribe: string;
  readonly isExclusiveUser: boolean;
  readonly isReservationNeeded: boolean;
  readonly isRootOnly: boolean;
  readonly preemptMode: string | null;
  readonly totalProcs: number;
}

/** A machine of the cluster. */
export interface ClusterNode {
  readonly name: string;
  /** The state with its marks, capitals: `IDLE`, `MIXED` `DRAIN`, `DOWN` `NOT_RESPONDING`, … */
  readonly states: readonly string[];
  readonly partitions: readonly string[];
  /** Processors that jobs may have. */
  readonly procs: number;
  readonly threadsPerCore: number;
  readonly memoryBytes: number;
  /** Devices by type; without a type under `gpu`. */
  readonly gpus: Readonly<Record<string, number>>;
  readonly features: readonly string[];
  readonly allocatedProcs: number;
  readonly allocatedMemoryBytes: number;
  /** All types together. */
  readonly allocatedGpus: number;
  /** By type; null where the system does not report types. */
  readonly allocatedGpuTypes: Readonly<Record<string, number>> | null;
  readonly weight: number;
  /** Reason for which it is out of service, with its author and instant. */
  readonly reason: string | null;
  readonly reasonSinceMs: number | null;
  readonly bootedAtMs: number | null;
  /** Processor architecture, and name and release of the operating system: `x86_64`, `Linux`, `6.1.0`. */
  readonly architecture?: string;
  readonly osName?: string;
  readonly osRelease?: string;
  /** Node-local disk for jobs; absent where the system reports none. */
  readonly scratchBytes?: number;
}

/** States of jobs that are known; anything else is the system's own text in capitals. */
const CLUSTER_JOB_STATES = ["waiting", "held", "running", "suspended", "ending"] as const;
/** See {@link CLUSTER_JOB_STATES}. `ending`: over, its nodes are not free yet. */
export type ClusterJobState = (typeof CLUSTER_JOB_STATES)[number];

/** A job in the queue; of an array, one task, or all tasks without a state of their own. */
export interface ClusterJob {
  /** The id by which the system takes orders: `1234`, `1234_7`, `1234_[8-99]`. */
  readonly siteJob: string;
  /** The id of the array that it belongs to, and its task, or the text of its tasks: `8-99%10`. */
  readonly arrayJob: string | null;
  readonly arrayTasks: string | null;
  /** Number of jobs of this entry; 1 except for tasks of an array. */
  readonly count: number;
  /** At most so many tasks of the array run at once; null: as many as there are. */
  readonly arrayLimit: number | null;
  readonly name: string;
  readonly user: string | null;
  readonly account: string | null;
  /** Partitions in which it may start, or runs. */
  readonly partitions: readonly string[];
  readonly qos: string | null;
  /** Null where the system's word is not known; `stateText` has that in any case. */
  readonly state: ClusterJobState | null;
  readonly stateText: string;
  /** Reason of the wait in the system's own words; null without one. */
  readonly reason: string | null;
  /** The reason in terms of any batch system; null without a reason. */
  readonly waitsFor: WaitReason | null;
  readonly priority: number | null;
  /** Weighted parts of the priority, in the system's words; null where unknown. */
  readonly priorityParts: Readonly<Record<string, number>> | null;
  readonly nice: number;
  readonly submittedAtMs: number;
  /** Earliest possible start; null where undetermined. */
  readonly eligibleAtMs: number | null;
  readonly startedAtMs: number | null;
  /** When the system itself expects it to start. */
  readonly expectedStartAtMs: number | null;
  /** End at the time limit. */
  readonly expectedEndAtMs: number | null;
  /** Null: no limit, or an unknown one. */
  readonly limitMs: number | null;
  /** Run time so far, without suspended time. */
  readonly ranMs: number;
  readonly procs: number;
  readonly nodeCount: number;
  /** Nodes of a running job; empty while it waits. */
  readonly nodes: readonly string[];
  /** Where the system plans to run it, while it waits. */
  readonly plannedNodes: readonly string[];
  readonly tasks: number;
  /** Limit of tasks on one node; null without one. */
  readonly tasksPerNode: number | null;
  /** For the whole job; null where unknown. */
  readonly memoryBytes: number | null;
  readonly memoryPerNodeBytes: number | null;
  readonly memoryPerProcBytes: number | null;
  /** All types together. */
  readonly gpus: number;
  /** Everything that is counted of it, in the system's words and units: `gres/gpu:a100` → 2. */
  readonly tres: Readonly<Record<string, number>>;
  readonly dependency: JobDependency | null;
  readonly reservation: string | null;
  readonly features: FeatureRule | null;
  readonly isExclusive: boolean;
  readonly restarts: number;
  /** By name, with counts: `matlab` → 2. */
  readonly licenses: Readonly<Record<string, number>>;
}

/** Obstacles to a job's start. */
export type WaitKind =
  | ("held" | "beginTime" | "policy" | "dependency" | "arrayLimit" | "licenses" | "reservationAsked")
  | ("partitionClosed" | "partitionLimit" | "partitionForbids" | "limit" | "minimum")
  | ("neverFits" | "featuresUnknown" | "nodesOut" | "reservationAhead" | "busy" | "priority");

/** A batch system's reason, as far as its words tell. */
export interface WaitReason {
  /** Possible meanings; empty for unknown words. */
  readonly kinds: readonly WaitKind[];
  /** The job waits for something of its own, and not for its turn or for room. */
  readonly isOwn: boolean;
  readonly heldBy: "user" | "admin" | "system" | null;
  /** True where the condition can never become true. */
  readonly isNever: boolean;
  readonly limit: NamedLimit | null;
}

/** A limit that a reason names. */
export interface NamedLimit {
  readonly holder: "qos" | "association";
  readonly scope: "job" | "user" | "account" | "group";
  /** `jobs`, `wall`, `cpu` …; null where unknown. */
  readonly what: string | null;
}

/** The jobs that a job waits for. */
export interface JobDependency {
  /** `afterok:1(unfulfilled)` … */
  readonly words: string;
  readonly isAnyEnough: boolean;
  readonly awaited: readonly AwaitedJobs[];
}

/** A job, or all tasks of an array, and what is to become of it first. */
export interface AwaitedJobs {
  /** `afterok` … */
  readonly relation: string;
  /** Null where no job is specified: `singleton`. */
  readonly siteJob: string | null;
  /** The system's own word of its state. */
  readonly says: string | null;
  readonly isNeverMet: boolean;
}

/** Requested features of nodes. */
export interface FeatureRule {
  readonly words: string;
  /** Null where the words cannot be read: every node meets it. */
  readonly needs: FeatureExpression | null;
}

/** See {@link FeatureRule}. */
export type FeatureExpression =
  | { readonly kind: "feature"; readonly name: string }
  | { readonly kind: "all" | "any"; readonly of: readonly FeatureExpression[] };

/** Nodes or parts of nodes that are set aside for a time. */
export interface ClusterReservation {
  readonly name: string;
  readonly startAtMs: number;
  readonly endAtMs: number;
  readonly nodes: readonly string[];
  /** Whole nodes where this is all that they have. */
  readonly procs: number;
  readonly partition: string | null;
  readonly users: readonly string[];
  readonly accounts: readonly string[];
  /** `MAINT`, `SPEC_NODES`, `FLEX` … */
  readonly flags: readonly string[];
  /** `ACTIVE`, `INACTIVE`. */
  readonly state: string;
}

/** Limits on what counts together: processors, memory, devices by the system's words, jobs, time. */
export interface ClusterLimits {
  readonly tres: Readonly<Record<string, number>>;
  readonly jobs: number | null;
  readonly submittedJobs: number | null;
  readonly wallMs: number | null;
}

/** A quality of service. */
export interface ClusterQos {
  readonly name: string;
  readonly priority: number;
  readonly flags: readonly string[];
  /** QOS whose jobs this one's may push aside, and how. */
  readonly preempts: readonly string[];
  readonly preemptMode: string | null;
  readonly perJob: ClusterLimits;
  readonly perUser: ClusterLimits;
  readonly perAccount: ClusterLimits;
  readonly group: ClusterLimits;
  /** Minimum request of a job. */
  readonly minimumTres: Readonly<Record<string, number>>;
}

/** Licences of one name. */
export interface ClusterLicense {
  readonly name: string;
  readonly total: number;
  /** By jobs, whether they are shown or not. */
  readonly used: number;
  /** Neither in use nor set aside. */
  readonly free: number;
}

/** An account, or a user in it, with what they may use. */
export interface ClusterAssociation {
  readonly account: string;
  /** The account above this one; null for the topmost, for users, and where unknown. */
  readonly parent: string | null;
  readonly user: string | null;
  readonly partition: string | null;
  /** Fair share, in the units of its siblings; null where the parent's counts. */
  readonly shares: number | null;
  readonly perJob: ClusterLimits;
  readonly group: ClusterLimits;
  readonly maxJobs: number | null;
  readonly maxSubmittedJobs: number | null;
  readonly qos: readonly string[];
  readonly defaultQos: string | null;
}

/** A job in a cluster's accounting; missing values are null. Times are Unix ms. */
export interface ClusterPastJob {
  /** Unique among those of one answer: a run after a requeue is a job of its own, `17#2`. */
  readonly siteJob: string;
  readonly partition: string | null;
  readonly user: string | null;
  readonly account: string | null;
  readonly procs: number;
  readonly memoryBytes: number | null;
  readonly limitMs: number | null;
  /** Earliest possible start: after its dependencies, its begin time and its hold. */
  readonly eligibleAtMs: number;
  /** Null: it has not started. */
  readonly startedAtMs: number | null;
  /** Null: it has not ended. Without a start: when it was withdrawn. */
  readonly endedAtMs: number | null;
}
