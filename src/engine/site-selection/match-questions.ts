/** Questions about ads and matches: the ads of a site, the clauses of a job, why nothing matches. */

import { utcText } from "../../base/index.ts";
import {
  adText,
  glue2Of,
  hasRequirements,
  type MatchedJob,
  type MatchTable,
  siteAdOf,
} from "../../match/index.ts";
import type { JobRecord, WaitCause } from "../../model/index.ts";
import type { Projection } from "../state/projection.ts";
import { isOpen, isUsable, type SiteState } from "../state/site-state.ts";
import { startAt } from "./choose-site.ts";
import { type Matching, matchedSites, matchesOf } from "./matched-sites.ts";
import { AD_LIFETIME_MS, adAtMs, factsOfSite } from "./site-facts.ts";

/** The ad of a site, in both forms. */
interface SiteAds {
  readonly classad: string;
  readonly glue2: unknown;
  /** Instant of which it is true; null: the site has not been seen. */
  readonly atMs: number | null;
  readonly lifetimeMs: number;
}

/** The ad of a site at an instant. */
export function siteAds(site: SiteState, nowMs: number): SiteAds {
  const facts = factsOfSite(site, nowMs);
  const atMs = adAtMs(site, nowMs);
  const stamp = { createdAt: utcText(atMs ?? 0), validitySec: AD_LIFETIME_MS / 1000 };
  return {
    ...{ classad: adText(siteAdOf(facts)), glue2: glue2Of(facts, stamp) },
    ...{ atMs, lifetimeMs: AD_LIFETIME_MS },
  };
}

/** Sites that a job may use, and how they match. */
interface SiteMatches extends MatchTable {
  /** In the order of the verdicts. */
  readonly sites: readonly { readonly name: string; readonly takesJobs: boolean }[];
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
  const table = matchesOf(matchingAt(sites, job, nowMs));
  return { ...table, sites: sites.map((site) => ({ name: site.name, takesJobs: isOpen(site) })) };
}

/** Most clauses and changes of a cause. */
const MOST_TOLD = 8;

/** The cause of a job whose requirements no site fulfils that is open and large enough. */
export function noMatch(projection: Projection, job: JobRecord, nowMs: number): readonly WaitCause[] {
  if (!hasRequirements(job.description)) return [];
  const usable = [...projection.sites.values()].filter((site) => isUsable(site, job.description));
  const open = matchingAt(usable.filter(isOpen), job, nowMs);
  if (open.sites.length === 0 || matchedSites(open).length > 0) return [];
  const { clauses, changes } = matchesOf(matchingAt(usable, job, nowMs));
  const costs = clauses.map(({ of, text, verdicts }) => ({
    ...{ of, text },
    sites: verdicts.filter((verdict) => verdict !== "true" && verdict !== "notAsked").length,
  }));
  return [
    {
      ...{ kind: "noMatch", sites: usable.length },
      clauses: costs.filter(({ sites }) => sites > 0).slice(0, MOST_TOLD),
      changes: changes.slice(0, MOST_TOLD).map(({ text, wins }) => ({ text, sites: wins })),
    },
  ];
}

function matchingAt(sites: readonly SiteState[], job: MatchedJob, nowMs: number): Matching {
  return { job, sites, startAt: (site) => startAt({ trials: new Map(), nowMs }, site, job), nowMs };
}
