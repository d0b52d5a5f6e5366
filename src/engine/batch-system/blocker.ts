/**
 * Why a job of a cluster waits, as data: every cause that holds at once, each with what would help.
 *
 * Names and ids in it are those of the snapshot: what a site does not show is not here either.
 */
import type { ClusterJobState, EnforcementCause, HiddenPart } from "../../model/index.ts";

/** Something that a user can do, or has to ask for. */
export type Remedy =
  | { readonly kind: "release" }
  | { readonly kind: "askAdmin"; readonly about: string }
  | { readonly kind: "beginNow" }
  | { readonly kind: "waitUntil"; readonly atMs: number }
  | { readonly kind: "waitForJobs"; readonly siteJobs: readonly string[] }
  | { readonly kind: "dropDependency" }
  | { readonly kind: "cancel" }
  | { readonly kind: "otherPartition"; readonly partitions: readonly string[] }
  | { readonly kind: "otherAccount"; readonly accounts: readonly string[] | null }
  | { readonly kind: "otherQos"; readonly qos: readonly string[] | null }
  | { readonly kind: "limitAtMost"; readonly limitMs: number }
  | { readonly kind: "nodesAtMost"; readonly nodes: number }
  | { readonly kind: "nodesAtLeast"; readonly nodes: number }
  /** Of processors, bytes or devices, by the kind of the resource. */
  | { readonly kind: "askAtMost"; readonly what: Countable; readonly amount: number }
  | { readonly kind: "askAtLeast"; readonly what: string; readonly amount: number }
  | { readonly kind: "otherFeatures"; readonly known: readonly string[] }
  | { readonly kind: "raiseArrayLimit"; readonly limit: number }
  | { readonly kind: "otherReservation"; readonly names: readonly string[] }
  | { readonly kind: "wait" };

/** Node resource that a blocker counts. */
export type Countable = "procs" | "memory" | "gpus" | "nodes";

/** A job that another one waits for. */
interface AwaitedJob {
  /** `afterok`, `afterany`, `singleton`, … */
  readonly relation: string;
  /** Null for relations without one. */
  readonly siteJob: string | null;
  /** Current state of that job; null where it has left the queue or is not shown. */
  readonly state: ClusterJobState | null;
  readonly expectedEndAtMs: number | null;
  /** The system's own word: `unfulfilled`, `failed`, …; null where it gives none. */
  readonly says: string | null;
  readonly isNeverMet: boolean;
}

/** Why a partition does not take the job. */
export type PartitionLimit = "time" | "maxNodes" | "minNodes" | "procsPerNode" | "memoryPerNode";

/** Scope of a limit: the jobs that count together. */
export type LimitScope = "job" | "user" | "account" | "group";

/** A node that is out of service. */
interface OutNode {
  readonly name: string;
  readonly states: readonly string[];
  readonly reason: string | null;
  readonly sinceMs: number | null;
}

/** A part of the priority, of the job in question and of another one. */
export interface PriorityDifference {
  readonly part: string;
  readonly ours: number;
  readonly theirs: number;
}

/** A job that is before another one. */
export interface JobBefore {
  readonly siteJob: string;
  readonly user: string | null;
  readonly account: string | null;
  readonly count: number;
  readonly procs: number;
  readonly priority: number | null;
  /** Priority part with the largest lead over the job; null where the parts are not shown. */
  readonly by: PriorityDifference | null;
  /** True if that job precedes because its partition has a higher tier. */
  readonly isTierHigher: boolean;
}

