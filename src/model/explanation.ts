/**
 * Why a job is where it is: every cause that holds at once, as data.
 */
import type { EnforcementObstacle } from "./enforcement-obstacle.ts";
import type { EnforcementCause } from "./policy.ts";
import type { PolicyDenial } from "./policy-denial.ts";
import type { FeatureCause } from "./register.ts";
import type { StoreLimit } from "./stored-files.ts";

/** Cause of a wait. Counts and amounts are of now. */
export type WaitCause =
  | FeatureCause
  /** The job was accepted a moment ago; its site is being chosen. */
  | { readonly kind: "placing" }
  /** Sites that are too small for the job. */
  | { readonly kind: "tooSmall"; readonly sites: readonly string[] }
  /** None of the sites open to the job takes new jobs now: some are drained, others cannot be reached. */
  | {
      readonly kind: "noSiteOpen";
      readonly draining: readonly string[];
      readonly away: readonly string[];
      /** Sites that are only observed. */
      readonly readOnly: readonly string[];
      /** Simulated sites, which are used only by jobs that name them. */
      readonly imitating?: readonly string[];
    }
  /** The job is being submitted to the queue of a foreign site. */
  | { readonly kind: "handingOver"; readonly site: string }
  /** The job is in the queue of a foreign site, and no known reason keeps it from starting. */
  | { readonly kind: "siteTurn"; readonly site: string }
  /** Fault of the site, in one sentence: it cannot be reached, or fails. */
  | { readonly kind: "siteTrouble"; readonly site: string; readonly trouble: string }
  /** Reason given by the foreign site, in its words. */
  | { readonly kind: "siteSays"; readonly site: string; readonly words: string }
  | { readonly kind: "held" }
  | { readonly kind: "suspended" }
  /** The process of the job is being launched. */
  | { readonly kind: "starting"; readonly site: string }
  | { readonly kind: "running"; readonly site: string }
  /** A virtual reservation: submitted to its site at one instant, to run from another on. */
  | {
      readonly kind: "virtualPlanned";
      readonly site: string;
      readonly submitMs: number;
      readonly startMs: number;
    }
  /** The processors are allocated; the program starts at an instant. */
  | { readonly kind: "virtualIdle"; readonly site: string; readonly startMs: number }
  /** The job has ended. */
  | { readonly kind: "over" }
  /** The reservation of the job has not begun, or sites have not yet made it or those that belong to it. */
  | {
      readonly kind: "reservationTurn";
      readonly site: string;
      readonly reservation: string;
      readonly startMs: number;
      /** The sites that have not made their part. */
      readonly awaited: readonly string[];
    }
  /** The site's enforcer has not admitted the job yet, or has stopped it. */
  | { readonly kind: "policy"; readonly site: string; readonly cause: EnforcementCause }
  /** The site's enforcer cannot act as its policies ask for. */
  | { readonly kind: "cannotEnforce"; readonly site: string; readonly obstacle: EnforcementObstacle }
  /** The enforcer of the job's organisation has not released it to a site yet. Amounts are processors. */
  | ({ readonly kind: "voTurn" } & VoTurn)
  /** Sites whose policies never admit the job; it is not sent there. */
  | { readonly kind: "policyNever"; readonly denials: readonly PolicyDenial[] }
  /** None of the job's sites has room for its files now: the limit at each of them. */
  | { readonly kind: "storeFull"; readonly limits: readonly StoreLimit[] }
  /** Processors that are kept free for reservations now. */
  | { readonly kind: "procsReserved"; readonly site: string; readonly procs: number }
  | { readonly kind: "procsBusy"; readonly site: string; readonly needed: number; readonly free: number }
  | {
      readonly kind: "memoryBusy";
      readonly site: string;
      readonly neededBytes: number;
      readonly freeBytes: number;
    }
  | { readonly kind: "gpusBusy"; readonly site: string; readonly needed: number; readonly free: number }
  /** Jobs before it in the queue, and how many processors they want. */
  | { readonly kind: "jobsAhead"; readonly site: string; readonly jobs: number; readonly procs: number };

/** Use and limits of the job's group while another has precedence; in processors, over all sites. */
export interface VoTurn {
  /** The group that the job counts against: `vo/group`, or `vo` for all that its policies do not name. */
  readonly group: string;
  /**
   * `tooWide`: it needs more than the group may ever have at once. `burst`: with it the group would be over
   * its burst. `share`: all that the organisation has is in use, and the group has its share. `order`: jobs
   * of the group, or of groups that were served less, come first.
   */
  readonly because: "tooWide" | "burst" | "share" | "order";
  readonly needed: number;
  readonly inUse: number;
  readonly epoch: number;
  readonly burst: number;
  readonly extra: number;
  readonly allocation: number;
  readonly inUseByAll: number;
  /** Jobs of the group that come before it. */
  readonly jobsAhead: number;
}

/** One attribute of a description that is changed. */
export type DescriptionChange =
  | { readonly kind: "procs"; readonly procs: number }
  | { readonly kind: "memory"; readonly memoryBytes: number }
  /** 0: none. */
  | { readonly kind: "gpus"; readonly gpus: number }
  | { readonly kind: "wallTime"; readonly wallTimeMs: number }
  /** No site is named. */
  | { readonly kind: "anySite" }
  /** Protocols of its input files, with those of other copies. */
  | { readonly kind: "protocols"; readonly protocols: readonly string[] }
  /** The store for what it leaves. */
  | { readonly kind: "store"; readonly store: string }
  /** The whole new expression, and the difference in words. */
  | { readonly kind: "requirements"; readonly requirements: string; readonly difference: string };

/** A change of the job after which it would start now, or could at least go to a site. */
export type HelpfulChange =
  | { readonly kind: "fewerProcs"; readonly procs: number }
  | { readonly kind: "shorterLimit"; readonly wallTimeMs: number }
  /** Where neither of them is enough. */
  | { readonly kind: "fewerProcsAndShorterLimit"; readonly procs: number; readonly wallTimeMs: number }
  /** With all of these changes nothing keeps a job that waits at the broker from these sites. */
  | {
      readonly kind: "placeable";
      readonly changes: readonly DescriptionChange[];
      readonly sites: readonly string[];
      /** Queue that allows the changed job, at the first of these sites where other queues do not. */
      readonly queue?: { readonly site: string; readonly queue: string };
    }
  /** Rights with which nothing would keep the job from these sites; their administrators grant them. */
  | {
      readonly kind: "granted";
      readonly rights: readonly MissingRight[];
      readonly sites: readonly string[];
    };

/** A right that a consumer does not have at a site. */
export interface MissingRight {
  /**
   * `share`: a usage policy gives the consumer a share. `account`: an identity rule maps it to a local
   * account. `noBan`: it is not on the ban list.
   */
  readonly kind: "share" | "account" | "noBan";
  readonly consumer: string;
}

/** The answer to "why". */
export interface Explanation {
  readonly job: string;
  readonly state: string;
  readonly causes: readonly WaitCause[];
  /** Start if all jobs used their whole limits and none arrived; null: not without a user's action. */
  readonly predictedStartAtMs: number | null;
  /** Method of the prediction: `schedule` simulates the known queue of the site. */
  readonly method: "schedule" | null;
  readonly helpfulChanges: readonly HelpfulChange[];
}
