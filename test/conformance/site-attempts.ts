/**
 * What every site does with an attempt, managed or foreign: begun, it ends in one way, which is told.
 *
 * The order of a test is "begin": launched at a managed site; submitted and released at a foreign one.
 */
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { JobHarness } from "./site-harness.ts";
import { gated, type SiteStage } from "./site-stage.ts";

/** A stage of either kind. */
type Stage = Pick<SiteStage<object, JobHarness & { open(): Promise<object> }>, StageParts>;
type StageParts = "face" | "harness" | "inbox" | "order" | "nextLife";

/** The sections for both kinds. */
export function describeAttempts(on: Stage): void {
  describe("how a job ends", () => endings(on));
  describe("stopping a job for good", () => stopping(on));
  describe("suspending", () => suspending(on));
  describe("another life of the broker", () => otherLives(on));
  describe("output", () => output(on));
}

function endings(on: Stage): void {
  it.each([0, 3, 255])('exit code %i is reported, after "running"', async (code) => {
    await on.face.begin(on.order("1/1", { kind: "exit", code }));
    expect(await on.inbox.ended("1/1")).toMatchObject({ cause: "exited", exitCode: code, signal: undefined });
    expect(on.inbox.kinds("1/1")).toEqual(["running", "ended"]);
  });

  it("a job that a signal ended has no exit code but the signal's name", async () => {
    await on.face.begin(on.order("1/1", gated));
    await on.inbox.until("1/1", "running");
    await on.face.signal("1/1", "SIGKILL");
    const end = { cause: "signalled", exitCode: undefined, signal: "SIGKILL" };
    expect(await on.inbox.ended("1/1")).toMatchObject(end);
  });

  it("a program that is not there is a launch that failed, never a job that ran", async () => {
    await on.face.begin(on.order("1/1", { kind: "missing" }));
    const ended = await on.inbox.ended("1/1");
    expect(ended).toMatchObject({ cause: "launchFailed", exitCode: undefined });
    expect(ended.detail).toMatch(/not on the PATH|does not exist/);
    const kinds = on.inbox.kinds("1/1").filter((kind) => kind !== "running");
    expect(on.harness.showsRunningBeforeLaunch === true ? kinds : on.inbox.kinds("1/1")).toEqual(["ended"]);
  });
}

function stopping(on: Stage): void {
  it("MS-12 at its limit a job is sent TERM", async () => {
    await on.face.begin(on.order("1/1", gated, on.harness.shortLimitMs));
    expect(await on.inbox.ended("1/1")).toMatchObject({ cause: "timeLimit", signal: "SIGTERM" });
  });

  it("MS-12 one that does not heed TERM is killed after the grace", async () => {
    await on.face.begin(on.order("1/1", { kind: "stubborn" }, on.harness.shortLimitMs));
    const ended = await on.inbox.ended("1/1");
    expect(ended).toMatchObject({ cause: "timeLimit", signal: "SIGKILL" });
    const running = await on.inbox.until("1/1", "running");
    expect(ended.atMs - running.atMs).toBeGreaterThanOrEqual(
      on.harness.shortLimitMs - 10 + on.harness.graceMs,
    );
  });

  it("MS-13 cancelled is cancelled, heeding TERM or not, suspended or not", async () => {
    await on.face.begin(on.order("1/1", gated));
    await on.face.begin(on.order("2/1", { kind: "stubborn" }));
    await on.face.begin(on.order("3/1", gated));
    for (const token of ["1/1", "2/1", "3/1"]) await on.inbox.until(token, "running");
    await on.face.suspend("3/1");
    await on.inbox.until("3/1", "suspended");
    await Promise.all(["1/1", "2/1", "3/1"].map((token) => on.face.cancel(token)));
    expect(await on.inbox.ended("1/1")).toMatchObject({ cause: "cancelled", signal: "SIGTERM" });
    expect(await on.inbox.ended("2/1")).toMatchObject({ cause: "cancelled", signal: "SIGKILL" });
    expect(await on.inbox.ended("3/1")).toMatchObject({ cause: "cancelled", signal: "SIGTERM" });
  });

  it("MS-13 cancelled right behind the launch it ends as cancelled, begun or not", async () => {
    await Promise.all([on.face.begin(on.order("1/1", gated)), on.face.cancel("1/1")]);
    expect(await on.inbox.ended("1/1")).toMatchObject({ cause: "cancelled" });
  });
}

function suspending(on: Stage): void {
  it("MS-14 a suspended job goes on where it was, and what is told keeps its order", async () => {
    await on.face.begin(on.order("1/1", gated));
    await on.inbox.until("1/1", "running");
    await on.face.suspend("1/1");
    await on.face.suspend("1/1");
    await on.inbox.until("1/1", "suspended");
    await on.face.resume("1/1");
    await on.inbox.until("1/1", "resumed");
    await on.harness.letGo("1/1");
    expect(await on.inbox.ended("1/1")).toMatchObject({ cause: "exited", exitCode: 7 });
    expect(on.inbox.kinds("1/1")).toEqual(["running", "suspended", "resumed", "ended"]);
  });

  it("MS-14 suspended time does not count towards the limit", async () => {
    // Long enough to suspend it meanwhile on a busy machine.
    const limitMs = Math.max(3000, on.harness.shortLimitMs);
    await on.face.begin(on.order("1/1", gated, limitMs));
    await on.inbox.until("1/1", "running");
    await on.face.suspend("1/1");
    await on.inbox.until("1/1", "suspended");
    await delay(limitMs + on.harness.graceMs);
    expect(on.inbox.kinds("1/1")).toEqual(["running", "suspended"]);
    await on.face.resume("1/1");
    const resumed = await on.inbox.until("1/1", "resumed");
    const ended = await on.inbox.ended("1/1");
    expect(ended.cause).toBe("timeLimit");
    expect(ended.atMs - resumed.atMs).toBeLessThan(limitMs + (on.harness.lateMs ?? 500));
  });
}