/** One cause, without its remedies. Amounts are processors, bytes, devices or ms by what they count. */
export type BlockerFacts =
  | { readonly kind: "held"; readonly by: "user" | "admin" | "system" | null }
  | { readonly kind: "beginTime"; readonly atMs: number }
  /** An enforcer of Stint's holds or has stopped it, by the site's usage policies. */
  | {
      readonly kind: "policy";
      /** Null where the release is due now. */
      readonly cause: EnforcementCause | null;
      /** When the lease ends, unless it is renewed. */
      readonly untilMs: number | null;
      readonly isStopped: boolean;
    }
  | {
      readonly kind: "dependency";
      readonly words: string;
      readonly awaited: readonly AwaitedJob[];
      /** True if one of the dependencies is enough. */
      readonly isAnyEnough: boolean;
      readonly isNeverMet: boolean;
    }
  | { readonly kind: "partitionUnknown"; readonly partition: string }
  | { readonly kind: "partitionClosed"; readonly partition: string; readonly state: string }
  | {
      readonly kind: "partitionForbids";
      readonly partition: string;
      readonly what: "account" | "qos" | "ordinaryUsers" | "withoutReservation";
      /** The job's account or QOS; null for the others. */
      readonly name: string | null;
      readonly allowed: readonly string[] | null;
    }
  | {
      readonly kind: "partitionLimit";
      readonly partition: string;
      readonly what: PartitionLimit;
      readonly limit: number;
      readonly wanted: number;
    }
  | {
      readonly kind: "limit";
      readonly holder: "qos" | "partitionQos" | "association" | null;
      /** The QOS or the account, with its user where the limit is the user's own. */
      readonly name: string | null;
      readonly scope: LimitScope;
      /** `jobs`, `wall` or a TRES of the system: `cpu`, `mem`, `gres/gpu`; null where it is not told. */
      readonly what: string | null;
      /** Use by running jobs that count for the limit; null where it is unknown. */
      readonly used: number | null;
      readonly limit: number | null;
      readonly wanted: number | null;
      /** True if the job exceeds the limit without any other job. */
      readonly isAlone: boolean;
    }
  | {
      readonly kind: "minimum";
      readonly qos: string;
      readonly what: string;
      readonly minimum: number;
      readonly wanted: number;
    }
  | { readonly kind: "arrayLimit"; readonly array: string; readonly limit: number; readonly running: number }
  | {
      readonly kind: "licenses";
      readonly licenses: readonly WantedLicense[];
    }
  | {
      readonly kind: "reservationAsked";
      readonly reservation: string;
      readonly problem: "unknown" | "notStarted" | "over" | "notAllowed";
      readonly startAtMs: number | null;
      readonly endAtMs: number | null;
    }
  | {
      readonly kind: "reservationAhead";
      readonly partition: string;
      readonly reservation: string;
      readonly isMaintenance: boolean;
      readonly isActive: boolean;
      readonly startAtMs: number;
      readonly endAtMs: number;
      /** Of its nodes those that the job could use otherwise. */
      readonly nodes: readonly string[];
      /** Null: none is set. */
      readonly limitMs: number | null;
    }
  | {
      readonly kind: "nodesOut";
      readonly partition: string;
      readonly nodes: readonly OutNode[];
      /** Nodes that the job needs, and in-service nodes that could ever run a part of it. */
      readonly wanted: number;
      readonly inService: number;
    }
  | {
      readonly kind: "featuresUnknown";
      readonly partition: string;
      readonly features: string;
      readonly known: readonly string[];
    }
  | {
      readonly kind: "neverFits";
      readonly partition: string;
      readonly what: Countable;
      readonly wanted: number;
      /** The most that there is of it where it counts: on one node, or on all of them. */
      readonly most: number;
      /** True if `wanted` and `most` are amounts per node. */
      readonly isPerNode: boolean;
    }
  | {
      readonly kind: "busy";
      readonly partition: string;
      readonly what: Countable;
      readonly wanted: number;
      /** Free amount on in-service nodes that could ever run a part of the job. */
      readonly free: number;
      /** Least number of nodes for the job, and nodes with room for a part of it now. */
      readonly wantedNodes: number;
      readonly roomyNodes: number;
      /** Enough is free in all, but not where it can be used together. */
      readonly isFragmented: boolean;
    }
  | {
      readonly kind: "priority";
      /** Rank among the jobs that could start and compete for the same nodes; 2 is the second. */
      readonly place: number;
      readonly jobs: number;
      readonly procs: number;
      readonly priority: number | null;
      /** The first of them, in order. */
      readonly first: readonly JobBefore[];
      /** The part that sets most of them above; null where parts are not told. */
      readonly mostlyBy: string | null;
    }
  /** Nothing that is known keeps it from starting. */
  | { readonly kind: "turn" };

/** One cause with what would help; an empty list means that nothing is known to. */
export type Blocker = BlockerFacts & { readonly remedies: readonly Remedy[] };

/** All kinds of causes. */
export type BlockerKind = Blocker["kind"];

/** The reason given by the batch system, and if it agrees with the computed blockers. */
export interface SystemWord {
  /** Reason as the system wrote it; null where it gave none. */
  readonly reason: string | null;
  /**
   * `same`: its reason is among ours. `different`: it is one that we do not see. `unread`: we do not know
   * its meaning. `none`: it gave none.
   */
  readonly agreement: "same" | "different" | "unread" | "none";
}

/** The answer: every blocker of a job at the instant of a snapshot. */
export interface ClusterBlockers {
  readonly siteJob: string;
  readonly state: ClusterJobState | null;
  readonly stateText: string;
  readonly atMs: number;
  /** Empty where the job does not wait. */
  readonly blockers: readonly Blocker[];
  /** Of the partitions that it names, those that would take it as it is. */
  readonly openPartitions: readonly string[];
  readonly system: SystemWord;
  /** Parts of the cluster that the answer cannot take into account. */
  readonly unknown: readonly HiddenPart[];
}

/** Licences of one name that a job wants. */
export interface WantedLicense {
  readonly name: string;
  readonly wanted: number;
  /** By all jobs where `total` is told, else by those that are shown. */
  readonly used: number;
  /** Null where it is not told how many there are. */
  readonly total: number | null;
}
