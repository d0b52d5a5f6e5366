/**
 * The history of use and the hosts of sites as the client sees them.
 */
import type { HostJobReading, HostReading, SharedResource } from "../../model/index.ts";

/** A value over a step; null where nothing is known. */
export type StepView = { readonly mean: number; readonly min: number; readonly max: number } | null;

/** A period in steps of equal length. */
export interface StepsView {
  readonly from: string;
  readonly until: string;
  readonly everySec: number;
  /** How much of each step was sampled; 0 is a gap. */
  readonly sampledSec: readonly number[];
}

type Steps = readonly StepView[];
type Stood = readonly (number | null)[];

/** A level's course. */
export interface LevelHistoryView {
  readonly resource: SharedResource;
  readonly consumer: string;
  readonly inUse: Steps;
  readonly waiting: Steps;
  readonly jobsRunning: Steps;
  readonly jobsWaiting: Steps;
  readonly usedPpm: Steps;
  readonly epochPpm: Stood;
  readonly burstPpm: Stood;
}

/** What was used at a site over a period. */
export interface UsageHistoryView extends StepsView {
  readonly site: string;
  readonly resources: readonly {
    readonly resource: SharedResource;
    readonly inUse: Steps;
    readonly free: Steps;
    readonly capacity: Stood;
  }[];
  readonly jobsRunning: Steps;
  readonly jobsWaiting: Steps;
  readonly levels: readonly LevelHistoryView[];
}

/** A period that is asked for; instants in Unix ms. */
export interface PeriodRequest {
  /** An hour ago where absent. */
  readonly sinceMs?: number;
  readonly untilMs?: number;
  readonly everySec?: number;
}

/** A job on a host. */
export interface HostJobView extends Pick<HostJobReading, "job" | "siteJob" | "owner" | "processes"> {
  readonly cpuSec: number;
  /** Processors that it was using; null where it was seen for the first time. */
  readonly procs: number | null;
  readonly memoryBytes: number;
}

/** A host as a sensor last saw it. */
export interface HostView {
  readonly host: string;
  readonly sensor: string;
  readonly at: string;
  readonly isSilent: boolean;
  readonly procs: number | null;
  readonly memoryBytes: number;
  readonly unreadable: number;
  readonly dropped: number;
  readonly jobs: readonly HostJobView[];
  readonly course:
    | (StepsView & { readonly procs: Steps; readonly memoryBytes: Steps; readonly jobs: Steps })
    | null;
}

/** What a sensor sends. */
export interface HostReportRequest {
  readonly site: string;
  readonly host: string;
  readonly sensor: string;
  readonly readings: readonly (Omit<HostReading, "atMs"> & { readonly at: string })[];
}

/** What became of it. */
export interface ReadingsTakenView {
  readonly lastSeq: number;
  readonly taken: number;
}

/** The client's calls about what was observed. */
export interface UsageCalls {
  usageHistory(site: string, of?: PeriodRequest & { readonly consumer?: string }): Promise<UsageHistoryView>;
  /** @param of the period of their course; none where absent */
  hosts(site: string, of?: PeriodRequest): Promise<readonly HostView[]>;
  /** Sent again it counts once. */
  reportHost(report: HostReportRequest): Promise<ReadingsTakenView>;
}
