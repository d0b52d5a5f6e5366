/**
 * What every managed site does, whatever it runs jobs on: the port of src/runtime/site.ts as tests.
 *
 * A harness translates a few behaviours into commands of its site and says how often a job was begun.
 * `open` may be called again at any time: that is another life of the broker on what the first one left.
 */
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { LaunchOrder, ManagedSite } from "../../src/runtime/index.ts";
import { ReportInbox } from "./report-inbox.ts";

/** What a job of the suite does. */
export type Behaviour =
  | { readonly kind: "exit"; readonly code: number }
  | { readonly kind: "print"; readonly stdout: string; readonly stderr: string }
  /** Runs until `letGo`, then exits with the code. */
  | { readonly kind: "gated"; readonly code: number }
  /** Runs until it is killed; TERM does not move it. */
  | { readonly kind: "stubborn" }
  /** The name of a program that is not there. */
  | { readonly kind: "missing" };

/** One site with its state, made for one test. Its time between TERM and KILL is `graceMs`. */
export interface ManagedSiteHarness {
  readonly graceMs: number;
  open(): Promise<ManagedSite>;
  command(token: string, behaviour: Behaviour): readonly string[];
  letGo(token: string): Promise<void>;
  /** How often the job of this token was begun. */
  begun(token: string): Promise<number>;
  /** Closes what is open and leaves nothing running. */
  dispose(): Promise<void>;
}

const NO_LIMIT_MS = 3_600_000;
const gated: Behaviour = { kind: "gated", code: 7 };

let harness: ManagedSiteHarness;
let site: ManagedSite;
let inbox: ReportInbox;

/** Runs the suite against the sites that `create` makes. */
export function managedSiteConformance(name: string, create: () => Promise<ManagedSiteHarness>): void {
  describe(name, () => {
    beforeEach(async () => {
      harness = await create();
      site = await harness.open();
      inbox = new ReportInbox(site);
    });
    afterEach(() => harness.dispose());

    describe("how a job ends", endings);
    describe("stopping a job for good", stopping);
    describe("suspending", suspending);
    describe("once and only once", onceOnly);
    describe("another life of the broker", otherLives);
    describe("asking for what is not there", strangeQuestions);
    describe("output", output);
  });
}

function order(token: string, behaviour: Behaviour, limitMs = NO_LIMIT_MS): LaunchOrder {
  const command = harness.command(token, behaviour);
  const streams = { stdOutput: "stdout", stdError: "stderr" };
  return { token, command, environment: {}, limitMs, inputFiles: [], ...streams };
}

async function nextLife(): Promise<void> {
  await site.close();
  site = await harness.open();
  inbox = new ReportInbox(site);
}

function endings(): void {
  it.each([0, 3, 255])('MS-10 exit code %i is reported, after "running"', async (code) => {
    await site.launch(order("1/1", { kind: "exit", code }));
    expect(await inbox.ended("1/1")).toMatchObject({ cause: "exited", exitCode: code, signal: undefined });
    expect(inbox.kinds("1/1")).toEqual(["running", "ended"]);
  });

  it("MS-10 a job that a signal ended has no exit code but the signal's name", async () => {
    await site.launch(order("1/1", gated));
    await inbox.until("1/1", "running");
    await site.signal("1/1", "SIGKILL");
    const end = { cause: "signalled", exitCode: undefined, signal: "SIGKILL" };
    expect(await inbox.ended("1/1")).toMatchObject(end);
  });

  it("MS-11 a program that is not there is a launch that failed, never a job that ran", async () => {
    await site.launch(order("1/1", { kind: "missing" }));
    const ended = await inbox.ended("1/1");
    expect(ended).toMatchObject({ cause: "launchFailed", exitCode: undefined });
    expect(ended.detail).toMatch(/not on the PATH|does not exist/);
    expect(inbox.kinds("1/1")).toEqual(["ended"]);
  });
}

