import { describe, expect, it } from "vitest";
import {
  aCluster,
  aJob,
  aNode,
  aPartition,
  aQos,
  aReservation,
  capturedCluster,
  limits,
  MINUTE_MS,
  NOW_MS,
  type SaidOfJob,
} from "../../../test/cluster-scene.ts";
import type { ClusterJob, ClusterSnapshot } from "../../model/index.ts";
import { clusterMachine } from "./cluster-machine.ts";
import { startOf } from "./cluster-start.ts";
import { type ClusterExplanation, explainClusterJob } from "./explain-cluster-job.ts";
import { clusterExplanationText } from "./prospect-text.ts";

const GIB = 1024 ** 3;
const HOUR_MS = 60 * MINUTE_MS;

const explained = (snapshot: ClusterSnapshot, siteJob = "1"): ClusterExplanation => {
  const found = explainClusterJob(snapshot, siteJob);
  if (found === undefined) throw new Error(`no job ${siteJob}`);
  return found;
};
/** Minutes from now to the predicted start; null: never. */
const startOfOne = (snapshot: ClusterSnapshot, siteJob = "1"): number | null => {
  const startAtMs = explained(snapshot, siteJob).prediction?.startAtMs ?? null;
  return startAtMs === null ? null : (startAtMs - NOW_MS) / MINUTE_MS;
};
const changesOf = (snapshot: ClusterSnapshot) =>
  explained(snapshot).changes.map(({ startAtMs, ...change }) => ({
    ...change,
    inMinutes: (startAtMs - NOW_MS) / MINUTE_MS,
  }));
const full = (name: string, more = {}) => aNode(name, { allocatedProcs: 4, ...more });
/** A job that has some whole nodes for so many minutes more. */
const running = (siteJob: string, nodes: readonly string[], minutes: number, more: SaidOfJob = {}) =>
  aJob(siteJob, {
    state: "running",
    nodes,
    nodeCount: nodes.length,
    procs: nodes.length * 4,
    expectedEndAtMs: NOW_MS + minutes * MINUTE_MS,
    ...more,
  });
const names = ["n1", "n2", "n3", "n4"];
const busyUntil = (...minutes: readonly number[]): Pick<ClusterSnapshot, "nodes" | "jobs"> => ({
  nodes: names.map((name, at) => (minutes[at] === undefined ? aNode(name) : full(name))),
  jobs: minutes.map((end, at) => running(`${90 + at}`, [names[at]], end)),
});
const withOne = (
  job: SaidOfJob,
  scene: Partial<ClusterSnapshot>,
  others: readonly ClusterJob[] = [],
): ClusterSnapshot => aCluster({ ...scene, jobs: [aJob("1", job), ...(scene.jobs ?? []), ...others] });

describe("captured clusters", () => {
  it("CW-16 starts are those that Slurm expects, to the second that it counts in", () => {
    let compared = 0;
    for (const folder of ["captured-22.05-a", "captured-22.05-b"] as const) {
      const snapshot = capturedCluster(folder);
      for (const { siteJob, expectedStartAtMs, startedAtMs } of snapshot.jobs) {
        if (expectedStartAtMs === null || startedAtMs !== null) continue;
        const ours = explained(snapshot, siteJob).prediction?.startAtMs ?? Number.NaN;
        expect(Math.abs(ours - expectedStartAtMs)).toBeLessThanOrEqual(1000);
        compared++;
      }
    }
    expect(compared).toBe(5);
  });

  it("CW-18 shows what would help the captured jobs", () => {
    const b = capturedCluster("captured-22.05-b");
    expect(explained(b, "2").changes).toMatchObject([
      { kind: "fewerNodes", nodes: 1, startAtMs: b.atMs },
      { kind: "shorterLimit", limitMs: 102 * MINUTE_MS },
    ]);
    expect(explained(b, "1").changes).toMatchObject([{ kind: "shorterLimit", limitMs: 2 * MINUTE_MS }]);
  });
});

