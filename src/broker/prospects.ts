/**
 * Where and when a job could start that is only thought of: every site asked at the same time.
 *
 * A cluster is looked at whole; of other sites the queue as it is known is enough. Nothing is recorded. A
 * site that cannot be asked is told with its trouble and keeps nobody from the others (rule BR-18).
 */
import {
  factsOf,
  isOpen,
  jobAtCluster,
  ONLY_QUEUE,
  partitionFor,
  type SiteState,
  stateOfSite,
  unfitAtCluster,
  unfitAtSite,
} from "../engine/index.ts";
import type { ClusterSnapshot } from "../model/index.ts";
import type { Prospect, ProspectQuestion, Round } from "../runtime/index.ts";
import { messageOf } from "./job-order.ts";
import type { Predictions } from "./predictions/predictions.ts";
import type { Sites } from "./sites.ts";

/** What prospects are made of. */
export interface ProspectWorld {
  readonly round: Round;
  readonly sites: Sites;
  readonly predictions: Pick<Predictions, "when">;
}

/** All answers together may take about so long … */
const ANSWER_MS = 100;
/** … and one at least so long. */
const LEAST_MS = 15;

/** The prospects at the sites that are asked for, in their order. */
export function prospectsOf(world: ProspectWorld, question: ProspectQuestion): Promise<readonly Prospect[]> {
  const { projection } = world.round;
  const asked = [...projection.sites.values()].filter(({ name }) => question.sites?.includes(name) ?? true);
  const answerMs = Math.max(LEAST_MS, ANSWER_MS / Math.max(1, asked.length));
  return Promise.all(asked.map((site) => prospectAt(site, question, { ...world, answerMs })));
}

interface Asking extends ProspectWorld {
  readonly answerMs: number;
}

async function prospectAt(site: SiteState, question: ProspectQuestion, world: Asking): Promise<Prospect> {
  const bare = {
    ...{ site: site.name, partition: null, takesJobs: isOpen(site) },
    ...{ unfit: null, trouble: null, when: null },
  };
  try {
    const look = world.sites.get(site.name)?.snapshot;
    if (look !== undefined) return { ...bare, ...(await atCluster(site, question, world, await look())) };
    const unfit = unfitAtSite(site.spec, question.job);
    return unfit === null ? { ...bare, ...(await atQueue(site, question, world)) } : { ...bare, unfit };
  } catch (error) {
    return { ...bare, trouble: messageOf(error) };
  }
}

async function atQueue(
  site: SiteState,
  question: ProspectQuestion,
  world: Asking,
): Promise<Partial<Prospect>> {
  const { round, predictions, answerMs } = world;
  const { sight, spec, name } = site;
  if (spec.type !== "managed" && sight.seenAtMs === null) {
    return { trouble: sight.trouble ?? "it has not been seen yet" };
  }
  const nowMs = round.nowMs();
  const { procs, memoryBytes, limitMs } = question.job;
  const need = { procs, memoryBytes, limitMs: limitMs ?? spec.defaultWallTimeMs };
  const when = await predictions.when({
    ...{ site: name, nowMs, answerMs, deadlineMs: question.deadlineMs, cluster: null },
    facts: factsOf({ id: THOUGHT_OF, queue: ONLY_QUEUE, user: question.owner, ...need }),
    state: stateOfSite(site, round.projection.jobs, nowMs),
  });
  return { when, trouble: sight.trouble };
}

async function atCluster(
  { name, spec }: SiteState,
  question: ProspectQuestion,
  { predictions, answerMs }: Asking,
  snapshot: ClusterSnapshot,
): Promise<Partial<Prospect>> {
  const partition = partitionFor(snapshot, spec, question.job);
  const limitMs = question.job.limitMs ?? spec.defaultWallTimeMs;
  const job = jobAtCluster(snapshot, partition, { ...question.job, limitMs });
  const unfit = unfitAtCluster(snapshot, job);
  if (unfit !== null) return { partition, unfit };
  const { procs, memoryBytes } = question.job;
  const need = { procs, memoryBytes, limitMs };
  const when = await predictions.when({
    ...{ site: name, nowMs: snapshot.atMs, answerMs, deadlineMs: question.deadlineMs },
    facts: factsOf({ id: THOUGHT_OF, queue: partition, user: question.owner, ...need }),
    state: undefined,
    cluster: { snapshot, job },
  });
  return { partition, when };
}

/** No job has it. */
const THOUGHT_OF = "?";
