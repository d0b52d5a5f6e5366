import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ClusterJob } from "../../model/index.ts";
import { readAssociations, readQos } from "./accounting.ts";
import { historyCommand, readHistory } from "./history.ts";
import { hostList } from "./host-list.ts";
import { isOver, queueState } from "./job-states.ts";
import { readLicenses } from "./licenses.ts";
import { readNodes } from "./nodes.ts";
import { readPartitions } from "./partitions.ts";
import { pastJobsCommand, pastJobsOf, readPastRuns } from "./past-jobs.ts";
import { readPriorities } from "./priorities.ts";
import { readReservations } from "./reservations.ts";
import { readSettings } from "./settings.ts";
import { readQueue, SQUEUE_COMMAND } from "./squeue.ts";
import { durationMs, gpusOf, sizeBytes, tresOf } from "./words.ts";

const GIB = 1024 ** 3;
const MIB = 1024 ** 2;

const fixture = (folder: string, name: string): string =>
  readFileSync(join(import.meta.dirname, "fixtures", folder, `${name}.txt`), "utf8");
const ofA = (name: string): string => fixture("captured-22.05-a", name);
const ofB = (name: string): string => fixture("captured-22.05-b", name);
const ofX = (name: string): string => fixture("captured-22.05-x", name);
const newer = (name: string): string => fixture("written-24.05", name);

const named = (jobs: readonly ClusterJob[], name: string): ClusterJob => {
  const job = jobs.find((it) => it.name === name);
  if (job === undefined) throw new Error(`no job ${name}`);
  return job;
};