function stopping(): void {
  it("MS-12 at its limit a job is sent TERM", async () => {
    await site.launch(order("1/1", gated, 300));
    expect(await inbox.ended("1/1")).toMatchObject({ cause: "timeLimit", signal: "SIGTERM" });
  });

  it("MS-12 one that does not heed TERM is killed after the grace", async () => {
    await site.launch(order("1/1", { kind: "stubborn" }, 300));
    const ended = await inbox.ended("1/1");
    expect(ended).toMatchObject({ cause: "timeLimit", signal: "SIGKILL" });
    const running = await inbox.until("1/1", "running");
    expect(ended.atMs - running.atMs).toBeGreaterThanOrEqual(290 + harness.graceMs);
  });

  it("MS-13 cancelled is cancelled, heeding TERM or not, suspended or not", async () => {
    await site.launch(order("1/1", gated));
    await site.launch(order("2/1", { kind: "stubborn" }));
    await site.launch(order("3/1", gated));
    for (const token of ["1/1", "2/1", "3/1"]) await inbox.until(token, "running");
    await site.suspend("3/1");
    await inbox.until("3/1", "suspended");
    await Promise.all(["1/1", "2/1", "3/1"].map((token) => site.cancel(token)));
    expect(await inbox.ended("1/1")).toMatchObject({ cause: "cancelled", signal: "SIGTERM" });
    expect(await inbox.ended("2/1")).toMatchObject({ cause: "cancelled", signal: "SIGKILL" });
    expect(await inbox.ended("3/1")).toMatchObject({ cause: "cancelled", signal: "SIGTERM" });
  });

  it("MS-13 cancelled right behind the launch it ends as cancelled, begun or not", async () => {
    await Promise.all([site.launch(order("1/1", gated)), site.cancel("1/1")]);
    expect(await inbox.ended("1/1")).toMatchObject({ cause: "cancelled" });
  });
}

function suspending(): void {
  it("MS-14 a suspended job goes on where it was, and what is told keeps its order", async () => {
    await site.launch(order("1/1", gated));
    await site.suspend("1/1");
    await site.suspend("1/1");
    await inbox.until("1/1", "suspended");
    await harness.letGo("1/1");
    await site.resume("1/1");
    expect(await inbox.ended("1/1")).toMatchObject({ cause: "exited", exitCode: 7 });
    expect(inbox.kinds("1/1")).toEqual(["running", "suspended", "resumed", "ended"]);
  });

  it("MS-14 suspended time does not count towards the limit", async () => {
    const limitMs = 1000;
    await site.launch(order("1/1", gated, limitMs));
    await site.suspend("1/1");
    await inbox.until("1/1", "suspended");
    await delay(limitMs + harness.graceMs);
    expect(inbox.kinds("1/1")).toEqual(["running", "suspended"]);
    await site.resume("1/1");
    const resumed = await inbox.until("1/1", "resumed");
    const ended = await inbox.ended("1/1");
    expect(ended.cause).toBe("timeLimit");
    expect(ended.atMs - resumed.atMs).toBeLessThan(limitMs + 500);
  });

  it("MS-14 STOP and CONT sent by name are a suspension and its end", async () => {
    await site.launch(order("1/1", gated));
    await site.signal("1/1", "SIGSTOP");
    await inbox.until("1/1", "suspended");
    await site.signal("1/1", "SIGCONT");
    await inbox.until("1/1", "resumed");
    await harness.letGo("1/1");
    expect((await inbox.ended("1/1")).exitCode).toBe(7);
  });
}

