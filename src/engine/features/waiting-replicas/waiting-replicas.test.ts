import { describe, expect, it } from "vitest";
import { HOUR, type Scene, scene } from "../../../../test/engine-scene.ts";
import { type JobDescription, type Policy, SLURM_DEFAULTS } from "../../../model/index.ts";
import { decide, explain } from "../../index.ts";

const MINUTE = 60_000;
const SLURM = {
  ...SLURM_DEFAULTS,
  ...({ type: "slurm", readOnly: false, submitDirectory: "/jobs", procs: 16 } as const),
  memoryBytes: 2 ** 34,
};

/** Clusters that have been seen, and a managed site `local` of so many processors where that is asked for. */
function sites(names: readonly string[], localProcs = 0): Scene {
  const play = scene(localProcs === 0 ? {} : { local: localProcs });
  for (const site of names) {
    play.ask({ kind: "addSite", site, spec: SLURM });
    play.look(site);
  }
  return play;
}

function submit(play: Scene, id: string, replicas: number, more: Partial<JobDescription> = {}): string {
  const answer = play.submit(id, 2, { wallTimeMs: 10 * MINUTE, replicas, ...more });
  play.settle();
  return answer;
}

const replicas = (play: Scene, id: string) =>
  (play.records.get(id)?.replicas ?? []).map(({ site, state, why }) => ({ site, state, why }));
const holderAt = (play: Scene, site: string) =>
  [...play.projection.books.pilots.values()].find((it) => it.site === site)?.job ?? "";

/** The holder at a site begins, and asks for the grant. */
function ask(play: Scene, site: string): void {
  const pilot = holderAt(play, site);
  play.running(pilot);
  play.ask({ kind: "openPilot", pilot, procs: 2, memoryBytes: 2 ** 30, gpus: 0, node: "n1" });
  play.settle();
}

describe("EN-310 queues of a job with replicas", () => {
  it("it waits at as many sites as it asks for, and is itself at the managed one", () => {
    const play = sites(["west", "east"], 4);
    play.submit("busy", 4, { site: "local" });
    submit(play, "a", 3);
    expect(replicas(play, "a")).toHaveLength(3);
    expect(replicas(play, "a")).toContainEqual({ site: "local", state: "WAITING", why: undefined });
    expect(play.records.get("a")).toMatchObject({ state: "SCHEDULED", site: "local" });
    const [holder] = [...play.projection.books.pilots.values()];
    const { description, consumer } = play.records.get(holder.job) ?? expect.fail("no holder");
    expect({ ...description, consumer }).toMatchObject({
      ...{ procs: 2, site: holder.site, consumer: "vo/group/user", arguments: ["120"] },
      wallTimeMs: 10 * MINUTE + 135_000,
    });
    const job = play.projection.jobs.get("a") ?? expect.fail("no job");
    expect(explain(play.projection, job, play.now).causes).toContainEqual({
      kind: "replicasWait",
      sites: expect.arrayContaining(["local", holder.site]),
    });
  });

  it("where only one site can run it, it waits there like any other job", () => {
    const play = sites(["west"]);
    submit(play, "a", 3);
    expect(replicas(play, "a")).toEqual([]);
    expect(play.records.get("a")).toMatchObject({ state: "READY", site: "west" });
  });

  it.each([
    { what: "names its site", more: { site: "west" }, answer: "uselessReplicas" },
    { what: "runs in a reservation", more: { reservation: "r1" }, answer: "uselessReplicas" },
    { what: "asks for one replica", more: { site: "west" }, k: 1, answer: "ok" },
  ])("a job that $what: $answer", ({ more, k = 2, answer }) => {
    expect(submit(sites(["west", "east"]), "a", k, more)).toBe(answer);
  });

  it("a job that is held, or needs something else, leaves all queues, and joins them anew", () => {
    const play = sites(["west", "east"]);
    submit(play, "a", 2);
    expect(play.act("hold", "a")).toBe("ok");
    play.settle();
    expect(replicas(play, "a").map(({ why }) => why)).toEqual(["jobChanged", "jobChanged"]);
    play.act("release", "a");
    play.settle();
    expect(replicas(play, "a").filter(({ state }) => state === "WAITING")).toHaveLength(2);
    play.ask({ kind: "editJob", job: "a", change: { procs: 3 }, by: "u1" });
    play.settle();
    const waiting = play.records.get("a")?.replicas?.filter(({ state }) => state === "WAITING") ?? [];
    const sizes = waiting.map(({ holder }) => play.records.get(holder ?? "")?.description.procs);
    expect(sizes).toEqual([3, 3]);
  });
});

