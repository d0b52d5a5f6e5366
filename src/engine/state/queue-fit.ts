/**
 * Check that queues of a site are large enough for a job (rule EN-285).
 *
 * The processors of a job may be spread over nodes, each with an equal part of its memory. A job that fits no
 * queue at any time never starts; one that fits a queue whose nodes are out of service waits for them.
 */
import {
  type JobDescription,
  publishesAggregates,
  type QueueLack,
  type QueueTooSmall,
  type SiteSpec,
} from "../../model/index.ts";
import type { SurveyedNodes, SurveyedQueue } from "../survey.ts";

/** `ever`: with all nodes of a queue; `now`: with those that are in service. */
type Nodes = "ever" | "now";

/** The size of a job as queues see it. */
interface QueueNeed {
  readonly procs: number;
  readonly memoryBytes: number;
  readonly gpus: number;
  readonly wallTimeMs: number;
}

/** A site with the queues that it showed last. */
interface Sized {
  readonly spec: SiteSpec;
  readonly observation: { readonly queues: readonly SurveyedQueue[] };
}

/** Queues of a site that are large enough for a job. */
export function fittingQueues(site: Sized, job: JobDescription, which: Nodes): readonly SurveyedQueue[] {
  const need = needAt(site, job);
  return site.observation.queues.filter((queue) => lackIn(queue, need, which) === undefined);
}

/**
 * Shortages of each queue of a site for a job; empty if a queue is large enough, or no queue is known.
 */
export function tooSmallQueues(site: Sized, job: JobDescription): readonly QueueTooSmall[] {
  const { queues } = site.observation;
  // A queue is enough, and the first ones are checked most often.
  const need = needAt(site, job);
  const lacks: QueueTooSmall[] = [];
  for (const queue of queues) {
    const lack = lackIn(queue, need, "ever");
    if (lack === undefined) return [];
    lacks.push({ queue: queue.queue, ...lack });
  }
  return lacks;
}

/** Shortage of one queue of a site for a job, with all its nodes; undefined where it is large enough. */
export function shortageIn(site: Sized, queue: SurveyedQueue, job: JobDescription): QueueLack | undefined {
  return lackIn(queue, needAt(site, job), "ever");
}

/**
 * Shortages as the users of a site may see them: of one that publishes aggregates, the limit of each resource
 * over all its queues.
 */
export function shownShortages(site: Sized, job: JobDescription): readonly (QueueTooSmall | QueueLack)[] {
  const lacks = tooSmallQueues(site, job);
  if (!publishesAggregates(site.spec)) return lacks;
  const most = new Map<QueueLack["of"], number>();
  for (const lack of lacks) most.set(lack.of, Math.max(lack.most, most.get(lack.of) ?? 0));
  return [...most].map(([of, amount]) => ({ of, most: amount }));
}

function needAt({ spec }: Sized, job: JobDescription): QueueNeed {
  const { procs, memoryBytes = 0, gpus = 0, wallTimeMs = spec.defaultWallTimeMs } = job;
  return { procs, memoryBytes, gpus, wallTimeMs };
}

function lackIn(queue: SurveyedQueue, need: QueueNeed, which: Nodes): QueueLack | undefined {
  const { maxWallTimeMs } = queue;
  if (maxWallTimeMs !== undefined && need.wallTimeMs > maxWallTimeMs) {
    return { of: "wallTime", most: maxWallTimeMs };
  }
  const nodes = nodesOf(queue, which);
  const gpus = largest(queue, nodes, (node) => node.gpus);
  if (need.gpus > gpus) return { of: "gpus", most: gpus };
  const procs = largest(queue, nodes, (node) => node.procs);
  if (need.procs > procs) return { of: "procs", most: procs };
  const { memoryBytes } = need;
  if (memoryBytes === 0 || procsWith(queue, nodes, memoryBytes / need.procs) >= need.procs) return undefined;
  return { of: "memory", most: mostMemory(queue, nodes, need.procs) };
}

/** The most processors of a job with so much memory for each of them. */
function procsWith(queue: SurveyedQueue, nodes: readonly CountedNodes[], bytesEach: number): number {
  return largest(queue, nodes, (node) => Math.min(node.procs, Math.floor(node.memoryBytes / bytesEach)));
}

/** The most memory that a job of so many processors can have, with as much for each of them; bytes. */
function mostMemory(queue: SurveyedQueue, nodes: readonly CountedNodes[], procs: number): number {
  let enough = 0;
  let tooMuch = Math.max(0, ...nodes.map(({ memoryBytes }) => memoryBytes)) + 1;
  while (tooMuch - enough > 1) {
    const middle = Math.floor((enough + tooMuch) / 2);
    if (procsWith(queue, nodes, middle) >= procs) enough = middle;
    else tooMuch = middle;
  }
  return enough * procs;
}

interface CountedNodes extends Pick<SurveyedNodes, "procs" | "memoryBytes" | "gpus"> {
  readonly count: number;
}

function nodesOf({ nodeKinds, procs, gpus = 0 }: SurveyedQueue, which: Nodes): readonly CountedNodes[] {
  // A queue whose nodes are unknown is treated as one of unknown memory.
  if (nodeKinds === undefined) return [{ count: 1, procs, gpus, memoryBytes: Number.MAX_SAFE_INTEGER - 1 }];
  return nodeKinds.map(({ all, inService, ...node }) => ({
    ...node,
    count: which === "ever" ? all : inService,
  }));
}

/** The largest sum over as many nodes as a job of the queue may have. */
function largest(
  { mostNodes = Number.POSITIVE_INFINITY }: SurveyedQueue,
  nodes: readonly CountedNodes[],
  amountOf: (node: CountedNodes) => number,
): number {
  const amounts = nodes.map((node) => ({ amount: amountOf(node), count: node.count }));
  amounts.sort((a, b) => b.amount - a.amount);
  let sum = 0;
  let left = mostNodes;
  for (const { amount, count } of amounts) {
    const taken = Math.min(left, count);
    sum += taken === 0 ? 0 : amount * taken;
    left -= taken;
  }
  return sum;
}
