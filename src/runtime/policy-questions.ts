/** Queries on usage policies, their enforcement, and use. */
import type { ObservedJob, UseHistoryOfSite } from "../engine/index.ts";
import type { EnforcementRecord, HostSeen } from "../model/index.ts";
import type { SeriesGrid, SeriesRequest } from "../policy/index.ts";
import type { SampledSeries } from "./samples.ts";

/** Which actions of enforcers; all conditions hold. */
export interface ActionQuery extends Pick<ObservedJob, "of"> {
  readonly site?: string;
  readonly job?: string;
  /** Owner of the job. */
  readonly owner?: string;
  /** Of the job: the consumer path or anything below it. */
  readonly consumer?: string;
  /** Where the last page ended. */
  readonly after?: string;
  /** 1 … 1000, default 100; newest first. */
  readonly limit?: number;
}

/** One page of what enforcers did. */
export interface ActionPage {
  readonly items: readonly EnforcementRecord[];
  readonly next: string | undefined;
}

/** The course of a site's use. */
export interface UsageHistoryQuestion extends SeriesRequest {
  readonly site: string;
}

/** Samples of a site, by step. */
export interface UsageHistory extends UseHistoryOfSite {
  readonly site: string;
  readonly grid: SeriesGrid;
  /** Sampled slots of each step; none is a gap. */
  readonly covered: readonly number[];
}

/** Query on sensors' readings on the hosts of a site, with their history on request. */
export interface HostQuestion {
  readonly site: string;
  readonly course: SeriesRequest | null;
}

/** A host by its last reading. */
export interface HostView extends HostSeen {
  readonly course: SampledSeries | null;
}

/** Outcome of a sensor's report. */
export interface ReadingsTaken {
  /** Sequence number of the last stored reading of this sensor. */
  readonly lastSeq: number;
  /** Number of new readings in the report. */
  readonly taken: number;
}

/** A cluster's own shares are to be changed, or what was changed taken back. */
export interface ChangeSharesRequest {
  readonly site: string;
  readonly by: string;
  readonly verb: "apply" | "takeBack";
  /** In a reversal: also settings that somebody else has changed since. */
  readonly isForced: boolean;
}
