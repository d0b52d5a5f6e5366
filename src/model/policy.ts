/**
 * A usage policy: who may use how much of what, as it is stored once it was read. Source: [UP].
 *
 * Shares are parts per million: of the provider's capacity where that is a site or a pool; of what the
 * provider itself was given where that is a consumer. How they add up is in `policy`.
 */

/** Shared resources: processors, GPUs, memory; and storage and transfers by Stint itself. */
export type SharedResource = "cpu" | "gpu" | "memory" | "storage" | "network";

/** All of them, in the order in which they are listed to people. */
export const SHARED_RESOURCES: readonly SharedResource[] = ["cpu", "gpu", "memory", "storage", "network"];

/** A calendar window; a week begins on Monday. */
export type CalendarUnit = "hour" | "day" | "week" | "month";

/** The whole capacity of a place, in the parts in which effective shares are counted. */
export const WHOLE_SHARE = 1_000_000_000_000;

/** Over which time use is counted: the last so many ms, or since the calendar window began. */
export type EpochWindow =
  | { readonly kind: "sliding"; readonly lengthMs: number }
  | {
      readonly kind: "fixed";
      readonly unit: CalendarUnit;
      /** Offset of the agreement's clock from UTC; 0 is UTC. */
      readonly offsetMs: number;
    };

/** `entitlement`: idle capacity may be used beyond it. `cap`: over it, jobs stop whatever the others do. */
type PolicyRule = "entitlement" | "cap";

/** An idle share is lent until the borrower's jobs end; lent and taken back at once; never lent. */
type PolicyMode = "shared" | "preempting" | "dedicated";

/** Treatment of use of others' idle shares later in the epoch: `repay` counts it against the consumer. */
type PolicyCarry = "forgive" | "repay";

/** One rule between a provider and a consumer. */
export interface Policy {
  readonly resource: SharedResource;
  /** A site, `site/pool`, or a consumer path that delegates its share. */
  readonly provider: string;
  /** `vo`, `vo/group`, `vo/group/user`; one level below the provider where that is a consumer. */
  readonly consumer: string;
  readonly epoch: { readonly window: EpochWindow; readonly sharePpm: number };
  /** Never more than this at any instant; violations are measured in buckets of this length. */
  readonly burst: { readonly bucketMs: number; readonly sharePpm: number };
  readonly rule: PolicyRule;
  readonly mode: PolicyMode;
  readonly carry: PolicyCarry;
}

/** True where the provider is a delegating consumer and not a site, by its path. */
export function isHandedOn({ provider, consumer }: Pick<Policy, "provider" | "consumer">): boolean {
  return consumer.startsWith(`${provider}/`);
}

/** Defaults of a policy. The bucket of an unlimited burst is a minute. */
export const POLICY_DEFAULTS = {
  resource: "cpu",
  rule: "entitlement",
  mode: "shared",
  carry: "forgive",
  burst: { bucketMs: 60_000, sharePpm: 1_000_000 },
} as const;

/**
 * Steps of an enforcer, each granted separately. `watch` only reports actions; `compile` changes a cluster's
 * own shares on request, and nothing by itself.
 */
export type EnforcementStep = "watch" | "hold" | "priority" | "requeue" | "suspend" | "compile";

/** All of them, from the mildest to the hardest. */
export const ENFORCEMENT_STEPS: readonly EnforcementStep[] = [
  "watch",
  "hold",
  "priority",
  "requeue",
  "suspend",
  "compile",
];

/** True for steps that an enforcer takes on jobs by itself. */
export function isOnJobs(step: EnforcementStep): boolean {
  return step !== "watch" && step !== "compile";
}

/** Grants and limits of an enforcer at a site. */
export interface EnforcementRules {
  /** Granted steps; `watch` alone: no actions. */
  readonly granted: readonly EnforcementStep[];
  /** `literal`: the processing logic of the source, line by line; `ours`: in terms of what jobs need. */
  readonly form: "ours" | "literal";
  /** A job runs so long before it may be suspended or requeued. */
  readonly minRunMs: number;
  /** A job is suspended or requeued so often at most. */
  readonly maxSuspensions: number;
  /** Actions on jobs in any hour. */
  readonly actionsPerHour: number;
  /** Of a site's capacity, suspended at once. */
  readonly suspendedPpm: number;
  /** Time without the broker after which held and suspended jobs are released. */
  readonly leaseMs: number;
}

