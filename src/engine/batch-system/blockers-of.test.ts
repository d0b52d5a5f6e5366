import { describe, expect, it } from "vitest";
import {
  answerFor,
  answerText,
  kindsOf,
  onlyBlocker,
  waitingCluster,
} from "../../../test/cluster-answers.ts";
import {
  aJob,
  aPartition,
  aQos,
  aReservation,
  capturedCluster,
  limits,
  MINUTE_MS,
  NOW_MS,
  type SaidOfJob,
} from "../../../test/cluster-scene.ts";
import { schedulingRules } from "../../formats/slurm/index.ts";
import { blockersOf } from "./blockers-of.ts";

const GIB = 1024 ** 3;

describe("a captured cluster", () => {
  const a = capturedCluster("captured-22.05-a");
  const b = capturedCluster("captured-22.05-b");

  it.each([
    ["13", ["busy"]],
    ["8", ["arrayLimit"]],
    ["9", ["dependency"]],
    ["12", ["held"]],
    ["7", []],
  ])("CW-1 A: job %s waits for %j", (siteJob, kinds) => {
    expect(kindsOf(a, siteJob)).toEqual(kinds);
  });

  it.each([
    ["4", ["beginTime", "limit", "priority"]],
    ["10", ["limit", "priority"]],
    ["2", ["partitionLimit", "reservationAhead", "priority"]],
    ["1", ["nodesOut", "reservationAhead"]],
    ["11", ["nodesOut", "reservationAhead", "priority"]],
    ["8", []],
  ])("CW-1 B: job %s waits for %j", (siteJob, kinds) => {
    expect(kindsOf(b, siteJob)).toEqual(kinds);
  });

  it("CW-2 Slurm's own reason agrees for every job of both clusters", () => {
    for (const snapshot of [a, b]) {
      for (const { siteJob, state, reason } of snapshot.jobs) {
        if (state !== "waiting" && state !== "held") continue;
        expect(answerFor(snapshot, siteJob).system).toEqual({ reason, agreement: "same" });
      }
    }
  });

  it("CW-9 lists the jobs ahead, each with the factor that puts it ahead", () => {
    expect(answerFor(b, "11").blockers.at(-1)).toMatchObject({
      kind: "priority",
      place: 2,
      jobs: 1,
      first: [{ siteJob: "1", user: "stint-alice", by: { part: "age", ours: 0, theirs: 5 } }],
      mostlyBy: "age",
    });
  });

  it("CW-6 a cluster that does not allocate memory: requested memory keeps no job waiting", () => {
    const { blockers } = answerFor(a, "13");
    expect(blockers).toMatchObject([{ what: "nodes", wanted: 4, free: 3, isFragmented: false }]);
  });

  it("a task is found in the entry of its array", () => {
    expect(answerFor(a, "8_9").siteJob).toBe("8_[5,7,9,20%2]");
    expect(answerFor(a, "8_3").stateText).toBe("RUNNING");
    expect(blockersOf(a, "8_6")).toBeUndefined();
    expect(blockersOf(a, "77")).toBeUndefined();
  });
});