it("EN-310 a job whose queue time at the managed site is over still waits at the cluster", () => {
  const play = sites(["west"], 2);
  play.submit("busy", 2, { site: "local" });
  submit(play, "a", 2, { queueTimeMs: MINUTE, shallowRetryCount: 3 });
  play.now += MINUTE;
  play.settle();
  expect(replicas(play, "a")).toEqual([
    { site: "local", state: "NOT_BEGUN", why: "jobChanged" },
    { site: "west", state: "WAITING", why: undefined },
  ]);
  ask(play, "west");
  expect(play.records.get("a")).toMatchObject({ state: "READY", site: "west" });
});

describe("EN-310 replicas at drained sites", () => {
  it("a job whose sites are all drained goes elsewhere, and leaves their queues", () => {
    const play = sites(["west", "east"]);
    submit(play, "a", 2);
    play.ask({ kind: "drainSite", site: "west", by: "op" });
    play.settle();
    expect(replicas(play, "a").map(({ state }) => state)).toEqual(["WAITING", "WAITING"]);
    play.ask({ kind: "addSite", site: "south", spec: SLURM });
    play.look("south");
    play.ask({ kind: "drainSite", site: "east", by: "op" });
    play.settle();
    expect(play.records.get("a")).toMatchObject({ state: "READY", site: "south" });
    expect(replicas(play, "a").map(({ state }) => state)).toEqual(["NOT_BEGUN", "NOT_BEGUN"]);
    for (const site of ["west", "east"]) {
      expect(play.records.get(holderAt(play, site))).toMatchObject({ isCancelRequested: true });
    }
  });

  it("a holder at a drained site still gets its job where no other site takes it", () => {
    const play = sites(["west", "east"]);
    submit(play, "a", 2);
    for (const site of ["west", "east"]) play.ask({ kind: "drainSite", site, by: "op" });
    play.settle();
    ask(play, "east");
    expect(play.records.get("a")).toMatchObject({ state: "READY", site: "east" });
  });

  it("one decision places at most 64 jobs and replicas", () => {
    const play = sites(["west", "east"]);
    for (let at = 0; at < 50; at++) play.submit(`j${at}`, 1, { wallTimeMs: MINUTE, replicas: 2 });
    const { events } = decide(play.projection, play.now);
    expect(events.filter(({ kind }) => kind === "pilotSubmitted")).toHaveLength(64);
  });
});

describe("EN-311 the grant", () => {
  it("the first holder that runs gets the job, the other is cancelled", () => {
    const play = sites(["west", "east"]);
    submit(play, "a", 2);
    ask(play, "east");
    expect(play.records.get("a")).toMatchObject({
      state: "READY",
      site: "east",
      pilot: holderAt(play, "east"),
    });
    expect(replicas(play, "a")).toEqual(
      expect.arrayContaining([
        { site: "east", state: "GRANTED", why: undefined },
        { site: "west", state: "NOT_BEGUN", why: "otherBegins" },
      ]),
    );
    expect(play.records.get(holderAt(play, "west"))).toMatchObject({ isCancelRequested: true });
    ask(play, "west");
    expect(play.log.filter((it) => it.kind === "jobPlaced" && it.job === "a")).toHaveLength(1);
  });

  it("two that ask in one instant: one is granted", () => {
    const play = sites(["west", "east"]);
    submit(play, "a", 2);
    for (const site of ["west", "east"]) {
      const pilot = holderAt(play, site);
      play.running(pilot);
      play.ask({ kind: "openPilot", pilot, procs: 2, memoryBytes: 2 ** 30, gpus: 0, node: "n1" });
    }
    play.settle();
    expect(play.log.filter((it) => it.kind === "jobPlaced" && it.job === "a")).toHaveLength(1);
  });

  it("a job that waits at the managed site leaves its queue when a cluster begins it", () => {
    const play = sites(["west"], 2);
    play.submit("busy", 2, { site: "local" });
    submit(play, "a", 2);
    ask(play, "west");
    expect(play.records.get("a")).toMatchObject({ site: "west", state: "READY" });
    play.ended("busy");
    expect(play.settle()).toEqual([]);
  });

  it("a start at the managed site is the grant, and holders leave their queues", () => {
    const play = sites(["west"], 2);
    play.submit("busy", 2, { site: "local" });
    submit(play, "a", 2);
    play.ended("busy");
    expect(play.settle()).toEqual(["a"]);
    expect(replicas(play, "a")).toEqual([
      { site: "local", state: "GRANTED", why: undefined },
      { site: "west", state: "NOT_BEGUN", why: "otherBegins" },
    ]);
    ask(play, "west");
    expect(play.records.get("a")).toMatchObject({ site: "local" });
  });

  it("other jobs never run in a holder, and it does not count as a pilot of the site", () => {
    const play = sites(["west", "east"]);
    const pilots = { max: 1, procs: 4, wallTimeMs: HOUR, idleMs: 0, consumer: "pilots" };
    play.ask({ kind: "changeSite", site: "west", spec: { ...SLURM, pilots } });
    submit(play, "a", 2);
    play.submit("b", 2, { wallTimeMs: MINUTE, site: "west" });
    play.settle();
    const shared = [...play.projection.books.pilots.values()].filter((it) => it.replicaOf === undefined);
    expect(shared).toHaveLength(1);
    ask(play, "west");
    expect(play.records.get("a")?.pilot).toBe(holderAt(play, "west"));
    expect(play.records.get("b")?.pilot).toBeUndefined();
  });
});

