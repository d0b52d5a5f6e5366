/**
 * What only a managed site promises: launching is idempotent, and it can say what became of any attempt.
 */
import { describe, expect, it } from "vitest";
import type { LaunchOrder, ManagedSite } from "../../src/runtime/index.ts";
import type { ManagedSiteHarness } from "./site-harness.ts";
import { gated, type SiteStage } from "./site-stage.ts";

type Stage = SiteStage<ManagedSite, ManagedSiteHarness>;

/** The sections for managed sites alone. */
export function describeManaged(on: Stage): void {
  describe("once and only once", () => onceOnly(on));
  describe("signals and suspensions", () => signals(on));
  describe("the inventory", () => inventory(on));
  describe("asking for what is not there", () => strangeQuestions(on));
}

function onceOnly(on: Stage): void {
  it("MS-1 launched twice, one after the other or at once, it runs once", async () => {
    const twice = on.order("1/1", gated);
    await Promise.all([on.site.launch(twice), on.site.launch(twice)]);
    await on.site.launch(twice);
    await on.inbox.until("1/1", "running");
    await on.site.launch(twice);
    await on.harness.letGo("1/1");
    await on.inbox.ended("1/1");
    await on.site.launch(twice);
    await on.site.acknowledge("1/1");
    await on.site.launch(twice);
    await on.site.launch(on.order("2/1", { kind: "exit", code: 0 }));
    await on.inbox.ended("2/1");
    expect(await on.harness.begun("1/1")).toBe(1);
    expect(on.inbox.kinds("1/1")).toEqual(["running", "ended"]);
  });

  it("MS-1 launched again in another life, before or after its end, it runs once", async () => {
    const twice = on.order("1/1", gated);
    await on.site.launch(twice);
    await on.nextLife();
    await on.site.launch(twice);
    await on.inbox.until("1/1", "running");
    await on.harness.letGo("1/1");
    await on.inbox.ended("1/1");
    await on.nextLife();
    await on.site.launch(twice);
    expect(await on.inbox.ended("1/1")).toMatchObject({ cause: "exited", exitCode: 7 });
    expect(await on.harness.begun("1/1")).toBe(1);
  });

  it("what was called lost for want of any trace is never begun afterwards", async () => {
    const [report] = await on.site.inventory(["9/1"]);
    expect(report).toMatchObject({ kind: "ended", token: "9/1", cause: "lost" });
    await on.site.launch(on.order("9/1", { kind: "exit", code: 0 }));
    await on.nextLife();
    await on.site.launch(on.order("9/1", { kind: "exit", code: 0 }));
    expect(await on.site.inventory(["9/1"])).toMatchObject([{ kind: "ended", cause: "lost" }]);
    expect(await on.harness.begun("9/1")).toBe(0);
  });
}

function signals(on: Stage): void {
  it("MS-14 suspended right behind the launch it stops when it has begun", async () => {
    await on.site.launch(on.order("1/1", gated));
    await on.site.suspend("1/1");
    await on.inbox.until("1/1", "suspended");
    await on.harness.letGo("1/1");
    await on.site.resume("1/1");
    expect(await on.inbox.ended("1/1")).toMatchObject({ cause: "exited", exitCode: 7 });
    expect(on.inbox.kinds("1/1")).toEqual(["running", "suspended", "resumed", "ended"]);
  });

  it("MS-14 STOP and CONT sent by name are a suspension and its end", async () => {
    await on.site.launch(on.order("1/1", gated));
    await on.site.signal("1/1", "SIGSTOP");
    await on.inbox.until("1/1", "suspended");
    await on.site.signal("1/1", "SIGCONT");
    await on.inbox.until("1/1", "resumed");
    await on.harness.letGo("1/1");
    expect((await on.inbox.ended("1/1")).exitCode).toBe(7);
  });
}

function inventory(on: Stage): void {
  it("the inventory has what runs as it was reported, and what ended meanwhile", async () => {
    await on.site.launch(on.order("1/1", gated));
    await on.site.launch(on.order("2/1", { kind: "exit", code: 4 }));
    await on.site.launch(on.order("3/1", gated));
    const before = await on.inbox.until("1/1", "running");
    await on.inbox.until("3/1", "running");
    await on.nextLife(() => on.harness.letGo("3/1"));
    const [first, second, third] = await on.site.inventory(["1/1", "2/1", "3/1"]);
    expect(first).toEqual(before);
    expect(second?.kind === "running" || second?.kind === "ended").toBe(true);
    expect(third?.token).toBe("3/1");
  });

  it("MS-4 an end is told in every life until it is acknowledged, then only when asked for", async () => {
    await on.site.launch(on.order("1/1", { kind: "exit", code: 5 }));
    const ended = await on.inbox.ended("1/1");
    await on.nextLife();
    expect(await on.inbox.ended("1/1")).toEqual(ended);
    await on.site.acknowledge("1/1");
    await on.site.acknowledge("1/1");
    await on.nextLife();
    expect(await on.site.inventory(["1/1"])).toEqual([ended]);
    await on.site.launch(on.order("2/1", { kind: "exit", code: 0 }));
    await on.inbox.ended("2/1");
    expect(on.inbox.kinds("1/1")).toEqual([]);
  });

  it("MS-4 an end that is acknowledged while it is asked for is told to whoever asked", async () => {
    await on.site.launch(on.order("1/1", { kind: "exit", code: 5 }));
    const ended = await on.inbox.ended("1/1");
    await on.nextLife();
    const asked = on.site.inventory(["1/1"]);
    await on.site.acknowledge("1/1");
    expect(await asked).toEqual([ended]);
  });
}

function strangeQuestions(on: Stage): void {
  it("unknown attempts are ignored", async () => {
    await on.site.cancel("8/1");
    await on.site.suspend("8/1");
    await on.site.resume("8/1");
    await on.site.signal("8/1", "SIGTERM");
    await on.site.acknowledge("8/1");
    await on.site.purge("8/1");
    expect(await on.site.listFiles("8/1")).toEqual([]);
    expect(await on.site.readFile("8/1", "stdout", 0, 10)).toBeUndefined();
    expect(on.inbox.reports).toEqual([]);
  });

  it("what is no attempt, no signal or no order is refused before anything is done", async () => {
    await expect(on.site.cancel("../../etc")).rejects.toMatchObject({ code: "badAttemptToken" });
    await expect(on.site.purge("..")).rejects.toMatchObject({ code: "badAttemptToken" });
    await expect(on.site.inventory(["a/b/c"])).rejects.toMatchObject({ code: "badAttemptToken" });
    await expect(on.site.signal("1/1", "SIGNONSENSE")).rejects.toMatchObject({ code: "unknownSignal" });
    const good = on.order("1/1", { kind: "exit", code: 0 });
    const bad: Partial<LaunchOrder>[] = [
      { command: [] },
      { command: ["x", "zero\0byte"] },
      { command: ["x", "\ud800"] },
      { environment: { "A=B": "" } },
      { limitMs: 0 },
      { stdOutput: "../out" },
      { stdError: "" },
      { inputFiles: [{ name: "a/../b", source: "/x" }] },
      { inputFiles: [{ name: "/a", source: "/x" }] },
      { inputFiles: [{ name: "stdout", source: "/x" }] },
      { inputFiles: [{ name: "a", source: "relative" }] },
    ];
    for (const part of bad) {
      await expect(on.site.launch({ ...good, ...part })).rejects.toMatchObject({ code: "badLaunchOrder" });
    }
    expect(await on.harness.begun("1/1")).toBe(0);
  });
}
