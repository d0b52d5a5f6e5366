/**
 * What the explanation of a cluster's jobs says, cut to what a test asks for.
 */
import { expect } from "vitest";
import { type Blocker, blockersOf, type ClusterBlockers, clusterBlockersText } from "../src/engine/index.ts";
import type { ClusterSnapshot } from "../src/model/index.ts";
import { aCluster, aJob, MINUTE_MS, NOW_MS, type SaidOfJob } from "./cluster-scene.ts";

/** The blockers of a job that is there. */
export function answerFor(snapshot: ClusterSnapshot, siteJob: string): ClusterBlockers {
  const answer = blockersOf(snapshot, siteJob);
  if (answer === undefined) throw new Error(`no job ${siteJob}`);
  return answer;
}

/** Their kinds, in order. */
export function kindsOf(snapshot: ClusterSnapshot, siteJob: string): readonly string[] {
  return answerFor(snapshot, siteJob).blockers.map(({ kind }) => kind);
}

/** The one that there is. */
export function onlyBlocker(snapshot: ClusterSnapshot, siteJob: string): Blocker {
  const { blockers } = answerFor(snapshot, siteJob);
  expect(blockers).toHaveLength(1);
  return blockers[0];
}

/** A cluster with one waiting job `1` and whatever else. */
export function waitingCluster(job: SaidOfJob, more: Partial<ClusterSnapshot> = {}): ClusterSnapshot {
  return aCluster({ ...more, jobs: [aJob("1", job), ...(more.jobs ?? [])] });
}

/** The answer in sentences, instants as minutes from now. */
export function answerText(snapshot: ClusterSnapshot, siteJob = "1"): string {
  const lines = clusterBlockersText(
    answerFor(snapshot, siteJob),
    (atMs) => `+${(atMs - NOW_MS) / MINUTE_MS}m`,
  );
  return lines.join("\n");
}