/** Careful: nothing is done until it is granted. */
export const ENFORCEMENT_DEFAULTS: EnforcementRules = {
  granted: ["watch"],
  form: "ours",
  minRunMs: 60_000,
  maxSuspensions: 3,
  actionsPerHour: 600,
  suspendedPpm: 500_000,
  leaseMs: 300_000,
};

/** Actions of an enforcer on a job. */
export type EnforcementVerb = "release" | "hold" | "raise" | "lower" | "requeue" | "suspend" | "resume";

/** Cause of an action: facts for its sentence, and for the score. */
export type EnforcementCause =
  /** Nothing is in use. */
  | { readonly kind: "idleSite" }
  | { readonly kind: "freeCapacity" }
  /** Room was made of over-quota jobs for a consumer within its share. */
  | { readonly kind: "contention" }
  /** To make room for this job, whose consumer is within its share. */
  | { readonly kind: "roomFor"; readonly job: string; readonly consumer: string }
  /** Its consumer has used its share of the epoch, under `cap`. */
  | { readonly kind: "epochUsed"; readonly consumer: string; readonly untilMs: number | null }
  /** Its consumer is under its limit again. */
  | { readonly kind: "withinAgain"; readonly consumer: string }
  /** One more would be over this consumer's burst. */
  | { readonly kind: "burst"; readonly consumer: string }
  /** The site did not do it, in its words. */
  | { readonly kind: "siteRefused"; readonly why: string; readonly about?: RefusalAbout }
  /** Nothing is enforced at the site any more, or for now. */
  | { readonly kind: "notEnforced" }
  /** Somebody reversed what was done to it; from then on it is left alone. */
  | { readonly kind: "undone"; readonly by: string }
  /** Others are served first; or room is kept for a job that is wider than what is free. */
  | { readonly kind: "notYet"; readonly for: string | null };

/** Record of an action, carried out or advised. */
export interface EnforcementRecord {
  /** Sorts by instant. */
  readonly id: string;
  readonly site: string;
  /** Owner of the job, who may read the record; null for a job outside Stint. */
  readonly owner: string | null;
  readonly consumer: string | null;
  readonly atMs: number;
  readonly action: EnforcementAction;
  /** True for an action that was only advised, for lack of a grant. */
  readonly isAdvice: boolean;
}

/** Outcome of an enforcer's order at a foreign site. */
export interface EnforcementReport {
  readonly site: string;
  readonly verb: EnforcementVerb;
  readonly jobs: readonly string[];
  /** Commands to the batch system, verbatim. */
  readonly commands: readonly string[];
  readonly refused: readonly {
    readonly job: string;
    readonly why: string;
    /** Default: the job. */
    readonly about?: RefusalAbout;
  }[];
}

/**
 * Subject of a site's refusal: this `job` (its state or place), the `right` to do so there at all, or the
 * `site`, which was not reached.
 */
export type RefusalAbout = "job" | "right" | "site";

/** One action with its cause. */
export interface EnforcementAction {
  readonly verb: EnforcementVerb;
  readonly job: string;
  readonly cause: EnforcementCause;
}

/**
 * Why a request is not admitted: the first limit that it would pass. Shares are in parts of
 * {@link WHOLE_SHARE}: of the capacity, for `epoch` of the capacity over the window; the limit is rounded
 * down, what it would be up.
 */
export type AdmissionRefusal =
  | { readonly kind: "noPolicy"; readonly place: string; readonly consumer: string }
  | (AdmissionExcess & { readonly kind: "burst"; readonly level: string })
  | (AdmissionExcess & { readonly kind: "epoch"; readonly level: string; readonly window: EpochWindow })
  | (AdmissionExcess & { readonly kind: "capacity" });

/** By how much, and since when, in ms; of a calendar window from where the request comes into it. */
export interface AdmissionExcess {
  readonly place: string;
  readonly limitShare: number;
  readonly wouldBeShare: number;
  readonly fromMs: number;
}
