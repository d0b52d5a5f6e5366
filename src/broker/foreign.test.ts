import { describe, expect, it } from "vitest";
import {
  clock,
  gated,
  logbook,
  logged,
  pass,
  queue,
  submit,
  withFar,
  worldForEach,
} from "../../test/foreign-broker.ts";
import { LOST_AFTER, SURVEY_EVERY } from "../../test/scripted-foreign-site.ts";
import { Fault } from "../base/index.ts";
import { projectLog, VIEWS } from "../runtime/index.ts";
import { compareViews } from "../store/index.ts";

worldForEach();

describe("handover", () => {
  it("BR-8 BR-11 submitted held, recorded, released; ended, recorded, acknowledged", async () => {
    const broker = await withFar();
    await submit(broker, "a");
    await pass();
    expect(queue.asked).toEqual(["submit a/1", "release a/1 1"]);
    expect(await broker.brokerApi.job("a")).toMatchObject({ state: "SCHEDULED", siteJob: "1" });
    queue.startAll(clock.nowMs());
    await pass();
    expect(await broker.brokerApi.job("a")).toMatchObject({ state: "RUNNING" });
    queue.endAll(clock.nowMs(), 3);
    await pass();
    expect(await broker.brokerApi.job("a")).toMatchObject({ state: "DONE", exitCode: 3 });
    await pass(3 * SURVEY_EVERY);
    expect(queue.asked).toEqual(["submit a/1", "release a/1 1", "acknowledge a/1"]);
    await broker.stop();
    expect(await compareViews({ logbook, schemas: VIEWS, project: projectLog() })).toEqual([]);
  });

  it("BR-8 nothing is released and no end acknowledged before it is durable", async () => {
    const { over, gate, open } = gated();
    const broker = await withFar({ over });
    await submit(broker, "a");
    queue.before = () => {
      gate.isOpen = false;
    };
    await pass(LOST_AFTER);
    expect(queue.asked).toEqual(["submit a/1"]);
    queue.before = () => undefined;
    open();
    await pass(10);
    expect(queue.asked).toEqual(["submit a/1", "release a/1 1"]);
    queue.startAll(clock.nowMs());
    await pass();
    queue.endAll(clock.nowMs());
    gate.isOpen = false;
    await pass(5 * SURVEY_EVERY);
    expect(queue.asked).toHaveLength(2);
    open();
    await pass(2 * SURVEY_EVERY);
    expect(queue.asked.slice(2)).toEqual(["acknowledge a/1"]);
  });

  it("BR-8 a submission in doubt is found and not repeated", async () => {
    const broker = await withFar();
    queue.after = (call) => {
      if (call.startsWith("submit")) throw new Error("connection lost");
    };
    await submit(broker, "a");
    await pass(3 * LOST_AFTER);
    expect(queue.asked).toEqual(["submit a/1", "release a/1 1"]);
    expect(await broker.brokerApi.job("a")).toMatchObject({ state: "SCHEDULED", siteJob: "1" });
  });

  it("BR-8 a submission not accepted is repeated after the patience, at growing intervals", async () => {
    const broker = await withFar();
    const tries: number[] = [];
    queue.before = (call) => {
      if (!call.startsWith("submit")) return;
      tries.push(clock.nowMs());
      if (tries.length < 3) throw new Error("no answer");
    };
    await submit(broker, "a");
    await pass(5 * LOST_AFTER);
    expect(tries).toHaveLength(3);
    expect(tries[1] - tries[0]).toBeGreaterThanOrEqual(LOST_AFTER);
    expect(tries[2] - tries[1]).toBeGreaterThanOrEqual(2 * LOST_AFTER);
    expect(queue.asked).toEqual(["submit a/1", "release a/1 1"]);
  });

  it("BR-8 found after it was repeated, the second is a stray and is cancelled", async () => {
    const broker = await withFar();
    queue.after = (call) => {
      if (call !== "submit a/1") return;
      queue.after = () => undefined;
      const job = queue.jobs.get("1");
      queue.jobs.delete("1");
      clock.wakeAt(clock.nowMs() + 2 * LOST_AFTER, () => job !== undefined && queue.jobs.set("1", job));
      throw new Error("slow");
    };
    await submit(broker, "a");
    await pass(3 * LOST_AFTER);
    expect(queue.asked.filter((asked) => !asked.startsWith("acknowledge"))).toEqual([
      "submit a/1",
      "submit a/1",
      "release a/1 2",
      "cancel a/1 1",
    ]);
    expect([...queue.jobs.keys()]).toEqual(["2"]);
  });

  it.each(["refused", "badInput"] as const)(
    "BR-8 certainly %s, the job ends with the reason",
    async (kind) => {
      const broker = await withFar();
      queue.before = (call) => {
        if (call !== "submit a/1") return;
        throw new Fault({
          kind,
          code: "siteRefused",
          what: "No such account.",
          why: "It said so.",
          remedy: "Ask.",
        });
      };
      await submit(broker, "a");
      await submit(broker, "b");
      await pass(2 * LOST_AFTER);
      expect(await broker.brokerApi.job("a")).toMatchObject({
        state: "ABORTED",
        abortReason: { kind: "launchFailed" },
      });
      expect(await broker.brokerApi.job("b")).toMatchObject({ state: "SCHEDULED" });
      expect(queue.asked).toEqual(["submit b/1", "release b/1 1"]);
    },
  );

  it("BR-8 cancelled before handover, it is never sent", async () => {
    const { over, gate, open } = gated();
    const broker = await withFar({ over });
    gate.isOpen = false;
    const asked = [submit(broker, "a")];
    await pass(100);
    asked.push(broker.brokerApi.ask({ kind: "cancel", job: "a" }));
    open();
    await Promise.all(asked);
    await pass(LOST_AFTER);
    expect(await broker.brokerApi.job("a")).toMatchObject({ state: "CANCELLED" });
    expect(queue.asked).toEqual([]);
  });

  it("eight submissions run at a time; the first are released before the last are sent", async () => {
    const broker = await withFar();
    let underWay = 0;
    let most = 0;
    queue.before = async (call) => {
      if (!call.startsWith("submit")) return;
      most = Math.max(most, ++underWay);
      await new Promise<void>((resolve) => clock.wakeAt(clock.nowMs() + 50, resolve));
      underWay--;
    };
    for (let i = 0; i < 20; i++) await submit(broker, `j${i}`);
    await pass(5 * SURVEY_EVERY);
    expect(most).toBe(8);
    const verbs = queue.asked.map((asked) => asked.split(" ")[0]);
    expect(verbs.filter((verb) => verb === "release")).toHaveLength(20);
    expect(verbs.indexOf("release")).toBeLessThan(verbs.lastIndexOf("submit"));
  });
});