describe("the queue", () => {
  const a = readQueue(ofA("squeue"));
  const b = readQueue(ofB("squeue"));

  it("names with separators and line ends do not break a row", () => {
    expect(a.unreadable).toBe(0);
    expect(named(a.jobs, "a|b\nc=d")).toMatchObject({ siteJob: "13", nodeCount: 4, isExclusive: true });
    expect(a.ended.some(({ name }) => name === "a|b\nc")).toBe(true);
  });

  it("a running job has its start, its expected end and its nodes", () => {
    expect(named(b.jobs, "lim1")).toMatchObject({
      siteJob: "8",
      user: "stint-bob",
      account: "biology",
      partitions: ["batch"],
      qos: "limited",
      state: "running",
      reason: null,
      startedAtMs: 1_795_305_243_000,
      expectedStartAtMs: null,
      expectedEndAtMs: 1_795_305_843_000,
      limitMs: 600_000,
      ranMs: 8000,
      procs: 2,
      nodes: ["bn1"],
      memoryBytes: 200 * MIB,
      memoryPerProcBytes: 100 * MIB,
      memoryPerNodeBytes: null,
    });
  });

  it("a waiting job has its reason, and when and where the system expects to start it", () => {
    expect(named(b.jobs, "gpurun")).toMatchObject({
      state: "waiting",
      reason: "Priority",
      startedAtMs: null,
      expectedStartAtMs: 1_795_309_019_000,
      plannedNodes: ["bn3"],
      nodes: [],
      gpus: 2,
      memoryPerNodeBytes: 200 * MIB,
    });
    const wide = named(b.jobs, "wide");
    expect(wide).toMatchObject({ partitions: ["batch", "gpu"], plannedNodes: ["bn2", "bn3"] });
    expect(wide.reason).toBe("ReqNodeNotAvail, UnavailableNodes:bn3");
    expect(named(b.jobs, "later")).toMatchObject({ reason: "BeginTime", eligibleAtMs: 1_795_308_418_000 });
    expect(named(b.jobs, "lim3").reason).toBe("QOSMaxJobsPerUserLimit");
  });

  it("held, suspended and dependent jobs have these states", () => {
    expect(named(a.jobs, "held")).toMatchObject({ state: "held", priority: 0, procs: 3 });
    expect(named(a.jobs, "susp")).toMatchObject({ state: "suspended", priority: 0, ranMs: 2000 });
    const dep = named(a.jobs, "dep");
    expect(dep).toMatchObject({
      state: "waiting",
      dependency: { words: "afterok:7(unfulfilled)" },
      eligibleAtMs: null,
    });
  });

  it("waiting tasks of an array are one entry with their count", () => {
    const [waiting, ...running] = a.jobs.filter(({ name }) => name === "arr");
    expect(waiting).toMatchObject({ siteJob: "8_[5,7,9,20%2]", arrayJob: "8", count: 4, arrayLimit: 2 });
    expect(running.map(({ siteJob, count }) => [siteJob, count])).toEqual([
      ["8_1", 1],
      ["8_3", 1],
    ]);
  });

  it("ended jobs have exit code and signal, and no start if they never started", () => {
    const byName = new Map(a.ended.map((end) => [end.name, end]));
    expect(byName.get("e3")).toMatchObject({ stateText: "FAILED", exitCode: 3, signal: null });
    expect(byName.get("e3")?.startedAtMs).toBe(1_795_305_157_000);
    expect(byName.get("tl")).toMatchObject({ exitCode: 0, signal: 9, reason: "JobLaunchFailure" });
    expect(byName.get("never")).toMatchObject({ stateText: "CANCELLED", startedAtMs: null });
    const history = readHistory(ofA("history"));
    expect(history.map(({ name, exitCode, signal }) => [name, exitCode, signal])).toEqual([
      ["e3", 3, null],
      ["tl", 0, 9],
    ]);
    expect(readHistory(ofB("history"))).toEqual([]);
  });

  it("FO-65 unknown states keep their text; unreadable rows are counted", () => {
    const { jobs, unreadable } = readQueue(newer("squeue"));
    expect(unreadable).toBe(1);
    expect(named(jobs, "strange")).toMatchObject({
      state: null,
      stateText: "HIBERNATING",
      reason: "SomethingNew",
    });
    expect(named(jobs, "heldagain").state).toBe("held");
    expect(named(jobs, "hetero")).toMatchObject({
      siteJob: "900+0",
      gpus: 4,
      nice: -5,
      restarts: 2,
      features: { words: "a100&ib" },
      licenses: { matlab: 3, "ansys@flex": 1 },
      memoryPerNodeBytes: 8000 * MIB,
    });
    expect(queueState("PENDING", "Priority", 5)).toBe("waiting");
    expect([isOver("CANCELLED by 1000"), isOver("OUT_OF_ME+"), isOver("RUNNING")]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it("one command without a shell lists the queue; empty output is an empty queue", () => {
    expect(SQUEUE_COMMAND.slice(0, 4)).toEqual(["squeue", "--all", "--noheader", "--states=all"]);
    expect(readQueue("")).toEqual({ jobs: [], ended: [], unreadable: 0 });
    expect(historyCommand(["x"], 90_500)).toContain("--starttime=now-91");
  });
});

describe("the cluster", () => {
  it("nodes have the amounts available to jobs, and the reason for which they are out of service", () => {
    const [bn1, , , bn4] = readNodes(ofB("nodes"));
    expect(bn1).toMatchObject({ name: "bn1", procs: 4, threadsPerCore: 2, memoryBytes: 4 * GIB });
    expect(bn4).toMatchObject({
      states: ["IDLE", "DRAIN"],
      gpus: { fake: 2 },
      reason: "disk swap",
      reasonSinceMs: 1_795_304_818_000,
    });
    const [gpu01, cn] = readNodes(newer("nodes"));
    expect(gpu01).toMatchObject({
      states: ["MIXED", "PLANNED"],
      procs: 126,
      memoryBytes: 512_000 * MIB,
      gpus: { a100: 4, "1g.5gb": 7 },
      features: ["a100", "ib"],
      allocatedProcs: 48,
      allocatedGpus: 3,
      weight: 20,
    });
    expect(cn.states).toEqual(["DOWN", "NOT_RESPONDING", "DRAIN"]);
  });

  it("FO-65 a key inside free text does not replace an earlier value", () => {
    const [, , , bn4] = readNodes(ofB("nodes").replace("disk swap", "disk CPUTot=64 State=DOWN"));
    expect(bn4).toMatchObject({ procs: 4, states: ["IDLE", "DRAIN"], reason: "disk" });
  });

  it("partitions have nodes, limits and permitted accounts", () => {
    const [batch, gpu] = readPartitions(ofB("partitions"));
    expect(batch).toMatchObject({
      name: "batch",
      state: "UP",
      isDefault: true,
      nodes: ["bn1", "bn2", "bn3"],
      maxTimeMs: 86_400_000,
      defaultTimeMs: 300_000,
      maxNodes: null,
      accounts: { allowed: null, denied: [] },
    });
    expect(gpu.maxTimeMs).toBe(3_600_000);
    const [large, all] = readPartitions(newer("partitions"));
    expect(large).toMatchObject({
      nodes: ["gpu01", "gpu02", "gpu10"],
      accounts: { allowed: ["physics", "bio"], denied: [] },
      qos: "gpuq",
      priorityTier: 10,
      oversubscribe: "FORCE:2",
      isHidden: true,
      isReservationNeeded: true,
      defaultMemoryPerProcBytes: 2000 * MIB,
      maxProcsPerNode: 64,
    });
    expect(all).toMatchObject({
      nodes: [],
      accounts: { allowed: null, denied: ["guests"] },
      maxTimeMs: null,
    });
  });

  it("licences, accounts above others, GPUs by type, and tasks for each node", () => {
    expect(readLicenses(ofX("licenses"))).toEqual([
      { name: "ansys", total: 2, used: 0, free: 2 },
      { name: "matlab", total: 4, used: 3, free: 1 },
    ]);
    expect(readLicenses("No licenses configured in Slurm.\n")).toEqual([]);
    const shares = readAssociations(ofX("associations"));
    const parents = shares.map(({ account, user, parent }) => [account, user, parent]);
    expect(parents).toContainEqual(["biology", null, "root"]);
    expect(parents).toContainEqual(["biology", "stint-bob", null]);
    expect(readAssociations(ofA("associations"))[2].parent).toBeNull();
    const [xn1, xn2] = readNodes(ofX("nodes"));
    expect(xn1).toMatchObject({ gpus: {}, allocatedGpus: 0 });
    expect(xn2).toMatchObject({ gpus: { fake: 2 }, allocatedGpus: 1, allocatedGpuTypes: { fake: 1 } });
    expect(readNodes(ofB("nodes"))[0].allocatedGpuTypes).toBeNull();
    const { jobs, unreadable } = readQueue(ofX("squeue"));
    expect(unreadable).toBe(0);
    expect(named(jobs, "spread")).toMatchObject({ tasks: 4, nodeCount: 2, tasksPerNode: 2 });
    expect(named(jobs, "lic3")).toMatchObject({ licenses: { matlab: 3 }, tasksPerNode: null });
  });

  it("reservations, QOS, shares, priorities and settings", () => {
    expect(readReservations(ofA("reservations"))).toEqual([]);
    const [maint, cores] = readReservations(ofB("reservations"));
    expect(maint).toMatchObject({
      nodes: ["bn1"],
      flags: ["MAINT", "SPEC_NODES"],
      users: ["root"],
      procs: 4,
    });
    expect(cores).toMatchObject({ accounts: ["physics"], partition: "gpu", state: "INACTIVE" });
    const byName = new Map(readQos(ofB("qos")).map((qos) => [qos.name, qos]));
    expect(byName.get("short")).toMatchObject({ perJob: { wallMs: 600_000 }, perUser: { tres: { cpu: 4 } } });
    expect(byName.get("limited")?.perUser).toMatchObject({ jobs: 2, submittedJobs: 4 });
    const [long] = readQos(newer("qos"));
    expect(long).toMatchObject({
      flags: ["DenyOnLimit", "OverPartQOS"],
      preempts: ["scavenge"],
      group: { tres: { mem: 4096 * GIB }, jobs: 100, wallMs: 30 * 86_400_000 },
      minimumTres: { "gres/gpu": 1 },
    });
    const shares = readAssociations(ofB("associations"));
    expect(shares.find((it) => it.account === "physics" && it.user === null)?.shares).toBe(20);
    expect(shares.find((it) => it.user === "stint-bob")?.qos).toEqual(["limited", "normal", "short"]);
    expect(readPriorities(ofB("priorities")).get("1")).toMatchObject({ fairshare: 100_000, age: 5, qos: 0 });
    const settings = readSettings(ofB("settings"));
    expect(settings).toMatchObject({ PrivateData: "jobs", ClusterName: "b", SLURM_VERSION: "22.05.8" });
    expect(Object.keys(settings)).not.toContain("AccountingStorageHost");
  });
});

describe("single words", () => {
  it.each([
    ["1-02:03:04", 93_784_000],
    ["02:03:04", 7_384_000],
    ["5:00", 300_000],
    ["1-0", 86_400_000],
    ["UNLIMITED", null],
    ["INVALID", null],
  ])("FO-65 the length of time %s", (text, ms) => {
    expect(durationMs(text)).toBe(ms);
  });

  it("FO-65 sizes, TRES, GPUs and lists of hosts", () => {
    expect([sizeBytes("1.50G"), sizeBytes("100M"), sizeBytes("4096"), sizeBytes("N/A")]).toEqual([
      1.5 * GIB,
      100 * MIB,
      4 * GIB,
      null,
    ]);
    expect(tresOf("cpu=4,mem=4G,gres/gpu:a100=2")).toEqual({ cpu: 4, mem: 4 * GIB, "gres/gpu:a100": 2 });
    expect(gpusOf("gres:gpu:1")).toEqual({ gpu: 1 });
    expect(gpusOf("gres/gpu=3,gpu:v100:2(S:0-1)")).toEqual({ gpu: 3, v100: 2 });
    expect(hostList("n[08-10,x],m[1-2]-[a,b]")).toEqual([
      ...["n08", "n09", "n10", "nx"],
      ...["m1-a", "m1-b", "m2-a", "m2-b"],
    ]);
    expect(hostList("n[1-999999999999]")).toEqual(["n1-999999999999"]);
    expect(hostList("n[9007199254740992-9007199254740993]")).toEqual(["n9007199254740992-9007199254740993"]);
  });

  it("FO-65 a list of hosts in a text of 1 MB is bounded", () => {
    const long = 1_000_000;
    expect(hostList("[".repeat(long))).toHaveLength(1);
    expect(hostList("[]".repeat(long))).toHaveLength(1);
    expect(hostList(`n[${"1-200000,".repeat(long / 9)}1]`)).toHaveLength(1);
    expect(hostList("n[1-200000],".repeat(long / 12))).toHaveLength(200_000);
    expect(gpusOf("(".repeat(long))).toEqual({});
    expect(gpusOf(`gpu:${"a".repeat(long)}:`)).toEqual({});
    const [node] = readNodes(`NodeName=n1 State=IDLE Reason=${"[ ".repeat(long)}x\n`);
    expect(node).toMatchObject({ name: "n1", reasonSinceMs: null });
  });
});

describe("what the accounting remembers of everybody", () => {
  const HEAD =
    "JobID|Submit|Eligible|Start|End|ElapsedRaw|TimelimitRaw|State|AllocCPUS|ReqCPUS|NodeList|" +
    "Partition|User|Account";
  const past = (lines: readonly string[], sinceMs = 0) => pastJobsOf(readPastRuns([HEAD, ...lines]), sinceMs);

  it("the command asks for relative windows, for every run of every user", () => {
    const words = pastJobsCommand({ fromAgoMs: 7_200_500, untilAgoMs: 3_600_000 }).join(" ");
    expect(words).toContain(
      "--allusers --duplicates --starttime=now-7201 --endtime=now-3600 --format=JobID,",
    );
    expect(pastJobsCommand({ fromAgoMs: 1000, untilAgoMs: 0 })).toContain("--endtime=now");
  });

  it("the history has runs of any length, waiting and cancelled jobs, and each run of a requeued job", () => {
    const jobs = past([
      "1|1000|1000|1100|1100|0|60|COMPLETED|4|4|n1|batch|ada|physics",
      "2|1000|1200|Unknown|Unknown|0|Partition_Limit|PENDING|0|2|None assigned|batch|bob|",
      "3|1000|1000|1500|1500|0|60|CANCELLED by 7|0|2|None assigned|batch|ada|physics",
      "4|1000|1000|1100|1300|200|60|REQUEUED|1|1|n1|batch|ada|physics",
      "4|1300|1300|1400|Unknown|50|60|RUNNING|1|1|n1|batch|ada|physics",
      "5|1000|Unknown|Unknown|Unknown|0|60|PENDING|0|1|None assigned|batch|ada|physics",
      "no row",
    ]);
    const told = jobs.map((job) => [
      ...[job.siteJob, job.eligibleAtMs, job.startedAtMs, job.endedAtMs],
      ...[job.limitMs, job.procs],
    ]);
    expect(told).toEqual([
      ["1", 1_000_000, 1_100_000, 1_100_000, 3_600_000, 4],
      ["3", 1_000_000, null, 1_500_000, 3_600_000, 2],
      ["4", 1_000_000, 1_100_000, 1_300_000, 3_600_000, 1],
      ["2", 1_200_000, null, null, null, 2],
      ["4#2", 1_300_000, 1_400_000, null, 3_600_000, 1],
    ]);
    expect(jobs[0]).toMatchObject({ partition: "batch", user: "ada", account: "physics", memoryBytes: null });
    expect(jobs[3]?.account).toBeNull();
  });

  it("a run in two windows is one; a run that ended before them is left out", () => {
    const run = "1|1000|1000|1100|1200|100|60|COMPLETED|4|4|n1|batch|ada|physics";
    expect(past([run, run])).toHaveLength(1);
    expect(past([run], 1_200_001)).toEqual([]);
  });
});