describe("the job itself", () => {
  it.each([
    ["JobHeldUser", "user", "release"],
    ["JobHeldAdmin", "admin", "askAdmin"],
    ["launch failed requeued held", "system", "askAdmin"],
  ])("CW-1 held: %s", (reason, by, remedy) => {
    const blocker = onlyBlocker(waitingCluster({ state: "held", reason, priority: 0 }), "1");
    expect(blocker).toMatchObject({ kind: "held", by, remedies: [{ kind: remedy }] });
  });

  it("CW-1 dependencies: the state of each, and what can never be met", () => {
    const snapshot = waitingCluster(
      { dependency: "afterok:7(unfulfilled):8(failed),afterany:9", eligibleAtMs: null, reason: "Dependency" },
      { jobs: [aJob("7", { state: "running", nodes: ["n1"] })] },
    );
    expect(onlyBlocker(snapshot, "1")).toMatchObject({
      kind: "dependency",
      isNeverMet: true,
      awaited: [
        { relation: "afterok", siteJob: "7", state: "running", isNeverMet: false },
        { relation: "afterok", siteJob: "8", state: null, isNeverMet: true },
        { relation: "afterany", siteJob: "9", state: null, says: null },
      ],
    });
    expect(answerText(snapshot)).toContain("can never come true");
    const either = waitingCluster({ dependency: "afterok:8(failed)?afterany:9", reason: "Dependency" });
    expect(onlyBlocker(either, "1")).toMatchObject({ isAnyEnough: true, isNeverMet: false });
    const singleton = waitingCluster({ dependency: "singleton(unfulfilled)", reason: "Dependency" });
    expect(onlyBlocker(singleton, "1")).toMatchObject({
      awaited: [{ relation: "singleton", siteJob: null }],
    });
  });

  it("CW-1 licences are short when the batch system reports it", () => {
    const snapshot = waitingCluster(
      { licenses: { matlab: 2 }, reason: "Licenses" },
      { jobs: [aJob("2", { state: "running", licenses: { matlab: 3 } })] },
    );
    expect(onlyBlocker(snapshot, "1")).toMatchObject({ licenses: [{ name: "matlab", wanted: 2, used: 3 }] });
    expect(answerFor(snapshot, "1").unknown).toMatchObject([{ what: "free licences" }]);
  });

  it("CW-1 counted licences decide whether they are short, whatever the system says", () => {
    const licenses = [{ name: "matlab", total: 4, used: 3, free: 1 }];
    const wants = (count: number, reason: string | null = null) =>
      waitingCluster({ licenses: { matlab: count }, reason }, { licenses });
    expect(onlyBlocker(wants(2), "1")).toMatchObject({
      licenses: [{ name: "matlab", wanted: 2, used: 3, total: 4 }],
      remedies: [{ kind: "wait" }],
    });
    expect(answerText(wants(2))).toContain("matlab (wants 2, 3 of 4 in use)");
    expect(answerFor(wants(2), "1").unknown).toEqual([]);
    expect(kindsOf(wants(1), "1")).toEqual(["turn"]);
    expect(onlyBlocker(wants(5), "1")).toMatchObject({ licenses: [{ wanted: 5 }], remedies: [] });
    expect(answerText(wants(5))).toContain("matlab (wants 5, there are 4)");
  });

  it.each([
    ["unknown", {}],
    ["notAllowed", { users: ["bob"] }],
    ["notStarted", { users: ["ann"] }],
    ["over", { startAtMs: NOW_MS - 2, endAtMs: NOW_MS - 1 }],
  ])("CW-1 the reservation that it asks for: %s", (problem, more) => {
    const reservations = problem === "unknown" ? [] : [aReservation("r", ["n1"], more)];
    expect(onlyBlocker(waitingCluster({ reservation: "r" }, { reservations }), "1")).toMatchObject({
      kind: "reservationAsked",
      problem,
    });
  });
});

describe("partitions", () => {
  const others = ["n1", "n2", "n3", "n4"];
  it.each([
    ["partitionClosed", { state: "DOWN" }, {}],
    ["partitionClosed", { state: "INACTIVE" }, {}],
    ["partitionForbids", { accounts: { allowed: ["biology"], denied: [] } }, {}],
    ["partitionForbids", { accounts: { allowed: null, denied: ["physics"] } }, {}],
    ["partitionForbids", { qosNames: { allowed: ["long"], denied: [] } }, { qos: "short" }],
    ["partitionForbids", { isRootOnly: true }, {}],
    ["partitionForbids", { isReservationNeeded: true }, {}],
    ["partitionLimit", { maxTimeMs: 10 * MINUTE_MS }, {}],
    ["partitionLimit", { maxNodes: 1 }, { nodeCount: 2, procs: 2 }],
    ["partitionLimit", { minNodes: 2 }, {}],
    ["partitionLimit", { maxProcsPerNode: 2 }, { procs: 3, tasks: 1 }],
    ["partitionLimit", { maxMemoryPerNodeBytes: GIB }, { memoryPerNodeBytes: 2 * GIB }],
  ])("CW-1 %s %j", (kind, partition, job) => {
    const snapshot = waitingCluster(job, { partitions: [aPartition("main", others, partition)] });
    expect(onlyBlocker(snapshot, "1")).toMatchObject({ kind, partition: "main" });
    expect(answerFor(snapshot, "1").openPartitions).toEqual([]);
    const alternative = [aPartition("main", others, partition), aPartition("more", others)];
    expect(
      kindsOf(waitingCluster({ ...job, partitions: ["main", "more"] }, { partitions: alternative }), "1"),
    ).toEqual(["turn"]);
    expect(onlyBlocker(waitingCluster(job, { partitions: alternative }), "1").remedies).toContainEqual({
      kind: "otherPartition",
      partitions: ["more"],
    });
  });

  it("CW-1 a draining partition still starts its jobs, and an unknown one is reported", () => {
    const drained = aPartition("main", others, { state: "DRAIN" });
    expect(kindsOf(waitingCluster({}, { partitions: [drained] }), "1")).toEqual(["turn"]);
    expect(kindsOf(waitingCluster({ partitions: ["gone"] }), "1")).toEqual(["partitionUnknown"]);
  });
});

