import { describe, expect, it, vi } from "vitest";
import { HOUR, type Scene, scene } from "../../../../test/engine-scene.ts";
import {
  ENFORCEMENT_DEFAULTS,
  type EnforcementStep,
  type Policy,
  SLURM_DEFAULTS,
} from "../../../model/index.ts";
import { explain } from "../../explain.ts";
import { recalls } from "./recalls.ts";

const MINUTE = 60_000;

/** A cluster of 16 processors with a pilot of 8 that runs, once the first job asks for one. */
function cluster(granted: readonly EnforcementStep[] = ["watch", "hold"]): Scene {
  const play = scene({});
  const spec = {
    ...SLURM_DEFAULTS,
    ...({
      type: "slurm",
      readOnly: false,
      submitDirectory: "/jobs",
      procs: 16,
      memoryBytes: 2 ** 34,
    } as const),
    pilots: { max: 4, procs: 8, wallTimeMs: HOUR, idleMs: HOUR, consumer: "pilots" },
    enforcement: { ...ENFORCEMENT_DEFAULTS, granted },
  };
  play.ask({ kind: "addSite", site: "west", spec });
  play.look("west");
  return play;
}

/** Gives `vo` a burst of so many of the 16 processors, and of its epoch what is said. */
function share(play: Scene, procs: number, more: Partial<Policy> = {}): void {
  const policy: Policy = {
    ...{ resource: "cpu", provider: "west", consumer: "vo", mode: "shared", carry: "forgive" },
    epoch: { window: { kind: "sliding", lengthMs: HOUR }, sharePpm: 62_500 },
    burst: { bucketMs: MINUTE, sharePpm: procs * 62_500 },
    rule: "entitlement",
    ...more,
  };
  const rest = { effectiveFromMs: null, onVersion: null, by: "admin", note: "" };
  expect(play.ask({ kind: "applyPolicies", policies: [policy], ...rest })).toBe("ok");
}

function submit(play: Scene, ids: readonly string[], procs: number): void {
  for (const id of ids) play.submit(id, procs, { wallTimeMs: 10 * MINUTE });
  play.settle();
}

function open(play: Scene): void {
  for (const { job, state } of [...play.projection.books.pilots.values()]) {
    if (state !== "WAITING") continue;
    play.running(job);
    play.ask({ kind: "openPilot", pilot: job, procs: 8, memoryBytes: 2 ** 34, gpus: 0, node: "n1" });
  }
  play.settle();
}

const bound = (play: Scene, ids: readonly string[]) =>
  ids.filter((id) => play.projection.jobs.get(id)?.pilot !== undefined);

function causes(play: Scene, id: string) {
  const job = play.projection.jobs.get(id) ?? expect.fail("no job");
  return explain(play.projection, job, play.now).causes;
}

describe("EN-306 policies at the binding of payloads", () => {
  const ids = ["a", "b", "c"];

  it("a share limits what pilots run, and the pilots that are submitted", () => {
    const play = cluster();
    share(play, 4);
    submit(play, ids, 2);
    open(play);
    expect(play.projection.books.pilots.size).toBe(1);
    expect(bound(play, ids)).toEqual(["a", "b"]);
    expect(causes(play, "c")).toEqual([
      { kind: "policy", site: "west", cause: { kind: "burst", consumer: "vo" } },
    ]);
    play.running("a");
    play.settle();
    expect(bound(play, ids)).toEqual(["a", "b"]);
    play.ended("a");
    play.settle();
    expect(bound(play, ids)).toEqual(["b", "c"]);
  });

  it("where holds are not granted, policies stop no payload", () => {
    const play = cluster(["watch"]);
    share(play, 4);
    submit(play, ids, 2);
    open(play);
    expect(bound(play, ids)).toEqual(ids);
  });

  it("a payload that has not begun is taken back when its share shrinks, the others are not", () => {
    const play = cluster();
    share(play, 8);
    submit(play, ids, 2);
    open(play);
    expect(bound(play, ids)).toEqual(ids);
    play.running("a");
    share(play, 4);
    play.settle();
    const isRecalled = (id: string) => play.projection.jobs.get(id)?.isRecalled === true;
    expect(ids.filter(isRecalled)).toEqual(["c"]);
    play.ended("c", { cause: "cancelled", exitCode: null });
    play.settle();
    expect(play.projection.jobs.get("c")).toMatchObject({ state: "WAITING", site: null });
    expect(play.state("b")).toBe("READY");
  });

  it("a decision looks once at each payload that has not begun, not once for each of the others", () => {
    const play = cluster();
    share(play, 8);
    const all = Array.from({ length: 8 }, (_, at) => `job${at}`);
    submit(play, all, 1);
    open(play);
    expect(bound(play, all)).toEqual(all);
    const { standings } = (play.projection.sites.get("west") ?? expect.fail("no site")).enforcer.use;
    const has = vi.spyOn(standings, "has");
    expect(recalls(play.projection, play.now)).toEqual([]);
    expect(has.mock.calls.length).toBeLessThanOrEqual(2 * all.length);
    has.mockRestore();
  });

  it("a used-up share of the epoch, under a cap, lets nothing begin until the window has moved", () => {
    const play = cluster();
    share(play, 8, { rule: "cap" });
    submit(play, ["a"], 8);
    open(play);
    play.running("a");
    // 1/16 of the cluster for an hour: 8 processors for 7.5 minutes.
    play.now += 8 * MINUTE;
    play.ended("a");
    submit(play, ["b"], 1);
    expect(bound(play, ["b"])).toEqual([]);
    expect(causes(play, "b")).toEqual([
      { kind: "policy", site: "west", cause: { kind: "epochUsed", consumer: "vo", untilMs: null } },
    ]);
    play.now += HOUR;
    play.settle();
    expect(play.projection.books.pilots.size).toBeGreaterThan(1);
  });

  it("one whose mapping rule has changed is taken back", () => {
    const play = cluster();
    const site = play.projection.sites.get("west") ?? expect.fail("no site");
    const rule = { path: null, executable: null, fromMs: 0, untilMs: 24 * HOUR };
    const as = (account: string | null) => {
      const { spec } = site;
      if (spec.type !== "slurm" || spec.pilots === undefined) throw new Error("it has pilots");
      const identity = { mode: "setpriv" as const, rules: [{ ...rule, account }], banned: [] };
      play.ask({ kind: "changeSite", site: "west", spec: { ...spec, pilots: { ...spec.pilots, identity } } });
    };
    as("alice");
    submit(play, ["a"], 1);
    open(play);
    expect(play.projection.jobs.get("a")).toMatchObject({ account: "alice" });
    as("bob");
    play.settle();
    play.ended("a", { cause: "cancelled", exitCode: null });
    play.settle();
    expect(play.projection.jobs.get("a")).toMatchObject({ account: "bob", attempt: 2 });
  });
});

