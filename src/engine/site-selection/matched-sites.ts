/**
 * Sites whose ads match a job's, and their order by its rank (rules EN-181, EN-182, EN-283).
 *
 * A job without Requirements of its own asks for a site in production, as every placement does.
 */
import {
  asksForPrice,
  asksForResponse,
  asksForView,
  hasRequirements,
  type MatchedJob,
  type MatchTable,
  matchingNames,
  matchTable,
  rankedNames,
  rankOf,
} from "../../match/index.ts";
import { type InputDataAt, publishesAggregates, voOf } from "../../model/index.ts";
import { switchesAccounts } from "../state/pilots.ts";
import { fittingQueues } from "../state/queue-fit.ts";
import { isDemanding, type SiteState } from "../state/site-state.ts";
import type { JobAccess } from "./access-views.ts";
import {
  adWithAccess,
  adWithData,
  adWithPrice,
  adWithResponse,
  standingAd,
  standingQueueAds,
} from "./site-facts.ts";

/** Instant at which a site would have started the job and have its input data, Unix ms. */
type StartAt = (site: SiteState) => number;

/** A question about the matches of a job. */
export interface Matching {
  readonly job: MatchedJob;
  readonly sites: readonly SiteState[];
  readonly startAt: StartAt;
  /** The job's input files, seen from a site; undefined without any. */
  readonly dataAt: (site: SiteState) => InputDataAt | undefined;
  /** Access rules of a site, and the shares that its policies leave to organisations. */
  readonly accessAt: (site: SiteState) => JobAccess;
  readonly nowMs: number;
  /** True where ads have response times even if the job does not ask for them. */
  readonly isWhole?: boolean;
}

/** True if requirements of a job, or of one of the sites, decide which sites it may use. */
export function asksAnyOf({ description }: MatchedJob, sites: readonly SiteState[]): boolean {
  return hasRequirements(description) || sites.some(isDemanding);
}

/** Those of the sites that match, by their own ads or by that of a queue. */
export function matchedSites(matching: Matching): readonly SiteState[] {
  const { job, sites, nowMs } = matching;
  if (sites.length === 0 || !asksAnyOf(job, sites)) return sites;
  const names = new Set(matchingNames(job, adsOf(matching), nowMs));
  return sites.filter((site) => names.has(site.name) || matchedQueue(matching, site) !== undefined);
}

/** The site that the job's own rank prefers; undefined where it leaves the choice to others. */
export function preferredSite(matching: Matching): SiteState | undefined {
  const { job, sites, nowMs } = matching;
  if (sites.length < 2 || rankOf(job.description) === undefined) return undefined;
  const [first] = rankedNames(job, adsOf(matching, "counting"), nowMs);
  return sites.find(({ name }) => name === first?.name);
}

/**
 * Name of the queue that a job has to name at a site (rules EN-283, EN-285): a preferred queue that matches;
 * else, where the site's own ad does not match or its default queue is too small, the best queue that
 * matches. Undefined where the job goes to the default queue, or does not match the site at all.
 */
export function matchedQueue(matching: Matching, site: SiteState): string | undefined {
  const { job, nowMs } = matching;
  const { preferredQueues = [] } = job.description;
  const queues = queuesFor(matching, site);
  if (queues.length === 0) return undefined;
  const wished = preferredQueues.flatMap((name) => queues.find((queue) => queue.name === name) ?? []);
  const [first] = wished.length === 0 ? [] : matchingNames(job, wished, nowMs);
  if (first !== undefined) return first;
  const isMatched = matchesAsWhole(matching, site);
  if (isMatched && takesUnnamed(site, job)) return undefined;
  // Without a rank the first one, which is the default queue where that matches.
  const [best] =
    rankOf(job.description) === undefined
      ? matchingNames(job, queues, nowMs)
      : rankedNames(job, queues, nowMs).map(({ name }) => name);
  // The site matches as a whole, and none of its queues does alone: then the size decides.
  return best ?? (isMatched ? queues[0].name : undefined);
}