describe("EN-312 replicas that do not begin", () => {
  it("the end of every holder frees the job, which leaves these sites out for five minutes", () => {
    const play = sites(["west", "east", "south", "north"]);
    submit(play, "a", 2);
    const first = replicas(play, "a").map(({ site }) => site);
    for (const site of first) play.ended(holderAt(play, site), { cause: "exited" });
    play.settle();
    const later = replicas(play, "a").filter(({ state }) => state === "WAITING");
    expect(later).toHaveLength(2);
    expect(later.filter(({ site }) => first.includes(site))).toEqual([]);
  });

  it("cancelled with its job, and charged to nobody", () => {
    const play = sites(["west", "east"]);
    submit(play, "a", 2);
    ask(play, "west");
    play.running("a");
    play.now += MINUTE;
    play.ended("a");
    play.settle();
    for (const site of ["west", "east"]) play.ended(holderAt(play, site), { cause: "cancelled" });
    play.settle();
    const charged = play.log.flatMap((event) => (event.kind === "posted" ? [event.about] : []));
    expect(new Set(charged)).toEqual(new Set(["a"]));
    submit(play, "b", 2);
    play.act("cancel", "b");
    play.settle();
    const holders = [...play.projection.books.pilots.values()].filter((it) => it.replicaOf === "b");
    expect(holders.map(({ job }) => play.records.get(job)?.isCancelRequested)).toEqual([true, true]);
  });

  it("one that began is not said to have been withdrawn when its job is over", () => {
    const play = sites(["west", "east"]);
    submit(play, "a", 2);
    ask(play, "west");
    play.running("a");
    play.ended("a");
    play.settle();
    const withdrawn = play.log.filter(({ kind }) => kind === "replicaWithdrawn");
    expect(withdrawn).toMatchObject([{ site: "east", why: "otherBegins" }]);
  });

  it("an organisation's enforcer releases a job with all its replicas, and counts it once", () => {
    const play = sites(["west", "east"]);
    const thirteen = { window: { kind: "sliding", lengthMs: HOUR }, sharePpm: 130_000 } as const;
    const policies = ["west", "east"].map((provider): Policy => {
      const share = {
        resource: "cpu",
        provider,
        consumer: "vo",
        rule: "entitlement",
        epoch: thirteen,
      } as const;
      return { ...share, mode: "shared", carry: "forgive", burst: { bucketMs: MINUTE, sharePpm: 1_000_000 } };
    });
    const stamp = { by: "u1", note: "", effectiveFromMs: null, onVersion: null };
    play.ask({ kind: "applyPolicies", policies, ...stamp });
    play.ask({ kind: "changeVo", vo: "vo", selector: null, enforcement: { extraPpm: 0 }, by: "u1" });
    for (const id of ["a", "b", "c"]) submit(play, id, 2);
    const inUse = () => play.projection.vos.uses.get("vo")?.groups.get("vo/group");
    const released = () => ["a", "b", "c"].map((id) => replicas(play, id).length > 0);
    // Four processors are the organisation's.
    expect(released()).toEqual([true, true, false]);
    expect(play.state(holderAt(play, "west"))).toBe("READY");
    ask(play, "west");
    play.running("a");
    expect(inUse()).toMatchObject({ inUse: 2, running: 2 });
    expect(released()).toEqual([true, true, false]);
    const holders = [...play.projection.books.pilots.values()].filter((it) => it.replicaOf === "b");
    for (const { job } of holders) play.ended(job);
    play.settle();
    expect(play.records.get("b")?.site).not.toBeNull();
  });
});
