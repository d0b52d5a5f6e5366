/** Use by consumers at a site, as the engine keeps it beside the records of jobs. */
import {
  type EnforcedJobState,
  type KeptJob,
  type SiteUses,
  type UseKeeper,
  usesKept,
} from "../../policy/index.ts";

/** Counted state of a job: its occupied amounts, and if it waits. */
export interface Standing extends KeptJob {
  readonly state: EnforcedJobState;
}

/** The uses of a site. */
export interface SiteUse {
  /** Keeper of the uses; undefined as long as no policy gives anything at the site. */
  keeper: UseKeeper | undefined;
  readonly standings: Map<string, Standing>;
  /** Latest instant noted: reports that come late count from it, since instants do not go back. */
  lastMs: number;
}

/** Nothing was ever used. */
export function noUse(): SiteUse {
  return { keeper: undefined, standings: new Map(), lastMs: Number.NEGATIVE_INFINITY };
}

/** The uses as an enforcer is handed them. */
export function usesOf({ keeper }: SiteUse): SiteUses {
  return keeper === undefined ? new Map() : usesKept(keeper);
}
