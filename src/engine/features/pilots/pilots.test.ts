import { describe, expect, it } from "vitest";
import { aNode, aPartition } from "../../../../test/cluster-scene.ts";
import { HOUR, type Scene, scene } from "../../../../test/engine-scene.ts";
import {
  auditText,
  decideIdentity,
  type IdentityRules,
  type PilotRules,
  SLURM_DEFAULTS,
  type StintEvent,
} from "../../../model/index.ts";
import { explain } from "../../explain.ts";
import { query } from "../../register.ts";
import { queueFacts } from "../../site-selection/queue-facts.ts";

const GIB = 1024 ** 3;
const MINUTE = 60_000;
const DAY = 24 * HOUR;
const RULES: PilotRules = { max: 2, procs: 4, wallTimeMs: HOUR, idleMs: 0, consumer: "pilots" };

/** Clusters with pilots that have just been seen. */
function cluster(rules: Partial<PilotRules> = {}, names: readonly string[] = ["west"]): Scene {
  const play = scene({});
  const access = { type: "slurm", readOnly: false, submitDirectory: "/jobs" } as const;
  const spec = {
    ...SLURM_DEFAULTS,
    ...access,
    procs: 64,
    memoryBytes: 64 * GIB,
    pilots: { ...RULES, ...rules },
  };
  for (const site of names) {
    play.ask({ kind: "addSite", site, spec });
    play.look(site);
  }
  return play;
}

const pilotsOf = (play: Scene) => [...play.projection.books.pilots.values()];
const submit = (play: Scene, id: string, procs: number, wallTimeMs = 10 * MINUTE) =>
  play.submit(id, procs, { wallTimeMs });

/** The waiting pilots begin, and advertise what they were given. */
function open(play: Scene, size: { procs?: number; memoryBytes?: number; gpus?: number } = {}): void {
  for (const { job, state } of pilotsOf(play)) {
    if (state !== "WAITING") continue;
    play.running(job);
    const given = { procs: 4, memoryBytes: 4 * GIB, gpus: 0, node: "n1", ...size };
    play.ask({ kind: "openPilot", pilot: job, ...given });
  }
  play.settle();
}

const pilotFor = (play: Scene, job: string) => play.projection.jobs.get(job)?.pilot;

/** A cluster with one pilot that runs, and the job `a` bound to it. */
function withPayload(): { readonly play: Scene; readonly pilot: string } {
  const play = cluster({ max: 1 });
  submit(play, "a", 1);
  play.settle();
  open(play);
  const [{ job: pilot }] = pilotsOf(play);
  return { play, pilot };
}

