import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  aCluster,
  aJob,
  aNode,
  aPartition,
  aQos,
  aReservation,
  limits,
  MINUTE_MS,
  NOW_MS,
} from "../../../test/cluster-scene.ts";
import { draws } from "../../../test/draws.ts";
import type { ClusterJob, ClusterNode, ClusterSnapshot } from "../../model/index.ts";
import { isPlanning } from "../../model/index.ts";
import type { Blocker } from "./blocker.ts";
import type { SingleChange } from "./change-search.ts";
import { machineBefore, playedStart, startOf } from "./cluster-start.ts";
import { explainClusterJob } from "./explain-cluster-job.ts";
import { clusterExplanationText } from "./prospect-text.ts";
import { viewOf } from "./view.ts";

const GIB = 1024 ** 3;
const NODES = ["n1", "n2", "n3", "n4", "n5"];
const PARTITIONS = ["main", "gpu", "all"];

const someOf = (names: readonly string[]) => fc.uniqueArray(fc.constantFrom(...names), { minLength: 1 });
const minutes = (most: number) => fc.integer({ min: -20, max: most }).map((it) => NOW_MS + it * MINUTE_MS);
const aState = fc.constantFrom(["IDLE"], ["MIXED"], ["IDLE", "DRAIN"], ["DOWN", "NOT_RESPONDING"]);

const aShape = fc.record({
  procs: fc.integer({ min: 1, max: 12 }),
  nodeCount: fc.integer({ min: 1, max: 3 }),
  limitMs: fc.option(fc.integer({ min: 1, max: 90 }).map((it) => it * MINUTE_MS)),
  gpus: fc.constantFrom(0, 0, 0, 1, 3),
  memoryPerNodeBytes: fc.option(fc.integer({ min: 1, max: 9 }).map((it) => it * GIB)),
  isExclusive: fc.boolean(),
});
const aWaiting = fc.record({
  shape: aShape,
  partitions: someOf([...PARTITIONS, "gone"]),
  state: fc.constantFrom("waiting" as const, "waiting" as const, "held" as const, "suspended" as const, null),
  reason: fc.constantFrom(null, "Priority", "Resources", "Dependency", "AssocGrpCpuLimit", "Licenses"),
  priority: fc.option(fc.integer({ min: 0, max: 5 })),
  priorityParts: fc.option(fc.record({ age: fc.nat(3), fairshare: fc.nat(3) })),
  eligibleAtMs: fc.option(minutes(20)),
  dependency: fc.constantFrom(null, "afterok:10(unfulfilled)", "afterok:9(failed)?afterany:11", "singleton"),
  reservation: fc.constantFrom(null, null, "r1", "gone"),
  features: fc.constantFrom(null, null, "ib", "ib&(a|b)", "[a|b", "!"),
  user: fc.constantFrom(null, "ann", "bob"),
  qos: fc.constantFrom(null, "q", "gone"),
  count: fc.constantFrom(1, 1, 5),
});
const aRunning = fc.record({
  on: someOf(NODES),
  procs: fc.integer({ min: 1, max: 9 }),
  endAtMs: minutes(60),
});

