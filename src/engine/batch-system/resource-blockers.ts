/**
 * Shortages on the nodes of a partition: features, nodes that are large enough, nodes in service, time before
 * a reservation, and resources used by other jobs.
 *
 * Each cause is found by leaving the others out: a resource is short if the job would not fit even with
 * everything else free, so that all shortages are listed at once and no consequence is listed as a cause.
 * Cost: a few passes over the partition's nodes.
 */
import type { ClusterJob, ClusterNode, ClusterPartition } from "../../model/index.ts";
import type { Blocker, Countable, Remedy } from "./blocker.ts";
import { type JobShape, shapeOf } from "./job-shape.ts";
import { freeOf, hasFeatures, isOut, type NodeRoom, takesAll, tasksIn, wholeOf } from "./node-fit.ts";
import { concerning, leftBeside } from "./reserved.ts";
import type { ClusterView } from "./view.ts";

/** One question: this job on the nodes of this partition. */
interface Scene {
  readonly view: ClusterView;
  readonly job: ClusterJob;
  readonly partition: ClusterPartition;
  readonly shape: JobShape;
  /** The nodes that could ever take a part of it, were they empty, and those in service of them. */
  readonly able: readonly ClusterNode[];
  readonly inService: readonly ClusterNode[];
}

/** Everything that keeps the job from starting on this partition's nodes now; empty where it fits. */
export function resourceBlockers(
  view: ClusterView,
  job: ClusterJob,
  partition: ClusterPartition,
): readonly Blocker[] {
  const shape = shapeOf(view, job, partition);
  const all = partition.nodes.flatMap((name) => view.nodes.get(name) ?? []);
  const matching = all.filter((node) => hasFeatures(node, job.features));
  if (matching.length === 0 && all.length > 0) return [featuresUnknown(job, partition, all)];
  const able = matching.filter((node) => tasksIn(wholeOf(node, shape.gpuType), shape, partition) > 0);
  const inService = able.filter((node) => !isOut(node));
  const scene: Scene = { view, job, partition, shape, able, inService };
  if (!fitsOn(scene, able, (node) => wholeOf(node, shape.gpuType))) return [neverFits(scene, matching)];
  const isReserved = (node: ClusterNode): NodeRoom => {
    const left = leftBeside(view, job, node, roomNow(scene, node));
    return shape.isWholeNodes && left.procs < node.procs ? NO_ROOM : left;
  };
  if (fitsOn(scene, inService, isReserved)) return [];
  const taken = busy(scene);
  // Where nothing is busy, a reservation of nodes that are busy is in nobody's way now.
  const inTheWay = taken.length > 0 ? inService : inService.filter((node) => hasRoomNow(scene, node));
  return [...nodesOut(scene, isReserved), ...reservationsAhead(scene, inTheWay), ...taken];
}

function fitsOn(
  { shape, partition }: Scene,
  nodes: readonly ClusterNode[],
  roomOf: (node: ClusterNode) => NodeRoom,
): boolean {
  return takesAll(
    nodes.map((node) => tasksIn(roomOf(node), shape, partition)),
    shape,
  );
}

const NO_ROOM: NodeRoom = { procs: 0, memoryBytes: 0, gpus: 0 };

/** Room for a job on a node now; none for a whole-node job where any job runs. */
function roomNow({ shape }: Scene, node: ClusterNode): NodeRoom {
  const free = freeOf(node, shape.gpuType);
  return shape.isWholeNodes && free.procs < node.procs ? NO_ROOM : free;
}

function hasRoomNow(scene: Scene, node: ClusterNode): boolean {
  return tasksIn(roomNow(scene, node), scene.shape, scene.partition) > 0;
}

function featuresUnknown(
  { features }: ClusterJob,
  { name }: ClusterPartition,
  nodes: readonly ClusterNode[],
): Blocker {
  const known = [...new Set(nodes.flatMap((node) => node.features))].sort();
  const remedies: Remedy[] = [{ kind: "otherFeatures", known }];
  return { kind: "featuresUnknown", partition: name, features: features?.words ?? "", known, remedies };
}

/** Which amount is larger than what there is, were everything in service and empty. */
function neverFits(scene: Scene, matching: readonly ClusterNode[]): Blocker {
  const { shape, able, partition } = scene;
  const wholes = matching.map((node) => wholeOf(node, shape.gpuType));
  const mostOf = (amount: (room: NodeRoom) => number): number => Math.max(0, ...wholes.map(amount));
  const perNode = [
    ["procs", shape.procsPerTask, mostOf(({ procs }) => procs)],
    ["gpus", shape.gpusPerNode, mostOf(({ gpus }) => gpus)],
    [
      "memory",
      shape.bytesPerNode + shape.coreBytesPerNode + shape.bytesPerTask,
      mostOf(({ memoryBytes }) => memoryBytes),
    ],
  ] as const;
  const tooMuch = perNode.find(([, wanted, most]) => wanted > most);
  const tell = (what: Countable, wanted: number, most: number, isPerNode: boolean): Blocker => {
    const remedy: Remedy =
      what === "nodes" ? { kind: "nodesAtMost", nodes: most } : { kind: "askAtMost", what, amount: most };
    const facts = { partition: partition.name, what, wanted, most, isPerNode };
    return { kind: "neverFits", ...facts, remedies: most > 0 ? [remedy] : [] };
  };
  if (tooMuch !== undefined) return tell(tooMuch[0], tooMuch[1], tooMuch[2], true);
  if (able.length < shape.nodes) return tell("nodes", shape.nodes, able.length, false);
  const tasks = able.map((node) => tasksIn(wholeOf(node, shape.gpuType), shape, partition));
  const most = tasks.reduce((sum, count) => sum + count, 0) * shape.procsPerTask;
  return tell("procs", shape.tasks * shape.procsPerTask, most, false);
}