describe("the machine of a cluster", () => {
  it("CW-13 pools are disjoint sets of nodes with equal partitions, those out of service left out", () => {
    const partitions = [aPartition("main", ["n1", "n2", "n3"]), aPartition("more", ["n3", "n4", "gone"])];
    const nodes = [...names.slice(0, 3).map((name) => aNode(name)), aNode("n4", { states: ["DOWN"] })];
    const { classes } = clusterMachine(aCluster({ partitions, nodes }));
    expect(classes.map(({ partitions: its, capacity }) => [its, capacity[0]])).toEqual([
      [["main"], 8],
      [["main", "more"], 4],
      [["more"], 0],
    ]);
  });

  it("CW-13 allocations of hidden jobs stay for the longest limit", () => {
    const partitions = [aPartition("main", names, { maxTimeMs: HOUR_MS })];
    const nodes = names.map((name) => full(name));
    expect(startOfOne(withOne({}, { partitions, nodes }))).toBe(60);
    const jobs = [running("9", ["n1"], -5)];
    expect(startOfOne(withOne({}, { partitions, nodes, jobs }))).toBe(1);
  });

  it("CW-13 reservations are fixed, and not counted again where jobs run in them", () => {
    const partitions = [aPartition("main", ["n1", "n2"])];
    const r = aReservation("r", ["n1"], { startAtMs: NOW_MS - 1, users: ["bob"] });
    const inside = running("9", ["n1"], 20, { reservation: "r" });
    const scene = { partitions, nodes: [full("n1"), aNode("n2")], reservations: [r], jobs: [inside] };
    expect(startOfOne(withOne({ procs: 4 }, scene))).toBe(0);
    expect(startOfOne(withOne({ procs: 8, nodeCount: 2 }, scene))).toBe(90);
  });

  it("CW-13 jobs ahead by priority are simulated, those with a cause of their own are not", () => {
    const before = { procs: 16, nodeCount: 4, limitMs: HOUR_MS, priority: 200 };
    const alone = { procs: 16, nodeCount: 4 };
    expect(startOfOne(withOne(alone, {}, [aJob("2", before)]))).toBe(60);
    expect(startOfOne(withOne(alone, {}, [aJob("2", { ...before, priority: 50 })]))).toBe(0);
    expect(startOfOne(withOne(alone, {}, [aJob("2", { ...before, reason: "Dependency" })]))).toBe(0);
    expect(startOfOne(withOne(alone, {}, [aJob("2", { ...before, state: "held" })]))).toBe(0);
  });

  it("CW-13 jobs beyond the limit are counted", () => {
    const many = [aJob("2_[0-1499]", { arrayJob: "2", count: 1500, priority: 200 })];
    const { prediction, ...rest } = explained(withOne({}, {}, many));
    expect(prediction).toMatchObject({ jobsBefore: 500, jobsLeftOut: 1000 });
    const lines = clusterExplanationText({ prediction, ...rest }, String);
    expect(lines.some((line) => line.includes("1000 more jobs before it were too many"))).toBe(true);
  });

  it.each([
    ["conservative", {}, 60],
    ["easy", { SchedulerParameters: "bf_interval=30,bf_job_part_count_reserve=1" }, 60],
    ["fcfs", { SchedulerType: "sched/builtin" }, 100],
  ])("CW-15 %s: a short job behind wide ones", (discipline, settings, minutes) => {
    const scene = { ...busyUntil(60, 60), settings };
    const wide = aJob("2", { procs: 16, nodeCount: 4, priority: 300, limitMs: 40 * MINUTE_MS });
    const request = { procs: 12, nodeCount: 3, limitMs: 30 * MINUTE_MS };
    const after = withOne({ ...request, procs: 4, nodeCount: 1 }, scene, [wide]);
    expect(explained(after).prediction?.discipline).toBe(discipline);
    expect(startOfOne(after)).toBe(discipline === "fcfs" ? minutes : 0);
    expect(startOfOne(withOne(request, scene, [wide]))).toBe(100);
  });

  it("CW-16 a job over nodes of several pools starts when they together have room", () => {
    const partitions = [aPartition("main", names), aPartition("more", ["n3", "n4"])];
    const scene = { ...busyUntil(10), partitions };
    expect(startOfOne(withOne({ procs: 16, nodeCount: 4 }, scene))).toBe(10);
    expect(startOfOne(withOne({ procs: 12, nodeCount: 3 }, scene))).toBe(0);
    const wide = aJob("2", { procs: 16, nodeCount: 4, priority: 200, limitMs: 30 * MINUTE_MS });
    expect(startOfOne(withOne({}, scene, [wide]))).toBe(40);
    expect(startOfOne(withOne({ limitMs: 10 * MINUTE_MS }, scene, [wide]))).toBe(0);
    const settings = { SchedulerType: "sched/builtin" };
    expect(startOfOne(withOne({ procs: 16, nodeCount: 4 }, { ...scene, settings }, [wide]))).toBe(40);
  });

  it("CW-16 a job over several pools takes GPUs in each, also where one has all the processors", () => {
    const partitions = [aPartition("gpu", ["n1", "n2"]), aPartition("batch", ["n1"])];
    const gpus = { gpu: 2 };
    const nodes = [full("n1", { gpus, allocatedGpus: 2 }), full("n2", { gpus })];
    const jobs = [running("91", ["n1"], 30, { gpus: 2 }), running("92", ["n2"], 5)];
    const inGpu = { partitions: ["gpu"], limitMs: 30 * MINUTE_MS };
    const wide = aJob("2", { ...inGpu, procs: 2, nodeCount: 2, gpus: 4, priority: 200 });
    const one = withOne({ ...inGpu, procs: 1, gpus: 2 }, { nodes, partitions, jobs }, [wide]);
    expect(startOfOne(one, "2")).toBe(30);
    expect(startOfOne(one)).toBe(60);
  });

  it("CW-16 what must be on one node is in one pool", () => {
    const partitions = [aPartition("gpu", ["n1", "n2"]), aPartition("batch", ["n1"])];
    const gpus = { gpu: 2 };
    const nodes = ["n1", "n2"].map((name) => aNode(name, { gpus, allocatedGpus: 2, allocatedProcs: 2 }));
    const one = { procs: 1, gpus: 1 };
    const jobs = [
      running("91", ["n1"], 10, one),
      running("92", ["n2"], 20, one),
      running("93", ["n1"], 30, one),
      running("94", ["n2"], 40, one),
    ];
    const both = { partitions: ["gpu"], procs: 2, gpus: 2 };
    expect(startOfOne(withOne({ ...both, nodeCount: 1 }, { nodes, partitions, jobs }))).toBe(30);
    expect(startOfOne(withOne({ ...both, nodeCount: 2 }, { nodes, partitions, jobs }))).toBe(20);
  });

  it("CW-16 a job for which free processors are scattered does not start now", () => {
    const nodes = names.map((name) => aNode(name, { allocatedProcs: 2 }));
    const jobs = names.map((name, at) => running(`${9 + at}`, [name], 10 * (at + 1), { procs: 2 }));
    expect(startOfOne(withOne({ procs: 3, tasks: 1 }, { nodes, jobs }))).toBe(10);
  });

  it("CW-16 begin times and dependencies count; a job whose dependency cannot be met never starts", () => {
    const scene = busyUntil(20);
    expect(startOfOne(withOne({ eligibleAtMs: NOW_MS + HOUR_MS, reason: "BeginTime" }, scene))).toBe(60);
    const dependency = "afterok:90(unfulfilled)";
    expect(startOfOne(withOne({ dependency, reason: "Dependency" }, scene))).toBe(20);
    expect(startOfOne(withOne({ dependency: "afterok:5(failed)" }, scene))).toBeNull();
    expect(explained(withOne({ dependency }, scene)).prediction?.setAside).toEqual(["dependency"]);
  });

  it("CW-16 a hypothetical job comes last, and one that is too large never starts", () => {
    const scene = busyUntil(20, 20, 20, 20);
    const cluster = clusterMachine(aCluster(scene));
    const request = { need: [4, 0, 0] as const, limitMs: HOUR_MS, pools: [0] };
    expect(startOf(cluster, request) - NOW_MS).toBe(20 * MINUTE_MS);
    expect(startOf(cluster, { ...request, need: [17, 0, 0] })).toBe(Number.POSITIVE_INFINITY);
    expect(startOf(cluster, { ...request, pools: [] })).toBe(Number.POSITIVE_INFINITY);
    expect(startOfOne(withOne({ procs: 17, tasks: 17 }, scene))).toBeNull();
  });
});