describe("limits", () => {
  const running = (more: SaidOfJob) => aJob("2", { state: "running", nodes: ["n1"], ...more });
  it.each([
    ["job cpu", { perJob: limits({ tres: { cpu: 1 } }) }, {}, null, true],
    ["job wall", { perJob: limits({ wallMs: MINUTE_MS }) }, {}, null, true],
    ["user jobs", { perUser: limits({ jobs: 1 }) }, {}, 1, false],
    ["user cpu", { perUser: limits({ tres: { cpu: 3 } }) }, {}, 2, false],
    ["account cpu", { perAccount: limits({ tres: { cpu: 3 } }) }, { user: "bob" }, 2, false],
    ["group node", { group: limits({ tres: { node: 1 } }) }, { user: "bob", account: "biology" }, 1, false],
  ])("CW-5 of a QOS: %s", (name, limited, other, ...[used, isAlone]) => {
    const [scope, what] = name.split(" ");
    const snapshot = waitingCluster(
      { qos: "q", procs: 2 },
      { qos: [aQos("q", limited)], jobs: [running({ qos: "q", procs: 2, ...other })] },
    );
    expect(onlyBlocker(snapshot, "1")).toMatchObject({
      kind: "limit",
      holder: "qos",
      scope,
      what,
      used,
      isAlone,
    });
    const settings = { AccountingStorageEnforce: "associations" };
    expect(kindsOf({ ...snapshot, settings, scheduling: schedulingRules(settings) }, "1")).toEqual(["turn"]);
  });

  it("CW-5 the partition's QOS comes before the job's, unless that says otherwise", () => {
    const partitions = [aPartition("main", ["n1"], { qos: "p" })];
    const ofPartition = aQos("p", { perJob: limits({ tres: { cpu: 4 } }) });
    const own = { perJob: limits({ tres: { cpu: 1 } }) };
    const snapshot = (flags: readonly string[]) =>
      waitingCluster(
        { qos: "q", procs: 2 },
        { partitions, qos: [ofPartition, aQos("q", { ...own, flags })] },
      );
    expect(kindsOf(snapshot([]), "1")).toEqual(["turn"]);
    expect(onlyBlocker(snapshot(["OverPartQOS"]), "1")).toMatchObject({ holder: "qos", what: "cpu" });
  });

  it("CW-5 an association counts its own jobs, and a QOS may ask for a minimum", () => {
    const row = {
      parent: null,
      partition: null,
      shares: 1,
      maxSubmittedJobs: null,
      qos: [],
      defaultQos: null,
    };
    const associations = [
      {
        ...row,
        account: "physics",
        user: null,
        perJob: limits({}),
        group: limits({ tres: { cpu: 2 } }),
        maxJobs: null,
      },
      { ...row, account: "physics", user: "ann", perJob: limits({}), group: limits({}), maxJobs: 1 },
    ];
    const jobs = [running({ procs: 2 }), running({ siteJob: "3", account: "biology", procs: 4 })];
    expect(answerFor(waitingCluster({}, { associations, jobs }), "1").blockers).toMatchObject([
      { kind: "limit", name: "physics/ann", scope: "user", what: "jobs", used: 1, limit: 1 },
      { kind: "limit", name: "physics", scope: "group", what: "cpu", used: 2, limit: 2 },
    ]);
    const qos = [aQos("q", { minimumTres: { "gres/gpu": 1 } })];
    expect(onlyBlocker(waitingCluster({ qos: "q" }, { qos }), "1")).toMatchObject({
      kind: "minimum",
      wanted: 0,
    });
  });

  it("CW-5 the limit of an account holds for all accounts below it, and counts all their jobs", () => {
    const none = {
      partition: null,
      shares: 1,
      maxJobs: null,
      maxSubmittedJobs: null,
      qos: [],
      defaultQos: null,
    };
    const account = (name: string, parent: string | null, cpu?: number) => ({
      ...{ ...none, account: name, parent, user: null, perJob: limits({}) },
      group: limits({ tres: cpu === undefined ? {} : { cpu } }),
    });
    const associations = [
      account("root", null),
      account("science", "root", 6),
      account("physics", "science"),
      account("optics", "physics"),
      account("biology", "science"),
      account("history", "root"),
    ];
    const jobs = ["optics", "biology", "history"].map((name, at) =>
      running({ siteJob: `${at + 2}`, account: name, procs: 3 }),
    );
    const snapshot = waitingCluster({ account: "physics" }, { associations, jobs });
    expect(onlyBlocker(snapshot, "1")).toMatchObject({ name: "science", scope: "group", used: 6, limit: 6 });
    const elsewhere = waitingCluster({ account: "history" }, { associations, jobs });
    expect(kindsOf(elsewhere, "1")).not.toContain("limit");
  });

  it("CW-2 a limit that only the system sees has no numbers", () => {
    const answer = answerFor(waitingCluster({ reason: "AssocGrpCpuLimit" }), "1");
    expect(answer.blockers).toMatchObject([
      { kind: "limit", holder: "association", scope: "group", what: "cpu", limit: null, used: null },
    ]);
    expect(answer.system.agreement).toBe("same");
  });

  it.each([
    ["Resources", "different"],
    ["SomethingNew", "unread"],
    [null, "none"],
  ])("CW-2 a job that could start: the system says %s", (reason, agreement) => {
    const answer = answerFor(waitingCluster({ reason }), "1");
    expect(answer.blockers).toMatchObject([{ kind: "turn" }]);
    expect(answer.system).toEqual({ reason, agreement });
  });
});
