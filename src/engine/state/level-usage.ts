/** Use and entitlement of a consumer level for one resource, as an observation point publishes them. */
import type { EpochWindow, Policy, SharedResource } from "../../model/index.ts";

/** One level of a consumer, for one resource. Shares are parts per million of the site's capacity. */
export interface LevelUsage {
  readonly resource: SharedResource;
  readonly consumer: string;
  /** Amount in use now; below it, the amount that its waiting jobs ask for. */
  readonly inUse: number;
  readonly waiting: number;
  /** Number of running jobs that request any of the resource. */
  readonly jobsRunning: number;
  readonly jobsWaiting: number;
  /** Over the window until now. */
  readonly usedPpm: number;
  readonly epochPpm: number;
  readonly burstPpm: number;
  readonly window: EpochWindow;
  readonly rule: Policy["rule"];
  readonly mode: Policy["mode"];
}