describe("orders", () => {
  it("BR-11 a release that the site lost is repeated; later, somebody holds the job", async () => {
    const broker = await withFar();
    await submit(broker, "a");
    await pass();
    const releases = (): number => queue.asked.filter((asked) => asked.startsWith("release")).length;
    const [[siteJob, there]] = [...queue.jobs];
    expect({ state: there.state, releases: releases() }).toEqual({ state: "waiting", releases: 1 });
    queue.jobs.set(siteJob, { ...there, state: "held" });
    await pass(2 * SURVEY_EVERY);
    expect({ state: queue.jobs.get(siteJob)?.state, releases: releases() }).toEqual({
      state: "waiting",
      releases: 2,
    });
    await pass(60_000);
    queue.jobs.set(siteJob, { ...there, state: "held" });
    await pass(LOST_AFTER + 3 * SURVEY_EVERY);
    expect(releases()).toBe(2);
    expect(await broker.brokerApi.job("a")).toMatchObject({ state: "HELD" });
  });

  it.each(["hold", "cancel"] as const)("BR-11 %s is repeated until it is carried out", async (verb) => {
    const broker = await withFar();
    await submit(broker, "a");
    await pass();
    let failures = 0;
    queue.before = (call) => {
      if (call.startsWith(verb) && failures++ < 2) throw new Error("no answer");
    };
    await pass(SURVEY_EVERY / 2);
    await broker.brokerApi.ask({ kind: verb, job: "a" });
    await pass(3 * LOST_AFTER);
    expect(failures).toBe(3);
    expect((await broker.brokerApi.job("a"))?.state).toBe(verb === "hold" ? "HELD" : "CANCELLED");
    expect(queue.jobs.get("1")?.state).toBe(verb === "hold" ? "held" : undefined);
  });

  it("BR-11 an order no longer wanted is not repeated", async () => {
    const broker = await withFar();
    await submit(broker, "a");
    await pass();
    queue.before = (call) => {
      if (call.startsWith("hold")) throw new Error("no answer");
    };
    await broker.brokerApi.ask({ kind: "hold", job: "a" });
    await pass(100);
    await broker.brokerApi.ask({ kind: "release", job: "a" });
    queue.before = () => undefined;
    await pass(2 * LOST_AFTER);
    expect(queue.asked.filter((asked) => asked.startsWith("hold"))).toEqual([]);
    expect(await broker.brokerApi.job("a")).toMatchObject({ state: "SCHEDULED" });
    expect(queue.jobs.get("1")?.state).toBe("waiting");
  });

  it("BR-11 a stray is cancelled repeatedly until the site does it", async () => {
    const broker = await withFar();
    await submit(broker, "a");
    await pass();
    let failures = 0;
    queue.before = (call) => {
      if (call.startsWith("cancel") && failures++ < 3) throw new Error("no answer");
    };
    const own = queue.jobs.get("1");
    if (own === undefined) throw new Error("it is there");
    queue.jobs.set("99", { ...own, siteJob: "99" });
    await pass(3 * LOST_AFTER);
    expect([...queue.jobs.keys()]).toEqual(["1"]);
    expect(await logged("strayFound")).toBe(1);
    expect(queue.asked).not.toContain("acknowledge a/1");
  });

  it("BR-11 an ended job still in the queue is cancelled; somebody else's job is not", async () => {
    const broker = await withFar();
    await submit(broker, "a");
    await pass();
    const own = queue.jobs.get("1");
    if (own === undefined) throw new Error("it is there");
    queue.startAll(clock.nowMs());
    queue.endAll(clock.nowMs());
    await pass(2 * SURVEY_EVERY);
    queue.jobs.set("50", { ...own, siteJob: "50" });
    queue.jobs.set("51", { ...own, siteJob: "51", token: "unknown/1" });
    queue.jobs.set("52", { ...own, siteJob: "52", token: null });
    await pass(3 * SURVEY_EVERY);
    expect([...queue.jobs.keys()]).toEqual(["51", "52"]);
  });

  it("BR-11 a failed acknowledgement is repeated and blocks nothing else", async () => {
    const broker = await withFar();
    let failures = 0;
    queue.before = (call) => {
      if (call === "acknowledge a/1" && failures++ < 3) throw new Error("disk full there");
    };
    for (const job of ["a", "b"]) await submit(broker, job);
    await pass();
    queue.startAll(clock.nowMs());
    queue.endAll(clock.nowMs());
    await pass(1.5 * SURVEY_EVERY);
    expect(queue.asked).toContain("acknowledge b/1");
    expect(broker.brokerApi.sites()).toMatchObject([{ name: "far", trouble: null }]);
    await pass(LOST_AFTER);
    expect(queue.ended).toEqual([]);
  });
});
