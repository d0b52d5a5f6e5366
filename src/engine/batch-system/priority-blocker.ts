/**
 * The jobs that are before a job in the queue, and which part of their priority puts them there.
 *
 * Only jobs count that could start themselves and that want nodes which this one could use. Cost: one
 * pass over the jobs, with those that are told one by one kept in order; of thousands none is sorted.
 */
import type { ClusterJob } from "../../model/index.ts";
import type { Blocker, JobBefore, PriorityDifference } from "./blocker.ts";
import { inOrder, isRival, type Placed, tierOf } from "./queue-order.ts";
import type { ClusterView } from "./view.ts";

/** So many of them are told one by one. */
const FIRST = 5;

/** The blocker where there are such jobs. */
export function priorityBlockers(
  view: ClusterView,
  job: ClusterJob,
  partitions: readonly string[],
): readonly Blocker[] {
  // A held job has no place: its priority is made when it is released.
  if (job.priority === null || job.state === "held") return [];
  const own: Placed = { job, tier: tierOf(view, job) };
  const before = rivalsOf(view, job, partitions).filter((rival) => inOrder(rival, own) < 0);
  if (before.length === 0) return [];
  let jobs = 0;
  let procs = 0;
  const parts = new Map<string, number>();
  for (const { job: other } of before) {
    jobs += other.count;
    procs += other.count * other.procs;
    const part = differenceOf(job, other)?.part;
    if (part !== undefined) parts.set(part, (parts.get(part) ?? 0) + 1);
  }
  return [
    {
      kind: "priority",
      place: jobs + 1,
      jobs,
      procs,
      priority: job.priority,
      first: foremost(before, FIRST).map((it) => jobBefore(own, it)),
      mostlyBy: mostFrequent(parts),
      remedies: [{ kind: "wait" }],
    },
  ];
}

/** The first so many of those in their order. */
function foremost(before: readonly Placed[], most: number): readonly Placed[] {
  const first: Placed[] = [];
  for (const one of before) {
    if (first.length === most && inOrder(one, first[most - 1]) >= 0) continue;
    const at = first.findIndex((other) => inOrder(one, other) < 0);
    first.splice(at < 0 ? first.length : at, 0, one);
    if (first.length > most) first.pop();
  }
  return first;
}

/** The other jobs that could start and that want nodes of these partitions. */
export function rivalsOf(
  view: ClusterView,
  job: ClusterJob,
  partitions: readonly string[],
): readonly Placed[] {
  const rivals = new Set(sharingNodes(view, partitions));
  const found: Placed[] = [];
  for (const other of view.snapshot.jobs) {
    if (other === job || !isRival(view, other) || other.reservation !== job.reservation) continue;
    if (other.partitions.some((name) => rivals.has(name)))
      found.push({ job: other, tier: tierOf(view, other) });
  }
  return found;
}

/** The partitions that have a node in common with one of these. */
function sharingNodes({ snapshot, partitions }: ClusterView, names: readonly string[]): readonly string[] {
  const nodes = new Set(names.flatMap((name) => partitions.get(name)?.nodes ?? []));
  return snapshot.partitions
    .filter((it) => names.includes(it.name) || it.nodes.some((node) => nodes.has(node)))
    .map(({ name }) => name);
}

function jobBefore(own: Placed, { job, tier }: Placed): JobBefore {
  const { siteJob, user, account, count, procs, priority } = job;
  const isTierHigher = tier > own.tier;
  const by = isTierHigher ? null : differenceOf(own.job, job);
  return { siteJob, user, account, count, procs, priority, by, isTierHigher };
}

/** The part of the priority in which another job is most above ours. */
function differenceOf(
  { priorityParts: ours }: ClusterJob,
  { priorityParts: theirs }: ClusterJob,
): PriorityDifference | null {
  if (ours === null || theirs === null) return null;
  let part: string | undefined;
  let mostAbove = 0;
  for (const name in theirs) {
    const above = theirs[name] - (ours[name] ?? 0);
    if (above <= mostAbove) continue;
    mostAbove = above;
    part = name;
  }
  return part === undefined ? null : { part, ours: ours[part] ?? 0, theirs: theirs[part] };
}

function mostFrequent(counts: ReadonlyMap<string, number>): string | null {
  let best: string | null = null;
  for (const [word, count] of counts) if (best === null || count > (counts.get(best) ?? 0)) best = word;
  return best;
}