/** A cluster in which nodes have at least allocated what their jobs have. */
const anyCluster = fc
  .record({
    nodes: fc.tuple(
      ...NODES.map(() => fc.record({ states: aState, hidden: fc.nat(2), isGpu: fc.boolean() })),
    ),
    running: fc.array(aRunning, { maxLength: 5 }),
    waiting: fc.array(aWaiting, { minLength: 1, maxLength: 8 }),
    partitionNodes: fc.tuple(someOf(NODES), someOf(NODES)),
    reserved: fc.array(fc.record({ on: someOf(NODES), startAtMs: minutes(60), procs: fc.nat(8) }), {
      maxLength: 2,
    }),
    settings: fc.constantFrom<Readonly<Record<string, string>>>(
      {},
      { SchedulerType: "sched/builtin" },
      { SchedulerParameters: "bf_job_part_count_reserve=1" },
      { SelectTypeParameters: "CR_CORE", SelectType: "select/linear" },
    ),
    maxTimeMs: fc.option(fc.constant(45 * MINUTE_MS)),
  })
  .map((drawn): ClusterSnapshot => {
    const running = runningJobs(drawn.running);
    const waiting = drawn.waiting.map(({ shape, ...more }, at) => {
      const tasks = Math.max(shape.procs, shape.nodeCount);
      return aJob(`${50 + at}`, { ...more, ...shape, procs: tasks, tasks });
    });
    const [gpu, main] = drawn.partitionNodes;
    return aCluster({
      nodes: drawn.nodes.map((it, at) => nodeWith(NODES[at], it, running)),
      partitions: [
        aPartition("main", main, { maxTimeMs: drawn.maxTimeMs }),
        aPartition("gpu", gpu, { priorityTier: 2, oversubscribe: "EXCLUSIVE" }),
        aPartition("all", [...NODES, "unknown"], { maxNodes: 2 }),
      ],
      jobs: [...running, ...waiting],
      reservations: drawn.reserved.map(({ on, startAtMs, procs }, at) =>
        aReservation(`r${at}`, on, { startAtMs, endAtMs: startAtMs + 40 * MINUTE_MS, procs }),
      ),
      qos: [aQos("q", { perUser: limits({ jobs: 2, tres: { cpu: 9 } }) })],
      settings: drawn.settings,
    });
  });

function runningJobs(
  drawn: readonly { readonly on: readonly string[]; readonly procs: number; readonly endAtMs: number }[],
): readonly ClusterJob[] {
  const left = new Map(NODES.map((name) => [name, 4]));
  return drawn.flatMap(({ on, procs, endAtMs }, at) => {
    const each = Math.min(Math.ceil(procs / on.length), ...on.map((name) => left.get(name) ?? 0));
    if (each < 1) return [];
    for (const name of on) left.set(name, (left.get(name) ?? 0) - each);
    const size = { procs: each * on.length, nodeCount: on.length, nodes: on, expectedEndAtMs: endAtMs };
    return [aJob(`${10 + at}`, { state: "running", qos: "q", ...size })];
  });
}

function nodeWith(
  name: string,
  {
    states,
    hidden,
    isGpu,
  }: { readonly states: readonly string[]; readonly hidden: number; readonly isGpu: boolean },
  running: readonly ClusterJob[],
): ClusterNode {
  const its = running.filter(({ nodes }) => nodes.includes(name));
  const used = its.reduce((sum, { procs, nodeCount }) => sum + procs / nodeCount, 0);
  const gpus = isGpu ? { a100: 2 } : {};
  return aNode(name, { states, gpus, allocatedProcs: Math.min(4, used + hidden), features: ["ib", "a"] });
}

/** The names in a blocker that the snapshot has to have. */
function namesIn(blocker: Blocker, job: ClusterJob): readonly string[] {
  switch (blocker.kind) {
    case "reservationAhead":
      return [blocker.reservation, blocker.partition, ...blocker.nodes];
    case "nodesOut":
      return [blocker.partition, ...blocker.nodes.map(({ name }) => name)];
    case "priority":
      return blocker.first.map(({ siteJob }) => siteJob);
    case "limit":
      return blocker.name === null ? [] : [blocker.name];
    case "dependency":
      return blocker.awaited.flatMap(({ siteJob, state }) =>
        siteJob === null || state === null ? [] : [siteJob],
      );
    case "partitionUnknown":
      return job.partitions.includes(blocker.partition) ? [] : [blocker.partition];
    default:
      return "partition" in blocker ? [blocker.partition] : [];
  }
}

/** The job as its owner would submit it with what was told. */
function changedJob(job: ClusterJob, changes: readonly SingleChange[]): ClusterJob {
  const anew = { ...job, reason: null, waitsFor: null };
  return Object.assign(anew, ...changes.map((change) => changedIn(job, change)));
}

