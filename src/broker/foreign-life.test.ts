import { describe, expect, it } from "vitest";
import { foreignSpec } from "../../test/engine-scene.ts";
import {
  add,
  beginWorld,
  clock,
  dying,
  logged,
  never,
  opened,
  openScripted,
  pass,
  queue,
  start,
  submit,
  warnings,
  withFar,
  worldForEach,
} from "../../test/foreign-broker.ts";
import { SURVEY_EVERY, scriptedForeignSite } from "../../test/scripted-foreign-site.ts";
import { JOB_DEFAULTS, type SiteSpec } from "../model/index.ts";
import type { OpenSite } from "./index.ts";

worldForEach();

describe("a site that hangs or fails", () => {
  const here: SiteSpec = {
    type: "managed",
    procs: 4,
    memoryBytes: 2 ** 30,
    discipline: "easy",
    defaultWallTimeMs: 60_000,
  };

  it.each(["survey", "submit"])("BR-10 while its %s hangs, another site goes on", async (what) => {
    const broker = await start();
    await add(broker, "here", here);
    await add(broker, "far");
    await pass(10);
    queue.before = (call) => (call.startsWith(what) ? never() : undefined);
    await submit(broker, "a", "far");
    await pass(70_000);
    await submit(broker, "b", "here");
    await pass(5000);
    expect(await broker.brokerApi.job("b")).toMatchObject({ state: "DONE" });
    const far = broker.brokerApi.sites().find(({ name }) => name === "far");
    expect(far?.trouble === null).toBe(what === "submit");
    const explained = await broker.brokerApi.explain("a");
    if (what === "survey") expect(explained?.causes.map(({ kind }) => kind)).toContain("siteTrouble");
  });

  it("BR-10 failing, it gets no new jobs, is surveyed at growing intervals, and recovers", async () => {
    const broker = await withFar();
    const looks: number[] = [];
    queue.before = (call) => {
      if (call !== "survey") return;
      looks.push(clock.nowMs());
      throw new Error("Unable to contact the controller");
    };
    await pass(300_000);
    const gaps = looks.slice(1).map((atMs, i) => atMs - looks[i]);
    expect(gaps.slice(0, 4)).toEqual([2000, 4000, 8000, 16_000]);
    expect(Math.max(...gaps)).toBe(60_000);
    await submit(broker, "a");
    await pass(1000);
    expect(await broker.brokerApi.job("a")).toMatchObject({ state: "WAITING" });
    queue.before = () => undefined;
    await pass(61_000);
    expect(await broker.brokerApi.job("a")).toMatchObject({ state: "SCHEDULED", site: "far" });
    expect(warnings).toEqual(["site far: Unable to contact the controller"]);
  });

  it("BR-10 if it cannot be opened after a restart, it is in trouble and tried again", async () => {
    const before = await withFar();
    await submit(before, "a");
    await pass();
    await before.stop();
    let isBroken = true;
    const openSite = (name: string, spec: SiteSpec) =>
      isBroken ? Promise.reject(new Error("no scontrol")) : openScripted(name, spec);
    const broker = await start({ openSite });
    await pass(100);
    expect(broker.brokerApi.sites()).toMatchObject([{ name: "far", trouble: "no scontrol" }]);
    await pass(60_000);
    isBroken = false;
    queue.startAll(clock.nowMs());
    await pass(600_000);
    expect(broker.brokerApi.sites()).toMatchObject([{ name: "far", trouble: null }]);
    expect(await broker.brokerApi.job("a")).toMatchObject({ state: "RUNNING" });
    await broker.stop();
  });

  it("BR-10 a site that hangs while it is opened blocks nothing", async () => {
    const before = await withFar();
    await add(before, "here", here);
    await before.stop();
    const openSite = (name: string, spec: SiteSpec) =>
      name === "far" ? new Promise<OpenSite>(() => undefined) : openScripted(name, spec);
    const broker = await start({ openSite });
    await submit(broker, "b", "here");
    await pass(3000);
    expect(await broker.brokerApi.job("b")).toMatchObject({ state: "DONE" });
    await broker.stop();
  });
});