describe("pilots of a cluster", () => {
  it("EN-300 as many are submitted as the waiting jobs need, and no more than are allowed", () => {
    const play = cluster();
    submit(play, "a", 3);
    play.settle();
    expect(pilotsOf(play)).toMatchObject([{ site: "west", procs: 4, state: "WAITING" }]);
    expect(play.state("a")).toBe("WAITING");
    for (const id of ["b", "c", "d", "e"]) submit(play, id, 3);
    play.settle();
    expect(pilotsOf(play)).toHaveLength(2);
    expect(pilotsOf(play).map(({ job }) => play.projection.jobs.get(job)?.consumer)).toEqual([
      "pilots",
      "pilots",
    ]);
  });

  it("EN-301 jobs that differ in arguments alone wait alike, and others do not wait behind them", () => {
    const play = cluster({ max: 1 });
    for (const at of [0, 1, 2, 3])
      play.submit(`wide${at}`, 4, { wallTimeMs: 10 * MINUTE, arguments: [`${at}`] });
    submit(play, "narrow", 1);
    submit(play, "wide", 4);
    play.settle();
    open(play, { procs: 3 });
    const [{ job: pilot }] = pilotsOf(play);
    expect(["wide0", "wide1", "wide2", "wide3", "wide"].map((id) => pilotFor(play, id))).toEqual(
      Array.from({ length: 5 }, () => undefined),
    );
    expect(pilotFor(play, "narrow")).toBe(pilot);
  });

  it("EN-300 pilots are submitted for jobs that wait alike as well", () => {
    const play = cluster({ max: 9 });
    for (const at of [0, 1, 2, 3, 4]) submit(play, `job${at}`, 4);
    play.settle();
    expect(pilotsOf(play)).toHaveLength(5);
  });

  it("EN-300 pilots of sites with names that are almost the same are different jobs", () => {
    const names = ["far_1", "far-1"];
    const play = cluster({}, names);
    for (const site of names) play.submit(site, 1, { wallTimeMs: MINUTE, site });
    play.settle();
    expect(pilotsOf(play).map(({ site }) => site)).toEqual(names);
  });

  it("EN-301 jobs are bound to a pilot that runs, side by side, in order of submission", () => {
    const play = cluster({ max: 1 });
    submit(play, "a", 2);
    submit(play, "b", 2);
    submit(play, "c", 1);
    play.settle();
    open(play);
    const [{ job: pilot }] = pilotsOf(play);
    expect(["a", "b", "c"].map((id) => pilotFor(play, id))).toEqual([pilot, pilot, undefined]);
    expect(play.state("c")).toBe("WAITING");
    play.running("a");
    play.ended("a");
    play.settle();
    expect(pilotFor(play, "c")).toBe(pilot);
  });

  it.each([
    { what: "longer than the time that the pilot has left", wallTimeMs: 50 * MINUTE },
    { what: "in need of more memory than it was given", memoryBytes: 5 * GIB },
  ])("EN-301 a job is not bound that is $what", ({ wallTimeMs = MINUTE, memoryBytes = 0 }) => {
    const play = cluster({ max: 1, idleMs: HOUR });
    submit(play, "first", 1);
    play.settle();
    open(play);
    play.now += 15 * MINUTE;
    play.submit("other", 1, { wallTimeMs, memoryBytes });
    play.settle();
    expect(pilotFor(play, "first")).toBeDefined();
    expect(play.state("other")).toBe("WAITING");
  });

  it("EN-301 what does not fit into any pilot is put into the cluster's queue", () => {
    const play = cluster();
    submit(play, "wide", 5);
    submit(play, "long", 1, 2 * HOUR);
    play.submit("spread", 2, { wallTimeMs: MINUTE, hostNumber: 2 });
    play.settle();
    expect(["wide", "long", "spread"].map((id) => play.state(id))).toEqual(["READY", "READY", "READY"]);
    expect(pilotsOf(play)).toEqual([]);
  });

  it("EN-301 a pilot that claims more than it was submitted for offers what it was submitted for", () => {
    const play = cluster({ max: 1, memoryBytes: GIB });
    submit(play, "a", 1);
    play.settle();
    open(play, { procs: 64, memoryBytes: 64 * GIB, gpus: 8 });
    const claimed = { procs: 64, memoryBytes: 64 * GIB, gpus: 8 };
    expect(pilotsOf(play)).toMatchObject([{ procs: 4, memoryBytes: GIB, gpus: 0, claimed }]);
  });

  it("EN-302 a pilot ends once it has had no job for the time that it may wait", () => {
    const play = cluster({ max: 1, idleMs: MINUTE });
    submit(play, "a", 1);
    play.settle();
    open(play);
    play.running("a");
    play.ended("a");
    play.settle();
    expect(pilotsOf(play)).toMatchObject([{ state: "RUNNING" }]);
    play.now += MINUTE;
    play.settle();
    expect(pilotsOf(play)).toMatchObject([{ state: "DRAINING", drained: "idle", taken: 1 }]);
  });

  it("EN-302 after pilots that ran nothing the next one comes after a pause that doubles", () => {
    const play = cluster({ max: 1 });
    const pauses: number[] = [];
    submit(play, "a", 1);
    for (let round = 0; round < 3; round++) {
      play.settle();
      const last = pilotsOf(play).at(-1);
      play.ended(last?.job ?? "", { cause: "lost" });
      const endedMs = play.now;
      play.settle();
      pauses.push((play.projection.books.pilotFactories.get("west")?.notBeforeMs ?? 0) - endedMs);
      play.now += pauses[round];
    }
    expect(pauses).toEqual([30_000, 60_000, 120_000]);
    expect(pilotsOf(play)).toHaveLength(3);
  });

  it("EN-302 a pilot that is killed delays the next one, though jobs began in it", () => {
    const { play, pilot } = withPayload();
    play.running("a");
    play.ended(pilot, { cause: "lost" });
    play.ended("a", { cause: "lost" });
    const { notBeforeMs = 0 } = play.projection.books.pilotFactories.get("west") ?? {};
    expect(notBeforeMs - play.now).toBe(30_000);
    play.settle();
    expect(pilotsOf(play)).toHaveLength(1);
  });

  it("EN-302 one in which a job ended, however, does not delay the next one", () => {
    const { play, pilot } = withPayload();
    play.running("a");
    play.ended("a");
    play.ended(pilot);
    expect(play.projection.books.pilotFactories.get("west")).toMatchObject({ fruitless: 0, notBeforeMs: 0 });
  });

  it("EN-303 what a lost pilot ran is queued again whatever retries it allows", () => {
    const { play, pilot } = withPayload();
    play.running("a");
    play.now += MINUTE;
    play.ended(pilot, { cause: "lost" });
    expect(play.state("a")).toBe("RUNNING");
    play.ended("a", { cause: "lost" });
    expect(play.state("a")).toBe("WAITING");
    expect(pilotFor(play, "a")).toBeUndefined();
    const charged = play.log.filter((event) => event.kind === "posted").map((event) => event.about);
    expect(new Set(charged)).toEqual(new Set(charged.filter((about) => about === "a")));
  });

  it("EN-303 a pilot that ended days ago is known until its payloads are over", () => {
    const { play, pilot } = withPayload();
    play.running("a");
    play.now += MINUTE;
    const endedAtMs = play.now;
    play.now += 3 * DAY;
    const end = { cause: "lost", exitCode: null, signal: null, cpuMs: null, detail: null } as const;
    play.report({ kind: "ended", job: pilot, attempt: 1, atMs: endedAtMs, end });
    play.settle();
    expect(pilotsOf(play)).toMatchObject([{ job: pilot, state: "ENDED", endedAtMs }]);
    play.ended("a");
    play.settle();
    expect(pilotsOf(play)).toEqual([]);
  });

  it("a payload is in no survey of the queue, and is not taken for lost", () => {
    const { play } = withPayload();
    play.report({ kind: "queued", job: "a", attempt: 1, atMs: play.now, siteJob: "7.a_1" });
    play.now += HOUR;
    const events: readonly StintEvent[] = play
      .look("west")
      .filter((event) => "job" in event && event.job === "a");
    expect(events).toEqual([]);
    expect(play.state("a")).toBe("SCHEDULED");
  });

  const rule = { path: null, executable: null, fromMs: 0, untilMs: DAY, account: null };
  const IDENTITY: IdentityRules = {
    mode: "setpriv",
    rules: [
      { ...rule, path: "vo", executable: "/bin/nc*" },
      { ...rule, path: "vo/group", account: "alice" },
      { ...rule, path: "night", fromMs: 22 * HOUR, untilMs: 6 * HOUR, account: "bob" },
    ],
    banned: ["vo/group/eve"],
  };

  it.each([
    {
      consumer: "vo/group/user",
      executable: "/bin/true",
      decision: { kind: "mapped", account: "alice", rule: 2 },
    },
    {
      consumer: "vo/group/user",
      executable: "/bin/ncat",
      decision: { kind: "refused", why: "rule", rule: 1 },
    },
    { consumer: "vo/group/eve", executable: "/bin/true", decision: { kind: "refused", why: "banned" } },
    { consumer: "vo/groups", executable: "/bin/true", decision: { kind: "refused", why: "noRule" } },
    { consumer: "night/x", executable: "/bin/true", hour: 23, decision: { kind: "mapped", account: "bob" } },
    { consumer: "night/x", executable: "/bin/true", hour: 12, decision: { kind: "refused", why: "noRule" } },
  ])("EN-304 the first rule decides, then the ban list: $consumer $executable", (given) => {
    const { hour = 12, decision, ...request } = given;
    expect(decideIdentity(IDENTITY, request, 400 * DAY + hour * HOUR)).toMatchObject(decision);
  });

  it.each(["setpriv", "sudo"] as const)(
    "EN-304 a payload gets the account of its owner, and one that is refused waits (%s)",
    (mode) => {
      const play = cluster({ max: 1, identity: { ...IDENTITY, mode } });
      submit(play, "a", 1);
      play.submit("nc", 1, { wallTimeMs: MINUTE, executable: "/bin/nc" });
      play.submit("wide", 5, { wallTimeMs: MINUTE });
      play.settle();
      open(play);
      expect(play.projection.jobs.get("a")).toMatchObject({ account: "alice" });
      expect(["nc", "wide"].map((id) => play.state(id))).toEqual(["WAITING", "WAITING"]);
      const nc = play.projection.jobs.get("nc");
      expect(nc && explain(play.projection, nc, play.now).causes).toContainEqual(
        expect.objectContaining({ kind: "identityRefused", why: "rule", rule: 1 }),
      );
      const rights = [{ kind: "account", consumer: "vo/group/user" }];
      expect(nc && explain(play.projection, nc, play.now).helpfulChanges).toContainEqual({
        ...{ kind: "granted", rights, sites: ["west"] },
      });
    },
  );

  it.each([
    { what: "prefers a queue", more: { preferredQueues: ["long"] }, state: "READY" },
    { what: "is too large for the default queue", more: { wallTimeMs: 40 * MINUTE }, state: "READY" },
    { what: "requires a queue", more: { requirements: 'other.GlueCEName == "long"' }, state: "WAITING" },
  ])("EN-304 a job that $what never runs outside of a pilot, as root", ({ more, state }) => {
    const play = cluster({ max: 1, identity: IDENTITY });
    const nodes = [aNode("n1", { procs: 64, memoryBytes: 64 * GIB })];
    const queues = [
      aPartition("main", ["n1"], { maxTimeMs: 30 * MINUTE }),
      aPartition("long", ["n1"], { maxTimeMs: 9 * HOUR }),
    ];
    play.look("west", { queues: queues.map((it) => queueFacts(it, { nodes, jobs: [] })) });
    submit(play, "first", 1);
    play.settle();
    open(play);
    play.submit("a", 1, { wallTimeMs: MINUTE, ...more });
    play.settle();
    const job = play.projection.jobs.get("a") ?? expect.fail("no job");
    const inPilot = state === "READY" ? { pilot: pilotFor(play, "first"), account: "alice" } : {};
    expect(job).toMatchObject({ state, ...inPilot });
    expect(job.queue).toBeUndefined();
    const refusal = expect.objectContaining({ kind: "identityRefused", why: "outsidePilots" });
    if (state === "WAITING") expect(explain(play.projection, job, play.now).causes).toContainEqual(refusal);
  });

  it("EN-305 each beginning and each refusal is audited once", () => {
    const play = cluster({ max: 1, identity: IDENTITY });
    submit(play, "a", 1);
    play.submit("nc", 1, { wallTimeMs: MINUTE, executable: "/bin/nc" });
    play.settle();
    open(play);
    const begun = { kind: "auditPayload", job: "a", attempt: 1, sha256: "f".repeat(64) } as const;
    for (let time = 0; time < 2; time++) play.ask({ ...begun, startedAtMs: play.now });
    play.running("a");
    play.now += MINUTE;
    play.ended("a", { exitCode: 3, cpuMs: 5 });
    play.settle();
    const of = (atMs: number, node?: string) =>
      query(play.projection, { name: "audit", question: { atMs, node } }, play.now);
    expect(of(play.now - 1, "n1")).toMatchObject([
      {
        job: "a",
        owner: "u1",
        account: "alice",
        rule: 2,
        sha256: begun.sha256,
        end: { exitCode: 3, cpuMs: 5 },
      },
    ]);
    expect(of(play.now + 1, "n1")).toEqual([]);
    expect(play.log.filter(({ kind }) => kind === "payloadAudited")).toHaveLength(1);
    const denials = play.log.filter(({ kind }) => kind === "identityDenied");
    expect(denials).toMatchObject([{ job: "nc", refusal: { why: "rule", rule: 1 } }]);
  });

  it("EN-305 a job that cannot be started under its local account is audited as refused", () => {
    const play = cluster({ max: 1, identity: IDENTITY });
    submit(play, "a", 1);
    play.settle();
    open(play);
    const detail = "its local account does not exist on the node";
    play.ended("a", { cause: "launchFailed", exitCode: null, detail });
    play.settle();
    const records = query(play.projection, { name: "audit", question: { job: "a" } }, play.now);
    const instants = { fromMs: play.now, toMs: play.now, end: null };
    const refusal = { why: "notStarted", detail };
    expect(records).toMatchObject([
      { attempt: 1, node: "n1", account: "alice", rule: 2, refusal, ...instants },
    ]);
    expect(records.map(auditText)).toEqual([`refused: it could not be started under alice: ${detail}`]);
  });

  it("EN-305 a job that runs, or is refused, is not recorded again after very many others", () => {
    const play = cluster({ max: 1, identity: IDENTITY });
    submit(play, "a", 1);
    play.submit("nc", 1, { wallTimeMs: MINUTE, executable: "/bin/nc" });
    play.settle();
    open(play);
    const begun = { kind: "auditPayload", job: "a", attempt: 1, sha256: null } as const;
    play.ask({ ...begun, startedAtMs: play.now });
    play.running("a");
    const [pilot, node, rule] = [pilotFor(play, "a") ?? "", null, null];
    const whose = { site: "west", owner: "u1", consumer: "vo/u1", executable: "true", account: null };
    for (let at = 0; at < 10_050; at++) {
      const what = { job: `b${at}`, attempt: 1, mode: "verify", sha256: null, startedAtMs: 1 } as const;
      play.tell({ kind: "payloadAudited", pilot, node, rule, ...whose, ...what });
    }
    play.ask({ ...begun, startedAtMs: play.now });
    play.settle();
    const told = play.log.flatMap((event) =>
      event.kind === "payloadAudited" || event.kind === "identityDenied" ? [event.job] : [],
    );
    expect(told.filter((job) => job === "a" || job === "nc")).toHaveLength(2);
    expect(play.projection.books.audit.size).toBe(10_000);
  });
});
