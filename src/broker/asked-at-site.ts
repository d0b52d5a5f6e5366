/**
 * Question to the prediction thread about a hypothetical job at one site: of a cluster from its full
 * snapshot, of other sites from their known queue.
 */
import {
  factsOf,
  jobAtCluster,
  LAST_MOMENTS_MS,
  memoryAtCluster,
  ONLY_QUEUE,
  partitionFor,
  type SiteState,
  stateOfSite,
  type Unfit,
  unfitAtCluster,
  unfitAtSite,
} from "../engine/index.ts";
import {
  type ClusterSnapshot,
  isForeign,
  isReadOnly,
  publishesAggregates,
  type SiteSpec,
} from "../model/index.ts";
import type { ProspectQuestion, Round } from "../runtime/index.ts";
import type { AskedWhen } from "./predictions/protocol.ts";
import type { Sites } from "./sites.ts";

/** Dependencies of questions about a hypothetical job. */
export interface AskingWorld {
  readonly round: Pick<Round, "projection" | "nowMs">;
  readonly sites: Pick<Sites, "get">;
  /** About how long the answer may take. */
  readonly answerMs: number;
}

/** A question, or why there is none. */
export interface AskedAtSite {
  /** Partition of the cluster that is asked about; null at other sites. */
  readonly partition: string | null;
  /** Reason why the site would never start the job; null where it would. */
  readonly unfit: Unfit | null;
  /** Reason why the site cannot be asked, or its data are old. */
  readonly trouble: string | null;
  /** Question to the prediction thread; null where the site cannot be asked, or would never start the job. */
  readonly asked: AskedWhen | null;
}

/**
 * Question about a hypothetical job at a site, or the reason why there is none.
 * @throws where the cluster cannot be surveyed
 */
export async function askedAtSite(
  site: SiteState,
  question: ProspectQuestion,
  world: AskingWorld,
): Promise<AskedAtSite> {
  const look = world.sites.get(site.name)?.snapshot;
  if (look !== undefined) return shownOf(site, atCluster(site, question, world, await look()));
  const unfit = unfitAtSite(site.spec, question.job);
  if (unfit !== null) return { partition: null, unfit, trouble: null, asked: null };
  return atQueue(site, question, world);
}

/** An answer without the partition and its limits, where the site publishes aggregates. */
function shownOf({ spec }: SiteState, answer: AskedAtSite): AskedAtSite {
  if (!publishesAggregates(spec)) return answer;
  return { ...answer, partition: null, unfit: answer.unfit && { kind: "blockedUnseen" } };
}

function atQueue(site: SiteState, question: ProspectQuestion, { round, answerMs }: AskingWorld): AskedAtSite {
  const { observation, spec, name } = site;
  const bare = { partition: null, unfit: null };
  if (spec.type !== "managed" && observation.seenAtMs === null) {
    return { ...bare, trouble: observation.trouble ?? "it has not been seen yet", asked: null };
  }
  const nowMs = round.nowMs();
  const { procs, memoryBytes, limitMs } = question.job;
  const gpus = (spec.gpus ?? 0) === 0 ? {} : { gpus: question.job.gpus };
  // As the site's own queue plans it, with what a job's last moments may take.
  const marginMs = isForeign(spec) ? 0 : LAST_MOMENTS_MS;
  const need = { procs, memoryBytes, ...gpus, limitMs: (limitMs ?? spec.defaultWallTimeMs) + marginMs };
  const asked = {
    ...{ site: name, nowMs, answerMs, deadlineMs: question.deadlineMs, cluster: null },
    facts: factsOf({ id: THOUGHT_OF, queue: ONLY_QUEUE, user: question.owner, ...need }),
    state: stateOfSite(site, round.projection.jobs, nowMs),
  };
  return { ...bare, trouble: observation.trouble, asked };
}

function atCluster(
  { name, spec }: SiteState,
  question: ProspectQuestion,
  { answerMs }: AskingWorld,
  snapshot: ClusterSnapshot,
): AskedAtSite {
  const partition = partitionFor(snapshot, spec, namedQueue(snapshot, spec, { ...question, site: name }));
  const limitMs = question.job.limitMs ?? usualLimitMs(snapshot, partition, spec);
  const job = jobAtCluster(snapshot, partition, { ...question.job, limitMs });
  const unfit = unfitAtCluster(snapshot, job);
  if (unfit !== null) return { partition, unfit, trouble: null, asked: null };
  const memoryBytes = memoryAtCluster(snapshot, job);
  const need = { procs: question.job.procs, memoryBytes, limitMs };
  const asked = {
    ...{ site: name, nowMs: snapshot.atMs, answerMs, deadlineMs: question.deadlineMs },
    facts: factsOf({ id: THOUGHT_OF, queue: partition, user: question.owner, ...need }),
    state: undefined,
    cluster: { snapshot, job },
  };
  return { partition, unfit: null, trouble: null, asked };
}

/** The queue that a job would name at a cluster; null where it leaves the choice to the site. */
function namedQueue(
  { partitions }: ClusterSnapshot,
  spec: SiteSpec,
  { job, site, queues, preferredQueues = [] }: ProspectQuestion & { readonly site: string },
): string | null {
  const named = job.queue ?? queues?.get(site);
  // An observed site is not asked which queues jobs may name.
  const isOpenChoice = spec.type === "slurm" && spec.readOnly && spec.partition === null;
  if (named !== undefined || !isOpenChoice) return named ?? null;
  return preferredQueues.find((name) => partitions.some((it) => it.name === name)) ?? null;
}

/**
 * Time limit of a job that names none: for jobs of this broker the site's, at an observed site the
 * partition's default.
 */
function usualLimitMs({ partitions }: ClusterSnapshot, name: string, spec: SiteSpec): number {
  const { defaultTimeMs = null, maxTimeMs = null } = partitions.find((it) => it.name === name) ?? {};
  return (isReadOnly(spec) ? (defaultTimeMs ?? maxTimeMs) : null) ?? spec.defaultWallTimeMs;
}

/** Id of the hypothetical job; no real job has it. */
const THOUGHT_OF = "?";
