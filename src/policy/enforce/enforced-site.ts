/**
 * Input and output of an enforcer at a site.
 *
 * Plain data, the same for jobs at a managed site and for jobs in a snapshot of a batch system. It needs no
 * more of a batch system than [UP] slide 11 asks: running and waiting jobs, and verbs to hold, release,
 * suspend, resume, requeue and change priorities.
 */
import type {
  EnforcementAction,
  EnforcementRules,
  EnforcementVerb,
  SharedResource,
} from "../../model/index.ts";
import type { ShareTree } from "../share-tree.ts";
import type { UseHistory } from "../use-history.ts";

/** Resources that jobs occupy at a site; storage and network are not the batch system's. */
export type SiteResource = Extract<SharedResource, "cpu" | "gpu" | "memory">;

/** All site resources, in column order. */
export const SITE_RESOURCES: readonly SiteResource[] = ["cpu", "gpu", "memory"];

/**
 * Processors, GPUs, and bytes of memory; integers ≥ 0. A resource that the site does not report is 0 in its
 * capacity and in every need.
 */
export type SiteAmounts = Readonly<Record<SiteResource, number>>;

/** `waiting`: not let into the queue; `queued`: let in, not started; `suspended`: by the enforcer. */
export type EnforcedJobState = "waiting" | "queued" | "running" | "suspended";

/** A job at the site. Jobs held by others, and jobs that wait for other jobs, are not included. */
export interface EnforcedJob {
  readonly id: string;
  /** Consumer path: `vo`, `vo/group`, `vo/group/user`. */
  readonly consumer: string;
  readonly need: SiteAmounts;
  readonly state: EnforcedJobState;
  /** Position among the jobs of the site: smaller is earlier. Unique. */
  readonly order: number;
  /** Last start or resumption; null where it never began, or was requeued since. */
  readonly begunAtMs: number | null;
  /** End by its estimate; null unless it runs. */
  readonly plannedEndMs: number | null;
  /** Run time once it continues, by its estimate; of a suspended job the rest. */
  readonly estimateMs: number;
  /** Number of suspensions and requeues. */
  readonly stops: number;
  readonly stoppedFor: readonly string[];
  /** Change of its priority by the enforcer, where the grants allow that only. */
  readonly nudged: "raised" | "lowered" | null;
  /**
   * True where it was let into the queue just before: it is not held because other jobs took its capacity.
   */
  readonly isJustLetIn?: boolean;
  /** Verbs that the site has refused for this job; none where absent. */
  readonly spared?: readonly StoppingVerb[];
}

/** Ways to stop a running job. */
export type StoppingVerb = Extract<EnforcementVerb, "requeue" | "suspend">;

/** The use of one level of one resource over time. */
export interface LevelUse {
  readonly all: UseHistory;
  /** Use that counts for the order of service: less than `all` where over-use is forgiven. */
  readonly counted: UseHistory;
}

/** The uses of a site, by resource and path; a level that is missing has no use yet. */
export type SiteUses = ReadonlyMap<SiteResource, ReadonlyMap<string, LevelUse>>;

/** A site at an instant. */
export interface EnforcedSite {
  /** The capacity that shares refer to. */
  readonly capacity: SiteAmounts;
  /** The capacity less what is down and what jobs outside the enforcer occupy. */
  readonly available: SiteAmounts;
  readonly jobs: readonly EnforcedJob[];
  readonly shares: ShareTree;
  readonly uses: SiteUses;
  readonly rules: EnforcementRules;
  /** Remaining actions of the hourly budget. */
  readonly actionsLeft: number;
}

/** Actions left out for lack of budget. */
export interface LeftOut {
  readonly action: EnforcementAction;
  /**
   * `actions`: the hourly budget is used up; `suspended`: too much of the site would be suspended at once.
   */
  readonly budget: "actions" | "suspended";
}

/** Actions of an enforcer. */
export interface EnforcementDecision {
  /** Actions in order: capacity is freed before it is used. */
  readonly actions: readonly EnforcementAction[];
  /** True where only `watch` is granted: then the actions are not carried out. */
  readonly isWatchOnly: boolean;
  readonly leftOut: readonly LeftOut[];
  /** Instant of the next pass if no job arrives or ends before; null where nothing would change. */
  readonly wakeAtMs: number | null;
  /** Reasons of jobs that stay waiting or suspended, by job. */
  readonly kept: ReadonlyMap<string, EnforcementAction["cause"]>;
}

/** Verbs that take something from a job, and so count against the budget of actions. */
export const COUNTED_VERBS: readonly EnforcementVerb[] = ["hold", "lower", "requeue", "suspend"];