function changedIn(job: ClusterJob, change: SingleChange): Partial<ClusterJob> {
  switch (change.kind) {
    case "fewerProcs":
      return { procs: change.procs, tasks: change.procs };
    case "fewerNodes":
      return { procs: change.procs, tasks: change.procs, nodeCount: change.nodes, gpus: change.gpus ?? 0 };
    case "shorterLimit":
      return { limitMs: change.limitMs };
    case "lessMemory":
      return job.memoryPerNodeBytes === null
        ? { memoryBytes: change.memoryBytes, memoryPerProcBytes: null }
        : { memoryPerNodeBytes: Math.floor(change.memoryBytes / Math.max(1, job.nodeCount)) };
    case "fewerGpus":
      return { gpus: change.gpus };
    case "otherPartition":
      return { partitions: [change.partition] };
  }
}

const runs = draws(300);

describe("any cluster", () => {
  it("CW-13 every job is explained, whatever the snapshot contains, with names from it", () => {
    fc.assert(
      fc.property(anyCluster, (snapshot) => {
        const { partitions, nodes, jobs, reservations, qos } = snapshot;
        const known = new Set([...partitions, ...nodes, ...reservations, ...qos].map(({ name }) => name));
        for (const { siteJob } of jobs) known.add(siteJob);
        for (const job of jobs) {
          const found = explainClusterJob(snapshot, job.siteJob);
          const isWaiting = job.state === "waiting" || job.state === "held";
          expect(found?.blockers.length === 0).toBe(!isWaiting);
          for (const blocker of found?.blockers ?? []) {
            for (const name of namesIn(blocker, job)) expect(known).toContain(name);
          }
          if (found !== undefined) clusterExplanationText(found, String);
          const startAtMs = found?.prediction?.startAtMs ?? NOW_MS;
          expect(startAtMs).toBeGreaterThanOrEqual(NOW_MS);
          const isKept = (found?.prediction?.setAside.length ?? 0) > 0;
          for (const { startAtMs: changedMs, ...change } of found?.changes ?? []) {
            // What keeps the job for itself is taken to end for the prediction, and not for a change.
            if (!isKept) expect(changedMs).toBeLessThan(found?.prediction?.startAtMs ?? Infinity);
            const changed = changedJob(job, change.kind === "together" ? change.changes : [change]);
            const others = snapshot.jobs.filter((it) => it !== job);
            const after = explainClusterJob({ ...snapshot, jobs: [...others, changed] }, job.siteJob);
            expect(after?.prediction?.setAside.filter((it) => it !== "dependency")).toEqual([]);
            expect(after?.prediction?.startAtMs).not.toBeNull();
          }
        }
      }),
      runs,
    );
  });

  it("CW-16 a job without any cause starts now", () => {
    let seen = 0;
    fc.assert(
      fc.property(anyCluster, (snapshot) => {
        const isUsing = ({ state }: ClusterJob): boolean => state === "running";
        const running = snapshot.jobs.filter(isUsing);
        for (const job of snapshot.jobs.filter((it) => !isUsing(it))) {
          const { partitions, procs, tasks, nodeCount, limitMs, isExclusive, gpus } = job;
          const alone = aJob("1", { partitions, procs, tasks, nodeCount, limitMs, isExclusive, gpus });
          const found = explainClusterJob({ ...snapshot, jobs: [...running, alone] }, "1");
          if (found?.blockers[0]?.kind !== "turn") continue;
          seen++;
          expect(found.prediction?.startAtMs).toBe(NOW_MS);
        }
      }),
      runs,
    );
    expect(seen).toBeGreaterThan(runs.numRuns / 15);
  });

  it("CW-15 a start found beside promises is the start in the simulation", () => {
    let compared = 0;
    fc.assert(
      fc.property(anyCluster, (snapshot) => {
        const view = viewOf({ ...snapshot, settings: {} });
        for (const job of view.snapshot.jobs) {
          if (job.state !== "waiting" || job.priority === null) continue;
          const cluster = machineBefore(view, job);
          if (!isPlanning(cluster.discipline)) continue;
          const request = { need: [1, 0, 0] as const, limitMs: MINUTE_MS, pools: [0] };
          expect(startOf(cluster, request)).toBe(playedStart(cluster, request));
          compared++;
        }
      }),
      runs,
    );
    expect(compared).toBeGreaterThan(runs.numRuns / 15);
  });
});
