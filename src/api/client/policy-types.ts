/**
 * Usage policies, enforcers and use, as a program sees them through the client.
 */
import type { LevelUsage } from "../../engine/index.ts";
import type {
  ConfigurationLine,
  EnforcementCause,
  EnforcementRules,
  EnforcementStep,
  EnforcementVerb,
  Policy,
  ShareChange,
  ShareStep,
} from "../../model/index.ts";
import type { PeerView } from "./peer-types.ts";

/** Policies to be applied, instead of all that hold. */
export interface PoliciesRequest {
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
  /** What keeps it from acting as the policies ask for; absent where nothing does. */
  readonly cannotAct?: string;
}

/** A broker elsewhere that keeps the policies. */
export interface PolicyFollowerView {
  readonly name: string;
  readonly sites: readonly string[];
  /** The last version that it has taken over; null before the first. */
  readonly version: number | null;
  readonly since: string;
  /** When it was last heard of; null: not since the broker began. */
  readonly heardAt: string | null;
  readonly by: string;
}

/** What a broker elsewhere says of itself. */
export interface FollowerRequest {
  readonly sites: readonly string[];
  readonly version: number | null;
}

/** The policies that hold and those that will, and who enforces them. */
export interface PoliciesView {
  readonly now: PolicySetView | null;
  readonly coming: readonly PolicySetView[];
  readonly enforcers: readonly SiteEnforcerView[];
  readonly followers: readonly PolicyFollowerView[];
  /** Other brokers that use the same clusters; absent where there is none. */
  readonly peers?: readonly PeerView[];
  /** The consumer that the caller is, of whom the policies speak or not. */
  readonly caller?: string;
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
export type LevelUsageView = LevelUsage;

/** What consumers use at a site, against what they may. */
export interface SiteUsageView {
  readonly site: string;
  readonly at: string;
  readonly capacity: AmountsView;
  readonly free: AmountsView;
  readonly jobsRunning: number;
  readonly jobsWaiting: number;
  readonly levels: readonly LevelUsageView[];
}

/** Policies in the words of a cluster's batch system; none of it was done. */
export interface CompiledPoliciesView {
  readonly site: string;
  readonly changes: readonly ShareChange[];
  /** An administrator's to change, never Stint's. */
  readonly configuration: readonly ConfigurationLine[];
  readonly remarks: readonly string[];
}

/** What became of each change of a cluster's own shares. */
export interface ShareStepsView {
  readonly site: string;
  readonly steps: readonly ShareStep[];
}

/** The client's calls about policies. */
export interface PolicyCalls {
  policies(): Promise<PoliciesView>;
  policyVersions(): Promise<readonly PolicySetView[]>;
  /** @param options `onVersion`: the version that they were made on; any where absent */
  applyPolicies(request: PoliciesRequest, options?: { readonly onVersion?: number }): Promise<PolicySetView>;
  enforcementActions(of?: {
    readonly site?: string;
    readonly job?: string;
    readonly cursor?: string;
    readonly limit?: number;
  }): Promise<EnforcementActionList>;
  /** Keeps the policies for sites elsewhere; answers what holds and will. */
  followPolicies(name: string, request: FollowerRequest): Promise<PoliciesView>;
  unfollowPolicies(name: string): Promise<void>;
  siteUsage(site: string): Promise<SiteUsageView>;
  compiledPolicies(site: string): Promise<CompiledPoliciesView>;
  /** Changes the cluster's own shares to the policies that hold. */
  applyCompiledPolicies(site: string): Promise<ShareStepsView>;
  /** Takes back what was changed so; `isForced`: also what somebody else has changed since. */
  takeBackCompiledPolicies(site: string, isForced: boolean): Promise<ShareStepsView>;
  pauseEnforcement(site: string): Promise<SiteEnforcerView>;
  continueEnforcement(site: string): Promise<SiteEnforcerView>;
  /** Reverses what an enforcer did to a job, and has it left alone. */
  undoEnforcement(job: string): Promise<void>;
}
