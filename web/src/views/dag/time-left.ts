import type { DagNodeView, JobView } from "../../app/client.ts";
import { depthsOf } from "../../graph/layers.ts";

/** The rest of the longest chain of nodes, each as long as those that ran; undefined while none has. */
export function timeLeftMs(
  nodes: readonly Pick<DagNodeView, "name" | "parents" | "state">[],
  jobs: readonly Pick<JobView, "startedAt" | "endedAt">[],
): number | undefined {
  const ran = jobs.flatMap(({ startedAt, endedAt }) =>
    startedAt === null || endedAt === null ? [] : [Date.parse(endedAt) - Date.parse(startedAt)],
  );
  if (ran.length === 0) return undefined;
  const left = nodes.filter(({ state }) => state === "WAITING" || state === "HELD" || state === "RUNNING");
  const depths = depthsOf(left.map(({ name, parents }) => ({ key: name, parents })));
  const longest = Math.max(0, ...[...depths.values()].map((depth) => depth + 1));
  return (longest * ran.reduce((sum, ms) => sum + ms, 0)) / ran.length;
}
