/**
 * The nodes beside a site machine, as the driver of a workload uses them.
 */
import { assert } from "../../base/index.ts";
import type { MachineDiscipline } from "../../model/index.ts";
import {
  bringUp,
  createNodeCourse,
  createNodePlan,
  createNodeSite,
  endPlanned,
  isDown,
  jobsOn,
  leavePlanned,
  loseNode,
  type NodeDiscipline,
  type NodeJob,
  type NodeSite,
  nextPlannedOnNodes,
  nextReservedEnd,
  type PlannedNodeDiscipline,
  promisedStart,
  reserveOnNodes,
  startBesideReserved,
  startOnNodes,
  startPlanned,
  takeNodeDown,
  takeOff,
  takeOffCourse,
  takePlannedNodeDown,
} from "../../queue/index.ts";
import type { NodeSide, PlacedJob } from "./nodes-asked.ts";
import type { WorkloadSite } from "./site.ts";

/** Parts of a workload that describe its nodes. */
interface NodesToPlay {
  readonly site: Pick<WorkloadSite, "nodes" | "perNode">;
  readonly reservations: readonly unknown[];
}

/** The nodes of a workload's site, all up and empty. */
export function createNodeSide({ site, reservations }: NodesToPlay, discipline: MachineDiscipline): NodeSide {
  assert(discipline !== "external", "a workload is played by a discipline of our own");
  const nodes = createNodeSite(
    site.nodes.map((count, pool) => ({ nodes: count, perNode: site.perNode[pool] })),
  );
  const present = {
    bringUp: (nowMs: number) => bringUp(nodes, nowMs),
    jobsOn: (pool: number, node: number) => jobsOn(nodes, pool, node),
    isDown: (pool: number, node: number) => isDown(nodes, pool, node),
  };
  if (discipline === "conservative" || discipline === "repack") {
    return { ...present, ...planned(nodes, discipline) };
  }
  const isBeside = reservations.length > 0;
  return { ...present, ...(isBeside ? passedBeside(nodes, discipline) : passed(nodes, discipline)) };
}

type Deciding = Omit<NodeSide, "bringUp" | "jobsOn" | "isDown">;

/**
 * Decisions by FCFS or EASY without reservations: starts are found anew at every instant, and no job has a
 * promise.
 */
function passed(nodes: NodeSite, discipline: NodeDiscipline): Deciding {
  return {
    choose: ({ waiting }, placed, nowMs) =>
      startOnNodes(nodes, discipline, { waiting, jobOf: (handle) => onNodes(placed(handle)) }, nowMs),
    wakeAtMs: () => Number.POSITIVE_INFINITY,
    promisedMs: () => undefined,
    takeOff: (handle) => takeOff(nodes, handle),
    leave: () => undefined,
    reserve: () => {
      throw new Error("what must hold: where something is reserved, that is known from the beginning");
    },
    takeDown: (outage) => {
      takeNodeDown(nodes, outage);
      return [];
    },
  };
}

/** As `passed`, beside reservations. */
function passedBeside(nodes: NodeSite, discipline: NodeDiscipline): Deciding {
  const course = createNodeCourse(nodes);
  return {
    choose: ({ waiting }, placed, nowMs) => {
      const jobOf = (handle: number) => onNodes(placed(handle));
      return startBesideReserved(course, discipline, { waiting, jobOf }, nowMs);
    },
    wakeAtMs: () => nextReservedEnd(course),
    promisedMs: () => undefined,
    takeOff: (handle, nowMs) => {
      takeOffCourse(course, handle, nowMs);
    },
    leave: () => undefined,
    reserve: (id, request) => reserveOnNodes(course, id, request),
    takeDown: (outage) => loseNode(course, outage, outage.nowMs),
  };
}

/** Decisions by a discipline that gives every waiting job a place on nodes. */
function planned(nodes: NodeSite, discipline: PlannedNodeDiscipline): Deciding {
  const plan = createNodePlan(nodes, discipline);
  /** Start of each job that started in the last choice, by handle. */
  const startedMs = new Map<number, number>();
  return {
    choose: ({ waiting: inOrder, coming }, placed, nowMs) => {
      const jobOf = (handle: number) => onNodes(placed(handle));
      const arrived = new Set(coming);
      const isComing = (handle: number) => arrived.has(handle);
      // An arrival is placed when it comes, whatever its priority (rule QU-12).
      const waiting = [...inOrder.filter((handle) => !arrived.has(handle)), ...coming];
      const starting = startPlanned(plan, { waiting, jobOf, isComing }, nowMs);
      startedMs.clear();
      for (const handle of starting) startedMs.set(handle, nowMs);
      return starting;
    },
    wakeAtMs: () => nextPlannedOnNodes(plan),
    promisedMs: (handle) => promisedStart(plan, handle) ?? startedMs.get(handle),
    takeOff: (handle, nowMs) => endPlanned(plan, handle, nowMs),
    leave: (handle) => leavePlanned(plan, handle),
    reserve: (id, request) => reserveOnNodes(plan, id, request),
    takeDown: (outage) => takePlannedNodeDown(plan, outage, outage),
  };
}

function onNodes({ pools, shape, estimateMs }: PlacedJob): NodeJob {
  return { pool: pools?.[0] ?? 0, shape, estimateMs };
}
