import { describe, expect, it } from "vitest";
import {
  answerFor,
  answerText,
  kindsOf,
  onlyBlocker,
  waitingCluster,
} from "../../../test/cluster-answers.ts";
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
  type SaidOfJob,
} from "../../../test/cluster-scene.ts";

const GIB = 1024 ** 3;

describe("nodes", () => {
  const used = (name: string, allocatedProcs: number, more = {}) => aNode(name, { allocatedProcs, ...more });

  it("CW-6 scattered processors are distinguished from too few", () => {
    const nodes = [used("n1", 2), used("n2", 2), used("n3", 4), used("n4", 4)];
    expect(onlyBlocker(waitingCluster({ procs: 3, tasks: 1 }, { nodes }), "1")).toMatchObject({
      kind: "busy",
      what: "procs",
      wanted: 3,
      free: 4,
      roomyNodes: 0,
      isFragmented: true,
    });
    const short = waitingCluster({ procs: 5, tasks: 5 }, { nodes });
    expect(onlyBlocker(short, "1")).toMatchObject({ wanted: 5, free: 4, roomyNodes: 2, isFragmented: false });
    expect(onlyBlocker(short, "1").remedies).toContainEqual({ kind: "askAtMost", what: "procs", amount: 4 });
    expect(answerText(short)).toContain("it wants 5 processors; main has 4 processors free");
  });

  it("CW-6 no more tasks share a node than the job allows", () => {
    const nodes = [used("n1", 0), used("n2", 2), used("n3", 4), used("n4", 4)];
    expect(kindsOf(waitingCluster({ procs: 4 }, { nodes }), "1")).toEqual(["turn"]);
    const apart = { procs: 4, tasksPerNode: 1 };
    expect(onlyBlocker(waitingCluster(apart, { nodes }), "1")).toMatchObject({ isFragmented: true });
    const two = waitingCluster({ procs: 4, nodeCount: 2, tasksPerNode: 2 }, { nodes });
    expect(kindsOf(two, "1")).toEqual(["turn"]);
  });

  it("CW-6 with the types of allocated GPUs in the snapshot, those of another type are free", () => {
    const gpus = { a100: 2, v100: 2 };
    const nodes = (allocatedGpuTypes: Readonly<Record<string, number>> | null) => [
      aNode("n1", { gpus, allocatedGpus: 2, allocatedGpuTypes }),
    ];
    const partitions = [aPartition("main", ["n1"])];
    const job = { gpus: 2, tres: { "gres/gpu:a100": 2 } };
    const of = (types: Readonly<Record<string, number>> | null) =>
      waitingCluster(job, { partitions, nodes: nodes(types) });
    expect(kindsOf(of({ v100: 2 }), "1")).toEqual(["turn"]);
    expect(onlyBlocker(of({ a100: 2 }), "1")).toMatchObject({ what: "gpus" });
    expect(kindsOf(of(null), "1")).toEqual(["turn"]);
  });

  it("CW-6 memory and GPUs are listed where they are short, together where both are", () => {
    const gpu = (allocatedGpus: number, allocatedMemoryBytes: number) =>
      aNode("n1", { gpus: { a100: 2 }, allocatedGpus, allocatedMemoryBytes, allocatedProcs: 1 });
    const partitions = [aPartition("main", ["n1"])];
    const job = { gpus: 1, memoryPerNodeBytes: 4 * GIB };
    expect(onlyBlocker(waitingCluster(job, { partitions, nodes: [gpu(2, 0)] }), "1")).toMatchObject({
      what: "gpus",
      wanted: 1,
      free: 0,
    });
    expect(onlyBlocker(waitingCluster(job, { partitions, nodes: [gpu(0, 5 * GIB)] }), "1")).toMatchObject({
      what: "memory",
      wanted: 4 * GIB,
      free: 3 * GIB,
    });
    const both = answerFor(waitingCluster(job, { partitions, nodes: [gpu(2, 5 * GIB)] }), "1");
    expect(both.blockers).toMatchObject([{ what: "memory" }, { what: "gpus" }]);
  });

  it("CW-6 two resources are free, but on different nodes", () => {
    const partitions = [aPartition("main", ["n1", "n2"])];
    const nodes = [
      aNode("n1", { gpus: { a: 1 }, allocatedGpus: 1 }),
      aNode("n2", { gpus: { a: 1 }, allocatedProcs: 4 }),
    ];
    expect(onlyBlocker(waitingCluster({ gpus: 1 }, { partitions, nodes }), "1")).toMatchObject({
      what: "nodes",
      isFragmented: false,
      roomyNodes: 0,
    });
  });

  it.each([
    ["procs", { procs: 5, tasks: 1 }, 5, 4, true],
    ["memory", { memoryPerNodeBytes: 9 * GIB }, 9 * GIB, 8 * GIB, true],
    ["gpus", { gpus: 1 }, 1, 0, true],
    ["nodes", { nodeCount: 5, procs: 5 }, 5, 4, false],
    ["procs", { procs: 17, tasks: 17 }, 17, 16, false],
  ])("CW-6 what never fits: %s %j", (what, job, ...[wanted, most, isPerNode]) => {
    expect(onlyBlocker(waitingCluster(job), "1")).toMatchObject({
      kind: "neverFits",
      what,
      wanted,
      most,
      isPerNode,
    });
  });

  it("CW-6 features that no node has", () => {
    const nodes = [aNode("n1", { features: ["ib", "intel"] }), aNode("n2", { features: ["amd"] })];
    const asking = (features: string) => kindsOf(waitingCluster({ features }, { nodes }), "1");
    expect(asking("a100")).toEqual(["featuresUnknown"]);
    expect(asking("amd&ib")).toEqual(["featuresUnknown"]);
    expect(asking("(intel|amd)&ib")).toEqual(["turn"]);
    expect(asking("amd|a100")).toEqual(["turn"]);
    expect(asking("[amd|intel]")).toEqual(["turn"]);
    expect(asking("intel*1&amd*1")).toEqual(["turn"]);
  });

  it("CW-6 nodes out of service are listed where the job needs them, with the reason", () => {
    const out = (name: string) => aNode(name, { states: ["IDLE", "DRAIN"], reason: "disk swap" });
    const nodes = [aNode("n1"), aNode("n2"), out("n3"), out("n4")];
    const wide = waitingCluster({ nodeCount: 3, procs: 3 }, { nodes });
    expect(onlyBlocker(wide, "1")).toMatchObject({ kind: "nodesOut", wanted: 3, inService: 2 });
    expect(answerText(wide)).toContain("n3 (disk swap), n4 (disk swap)");
    expect(kindsOf(waitingCluster({ nodeCount: 2, procs: 2 }, { nodes }), "1")).toEqual(["turn"]);
    const taken = [used("n1", 4), used("n2", 4), out("n3"), out("n4")];
    expect(kindsOf(waitingCluster({}, { nodes: taken }), "1")).toEqual(["nodesOut", "busy"]);
  });

  it("CW-8 lists a reservation ahead, and the longest limit that does not run into it", () => {
    const all = ["n1", "n2", "n3", "n4"];
    const startAtMs = NOW_MS + 20.5 * MINUTE_MS;
    const reservations = [aReservation("maint", all, { startAtMs, flags: ["MAINT"] })];
    const snapshot = waitingCluster({}, { reservations });
    expect(onlyBlocker(snapshot, "1")).toMatchObject({
      kind: "reservationAhead",
      isMaintenance: true,
      isActive: false,
      nodes: all,
      remedies: [{ kind: "limitAtMost", limitMs: 20 * MINUTE_MS }, { kind: "waitUntil" }],
    });
    expect(answerText(snapshot)).toContain("its time limit of 30m runs into maintenance maint");
    expect(kindsOf(waitingCluster({ limitMs: 20 * MINUTE_MS }, { reservations }), "1")).toEqual(["turn"]);
    expect(kindsOf(waitingCluster({ limitMs: null }, { reservations }), "1")).toEqual(["reservationAhead"]);
  });

  it("CW-8 a reservation of some processors leaves the others; the job's own is no cause", () => {
    const partitions = [aPartition("main", ["n1"])];
    const cores = aReservation("cores", ["n1"], { procs: 2, startAtMs: NOW_MS - 1 });
    const asking = (job: SaidOfJob) =>
      kindsOf(waitingCluster(job, { partitions, reservations: [cores] }), "1");
    expect(asking({ procs: 2 })).toEqual(["turn"]);
    expect(asking({ procs: 3 })).toEqual(["reservationAhead"]);
    expect(asking({ procs: 3, reservation: "cores" })).toEqual(["turn"]);
  });

  it("CW-6 whole nodes: by the job, by the partition, by the cluster", () => {
    const nodes = [used("n1", 1), used("n2", 1), used("n3", 1), used("n4", 1)];
    const shared = [aPartition("main", ["n1", "n2"])];
    const exclusive = [aPartition("main", ["n1", "n2"], { oversubscribe: "EXCLUSIVE" })];
    expect(kindsOf(waitingCluster({}, { nodes, partitions: shared }), "1")).toEqual(["turn"]);
    for (const snapshot of [
      waitingCluster({ isExclusive: true }, { nodes, partitions: shared }),
      waitingCluster({}, { nodes, partitions: exclusive }),
      waitingCluster({}, { nodes, partitions: shared, settings: { SelectType: "select/linear" } }),
    ]) {
      expect(onlyBlocker(snapshot, "1")).toMatchObject({ kind: "busy", what: "nodes", wanted: 1, free: 0 });
    }
  });
});

