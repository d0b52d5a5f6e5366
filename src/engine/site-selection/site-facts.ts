/** Facts in a site's ad, from its queue and its settings (rule EN-180). */
import { rateAt } from "../../market/index.ts";
import { type SiteFacts as AdFacts, type GlueStatus, siteAdOf, withGiven } from "../../match/index.ts";
import { columnsAt, type InputDataAt, isReadOnly } from "../../model/index.ts";
import { copyQueue, inQueueOrder, type NamedQueue, outlookOf, startIn } from "../../queue/index.ts";
import { siteTariff } from "../state/price-terms.ts";
import { isOpen, type SiteState } from "../state/site-state.ts";
import type { SurveyedQueue } from "../survey.ts";
import type { JobAccess } from "./access-views.ts";

type Ad = ReturnType<typeof siteAdOf>;

/** An ad is out of date after this time: the site is asked again, and its age is shown. */
export const AD_LIFETIME_MS = 300_000;

/** Instant at which the ad was true; null: the site has not been seen. */
export function adAtMs({ spec, observation }: SiteState, nowMs: number): number | null {
  return spec.type === "managed" ? nowMs : observation.seenAtMs;
}

/** Age and lifetime of the ad of a site. */
export interface AdStamp {
  /** Age of the ad; null if the site has not been observed yet. */
  readonly ageMs: number | null;
  readonly lifetimeMs: number;
}

/** Age and lifetime of the ad of a site at an instant. */
export function adStampOf(site: SiteState, nowMs: number): AdStamp {
  const atMs = adAtMs(site, nowMs);
  return { ageMs: atMs === null ? null : Math.max(0, nowMs - atMs), lifetimeMs: AD_LIFETIME_MS };
}

/** The facts of a site at an instant, with response times for a job of one processor. */
export function factsOfSite(site: SiteState, nowMs: number): AdFacts {
  const { spec, queue } = site;
  const outlook = outlookOf(copyQueue(queue), nowMs);
  const waitFor = (procs: number): number => {
    const need = columnsAt(spec, { procs, memoryBytes: procs === 1 ? 0 : spec.memoryBytes });
    return startIn(outlook, { need, estimateMs: spec.defaultWallTimeMs }, nowMs) - nowMs;
  };
  const priceThousandths = priceAt(site, "", nowMs);
  const waits = { responseMs: waitFor(1), worstResponseMs: waitFor(spec.procs) };
  return { ...standingFacts(site), priceThousandths, ...waits };
}

/** Price of a processor-hour of a consumer's job that started from the queue now; thousandths of an SU. */
export function priceAt(site: Pick<SiteState, "spec">, consumer: string, nowMs: number): number {
  return rateAt(siteTariff(site, consumer, "queued"), nowMs).unitPriceThousandths;
}

/** The facts that hold until something happens at the site. */
function standingFacts(site: SiteState): AdFacts {
  const { spec, queue } = site;
  const { inUse, running, waiting } = countedIn(queue);
  const isOneNode = spec.type === "managed";
  return {
    ...{ site: site.name, system: spec.type === "managed" ? "stint" : spec.type, status: statusOf(site) },
    ...{ procs: spec.procs, freeProcs: Math.max(0, spec.procs - inUse) },
    ...{ runningJobs: running, waitingJobs: waiting, defaultWallTimeMs: spec.defaultWallTimeMs },
    ...(spec.gpus === undefined ? {} : { gpus: spec.gpus }),
    ...(isOneNode ? { nodeProcs: spec.procs, nodeMemoryBytes: spec.memoryBytes, nodes: 1 } : {}),
    givesWholeNodes: spec.type === "slurm",
    ...(spec.type === "slurm" && spec.partition !== null ? { queue: spec.partition } : {}),
    ...(spec.type === "slurm" && spec.sshHost !== null ? { hostName: spec.sshHost } : {}),
    ...(spec.applications === undefined ? {} : { applications: Object.keys(spec.applications) }),
    stores: storesOf(spec),
  };
}

/** The stores of a site as its ads have them. */
export function storesOf({ stores = {} }: Pick<SiteState["spec"], "stores">): AdFacts["stores"] {
  return Object.entries(stores).map(([name, { sizeBytes, directory }]) => {
    return { name, bytes: sizeBytes, ...(directory === undefined ? {} : { directory }) };
  });
}

