/**
 * Why a job of a cluster waits: all causes at once, beside the system's own word.
 *
 * Partitions are alternatives: where one of those that the job names would take it and has room, what
 * is missing in the others keeps it from nothing and is not told.
 * Cost: O(jobs + nodes + partitions), a handful of passes whatever the job.
 */
import type { ClusterJob, ClusterSnapshot, HiddenPart } from "../../model/index.ts";
import type { Blocker, ClusterBlockers } from "./blocker.ts";
import { limitBlockers } from "./limits.ts";
import { ownBlockers } from "./own-blockers.ts";
import { partitionBlockers } from "./partition-blockers.ts";
import { priorityBlockers } from "./priority-blocker.ts";
import { resourceBlockers } from "./resource-blockers.ts";
import { limitOnlySaid, systemWord } from "./system-word.ts";
import { type ClusterView, findJob, viewOf } from "./view.ts";

/** All blockers of a job by its id at the site; undefined where the snapshot has no such job. */
export function blockersOf(snapshot: ClusterSnapshot, siteJob: string): ClusterBlockers | undefined {
  const view = viewOf(snapshot);
  const job = findJob(view, siteJob);
  return job === undefined ? undefined : blockersIn(view, job);
}

/** Blockers of a job in a snapshot that is already indexed. */
export function blockersIn(view: ClusterView, job: ClusterJob): ClusterBlockers {
  const { siteJob, state, stateText } = job;
  const whole = { siteJob, state, stateText, atMs: view.nowMs, unknown: unknownParts(view, job) };
  if (state !== "waiting" && state !== "held") {
    return { ...whole, blockers: [], openPartitions: [], system: systemWord(job, []) };
  }
  const { openPartitions, blockers: ofPartitions } = inPartitions(view, job);
  const rivals = openPartitions.length > 0 ? openPartitions : job.partitions;
  const found = [
    ...ownBlockers(view, job),
    ...limitBlockers(view, job),
    ...ofPartitions,
    ...priorityBlockers(view, job, rivals),
  ];
  const all = [...found, ...limitOnlySaid(job, found)];
  const blockers: readonly Blocker[] =
    all.length > 0 ? all : [{ kind: "turn", remedies: [{ kind: "wait" }] }];
  return { ...whole, blockers, openPartitions, system: systemWord(job, blockers) };
}

function inPartitions(view: ClusterView, job: ClusterJob) {
  const closed = job.partitions.map((name) => partitionBlockers(view, job, name));
  const openPartitions = job.partitions.filter((_, at) => closed[at].length === 0);
  const short = openPartitions.map((name) => {
    const partition = view.partitions.get(name);
    return partition === undefined ? [] : resourceBlockers(view, job, partition);
  });
  const fits = short.some((blockers) => blockers.length === 0);
  const blockers = fits ? [] : [...closed.flat(), ...short.flat()];
  const others = otherPartitions(view, job, openPartitions.length === 0);
  return { openPartitions, blockers: blockers.map((blocker) => withOthers(blocker, others)) };
}

/** Partitions that the job does not name and that would take it as it is. */
function otherPartitions(view: ClusterView, job: ClusterJob, areWanted: boolean): readonly string[] {
  if (!areWanted) return [];
  return view.snapshot.partitions
    .filter(({ name, isHidden }) => !isHidden && !job.partitions.includes(name))
    .filter(({ name }) => partitionBlockers(view, job, name).length === 0)
    .map(({ name }) => name);
}

function withOthers(blocker: Blocker, partitions: readonly string[]): Blocker {
  if (partitions.length === 0 || !blocker.kind.startsWith("partition")) return blocker;
  return { ...blocker, remedies: [...blocker.remedies, { kind: "otherPartition", partitions }] };
}

/** Parts missing in this snapshot, and parts that no such snapshot shows for this job. */
function unknownParts({ snapshot, partitions }: ClusterView, job: ClusterJob): readonly HiddenPart[] {
  const parts: HiddenPart[] = [...snapshot.hidden];
  if (job.priority === null) {
    parts.push({ what: "which jobs are ahead", why: "its priority is not shown" });
  }
  const counted = new Set(snapshot.licenses.map(({ name }) => name));
  const uncounted = Object.keys(job.licenses).filter((name) => !counted.has(name));
  if (uncounted.length > 0) {
    parts.push({
      what: "free licences",
      why: `the cluster does not show how many there are of ${uncounted.join(", ")}`,
    });
  }
  const grouped = job.partitions.filter((name) => (partitions.get(name)?.groups.allowed ?? null) !== null);
  if (grouped.length > 0) {
    parts.push({
      what: "whether its owner may use the partition",
      why: `${grouped.join(", ")} admits only certain groups, and the cluster does not show their members`,
    });
  }
  return parts;
}