describe("through the broker's API", () => {
  it("a site that cannot be opened is not added", async () => {
    const broker = await start({ openSite: () => Promise.reject(new Error("no such trace")) });
    await expect(add(broker, "far")).rejects.toThrow("no such trace");
    expect(broker.brokerApi.sites()).toEqual([]);
    expect(await logged("siteAdded")).toBe(0);
  });

  it("a spec that would be refused is not opened; two requests for one name add one site", async () => {
    const broker = await start();
    expect(await add(broker, "../far")).toMatchObject({ refusal: { kind: "siteNameInvalid" } });
    expect(opened).toEqual([]);
    const both = await Promise.all([add(broker, "far"), add(broker, "far")]);
    expect(both.map(({ ok }) => ok)).toEqual([true, false]);
    await submit(broker, "a");
    await pass();
    expect(queue.asked).toEqual(["submit a/1", "release a/1 1"]);
  });

  it("a new site is surveyed at once", async () => {
    const broker = await start();
    await add(broker, "far");
    await pass(10);
    expect(broker.brokerApi.sites()).toMatchObject([{ name: "far", seenAtMs: 1_000_000, trouble: null }]);
  });

  it("BR-9 a changed site is opened again and surveyed, and its jobs go on", async () => {
    const broker = await withFar();
    await submit(broker, "a");
    await pass();
    const spec = { ...foreignSpec(8), defaultWallTimeMs: 1000 };
    const changed = await broker.brokerApi.ask({ kind: "changeSite", site: "far", spec });
    expect([changed.ok, opened, queue.asked.at(-1)]).toEqual([true, ["far", "far"], "close"]);
    queue.startAll(clock.nowMs());
    await pass(2 * SURVEY_EVERY);
    expect(await broker.brokerApi.job("a")).toMatchObject({ state: "RUNNING" });
    expect(broker.brokerApi.sites()).toMatchObject([{ spec: { procs: 8 }, running: 1 }]);
    await broker.brokerApi.ask({ kind: "changeSite", site: "far", spec });
    expect(opened).toHaveLength(2);
  });

  it("EN-21 a drained site gets no jobs until it is reopened", async () => {
    const broker = await withFar();
    await broker.brokerApi.ask({ kind: "drainSite", site: "far", by: "u1" });
    await submit(broker, "a");
    await pass();
    expect([queue.asked, broker.brokerApi.sites()[0].isDraining]).toEqual([[], true]);
    await broker.brokerApi.ask({ kind: "reopenSite", site: "far", by: "u1" });
    await pass();
    expect(await broker.brokerApi.job("a")).toMatchObject({ state: "SCHEDULED" });
  });
});

describe("after a crash", () => {
  it("BR-9 the site is surveyed before anything is sent to it again", async () => {
    const before = await withFar();
    await submit(before, "a");
    await pass();
    const calls: string[] = [];
    queue.before = (call) => void calls.push(call);
    await start();
    await pass(100);
    expect(calls.slice(0, 2)).toEqual(["survey", "release a/1 1"]);
  });

  /** With the site "far", whose every call is two steps. */
  function dyingWithFar(atStep: number) {
    const { over, at, step, isDead } = dying(atStep);
    const site = scriptedForeignSite(queue, clock, { before: step, after: step });
    const openSite = async (): Promise<OpenSite> => ({ kind: "foreign", site });
    return { options: { over, at, openSite }, isDead };
  }

  it("BR-8 BR-9 BR-11 whenever the broker dies, each job runs exactly once", async () => {
    let crashes = 0;
    for (let atStep = 4; ; atStep++) {
      beginWorld();
      await withFar().then((broker) => broker.stop());
      const { options, isDead } = dyingWithFar(atStep);
      const first = await start(options);
      await pass(10);
      void submit(first, "a").catch(() => undefined);
      void submit(first, "b").catch(() => undefined);
      await pass(2 * SURVEY_EVERY);
      queue.startAll(clock.nowMs());
      await pass(2 * SURVEY_EVERY);
      queue.endAll(clock.nowMs());
      await pass(2 * SURVEY_EVERY);
      if (!isDead()) break;
      crashes++;
      const second = await start();
      const accepted = (await second.brokerApi.jobs({})).items.map(({ id }) => id);
      for (let turn = 0; turn < 4; turn++) {
        await pass(2 * SURVEY_EVERY);
        queue.startAll(clock.nowMs());
        await pass(2 * SURVEY_EVERY);
        queue.endAll(clock.nowMs());
      }
      await pass(2 * SURVEY_EVERY);
      const { items } = await second.brokerApi.jobs({});
      const states = items.map(({ id, state }) => `${id} ${state}`);
      expect({ atStep, states }).toEqual({ atStep, states: accepted.map((id) => `${id} DONE`) });
      expect([...queue.ran].sort()).toEqual(accepted.map((id) => `${id}/1`).sort());
      expect({ atStep, left: [...queue.jobs.keys()], ended: queue.ended }).toEqual({
        atStep,
        left: [],
        ended: [],
      });
      await second.stop();
    }
    expect(crashes).toBeGreaterThan(20);
  });
});

describe("input files that an array shares at a site", () => {
  it("BR-13 stay while the array is open, and go afterwards, also after a restart", async () => {
    const there = new Set(["gone"]);
    let works = false;
    const openSite = async (): Promise<OpenSite> => {
      const sharedInputs = {
        arrays: () => [...there],
        async drop(array: string) {
          if (!works) throw new Error("no answer");
          there.delete(array);
        },
      };
      return { kind: "foreign", site: { ...scriptedForeignSite(queue, clock), sharedInputs } };
    };
    const broker = await withFar({ openSite });
    const description = { ...JOB_DEFAULTS, executable: "true", array: "0-1" };
    await broker.brokerApi.ask({
      ...{ kind: "submitArray", array: "a", description, consumer: "vo/user", owner: "u1" },
    });
    there.add("a");
    await pass(10 * SURVEY_EVERY);
    expect([...there]).toEqual(["gone", "a"]);
    expect(warnings).toEqual(["far still has the input files of array gone: no answer"]);
    works = true;
    await pass();
    expect([...there]).toEqual(["a"]);
    queue.startAll(clock.nowMs());
    queue.endAll(clock.nowMs());
    await broker.stop();
    const again = await start({ openSite });
    await pass(10 * SURVEY_EVERY);
    expect((await again.brokerApi.array("a"))?.endedAtMs).not.toBe(null);
    expect([...there]).toEqual([]);
  });
});