function statusOf(site: SiteState): GlueStatus {
  if (isOpen(site)) return "Production";
  return site.isDraining && !isReadOnly(site.spec) ? "Draining" : "Closed";
}

function countedIn(queue: NamedQueue) {
  const { machine, running, handleOf, pending, heldOutside } = queue;
  const [procs] = machine.jobs.need;
  let inUse = 0;
  let count = 0;
  for (const job of running) {
    inUse += procs[handleOf.get(job) ?? 0];
    count++;
  }
  const coming = pending.filter(({ kind }) => kind === "arrive").length;
  return { inUse, running: count, waiting: inQueueOrder(machine).count + coming + heldOutside.size };
}

interface MadeAd {
  readonly version: number;
  readonly status: GlueStatus;
  readonly ad: Ad;
}

/** The ads that were made, as long as their sites have not changed. */
const ads = new WeakMap<NamedQueue, MadeAd>();

/** The ad of a site without its response times. */
export function standingAd(site: SiteState): Ad {
  const status = statusOf(site);
  const made = ads.get(site.queue);
  if (made?.version === site.queue.version && made.status === status) return made.ad;
  const ad = siteAdOf(standingFacts(site), site.spec.ads);
  ads.set(site.queue, { version: site.queue.version, status, ad });
  return ad;
}

/** The ad of a queue that jobs may name: what is known of it, and for the rest what its site says. */
export interface NamedQueueAd {
  readonly facts: SurveyedQueue;
  readonly ad: Ad;
}

interface MadeAds extends Omit<MadeAd, "ad"> {
  readonly ads: readonly NamedQueueAd[];
}

/** The ads of queues that were made, as long as their sites have not changed. */
const queueAds = new WeakMap<NamedQueue, MadeAds>();

/** The ads of the queues that jobs may name, without response times; a look makes them anew. */
export function standingQueueAds(site: SiteState): readonly NamedQueueAd[] {
  const { queues } = site.observation;
  if (queues.length === 0) return [];
  const status = statusOf(site);
  const made = queueAds.get(site.queue);
  if (made?.version === site.queue.version && made.status === status) return made.ads;
  const ads = queues.map((facts) => {
    const all = { ...standingFacts(site), ...facts, ...(status === "Production" ? {} : { status }) };
    return { facts, ad: siteAdOf(all, site.spec.ads) };
  });
  queueAds.set(site.queue, { version: site.queue.version, status, ads });
  return ads;
}

/** An ad with the response time of its site for a job. @param responseMs until its start */
export function adWithResponse(ad: Ad, responseMs: number): Ad {
  if (!Number.isFinite(responseMs)) return ad;
  return withGiven(ad, {
    GlueCEStateEstimatedResponseTime: String(Math.ceil(responseMs / 1000)),
  });
}

/** An ad of a site with its price for a consumer now (rule EN-284). */
export function adWithPrice(ad: Ad, site: SiteState, consumer: string, nowMs: number): Ad {
  return withGiven(ad, { UnitPrice: String(priceAt(site, consumer, nowMs) / 1000) });
}

/**
 * An ad with who may use its site; free processors are those that policies leave to the organisation of a
 * job, where they name it (rule EN-289).
 */
export function adWithAccess(ad: Ad, { accessRules, freeProcsOf }: JobAccess, vo: string): Ad {
  if (accessRules === undefined) return ad;
  const freeProcs = freeProcsOf(vo)?.toString();
  return withGiven(ad, {
    GlueCEAccessControlBaseRule: `{ ${accessRules.map((rule) => JSON.stringify(rule)).join(", ")} }`,
    ...(freeProcs === undefined
      ? {}
      : { GlueCEStateFreeCPUs: freeProcs, GlueCEStateFreeJobSlots: freeProcs }),
  });
}

/** An ad with how far the input data of a job are: `DataAccessCost` in seconds, files in own stores. */
export function adWithData(ad: Ad, { transferMs, nearFiles }: InputDataAt): Ad {
  return withGiven(ad, {
    DataAccessCost: String(Math.ceil(transferMs / 1000)),
    CloseFiles: String(nearFiles),
  });
}
