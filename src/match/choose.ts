/** Which sites' ads match a job's, in which order, and by which clauses not. */
import {
  analyzeMatch,
  type ClassAd,
  findMatches,
  parseExpression,
  rankMatches,
  tableOf,
} from "../classad/index.ts";
import type { JobDescription } from "../model/index.ts";
import { applicationIn, DATA_COST, isDataCost, type JobDescribed, jobAdOf } from "./job-ad.ts";
import { withGiven } from "./site-ad.ts";

/** A job whose sites are matched; draws and ties depend on its id. */
export interface MatchedJob extends JobDescribed {
  readonly id: string;
}

/** A site's ad and name. */
interface NamedAd {
  readonly name: string;
  readonly ad: ClassAd;
}

/** Verdict of a clause on a site; `notAsked`: another site demands it. */
type ClauseVerdict = "true" | "false" | "undefined" | "error" | "notAsked";

/** A clause of Requirements, of the job or of a site, and its verdict on each site. */
interface JudgedClause {
  readonly of: "job" | "site";
  readonly text: string;
  /** In the order of the sites. */
  readonly verdicts: readonly ClauseVerdict[];
}

/** Clauses and matches of a job among sites. */
export interface MatchTable {
  readonly clauses: readonly JudgedClause[];
  /** Names of the matching sites with the rank that the job gives them, the preferred one first. */
  readonly matches: readonly { readonly name: string; readonly rank: number }[];
  /** Tried changes of the job's ad with which more sites match, best first, with the sites won. */
  readonly changes: readonly { readonly text: string; readonly wins: number }[];
}

const RESPONSE = "-other.GlueCEStateEstimatedResponseTime";
const VERDICT_WORDS: readonly ClauseVerdict[] = ["notAsked", "true", "false", "undefined", "error"];

/** The text of the Rank that counts (rule MT-6); undefined: the predicted start. */
export function rankOf(description: JobDescription): string | undefined {
  const { rank, defaultRank, procs } = description;
  // As in the JDL of EGEE: the least cost is preferred, though it is written as if it were the greatest.
  if (rank !== undefined) return isDataCost(rank) ? `-${DATA_COST}` : rank;
  if (defaultRank === "literal") return procs > 1 ? "other.GlueCEStateFreeCPUs" : RESPONSE;
  return fuzzyFactor(description) === undefined ? undefined : RESPONSE;
}

function fuzzyFactor({ fuzzyRank }: Pick<JobDescription, "fuzzyRank">): number | undefined {
  if (typeof fuzzyRank === "number") return fuzzyRank;
  return fuzzyRank === true ? 1 : undefined;
}

/** True if the choice among sites depends on response times for the very job. */
export function asksForResponse({ description }: Pick<MatchedJob, "description">): boolean {
  return textsOf(description).some((text) => /responsetime/i.test(text));
}

/** True if the choice among sites depends on what they ask for at the moment. */
export function asksForPrice({ description }: Pick<MatchedJob, "description">): boolean {
  return textsOf(description).some((text) => /unitprice/i.test(text));
}

/** True if the choice among sites depends on what policies leave to the organisation of the job. */
export function asksForView({ description }: Pick<MatchedJob, "description">): boolean {
  return textsOf(description).some((text) => /freecpus|freejobslots|accesscontrol|voviews/i.test(text));
}

function textsOf(description: JobDescription): readonly string[] {
  const { requirements = "", attributes = {} } = description;
  return [requirements, rankOf(description) ?? "", ...Object.values(attributes)];
}

/** Names of the sites that match (rule MT-5). */
export function matchingNames(job: MatchedJob, sites: readonly NamedAd[], nowMs: number): readonly string[] {
  const table = tableOf(sites.map(({ ad }) => ad));
  return findMatches(adFor(job), table, { nowMs }).map(({ index }) => sites[index].name);
}

/** Names of the matching sites with their ranks, preferred ones first (rules MT-5, MT-6). */
export function rankedNames(
  job: MatchedJob,
  sites: readonly NamedAd[],
  nowMs: number,
): MatchTable["matches"] {
  const table = tableOf(sites.map(({ ad }) => ad));
  const factor = fuzzyFactor(job.description);
  const order = { jobId: job.id, ...(factor === undefined ? {} : { fuzzyFactor: factor }) };
  const ranked = rankMatches(adFor(job), table, order, { nowMs });
  return ranked.map(({ index, rank }) => ({ name: sites[index].name, rank }));
}

/** Every clause of both sides, with what would help. */
export function matchTable(job: MatchedJob, sites: readonly NamedAd[], nowMs: number): MatchTable {
  const { conditions, changes } = analyzeMatch(adFor(job), tableOf(sites.map(({ ad }) => ad)), { nowMs });
  return {
    clauses: conditions.map(({ side, text, verdicts }) => ({
      ...{ of: side === "ad" ? ("job" as const) : ("site" as const), text },
      verdicts: [...verdicts].map((verdict) => VERDICT_WORDS[verdict]),
    })),
    matches: rankedNames(job, sites, nowMs),
    changes: changes.map(({ parts, wins }) => ({ text: parts.map(partText).join(", and "), wins })),
  };
}

/** One part of a tried change. */
export type Part = ReturnType<typeof analyzeMatch>["changes"][number]["parts"][number];

/** A part of a change in words. */
export function partText(part: Part): string {
  switch (part.kind) {
    case "attribute":
      return `${part.name} = ${part.to} instead of ${part.from}`;
    case "condition":
      return `${part.to} instead of ${part.from}`;
    case "removal":
      return `without ${clauseText(part.text)}`;
  }
}

/** The ad of a job with the Rank that counts. */
export function adFor(job: MatchedJob): ClassAd {
  const rank = rankOf(job.description);
  const ad = jobAdOf(job);
  return rank === undefined || !parseExpression(rank).ok ? ad : withGiven(ad, { Rank: rank });
}

function clauseText(clause: string): string {
  const application = applicationIn(clause);
  return application === undefined ? clause : `the application ${application}`;
}
