/**
 * The nodes beside a site machine, as the driver of a workload uses them.
 */
import { Fault } from "../../base/index.ts";
import {
  bringUp,
  createNodeSite,
  isDown,
  jobsOn,
  type NodeDiscipline,
  startOnNodes,
  takeNodeDown,
  takeOff,
} from "../../queue/index.ts";
import type { NodeSide, PlayRules } from "./play-state.ts";
import type { WorkloadSite } from "./site.ts";

/**
 * The nodes of a site, all up and empty.
 *
 * @throws Fault `nodesNotPlanned` where the discipline makes promises to every job
 */
export function createNodeSide(site: WorkloadSite, rules: PlayRules): NodeSide {
  const discipline = disciplineOnNodes(rules);
  const nodes = createNodeSite(
    site.nodes.map((count, pool) => ({ nodes: count, perNode: site.perNode[pool] })),
  );
  return {
    choose: (waiting, jobs, nowMs) => {
      const jobOf = (handle: number) => ({
        pool: jobs[handle].pools?.[0] ?? 0,
        shape: jobs[handle].shape,
        estimateMs: jobs[handle].estimateMs,
      });
      return startOnNodes(nodes, discipline, { waiting, jobOf }, nowMs);
    },
    takeOff: (handle) => takeOff(nodes, handle),
    bringUp: (nowMs) => bringUp(nodes, nowMs),
    jobsOn: (pool, node) => jobsOn(nodes, pool, node),
    isDown: (pool, node) => isDown(nodes, pool, node),
    takeDown: (pool, node, untilMs) => takeNodeDown(nodes, { pool, node, untilMs }),
  };
}

function disciplineOnNodes({ discipline, file }: PlayRules): NodeDiscipline {
  if (discipline === "fcfs" || discipline === "easy") return discipline;
  throw new Fault({
    kind: "badInput",
    code: "nodesNotPlanned",
    what: `${file}: ${discipline} cannot be simulated on nodes`,
    why: "it promises every job a start, and a promise on whole pools says nothing about the room on nodes",
    remedy: "take --discipline fcfs or easy, or describe the pools without nodes",
  });
}