describe("the order of the queue", () => {
  it("CW-9 only jobs that could start and want the same nodes are ahead", () => {
    const partitions = [
      aPartition("main", ["n1", "n2"]),
      aPartition("urgent", ["n2"], { priorityTier: 9 }),
      aPartition("far", ["n3"]),
    ];
    const jobs = [
      aJob("2", { priority: 200 }),
      aJob("3", { priority: 200, reason: "Dependency" }),
      aJob("4", { priority: 200, state: "held" }),
      aJob("5", { priority: 200, partitions: ["far"] }),
      aJob("6", { priority: 1, partitions: ["urgent"], user: null }),
      aJob("7", { priority: 200, eligibleAtMs: NOW_MS + 1 }),
      aJob("8", { priority: 100 }),
      aJob("0", { priority: 100, count: 3 }),
    ];
    expect(onlyBlocker(waitingCluster({}, { partitions, jobs }), "1")).toMatchObject({
      kind: "priority",
      place: 6,
      jobs: 5,
      procs: 5,
      first: [{ siteJob: "6", user: null, isTierHigher: true }, { siteJob: "2" }, { siteJob: "0" }],
    });
  });

  it("CW-1 what the site hides is reported as unknown", () => {
    const hidden = [{ what: "jobs of others", why: "PrivateData=jobs" }];
    const snapshot = waitingCluster({ priority: null }, { hidden });
    expect(answerFor(snapshot, "1").unknown).toMatchObject([hidden[0], { what: "which jobs are ahead" }]);
    expect(answerText(snapshot)).toContain("not known: jobs of others (PrivateData=jobs)");
  });

  it("explaining one job takes a fixed number of passes over 10,000 jobs", () => {
    const all = Array.from({ length: 10_000 }, (_, at) =>
      aJob(`${at}`, { priority: 10_000 - at, state: at < 9 ? "running" : "waiting", qos: "q" }),
    );
    let looks = 0;
    const jobs = new Proxy(all, {
      get: (target, key) => {
        if (typeof key === "string" && /^\d+$/.test(key)) looks++;
        return Reflect.get(target, key);
      },
    });
    const qos = [aQos("q", { perUser: limits({ jobs: 4, tres: { cpu: 2 } }) })];
    const answer = answerFor(aCluster({ jobs, qos }), "9999");
    expect(answer.blockers.map(({ kind }) => kind)).toEqual(["limit", "limit", "priority"]);
    expect(looks).toBeLessThanOrEqual(5 * all.length);
  });
});
