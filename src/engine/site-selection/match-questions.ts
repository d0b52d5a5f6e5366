/** Questions about ads and matches: the ads of a site, the clauses of a job, why nothing matches. */

import { utcText } from "../../base/index.ts";
import {
  adText,
  applicationIn,
  changedRequirements,
  changesStatus,
  glue2Of,
  isOfStatus,
  type MatchedJob,
  type MatchTable,
  siteAdOf,
} from "../../match/index.ts";
import { type InputDataAt, type JobRecord, publishesAggregates } from "../../model/index.ts";
import type { KeptFrom } from "../feature.ts";
import { inputDataAt, missingData } from "../state/input-data.ts";
import type { Projection } from "../state/projection.ts";
import { isOpen, isUsable, type SiteState } from "../state/site-state.ts";
import { accessOf, jobAccessOf } from "./access-views.ts";
import { readyAt } from "./choose-site.ts";
import { asksAnyOf, type Matching, matchedQueue, matchesAsWhole, matchesOf } from "./matched-sites.ts";
import { publishedFacts } from "./published-facts.ts";
import { AD_LIFETIME_MS, adAtMs, factsOfSite, standingAd, standingQueueAds } from "./site-facts.ts";

/** The ad of a site, in both forms. */
interface SiteAds {
  readonly classad: string;
  readonly glue2: unknown;
  /** Instant of which it is true; null: the site has not been seen. */
  readonly atMs: number | null;
  readonly lifetimeMs: number;
}

/** The ad of a site at an instant. */
export function siteAds(projection: Projection, site: SiteState, nowMs: number): SiteAds {
  const access = accessOf(projection, site, nowMs);
  const facts = publishedFacts(site, { ...factsOfSite(site, nowMs), ...access });
  const atMs = adAtMs(site, nowMs);
  const stamp = { createdAt: utcText(atMs ?? 0), validitySec: AD_LIFETIME_MS / 1000 };
  return {
    ...{ classad: adText(siteAdOf(facts, site.spec.ads)), glue2: glue2Of(facts, stamp) },
    ...{ atMs, lifetimeMs: AD_LIFETIME_MS },
  };
}

/** Sites that a job may use, and how they match. */
interface SiteMatches extends MatchTable {
  /** Sites in the order of the verdicts. */
  readonly sites: readonly {
    readonly name: string;
    readonly takesJobs: boolean;
    /** The queue that the job would name there: the verdicts are on its ad; absent: on that of the site. */
    readonly queue?: string;
    /** The job's input files, seen from it; absent for a job without any. */
    readonly data?: InputDataAt;
  }[];
}

/** A job, and names of the only sites that are asked about; absent: all. */
export interface MatchQuestion extends MatchedJob {
  readonly among?: readonly string[];
}

/** Every clause of a job for each site that is large enough for it. */
export function matchesThere(
  projection: Projection,
  { among, ...job }: MatchQuestion,
  nowMs: number,
): SiteMatches {
  const asked = [...projection.sites.values()].filter(({ name }) => among?.includes(name) ?? true);
  const sites = asked.filter((site) => isUsable(site, job.description));
  const matching = matchingAt(projection, { sites, job }, nowMs);
  const table = matchesOf(matching);
  const missing = missingData(projection, job.description);
  return {
    ...(missing.length === 0 ? table : withMissing(table, missing, sites)),
    sites: sites.map((site) => {
      const data = inputDataAt(projection, site, job.description);
      const queue = publishesAggregates(site.spec) ? undefined : matchedQueue(matching, site);
      return {
        ...{ name: site.name, takesJobs: isOpen(site), ...(queue === undefined ? {} : { queue }) },
        ...(data === undefined ? {} : { data }),
      };
    }),
  };
}

/** Most clauses and changes of a cause. */
const MOST_TOLD = 8;

/**
 * Match table with a clause for each of the first input files of which no copy is known: with such a file no
 * site matches.
 */
function withMissing(table: MatchTable, missing: readonly string[], sites: readonly SiteState[]): MatchTable {
  const clauses = missing.slice(0, MOST_TOLD).map((name) => ({
    ...{ of: "job" as const, text: `a known copy of ${name} that it could read` },
    verdicts: sites.map(() => "false" as const),
  }));
  return { clauses: [...table.clauses, ...clauses], matches: [], changes: [] };
}

/** Clauses of a job's requirements that sites do not meet, by site. */
export function unmatchedAt(
  projection: Projection,
  { sites, job }: SitesOfJob,
  nowMs: number,
): readonly KeptFrom[] {
  if (sites.length === 0 || !asksAnyOf(job, sites)) return [];
  const { clauses, changes } = matchesOf(matchingAt(projection, { sites, job }, nowMs));
  // That a site takes no jobs is told as such, and not as a clause that it fails.
  const isFailed = (clause: (typeof clauses)[number], at: number): boolean =>
    isUnmet(clause.verdicts[at]) && (isOpen(sites[at]) || !isOfStatus(clause.text));
  const costs = clauses.map((clause) => ({
    ...{ of: clause.of, text: clause.text, ...applicationOf(clause.text) },
    sites: sites.filter((_, at) => isFailed(clause, at)).length,
  }));
  const kept = sites.filter((_, at) => clauses.some((clause) => isFailed(clause, at)));
  if (kept.length === 0) return [];
  const cause = {
    kind: "noMatch",
    sites: sites.length,
    clauses: costs.filter((cost) => cost.sites > 0).slice(0, MOST_TOLD),
    changes: changes
      .filter(({ text }) => !changesStatus(text))
      .slice(0, MOST_TOLD)
      .map(({ text, wins }) => ({ text, sites: wins })),
  } as const;
  return [{ sites: kept.map(({ name }) => name), cause, by: "description" }];
}

/** True if a job would have to name a queue of a site, as the site itself does not match. */
export function needsQueue(projection: Projection, site: SiteState, job: JobRecord, nowMs: number): boolean {
  const matching = matchingAt(projection, { sites: [site], job }, nowMs);
  return !matchesAsWhole(matching, site) && matchedQueue(matching, site) !== undefined;
}

function applicationOf(clause: string): { readonly application?: string } {
  const application = applicationIn(clause);
  return application === undefined ? {} : { application };
}

function isUnmet(verdict: SiteMatches["clauses"][number]["verdicts"][number] | undefined): boolean {
  return verdict !== "true" && verdict !== "notAsked";
}

/** The smallest change of a job's requirements with which a site matches; undefined where there is none. */
export function matchingChange(
  site: SiteState,
  job: MatchedJob,
  nowMs: number,
): ReturnType<typeof changedRequirements> {
  const queues = publishesAggregates(site.spec) ? [] : standingQueueAds(site);
  const ads = [standingAd(site), ...queues.map(({ ad }) => ad)];
  const found = ads.flatMap((ad) => changedRequirements(job, ad, nowMs) ?? []);
  return found.reduce<(typeof found)[number] | undefined>(
    (best, one) => (best === undefined || one.parts < best.parts ? one : best),
    undefined,
  );
}

interface SitesOfJob {
  readonly sites: readonly SiteState[];
  readonly job: MatchedJob;
}

function matchingAt(projection: Projection, { sites, job }: SitesOfJob, nowMs: number): Matching {
  return {
    ...{ job, sites, nowMs },
    startAt: (site) => readyAt({ projection, trials: new Map(), nowMs }, site, job),
    dataAt: (site) => inputDataAt(projection, site, job.description),
    accessAt: (site) => jobAccessOf(projection, site, nowMs),
  };
}
