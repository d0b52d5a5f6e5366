/**
 * A row of the choice table: what a site would do with a request, by which policy, and how it stands.
 */
import { mulDiv } from "../../base/index.ts";
import type { SiteSpec } from "../../model/index.ts";
import type { DecidingLimit, PolicyVerdict, SiteChoice } from "../../policy/index.ts";

/** Counts of placements at a site whose promise came true or not, of those followed to their end. */
export interface SiteScore {
  readonly kept: number;
  readonly missed: number;
}

/** A site that has not been recommended yet. */
export const NO_SCORE: SiteScore = { kept: 0, missed: 0 };

/** A site in the choice table. */
export interface ChoiceRow extends SiteChoice {
  readonly type: SiteSpec["type"];
  /** True if the site accepts new jobs now. */
  readonly takesJobs: boolean;
  /** Verdict of the policies on the request. */
  readonly honoured: PolicyVerdict["when"];
  /** Limit that refuses the request now or for good; null without one. */
  readonly because: DecidingLimit | null;
  readonly freeProcs: number;
  readonly score: SiteScore;
}

/** The part of the followed placements that were honoured, in parts per million; null before the first. */
export function honouredPpm({ kept, missed }: SiteScore): number | null {
  return kept + missed === 0 ? null : mulDiv(kept, 1_000_000, kept + missed, "down");
}
