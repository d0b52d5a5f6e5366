/**
 * Sites whose ads match a job's, and their order by its rank (rules EN-181, EN-182).
 *
 * A job without Requirements of its own asks for a site in production, as every placement does.
 */
import {
  asksForResponse,
  hasRequirements,
  type MatchedJob,
  type MatchTable,
  matchingNames,
  matchTable,
  rankedNames,
  rankOf,
} from "../../match/index.ts";
import type { InputDataAt } from "../../model/index.ts";
import type { SiteState } from "../state/site-state.ts";
import { adWithData, adWithResponse, standingAd } from "./site-facts.ts";

/** Instant at which a site would have started the job and have its input data, Unix ms. */
type StartAt = (site: SiteState) => number;

/** A question about the matches of a job. */
export interface Matching {
  readonly job: MatchedJob;
  readonly sites: readonly SiteState[];
  readonly startAt: StartAt;
  /** The job's input files, seen from a site; undefined without any. */
  readonly dataAt: (site: SiteState) => InputDataAt | undefined;
  readonly nowMs: number;
}

/** Those of the sites that match. */
export function matchedSites(matching: Matching): readonly SiteState[] {
  const { job, sites, nowMs } = matching;
  if (!hasRequirements(job.description) || sites.length === 0) return sites;
  const names = new Set(matchingNames(job, adsOf(matching), nowMs));
  return sites.filter(({ name }) => names.has(name));
}

/** The site that the job's own rank prefers; undefined where it leaves the choice to others. */
export function preferredSite(matching: Matching): SiteState | undefined {
  const { job, sites, nowMs } = matching;
  if (sites.length < 2 || rankOf(job.description) === undefined) return undefined;
  const [first] = rankedNames(job, adsOf(matching), nowMs);
  return sites.find(({ name }) => name === first?.name);
}

/** Every clause of both sides for each site, the order of those that match, and what would help. */
export function matchesOf(matching: Matching): MatchTable {
  return matchTable(matching.job, adsOf(matching, true), matching.nowMs);
}

function adsOf({ job, sites, startAt, dataAt, nowMs }: Matching, isWhole = asksForResponse(job)) {
  return sites.map((site) => {
    const ad = isWhole ? adWithResponse(site, startAt(site) - nowMs) : standingAd(site);
    const data = dataAt(site);
    return { name: site.name, ad: data === undefined ? ad : adWithData(ad, data) };
  });
}