function onceOnly(): void {
  it("MS-1 launched twice, one after the other or at once, it runs once", async () => {
    const twice = order("1/1", gated);
    await Promise.all([site.launch(twice), site.launch(twice)]);
    await site.launch(twice);
    await inbox.until("1/1", "running");
    await site.launch(twice);
    await harness.letGo("1/1");
    await inbox.ended("1/1");
    await site.launch(twice);
    await site.acknowledge("1/1");
    await site.launch(twice);
    await site.launch(order("2/1", { kind: "exit", code: 0 }));
    await inbox.ended("2/1");
    expect(await harness.begun("1/1")).toBe(1);
    expect(inbox.kinds("1/1")).toEqual(["running", "ended"]);
  });

  it("MS-1 launched again in another life, before or after its end, it runs once", async () => {
    const twice = order("1/1", gated);
    await site.launch(twice);
    await nextLife();
    await site.launch(twice);
    await inbox.until("1/1", "running");
    await harness.letGo("1/1");
    await inbox.ended("1/1");
    await nextLife();
    await site.launch(twice);
    expect(await inbox.ended("1/1")).toMatchObject({ cause: "exited", exitCode: 7 });
    expect(await harness.begun("1/1")).toBe(1);
  });

  it("MS-2 what was called lost for want of any trace is never begun afterwards", async () => {
    const [report] = await site.inventory(["9/1"]);
    expect(report).toMatchObject({ kind: "ended", token: "9/1", cause: "lost" });
    await site.launch(order("9/1", { kind: "exit", code: 0 }));
    await nextLife();
    await site.launch(order("9/1", { kind: "exit", code: 0 }));
    expect(await site.inventory(["9/1"])).toMatchObject([{ kind: "ended", cause: "lost" }]);
    expect(await harness.begun("9/1")).toBe(0);
  });
}

function otherLives(): void {
  it("MS-3 what runs is found, what ended meanwhile is told with its exit code", async () => {
    await site.launch(order("1/1", gated));
    await site.launch(order("2/1", { kind: "exit", code: 4 }));
    await site.launch(order("3/1", gated));
    const before = await inbox.until("1/1", "running");
    await inbox.until("3/1", "running");
    await site.close();
    await harness.letGo("3/1");
    await nextLife();
    const [first, second, third] = await site.inventory(["1/1", "2/1", "3/1"]);
    expect(first).toEqual(before);
    expect(second?.kind === "running" || second?.kind === "ended").toBe(true);
    expect(third?.token).toBe("3/1");
    expect((await inbox.ended("2/1")).exitCode).toBe(4);
    expect((await inbox.ended("3/1")).exitCode).toBe(7);
    expect(inbox.kinds("1/1")).toEqual(["running"]);
    await harness.letGo("1/1");
    expect((await inbox.ended("1/1")).exitCode).toBe(7);
  });

  it("MS-4 an end is told in every life until it is acknowledged, then only when asked for", async () => {
    await site.launch(order("1/1", { kind: "exit", code: 5 }));
    const ended = await inbox.ended("1/1");
    await nextLife();
    expect(await inbox.ended("1/1")).toEqual(ended);
    await site.acknowledge("1/1");
    await site.acknowledge("1/1");
    await nextLife();
    expect(await site.inventory(["1/1"])).toEqual([ended]);
    await site.launch(order("2/1", { kind: "exit", code: 0 }));
    await inbox.ended("2/1");
    expect(inbox.kinds("1/1")).toEqual([]);
  });

  it("MS-4 what runs cannot be acknowledged away", async () => {
    await site.launch(order("1/1", gated));
    await inbox.until("1/1", "running");
    await site.acknowledge("1/1");
    await harness.letGo("1/1");
    expect((await inbox.ended("1/1")).exitCode).toBe(7);
  });

  it("MS-5 cancelling and suspending reach a job of an earlier life", async () => {
    await site.launch(order("1/1", gated));
    await inbox.until("1/1", "running");
    await nextLife();
    await site.suspend("1/1");
    await inbox.until("1/1", "suspended");
    await nextLife();
    await inbox.until("1/1", "suspended");
    await site.cancel("1/1");
    expect(await inbox.ended("1/1")).toMatchObject({ cause: "cancelled" });
  });
}