function otherLives(on: Stage): void {
  it("what runs is found, what ended meanwhile is told with its exit code", async () => {
    await on.face.begin(on.order("1/1", gated));
    await on.face.begin(on.order("2/1", { kind: "exit", code: 4 }));
    await on.face.begin(on.order("3/1", gated));
    await on.inbox.until("1/1", "running");
    await on.inbox.until("3/1", "running");
    await on.nextLife(() => on.harness.letGo("3/1"));
    expect((await on.inbox.ended("2/1")).exitCode).toBe(4);
    expect((await on.inbox.ended("3/1")).exitCode).toBe(7);
    await on.inbox.until("1/1", "running");
    expect(on.inbox.kinds("1/1")).toEqual(["running"]);
    await on.harness.letGo("1/1");
    expect((await on.inbox.ended("1/1")).exitCode).toBe(7);
  });

  it("MS-4 an end is told in every life until it is acknowledged, and then no more", async () => {
    await on.face.begin(on.order("1/1", { kind: "exit", code: 5 }));
    const ended = await on.inbox.ended("1/1");
    await on.nextLife();
    expect(await on.inbox.ended("1/1")).toEqual(ended);
    await on.face.acknowledge("1/1");
    await on.face.acknowledge("1/1");
    await on.nextLife();
    await on.face.begin(on.order("2/1", { kind: "exit", code: 0 }));
    await on.inbox.ended("2/1");
    expect(on.inbox.kinds("1/1")).toEqual([]);
  });

  it("MS-4 what runs cannot be acknowledged away", async () => {
    await on.face.begin(on.order("1/1", gated));
    await on.inbox.until("1/1", "running");
    await on.face.acknowledge("1/1");
    await on.harness.letGo("1/1");
    expect((await on.inbox.ended("1/1")).exitCode).toBe(7);
  });

  it("cancelling and suspending reach a job of an earlier life", async () => {
    await on.face.begin(on.order("1/1", gated));
    await on.inbox.until("1/1", "running");
    await on.nextLife();
    await on.face.suspend("1/1");
    await on.inbox.until("1/1", "suspended");
    await on.nextLife();
    await on.inbox.until("1/1", "suspended");
    await on.face.cancel("1/1");
    expect(await on.inbox.ended("1/1")).toMatchObject({ cause: "cancelled" });
  });
}

function output(on: Stage): void {
  it("the two streams are files, readable in parts, while the job runs and after", async () => {
    await on.face.begin(on.order("1/1", { kind: "print", stdout: "0123456789", stderr: "ä\n" }));
    await on.inbox.ended("1/1");
    const text = async (file: string, from: number, most: number): Promise<string | undefined> => {
      const part = await on.face.readFile("1/1", file, from, most);
      return part && `${Buffer.from(part.bytes)} of ${part.sizeBytes}`;
    };
    expect(await text("stdout", 0, 100)).toBe("0123456789 of 10");
    expect(await text("stdout", 4, 3)).toBe("456 of 10");
    expect(await text("stdout", 10, 3)).toBe(" of 10");
    expect(await text("stdout", 99, 3)).toBe(" of 10");
    expect(await text("stderr", 0, 100)).toBe("ä\n of 3");
    expect(await text("other", 0, 100)).toBeUndefined();
    const files = await on.face.listFiles("1/1");
    expect(files).toContainEqual({ name: "stdout", sizeBytes: 10 });
    expect(files).toContainEqual({ name: "stderr", sizeBytes: 3 });
    await on.face.acknowledge("1/1");
    expect(await text("stdout", 0, 2)).toBe("01 of 10");
  });

  it("purged is gone; what has not ended cannot be purged", async () => {
    await on.face.begin(on.order("1/1", gated));
    await on.inbox.until("1/1", "running");
    await expect(on.face.purge("1/1")).rejects.toMatchObject({ code: "attemptNotEnded" });
    await on.harness.letGo("1/1");
    await on.inbox.ended("1/1");
    await on.face.purge("1/1");
    expect(await on.face.listFiles("1/1")).toEqual([]);
    await on.nextLife();
    await on.face.begin(on.order("2/1", { kind: "exit", code: 0 }));
    await on.inbox.ended("2/1");
    await on.face.acknowledge("2/1");
    await on.face.purge("2/1");
    expect(await on.face.readFile("2/1", "stdout", 0, 1)).toBeUndefined();
    expect(on.inbox.kinds("1/1")).toEqual([]);
  });
}
