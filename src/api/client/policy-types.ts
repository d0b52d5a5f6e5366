/**
 * Usage policies, enforcers and use, as a program sees them through the client.
 */
import type {
  EnforcementCause,
  EnforcementRules,
  EnforcementStep,
  EnforcementVerb,
  EpochWindow,
  Policy,
  SharedResource,
} from "../../model/index.ts";

/** Policies to be applied, instead of all that hold. */
export interface PoliciesWish {
  readonly policies: readonly Policy[];
  /** ISO 8601; at once where absent. */
  readonly effectiveFrom?: string;
  readonly note?: string;
}

/** Policies as they were applied together. */
export interface PolicySetView {
  readonly version: number;
  readonly effectiveFrom: string;
  readonly appliedAt: string;
  readonly by: string;
  readonly note: string;
  readonly policies: readonly Policy[];
}

/** What enforces them at a site. */
export interface SiteEnforcerView {
  readonly site: string;
  /** The version it goes by; null where none concerns the site. */
  readonly version: number | null;
  readonly granted: readonly EnforcementStep[];
  readonly form: EnforcementRules["form"];
  readonly isPaused: boolean;
}

/** The policies that hold and those that will, and who enforces them. */
export interface PoliciesView {
  readonly now: PolicySetView | null;
  readonly coming: readonly PolicySetView[];
  readonly enforcers: readonly SiteEnforcerView[];
}

/** What an enforcer did to a job, or said that it would do. */
export interface EnforcementActionView {
  readonly at: string;
  readonly site: string;
  readonly verb: EnforcementVerb;
  readonly job: string;
  readonly cause: EnforcementCause;
  readonly text: string;
  readonly isAdvice: boolean;
}

/** One page of them, newest first. */
export interface EnforcementActionList {
  readonly items: readonly EnforcementActionView[];
  readonly next: string | null;
}

/** Processors, GPUs, bytes of memory. */
export interface AmountsView {
  readonly cpu: number;
  readonly gpu: number;
  readonly memory: number;
}

/** One level of a consumer; shares in parts per million of the site's capacity. */
export interface LevelUsageView {
  readonly resource: SharedResource;
  readonly consumer: string;
  readonly inUse: number;
  readonly waiting: number;
  readonly usedPpm: number;
  readonly epochPpm: number;
  readonly burstPpm: number;
  readonly window: EpochWindow;
  readonly rule: Policy["rule"];
  readonly mode: Policy["mode"];
}

/** What consumers use at a site, against what they may. */
export interface SiteUsageView {
  readonly site: string;
  readonly at: string;
  readonly capacity: AmountsView;
  readonly free: AmountsView;
  readonly levels: readonly LevelUsageView[];
}

/** Policies in the words of a cluster's batch system; none of it was done. */
export interface CompiledPoliciesView {
  readonly site: string;
  readonly changes: readonly {
    readonly account: string;
    readonly consumer: string;
    readonly kind: "add" | "modify";
    readonly settings: readonly {
      readonly name: string;
      readonly before: string | null;
      readonly after: string;
    }[];
    readonly command: readonly string[];
    readonly undo: readonly string[];
  }[];
  readonly remarks: readonly string[];
}

/** The client's calls about policies. */
export interface PolicyCalls {
  policies(): Promise<PoliciesView>;
  policyVersions(): Promise<readonly PolicySetView[]>;
  /** @param options `onVersion`: the version that they were made on; any where absent */
  applyPolicies(wish: PoliciesWish, options?: { readonly onVersion?: number }): Promise<PolicySetView>;
  enforcementActions(of?: {
    readonly site?: string;
    readonly job?: string;
    readonly cursor?: string;
    readonly limit?: number;
  }): Promise<EnforcementActionList>;
  siteUsage(site: string): Promise<SiteUsageView>;
  compiledPolicies(site: string): Promise<CompiledPoliciesView>;
  pauseEnforcement(site: string): Promise<SiteEnforcerView>;
  continueEnforcement(site: string): Promise<SiteEnforcerView>;
  /** Reverses what an enforcer did to a job, and has it left alone. */
  undoEnforcement(job: string): Promise<void>;
}