describe("what would make it sooner", () => {
  it("CW-18 shows the smallest reduction of processors, of nodes and of the limit that helps", () => {
    const reservations = [aReservation("maint", names, { flags: ["MAINT"] })];
    expect(changesOf(withOne({ limitMs: HOUR_MS }, { reservations }))).toEqual([
      { kind: "shorterLimit", limitMs: 30 * MINUTE_MS, inMinutes: 0 },
    ]);
    expect(changesOf(withOne({ procs: 10, tasks: 10 }, busyUntil(20, 20)))).toEqual([
      { kind: "fewerProcs", procs: 8, inMinutes: 0 },
    ]);
    expect(changesOf(withOne({ procs: 12, nodeCount: 3, isExclusive: true }, busyUntil(20, 40)))).toEqual([
      { kind: "fewerNodes", nodes: 2, procs: 8, inMinutes: 0 },
    ]);
    expect(changesOf(withOne({}, busyUntil(20, 20)))).toEqual([]);
  });

  it("CW-18 a change that limits forbid is not shown", () => {
    const perUser = (cpu: number) => ({ qos: [aQos("q", { perUser: limits({ tres: { cpu } }) })] });
    const alone = { qos: "q", procs: 10, tasks: 10 };
    // Room is for 8; the limit lets 6 in.
    expect(changesOf(withOne(alone, { ...busyUntil(20, 20), ...perUser(6) }))).toEqual([
      { kind: "fewerProcs", procs: 6, inMinutes: 0 },
    ]);
    expect(changesOf(withOne(alone, { ...busyUntil(20, 20), ...perUser(0) }))).toEqual([]);
    const held = { ...alone, state: "held", reason: "JobHeldUser" } as const;
    expect(changesOf(withOne(held, busyUntil(20, 20)))).toEqual([]);
    const said = { ...alone, reason: "QOSMaxCpuPerUserLimit" };
    expect(changesOf(withOne(said, busyUntil(20, 20)))).toEqual([]);
  });

  it("CW-18 shows several changes together where no single one starts it at once", () => {
    const reservations = [aReservation("maint", names, { flags: ["MAINT"] })];
    const perUser = { qos: [aQos("q", { perUser: limits({ tres: { cpu: 6 } }) })] };
    const job = { qos: "q", procs: 10, tasks: 10, limitMs: HOUR_MS };
    const snapshot = withOne(job, { reservations, ...perUser });
    expect(changesOf(snapshot)).toEqual([
      { kind: "fewerProcs", procs: 6, inMinutes: 90 },
      {
        kind: "together",
        changes: [
          { kind: "shorterLimit", limitMs: 30 * MINUTE_MS },
          { kind: "fewerProcs", procs: 6 },
        ],
        inMinutes: 0,
      },
    ]);
    const lines = clusterExplanationText(explained(snapshot), (atMs) => `+${atMs - NOW_MS}`);
    expect(lines).toContain("with a time limit of 30m and 6 processors it would start by +0");
  });

  it("CW-18 less memory, fewer GPUs, another partition", () => {
    const partitions = [aPartition("main", ["n1"]), aPartition("more", ["n2"])];
    const memory = aNode("n1", { allocatedProcs: 1, allocatedMemoryBytes: 6 * GIB });
    const job = running("9", ["n1"], 20, { procs: 1, memoryBytes: 6 * GIB });
    const asking = { memoryPerNodeBytes: 4 * GIB };
    expect(changesOf(withOne(asking, { partitions, nodes: [memory, full("n2")], jobs: [job] }))).toEqual([
      { kind: "lessMemory", memoryBytes: 2 * GIB, inMinutes: 0 },
    ]);
    const gpus = aNode("n1", { gpus: { a: 4 }, allocatedGpus: 3, allocatedProcs: 1 });
    const other = running("9", ["n1"], 20, { procs: 1, gpus: 3 });
    const scene = { partitions, nodes: [gpus, full("n2")], jobs: [other] };
    expect(changesOf(withOne({ gpus: 2 }, scene))).toEqual([{ kind: "fewerGpus", gpus: 1, inMinutes: 0 }]);
    const free = { partitions, nodes: [full("n1"), aNode("n2")], jobs: [running("9", ["n1"], 20)] };
    expect(changesOf(withOne({}, free))).toEqual([
      { kind: "otherPartition", partition: "more", inMinutes: 0 },
    ]);
    const lines = clusterExplanationText(explained(withOne({}, free)), (atMs) => `+${atMs - NOW_MS}`);
    expect(lines).toContain("with partition more it would start by +0");
  });
});