function strangeQuestions(): void {
  it("MS-6 unknown attempts are ignored", async () => {
    await site.cancel("8/1");
    await site.suspend("8/1");
    await site.resume("8/1");
    await site.signal("8/1", "SIGTERM");
    await site.acknowledge("8/1");
    await site.purge("8/1");
    expect(await site.listFiles("8/1")).toEqual([]);
    expect(await site.readFile("8/1", "stdout", 0, 10)).toBeUndefined();
    expect(inbox.reports).toEqual([]);
  });

  it("MS-6 what is no attempt, no signal or no order is refused before anything is done", async () => {
    await expect(site.cancel("../../etc")).rejects.toMatchObject({ code: "badAttemptToken" });
    await expect(site.purge("..")).rejects.toMatchObject({ code: "badAttemptToken" });
    await expect(site.inventory(["a/b/c"])).rejects.toMatchObject({ code: "badAttemptToken" });
    await expect(site.signal("1/1", "SIGNONSENSE")).rejects.toMatchObject({ code: "unknownSignal" });
    const good = order("1/1", { kind: "exit", code: 0 });
    const bad: Partial<LaunchOrder>[] = [
      { command: [] },
      { command: ["x", "zero\0byte"] },
      { command: ["x", "\ud800"] },
      { environment: { "A=B": "" } },
      { limitMs: 0 },
      { stdOutput: "../out" },
      { stdError: "" },
      { inputFiles: [{ name: "a/b", source: "/x" }] },
      { inputFiles: [{ name: "stdout", source: "/x" }] },
      { inputFiles: [{ name: "a", source: "relative" }] },
    ];
    for (const part of bad) {
      await expect(site.launch({ ...good, ...part })).rejects.toMatchObject({ code: "badLaunchOrder" });
    }
    expect(await harness.begun("1/1")).toBe(0);
  });
}

function output(): void {
  it("MS-7 the two streams are files, readable in parts, while the job runs and after", async () => {
    await site.launch(order("1/1", { kind: "print", stdout: "0123456789", stderr: "ä\n" }));
    await inbox.ended("1/1");
    const text = async (file: string, from: number, most: number): Promise<string | undefined> => {
      const part = await site.readFile("1/1", file, from, most);
      return part && `${Buffer.from(part.bytes)} of ${part.sizeBytes}`;
    };
    expect(await text("stdout", 0, 100)).toBe("0123456789 of 10");
    expect(await text("stdout", 4, 3)).toBe("456 of 10");
    expect(await text("stdout", 10, 3)).toBe(" of 10");
    expect(await text("stdout", 99, 3)).toBe(" of 10");
    expect(await text("stderr", 0, 100)).toBe("ä\n of 3");
    expect(await text("other", 0, 100)).toBeUndefined();
    const files = await site.listFiles("1/1");
    expect(files).toContainEqual({ name: "stdout", sizeBytes: 10 });
    expect(files).toContainEqual({ name: "stderr", sizeBytes: 3 });
    await site.acknowledge("1/1");
    expect(await text("stdout", 0, 2)).toBe("01 of 10");
  });

  it("MS-8 purged is gone; what has not ended cannot be purged", async () => {
    await site.launch(order("1/1", gated));
    await inbox.until("1/1", "running");
    await expect(site.purge("1/1")).rejects.toMatchObject({ code: "attemptNotEnded" });
    await harness.letGo("1/1");
    await inbox.ended("1/1");
    await site.purge("1/1");
    expect(await site.listFiles("1/1")).toEqual([]);
    await nextLife();
    await site.launch(order("2/1", { kind: "exit", code: 0 }));
    await inbox.ended("2/1");
    await site.acknowledge("2/1");
    await site.purge("2/1");
    expect(await site.readFile("2/1", "stdout", 0, 1)).toBeUndefined();
    expect(inbox.kinds("1/1")).toEqual([]);
  });
}