/** Nodes out of service without which it is too few, or with which it would fit now. */
function nodesOut(scene: Scene, roomOf: (node: ClusterNode) => NodeRoom): readonly Blocker[] {
  const { able, inService, shape, partition } = scene;
  const out = able.filter(isOut);
  if (out.length === 0) return [];
  const whole = (node: ClusterNode): NodeRoom => wholeOf(node, shape.gpuType);
  const areNeeded = !fitsOn(scene, inService, whole);
  const wouldHelp = fitsOn(scene, able, (node) => (isOut(node) ? whole(node) : roomOf(node)));
  if (!areNeeded && !wouldHelp) return [];
  const nodes = out.map(({ name, states, reason, reasonSinceMs }) => {
    return { name, states, reason, sinceMs: reasonSinceMs };
  });
  const facts = { partition: partition.name, nodes, wanted: shape.nodes, inService: inService.length };
  const remedies: Remedy[] = [{ kind: "wait" }];
  if (areNeeded && inService.length > 0) remedies.push({ kind: "nodesAtMost", nodes: inService.length });
  return [{ kind: "nodesOut", ...facts, remedies }];
}

/** Reservations of others that keep it off nodes in service on which it could run otherwise. */
function reservationsAhead(
  { view, job, partition }: Scene,
  inTheWay: readonly ClusterNode[],
): readonly Blocker[] {
  const found = new Map<string, string[]>();
  for (const node of inTheWay) {
    for (const { name } of concerning(view, job, node)) {
      const nodes = found.get(name);
      if (nodes === undefined) found.set(name, [node.name]);
      else nodes.push(node.name);
    }
  }
  return [...found].flatMap(([reservation, nodes]): Blocker[] => {
    const it = view.reservations.get(reservation);
    if (it === undefined) return [];
    const { startAtMs, endAtMs, flags } = it;
    const isActive = startAtMs <= view.nowMs;
    const leftMs = Math.floor((startAtMs - view.nowMs) / MINUTE_MS) * MINUTE_MS;
    const remedies: Remedy[] = [{ kind: "waitUntil", atMs: endAtMs }];
    if (!isActive && leftMs > 0) remedies.unshift({ kind: "limitAtMost", limitMs: leftMs });
    const isMaintenance = flags.includes("MAINT");
    const facts = { partition: partition.name, reservation, isMaintenance, isActive, startAtMs, endAtMs };
    return [{ kind: "reservationAhead", ...facts, nodes, limitMs: job.limitMs, remedies }];
  });
}

/** Limits are chosen in whole minutes. */
const MINUTE_MS = 60_000;

/** Blockers by resources that other jobs use and this one needs, without reservations. */
function busy(scene: Scene): readonly Blocker[] {
  const { shape, inService } = scene;
  const whole = (node: ClusterNode): NodeRoom => wholeOf(node, shape.gpuType);
  const now = (node: ClusterNode): NodeRoom => roomNow(scene, node);
  if (fitsOn(scene, inService, now) || !fitsOn(scene, inService, whole)) return [];
  const isShort = (column: keyof NodeRoom): boolean =>
    !fitsOn(scene, inService, (node) => ({ ...whole(node), [column]: now(node)[column] }));
  const short: Countable[] = [];
  if (shape.isWholeNodes) short.push("nodes");
  else {
    if (isShort("procs")) short.push("procs");
    if (isShort("memoryBytes")) short.push("memory");
    if (isShort("gpus")) short.push("gpus");
    // Each is there, but not together on the same nodes.
    if (short.length === 0) short.push("nodes");
  }
  return short.map((what) => shortage(scene, what, now));
}

function shortage(scene: Scene, what: Countable, now: (node: ClusterNode) => NodeRoom): Blocker {
  const { shape, inService, partition } = scene;
  const rooms = inService.map(now);
  const tasks = rooms.map((room) => tasksIn(room, shape, partition));
  const roomyNodes = tasks.filter((count) => count > 0).length;
  const wanted = wantedOf(shape, what);
  const free = what === "nodes" ? roomyNodes : rooms.reduce((sum, room) => sum + amountIn(room, what), 0);
  const remedies: Remedy[] = [{ kind: "wait" }];
  const fitting = tasks.reduce((sum, count) => sum + count, 0) * shape.procsPerTask;
  if (what === "procs" && fitting > 0 && roomyNodes >= shape.nodes && fitting < wanted) {
    remedies.push({ kind: "askAtMost", what, amount: fitting });
  }
  const facts = { partition: partition.name, what, wanted, free, wantedNodes: shape.nodes, roomyNodes };
  return { kind: "busy", ...facts, isFragmented: free >= wanted, remedies };
}

function wantedOf(shape: JobShape, what: Countable): number {
  switch (what) {
    case "procs":
      return shape.tasks * shape.procsPerTask;
    case "memory":
      return shape.tasks * shape.bytesPerTask + shape.nodes * (shape.bytesPerNode + shape.coreBytesPerNode);
    case "gpus":
      return shape.nodes * shape.gpusPerNode;
    case "nodes":
      return shape.nodes;
  }
}

function amountIn(room: NodeRoom, what: Exclude<Countable, "nodes">): number {
  if (what === "procs") return room.procs;
  return what === "memory" ? room.memoryBytes : room.gpus;
}
