/** Request for predictions of sites about a hypothetical job, and the price of its slot at a site. */
import type { HypotheticalJob, JobMatchView } from "../contract/index.ts";
import type { UnmetClause } from "../engine/index.ts";
import type { LivePrice } from "../model/index.ts";
import type { BrokerApi, Prospect, ProspectQuestion } from "../runtime/index.ts";
import { conditionGiven } from "./condition-given.ts";
import { instantGiven } from "./instant-given.ts";
import { matchedJob, matchView } from "./matched-job.ts";
import { wholeMs } from "./submit-jobs.ts";

/** The request with the results of matching; and the match table if the job or a site has requirements. */
export function matchedQuestion(
  body: HypotheticalJob,
  asked: Asked,
): { readonly matched: ProspectQuestion; readonly match: JobMatchView | undefined } {
  const table = matchOf(body, asked);
  const unmatched = unmatchedOf(table);
  // A site may have requirements even if the job has none.
  const isDemanded = [...unmatched.values()].flat().some(({ of }) => of === "site");
  const match = isMatched(body) || isDemanded ? table : undefined;
  const matched = {
    ...asked.question,
    queues: queuesOf(table),
    ...(match && { unmatched, transferMs: transfersOf(match) }),
  };
  return { matched, match };
}

/** True for a job with requirements on its site beyond its size. */
function isMatched(job: HypotheticalJob): boolean {
  const { requirements, rank, applications, inputData, outputSE, outputData } = job;
  const { hostNumber, smpGranularity, wholeNodes, preferredQueues } = job;
  const asked = requirements ?? rank ?? applications ?? inputData ?? outputSE ?? outputData;
  return (asked ?? hostNumber ?? smpGranularity ?? wholeNodes ?? preferredQueues) !== undefined;
}

/** Which sites match a job. */
function matchOf(
  { sites: _, partition: _p, condition: _c, select: _s, deadline: _d, ...job }: HypotheticalJob,
  { brokerApi, question, who }: Asked,
): JobMatchView {
  const among = question.sites === undefined ? {} : { among: question.sites };
  return matchView(brokerApi.query("matchTable", { ...matchedJob(job, who), ...among }));
}

/** The queues that the job would name, by site. */
function queuesOf({ sites }: JobMatchView): ReadonlyMap<string, string> {
  return new Map(sites.flatMap(({ name, queue }) => (queue === undefined ? [] : [[name, queue] as const])));
}

/** Predicted transfer time of the input data, by site. */
function transfersOf({ sites }: JobMatchView): ReadonlyMap<string, number> {
  return new Map(
    sites.flatMap(({ name, data }) => (data ? [[name, wholeMs(data.transferSec)] as const] : [])),
  );
}

/** Open sites that do not match, each with the clauses that do not hold there. */
function unmatchedOf({ sites, clauses, matches }: JobMatchView): ReadonlyMap<string, readonly UnmetClause[]> {
  const matching = new Set(matches.map(({ name }) => name));
  return new Map(
    sites.flatMap(({ name, takesJobs }, at) => {
      if (!takesJobs || matching.has(name)) return [];
      const unmet = clauses.filter(({ verdicts }) => !["true", "notAsked"].includes(verdicts[at] ?? ""));
      return [[name, unmet.map(({ of, text }) => ({ of, text }))] as const];
    }),
  );
}

interface Asked {
  readonly brokerApi: BrokerApi;
  readonly question: ProspectQuestion;
  readonly who: { readonly consumer: string; readonly owner: string };
}

/** Median start. */
const LIKELY = 0.5;
/** Margin ahead of now, so that a start is still in the future when the site gets the request. */
const SOON_MS = 1000;

interface PricedSlots {
  readonly brokerApi: BrokerApi;
  readonly question: ProspectQuestion;
  readonly consumer: string;
  readonly nowMs: number;
}

/** Price of the job's slot at its likeliest start; undefined where it is impossible. */
export async function priceOf(
  { site, when }: Prospect,
  { brokerApi, question, consumer, nowMs }: PricedSlots,
): Promise<LivePrice | undefined> {
  const { procs, memoryBytes, gpus, limitMs } = question.job;
  const { forecast = null, noRecord = null } = when ?? {};
  const likely = forecast?.promises.find(({ probability }) => probability === LIKELY) ?? noRecord?.scheduled;
  const durationMs = limitMs ?? brokerApi.sites().find(({ name }) => name === site)?.spec.defaultWallTimeMs;
  if (!likely || durationMs === undefined || gpus > 0) return undefined;
  const startMs = Math.max(Math.round(likely.startAtMs), nowMs + SOON_MS);
  const slot = { procs, memoryBytes, durationMs, consumer, sites: [site] };
  const [quote] = await brokerApi.quote({ ...slot, when: { kind: "at", startMs } });
  const price = quote?.starts[0];
  return price === undefined || price.hindrance !== null ? undefined : price;
}

/** The request to sites for a hypothetical job, without matching. */
export function questionOf(body: HypotheticalJob, owner: string): ProspectQuestion {
  const { procs = 1, memoryBytes = 0, gpus = 0, wallTimeSec, partition, site, deadline, select } = body;
  const limitMs = wallTimeSec === undefined ? null : wholeMs(wallTimeSec);
  const sites = body.sites ?? (site === undefined ? undefined : [site]);
  return {
    job: { procs, memoryBytes, gpus, limitMs, queue: partition ?? null },
    owner,
    ...(sites === undefined ? {} : { sites }),
    ...(body.preferredQueues === undefined ? {} : { preferredQueues: body.preferredQueues }),
    ...(body.condition === undefined ? {} : { condition: conditionGiven(body.condition) }),
    ...(select === undefined ? {} : { selector: select }),
    deadlineMs: deadline === undefined ? null : instantGiven(deadline, { pointer: "/deadline" }),
  };
}