/** The job `a`, given to a pilot that runs. */
function withPayload(): Scene {
  const play = cluster();
  submit(play, ["a"], 1);
  open(play);
  return play;
}

describe("payloads of pilots", () => {
  it("EN-301 a job that is held before it begins is taken back from its pilot", () => {
    const play = withPayload();
    expect(play.act("hold", "a")).toBe("ok");
    expect(play.projection.jobs.get("a")).toMatchObject({ state: "HELD", isRecalled: true });
    play.ended("a", { cause: "cancelled", exitCode: null });
    play.settle();
    expect(play.projection.jobs.get("a")).toMatchObject({ state: "HELD", site: null });
    expect(bound(play, ["a"])).toEqual([]);
    expect(play.act("release", "a")).toBe("ok");
    play.settle();
    expect(play.projection.jobs.get("a")).toMatchObject({ state: "READY", attempt: 2 });
  });

  it("EN-301 a job that begins before it can be taken back runs, and its end counts", () => {
    const play = withPayload();
    play.act("hold", "a");
    play.running("a");
    expect(play.projection.jobs.get("a")).toMatchObject({ state: "RUNNING", isRecalled: false });
    play.ended("a", { cause: "cancelled", exitCode: null });
    expect(play.state("a")).toBe("CANCELLED");
  });

  it("EN-301 a job of a pilot is suspended, and runs again once its pilot reports it", () => {
    const play = withPayload();
    play.running("a");
    expect([play.act("suspend", "a"), play.state("a")]).toEqual(["ok", "SUSPENDED"]);
    expect([play.act("resume", "a"), play.state("a")]).toEqual(["ok", "SCHEDULED"]);
    play.running("a");
    expect(play.state("a")).toBe("RUNNING");
  });

  it("EN-307 past runtimes count, and the limit of a job that a pilot lost", () => {
    const play = cluster();
    const run = (id: string, runMs: number) => {
      play.submit(id, 1, { wallTimeMs: 30 * MINUTE });
      play.settle();
      open(play);
      play.running(id);
      play.now += runMs;
      play.ended(id);
    };
    for (let at = 0; at < 19; at++) run(`past${at}`, at === 0 ? 9 * MINUTE : MINUTE);
    play.now += 10 * MINUTE;
    play.submit("early", 1, { wallTimeMs: 30 * MINUTE });
    play.settle();
    expect(bound(play, ["early"])).toEqual([]);
    play.submit("last", 1, { wallTimeMs: 5 * MINUTE });
    play.settle();
    play.running("last");
    play.now += MINUTE;
    play.ended("last");
    play.settle();
    expect(bound(play, ["early"])).toEqual(["early"]);
    play.running("early");
    play.ended("early", { cause: "lost" });
    play.settle();
    expect(play.projection.jobs.get("early")).toMatchObject({ state: "WAITING", retried: { deep: 1 } });
    expect(bound(play, ["early"])).toEqual([]);
  });
});
