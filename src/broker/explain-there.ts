/**
 * Why a job waits at a cluster, by its id there, and the cluster's queue as a whole.
 *
 * A short queue is played forward here; a long one in the thread of predictions, for as long as people wait
 * (rule BR-63).
 */
import { messageOf } from "../base/index.ts";
import {
  blockersOf,
  type ClusterExplanation,
  consumerThere,
  explainClusterJob,
  explainedByPolicy,
  liveQueue,
  policyHoldThere,
  type QueueAd,
  queueAdsOf,
  withoutHold,
} from "../engine/index.ts";
import { type ClusterSnapshot, publishesAggregates } from "../model/index.ts";
import type { BrokerApi, Round, ThereExplained, ThereQueued } from "../runtime/index.ts";
import type { ApiWorld } from "./api-world.ts";
import type { Predictions } from "./predictions/predictions.ts";
import type { Sites } from "./sites.ts";

/** Dependencies of explanations at clusters. */
interface ThereWorld {
  readonly round: Pick<Round, "projection">;
  readonly sites: Pick<Sites, "get">;
  readonly predictions: Pick<Predictions, "explain">;
}

/** Questions about the queues of clusters. */
export function clusterQuestions(world: Pick<ApiWorld, "round" | "sites" | "predictions">) {
  const { round, sites } = world;
  return {
    explainThere: (site, siteJob) => explainThere(world, site, siteJob),
    queueThere: (site) => queueThere(world, site),
    queueAds: (site) => queueAdsThere(round, sites, site),
  } satisfies Partial<BrokerApi>;
}

/** Why a job at a site waits; `notACluster` where the site shows only its queue. */
async function explainThere(
  { round, sites, predictions }: ThereWorld,
  site: string,
  siteJob: string,
): Promise<ThereExplained | "notACluster"> {
  const look = sites.get(site)?.snapshot;
  if (look === undefined) return "notACluster";
  // A job may have come since the last look.
  const [array] = siteJob.split("_");
  const snapshot = await look(({ jobs }) =>
    jobs.some((job) => job.siteJob === siteJob || job.arrayJob === array),
  );
  // When the cluster was looked at, by the clock that its begin-times are seen by.
  const isAggregated = hasAggregates(round, site);
  const hold = policyHoldThere(round.projection, site, siteJob, snapshot.atMs);
  const shown = hold === undefined ? snapshot : withoutHold(snapshot, siteJob);
  const found = await explained(predictions, shown, siteJob);
  return {
    explanation: found === undefined || hold === undefined ? found : explainedByPolicy(found, hold, shown),
    areJobsPrivate: hidesJobs(snapshot) || isAggregated,
    // The explanation of an own job shows nodes and jobs of others too.
    ...(isAggregated ? {} : whoseAt(round, site, siteJob, snapshot)),
  };
}

/** True for a site that shows its users no single job of others. */
function hasAggregates({ projection }: Pick<Round, "projection">, name: string): boolean {
  const spec = projection.sites.get(name)?.spec;
  return spec !== undefined && publishesAggregates(spec);
}

function whoseAt(
  { projection }: Pick<Round, "projection">,
  name: string,
  siteJob: string,
  { jobs }: ClusterSnapshot,
): Pick<ThereExplained, "whose"> {
  const site = projection.sites.get(name);
  for (const id of site?.own ?? []) {
    const job = projection.jobs.get(id);
    if (job?.siteJob === siteJob) return { whose: { owner: job.owner, consumer: job.consumer } };
  }
  const [array] = siteJob.split("_");
  const row = jobs.find((job) => job.siteJob === siteJob) ?? jobs.find((job) => job.arrayJob === array);
  const consumer = site === undefined || row === undefined ? undefined : consumerThere(site, row);
  return consumer === undefined ? {} : { whose: { owner: consumer, consumer } };
}

/** Current queue of a site; `notACluster` where the site shows no more than the broker knows. */
async function queueThere(
  { round, sites }: Pick<ThereWorld, "round" | "sites">,
  site: string,
): Promise<ThereQueued | "notACluster"> {
  const look = sites.get(site)?.snapshot;
  if (look === undefined) return "notACluster";
  const snapshot = await look();
  const areJobsPrivate = hidesJobs(snapshot) || hasAggregates(round, site);
  return { queue: liveQueue(snapshot), hidden: snapshot.hidden, areJobsPrivate };
}

/** Ads of the queues of a site; none where it is no cluster, null where it cannot be asked now. */
async function queueAdsThere(
  { projection }: Pick<ThereWorld["round"], "projection">,
  sites: ThereWorld["sites"],
  name: string,
): Promise<readonly QueueAd[] | null> {
  const site = projection.sites.get(name);
  const look = sites.get(name)?.snapshot;
  if (look === undefined || site === undefined) return [];
  const snapshot = await look().catch(() => null);
  return snapshot === null ? null : queueAdsOf(site, snapshot);
}

/** True where a cluster hides jobs from users that are not their own. */
export function hidesJobs({ settings }: ClusterSnapshot): boolean {
  return /\bjobs\b/i.test(settings.PrivateData ?? "");
}

/** Playing a longer queue takes seconds, for which the broker would stand still. */
const PLAYED_HERE = 300;

/**
 * Explanation with the predicted start of the job if the queue can be simulated in time; otherwise only with
 * what blocks the job.
 */
async function explained(
  predictions: Pick<Predictions, "explain">,
  snapshot: ClusterSnapshot,
  siteJob: string,
): Promise<ClusterExplanation | undefined> {
  const { length } = snapshot.jobs;
  if (length <= PLAYED_HERE) return explainClusterJob(snapshot, siteJob);
  try {
    return await predictions.explain(snapshot, siteJob);
  } catch (error) {
    const blockers = blockersOf(snapshot, siteJob);
    if (blockers === undefined) return undefined;
    const why = `${length} jobs are in the queue, and playing them forward failed: ${messageOf(error)}`;
    const unknown = [...blockers.unknown, { what: "when it starts", why }];
    return { ...blockers, unknown, prediction: null, changes: [] };
  }
}