/** True if a job matches a site by the site's own ad, and not by that of a queue alone. */
export function matchesAsWhole(matching: Matching, site: SiteState): boolean {
  const { job, nowMs } = matching;
  return !asksAnyOf(job, [site]) || matchingNames(job, [adOfSite(matching, site)], nowMs).length > 0;
}

/**
 * Matching sites at which the job may run. A site where only pilots run jobs, under local accounts, is left
 * out if the job would have to name a queue there (rule EN-304).
 */
export function runnableAt(
  sites: readonly SiteState[],
  matchingOf: (at: readonly SiteState[]) => Matching,
): readonly SiteState[] {
  return sites.filter((site) => !switchesAccounts(site) || matchesAsWhole(matchingOf([site]), site));
}

/** True if a job can go to a site without the name of a queue: the default one is large enough. */
function takesUnnamed(site: SiteState, { description }: MatchedJob): boolean {
  return fittingQueues(site, description, "ever").some(({ isDefault }) => isDefault);
}

/** Every clause of both sides for each site, the order of those that match, and what would help. */
export function matchesOf(matching: Matching): MatchTable {
  return matchTable(matching.job, adsOf({ ...matching, isWhole: true }, "counting"), matching.nowMs);
}

/**
 * Ads of the sites. With `counting`, a site that a job matches only through a queue has the ad of that queue;
 * at a site that publishes aggregates, only where its own ad does not match.
 */
function adsOf(matching: Matching, which: "own" | "counting" = "own"): readonly NamedAd[] {
  return matching.sites.map((site) => {
    const own = adOfSite(matching, site);
    const isOwn = which === "own" || (publishesAggregates(site.spec) && matchesAsWhole(matching, site));
    const queue = isOwn ? undefined : matchedQueue(matching, site);
    const other = queuesFor(matching, site).find(({ name }) => name === queue);
    return other === undefined ? own : { ...other, name: site.name };
  });
}

interface NamedAd {
  readonly name: string;
  readonly ad: ReturnType<typeof standingAd>;
}

/** The ads of a site's queues that are large enough for the job: now, or else with all their nodes. */
function queuesFor(matching: Matching, site: SiteState): readonly NamedAd[] {
  const { description } = matching.job;
  if (site.observation.queues.length === 0) return [];
  const now = fittingQueues(site, description, "now");
  const large = new Set(now.length > 0 ? now : fittingQueues(site, description, "ever"));
  const ads = standingQueueAds(site).filter(({ facts }) => large.has(facts));
  return ads.map(({ facts, ad }) => ({ name: facts.queue, ad: adFor(matching, site, ad) }));
}

function adOfSite(matching: Matching, site: SiteState): NamedAd {
  return { name: site.name, ad: adFor(matching, site, standingAd(site)) };
}

/** Ad of a site, completed with what depends on the job. */
function adFor(matching: Matching, site: SiteState, standing: NamedAd["ad"]): NamedAd["ad"] {
  const { job, dataAt, accessAt, nowMs, isWhole = asksForResponse(job) } = matching;
  const timed = isWhole ? adWithResponse(standing, responseOf(matching, site)) : standing;
  const isPriced = matching.isWhole === true || asksForPrice(job);
  const priced = isPriced ? adWithPrice(timed, site, job.consumer, nowMs) : timed;
  const isViewed = matching.isWhole === true || asksForView(job);
  const ad = isViewed ? adWithAccess(priced, accessAt(site), voOf(job.consumer)) : priced;
  const data = dataAt(site);
  return data === undefined ? ad : adWithData(ad, data);
}

/** Response time of a site for a job; infinite where the shares of the job's organisation never admit it. */
function responseOf({ job, startAt, accessAt, nowMs }: Matching, site: SiteState): number {
  const queueMs = startAt(site) - nowMs;
  return Math.max(queueMs, accessAt(site).shareWaitMsOf(voOf(job.consumer)) ?? queueMs);
}
