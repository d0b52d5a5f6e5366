/**
 * What an enforcer at a site is handed, and what it answers.
 *
 * Plain data, the same for our own jobs at a managed site and for anybody's jobs in a snapshot of a batch
 * system. It needs of a batch system no more than [UP] slide 11 asks: who runs, who waits, and verbs to
 * hold, release, suspend, resume, requeue and change priorities.
 */
import type {
  EnforcementAction,
  EnforcementRules,
  EnforcementVerb,
  SharedResource,
} from "../../model/index.ts";
import type { ShareTree } from "../share-tree.ts";
import type { UseHistory } from "../use-history.ts";

/** What jobs occupy at a site; storage and network are not a batch system's to give. */
export type SiteResource = Extract<SharedResource, "cpu" | "gpu" | "memory">;

/** All of them, in the order in which they are looked at. */
export const SITE_RESOURCES: readonly SiteResource[] = ["cpu", "gpu", "memory"];

/**
 * Processors, GPUs, and bytes of memory; integers ≥ 0. A resource of which the site says nothing is 0 in
 * its capacity and in every need.
 */
export type SiteAmounts = Readonly<Record<SiteResource, number>>;

/** `waiting`: not let into the queue; `queued`: let in, not started; `suspended`: by the enforcer. */
export type EnforcedJobState = "waiting" | "queued" | "running" | "suspended";

/** A job as an enforcer sees it. Jobs that others hold, and those that wait for others, are not shown. */
export interface EnforcedJob {
  readonly id: string;
  /** `vo`, `vo/group`, `vo/group/user`. */
  readonly consumer: string;
  readonly need: SiteAmounts;
  readonly state: EnforcedJobState;
  /** Its place among the jobs of the site: smaller goes first. No two are equal. */
  readonly order: number;
  /** When it last began or was resumed; null where it never began, or was requeued since. */
  readonly begunAtMs: number | null;
  /** By its estimate; null unless it runs. */
  readonly plannedEndMs: number | null;
  /** How long it will run once it goes on, by its estimate: the rest, for a suspended job. */
  readonly estimateMs: number;
  /** How often it was suspended or requeued. */
  readonly stops: number;
  /** The jobs for which it was suspended or requeued. */
  readonly stoppedFor: readonly string[];
  /** What its priority was changed to by the enforcer, where that is how it acts. */
  readonly nudged: "raised" | "lowered" | null;
  /** It was let in a moment ago: that others took its room meanwhile is no reason to hold it again. */
  readonly isJustLetIn?: boolean;
  /** Ways to stop it that the site has refused for it, for reasons of its own (PO-63); none unless said. */
  readonly spared?: readonly StoppingVerb[];
}

/** How a running job is stopped. */
export type StoppingVerb = Extract<EnforcementVerb, "requeue" | "suspend">;

/** The use of one level of one resource over time. */
export interface LevelUse {
  /** All that was in use. */
  readonly all: UseHistory;
  /** What counts for who is served next: less than `all` where over-use is forgiven (PO-6). */
  readonly counted: UseHistory;
}

/** The uses of a site, by resource and path; a level that is not in it has not used anything yet. */
export type SiteUses = ReadonlyMap<SiteResource, ReadonlyMap<string, LevelUse>>;

/** A site at an instant. */
export interface EnforcedSite {
  /** What shares are parts of. */
  readonly capacity: SiteAmounts;
  /** The capacity less what is down and what jobs that are not shown occupy. */
  readonly available: SiteAmounts;
  readonly jobs: readonly EnforcedJob[];
  readonly shares: ShareTree;
  readonly uses: SiteUses;
  readonly rules: EnforcementRules;
  /** What is left of the budget of actions of this hour. */
  readonly actionsLeft: number;
}

/** What would be done, and is not, for want of budget. */
export interface LeftOut {
  readonly action: EnforcementAction;
  /** `actions`: no more in this hour; `suspended`: too much of the site would be suspended at once. */
  readonly budget: "actions" | "suspended";
}

/** What an enforcer asks for. */
export interface EnforcementDecision {
  /** To be done in this order: room is made before it is taken. */
  readonly actions: readonly EnforcementAction[];
  /** Only `watch` is granted: nothing of this is to be done. */
  readonly isWatchOnly: boolean;
  readonly leftOut: readonly LeftOut[];
  /** When to look again if nothing comes or ends before; null where nothing would be different. */
  readonly wakeAtMs: number | null;
  /** Why the jobs that wait, or are suspended, stay so: by job. */
  readonly kept: ReadonlyMap<string, EnforcementAction["cause"]>;
}

/** The verbs that take something from a job: those that the budget of actions counts. */
export const COUNTED_VERBS: readonly EnforcementVerb[] = ["hold", "lower", "requeue", "suspend"];
