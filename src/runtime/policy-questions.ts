/**
 * What may be asked of a broker about usage policies, who keeps them, and what is used.
 */
import type { UseHistoryOfSite } from "../engine/index.ts";
import type { EnforcementRecord, HostSeen } from "../model/index.ts";
import type { SeriesGrid, SeriesRequest } from "../policy/index.ts";
import type { SampledSeries } from "./samples.ts";

/** Which actions of enforcers; all conditions hold. */
export interface ActionQuery {
  readonly site?: string;
  readonly job?: string;
  /** Whose the job is. */
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

/** What was sampled of a site, step by step. */
export interface UsageHistory extends UseHistoryOfSite {
  readonly site: string;
  readonly grid: SeriesGrid;
  /** How many slots of each step were sampled; none is a gap. */
  readonly covered: readonly number[];
}

/** What sensors saw on the hosts of a site, with their course where one is asked for. */
export interface HostQuestion {
  readonly site: string;
  readonly course: SeriesRequest | null;
}

/** A host as it was last seen. */
export interface HostView extends HostSeen {
  readonly course: SampledSeries | null;
}

/** What became of a sensor's report. */
export interface ReadingsTaken {
  /** The last reading of this sensor that is kept. */
  readonly lastSeq: number;
  /** How many of the report were new. */
  readonly taken: number;
}

/** A cluster's own shares are to be changed, or what was changed taken back. */
export interface ChangeSharesRequest {
  readonly site: string;
  readonly by: string;
  readonly verb: "apply" | "takeBack";
  /** Of taking back: also what somebody else has changed since. */
  readonly isForced: boolean;
}
