import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type LocalHarness, localHarness } from "../../../test/conformance/local-harness.ts";
import { ReportInbox } from "../../../test/conformance/report-inbox.ts";
import { draws } from "../../../test/draws.ts";
import type { LaunchOrder, ManagedSite } from "../../runtime/index.ts";
import type { Claim } from "./job-files.ts";

const GATED = { kind: "gated", code: 7 } as const;

let harness: LocalHarness;
let site: ManagedSite;
let inbox: ReportInbox;
beforeEach(async () => {
  harness = await localHarness({ pollMs: 50 });
  site = await harness.open();
  inbox = new ReportInbox(site);
});
afterEach(() => harness.dispose());

function order(token: string, command: readonly string[]): LaunchOrder {
  const streams = { stdOutput: "stdout", stdError: "stderr" };
  return { token, command, environment: {}, limitMs: 3_600_000, inputFiles: [], ...streams };
}

/** Launches a job that waits at its gate; returns its pid and its wrapper's. */
async function runGated(token: string): Promise<{ pid: number; wrapperPid: number }> {
  await site.launch(order(token, harness.command(token, GATED)));
  const running = await inbox.until(token, "running");
  // The report may come before the program's first step.
  await expect.poll(() => harness.begun(token), { timeout: 200_000 }).toBe(1);
  const claim = claimOf(token);
  if (running.kind !== "running" || claim.by !== "wrapper") throw new Error("it runs under a wrapper");
  return { pid: running.pid, wrapperPid: claim.pid };
}

const fileOf = (token: string, name: string): string =>
  join(harness.directory, "jobs", token.replace("/", "_"), name);
const claimOf = (token: string): Claim => JSON.parse(readFileSync(fileOf(token, "claim.json"), "utf8"));
const isThere = (pid: number): boolean => harness.processes().includes(pid);

describe("when a wrapper is killed", () => {
  it("MS-19 what it left is ended, and only then is the attempt reported lost", async () => {
    const { pid, wrapperPid } = await runGated("1/1");
    process.kill(wrapperPid, "SIGKILL");
    const ended = await inbox.ended("1/1");
    expect(ended).toMatchObject({ cause: "lost", exitCode: undefined });
    expect(ended.detail).toContain("wrapper of the job was killed");
    expect(isThere(pid)).toBe(false);
    expect(harness.processes()).toEqual([]);
    await site.launch(order("1/1", harness.command("1/1", GATED)));
    expect(await harness.begun("1/1")).toBe(1);
  });

  it("MS-19 what left the job's process group, and what heeds no TERM, is found and ended too", async () => {
    const stray = `setsid sh -c 'trap "" TERM; while :; do sleep 0.1; done'`;
    const script = `trap '' TERM; ${stray} & while :; do sleep 1; done`;
    await site.launch(order("1/1", ["sh", "-c", script]));
    await inbox.until("1/1", "running");
    const claim = claimOf("1/1");
    // The wrapper, the shell, its sleep; the one in a session of its own, its sleep.
    await expect.poll(() => harness.processes().length, { timeout: 200_000 }).toBeGreaterThanOrEqual(5);
    if (claim.by === "wrapper") process.kill(claim.pid, "SIGKILL");
    expect((await inbox.ended("1/1")).cause).toBe("lost");
    expect(harness.processes()).toEqual([]);
  });

  it("MS-19 killed while no broker looked: found in the next life, as cancelled if so asked", async () => {
    const first = await runGated("1/1");
    const second = await runGated("2/1");
    process.kill(second.wrapperPid, "SIGSTOP");
    await site.cancel("2/1");
    await site.close();
    for (const { wrapperPid } of [first, second]) {
      process.kill(wrapperPid, "SIGKILL");
      // A process that ends loses its environment, by which tests find it, before it is gone.
      await expect.poll(() => existsSync(`/proc/${wrapperPid}`)).toBe(false);
    }
    site = await harness.open();
    expect(await site.inventory(["1/1", "2/1"])).toMatchObject([{ cause: "lost" }, { cause: "cancelled" }]);
    expect(harness.processes()).toEqual([]);
    inbox = new ReportInbox(site);
    expect((await inbox.ended("1/1")).cause).toBe("lost");
    expect((await inbox.ended("2/1")).cause).toBe("cancelled");
  });

  it("MS-19 TERM, INT and HUP do not end a wrapper", async () => {
    const { wrapperPid } = await runGated("1/1");
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.kill(wrapperPid, signal);
    await harness.letGo("1/1");
    expect(await inbox.ended("1/1")).toMatchObject({ cause: "exited", exitCode: 7 });
  });
});

describe("when a wrapper cannot be started", () => {
  const node = process.execPath;
  afterEach(() => {
    process.execPath = node;
  });

  it("the launch is a fault and may be tried again; the job runs once", async () => {
    const twice = order("1/1", harness.command("1/1", { kind: "exit", code: 6 }));
    process.execPath = join(harness.scratch, "no-node");
    await expect(site.launch(twice)).rejects.toMatchObject({ name: "Fault", code: "siteFailed" });
    process.execPath = node;
    await site.launch(twice);
    expect((await inbox.ended("1/1")).exitCode).toBe(6);
    expect(await harness.begun("1/1")).toBe(1);
  });

  it("an attempt taken in and not begun is begun when the broker speaks of it again", async () => {
    process.execPath = join(harness.scratch, "no-node");
    for (const token of ["1/1", "2/1"]) {
      const launch = site.launch(order(token, harness.command(token, { kind: "exit", code: 6 })));
      await expect(launch).rejects.toMatchObject({ code: "siteFailed" });
    }
    process.execPath = node;
    await site.close();
    site = await harness.open();
    inbox = new ReportInbox(site);
    await site.cancel("2/1");
    expect((await inbox.ended("2/1")).cause).toBe("cancelled");
    expect(await site.inventory(["1/1"])).toMatchObject([{ token: "1/1" }]);
    expect((await inbox.ended("1/1")).exitCode).toBe(6);
    expect([await harness.begun("1/1"), await harness.begun("2/1")]).toEqual([1, 0]);
  });

  it("one that ends before it has begun the job leaves a lost attempt", async () => {
    process.execPath = "/bin/false";
    await site.launch(order("1/1", harness.command("1/1", GATED)));
    const ended = await inbox.ended("1/1");
    expect(ended).toMatchObject({
      cause: "lost",
      detail: "The job's wrapper ended before the job was begun.",
    });
    process.execPath = node;
    await site.launch(order("1/1", harness.command("1/1", GATED)));
    expect(await harness.begun("1/1")).toBe(0);
  });
});

describe("when the machine was restarted", () => {
  it("MS-20 what had not ended is lost, and no process of a reused number is touched", async () => {
    const { pid, wrapperPid } = await runGated("1/1");
    await site.close();
    process.kill(wrapperPid, "SIGKILL");
    const innocent = spawn("sleep", ["60"], { detached: true });
    writeFileSync(
      fileOf("1/1", "claim.json"),
      `{"by":"wrapper","pid":${innocent.pid},"mark":"other-boot/5"}`,
    );
    site = await harness.open();
    inbox = new ReportInbox(site);
    const ended = await inbox.ended("1/1");
    expect(ended).toMatchObject({ cause: "lost", detail: "The machine was restarted while the job ran." });
    expect(innocent.exitCode ?? innocent.signalCode).toBeNull();
    innocent.kill("SIGKILL");
    process.kill(-pid, "SIGKILL");
  });

  it("MS-20 what was taken in and not begun is not begun afterwards", async () => {
    await site.launch(order("1/1", harness.command("1/1", { kind: "exit", code: 0 })));
    await inbox.ended("1/1");
    await site.close();
    // As it was before the wrapper came, in another boot.
    const given = JSON.parse(readFileSync(fileOf("1/1", "order.json"), "utf8"));
    writeFileSync(fileOf("1/1", "order.json"), JSON.stringify({ ...given, bootMark: "other-boot" }));
    rmSync(fileOf("1/1", "claim.json"));
    rmSync(join(harness.directory, "spool", "1_1.jsonl"));
    site = await harness.open();
    expect(await site.inventory(["1/1"])).toMatchObject([{ kind: "ended", cause: "lost" }]);
    expect(await harness.begun("1/1")).toBe(1);
  });
});

describe("when the broker is killed", () => {
  const program = fileURLToPath(new URL("../../../test/conformance/launch-many.mjs", import.meta.url));
  const COUNT = Math.min(20, draws(20).numRuns);
  const tokens = Array.from({ length: COUNT }, (_, i) => `${i}/1`);

  function victim(): ChildProcess {
    const words = [program, harness.directory, harness.scratch, String(COUNT)];
    return spawn(process.execPath, words, { detached: true, stdio: ["ignore", "pipe", "inherit"] });
  }

  /** Resolves, when the victim is dead, with the tokens of all launches that had been confirmed. */
  async function launchedUntilKilled(afterLines: number, afterMs: number): Promise<string[]> {
    const broker = victim();
    const exited = once(broker, "exit");
    if (broker.stdout === null || broker.pid === undefined) throw new Error("it has a pid and a stdout");
    const launched: string[] = [];
    const lines = createInterface(broker.stdout);
    const kill = (): void => {
      // The whole group, as a terminal or a service manager would.
      if (broker.pid !== undefined) process.kill(-broker.pid, "SIGKILL");
    };
    lines.on("line", (line) => {
      launched.push(line.replace("launched ", ""));
      if (launched.length === afterLines) setTimeout(kill, afterMs);
    });
    if (afterLines === 0) setTimeout(kill, afterMs);
    await Promise.all([exited, once(lines, "close")]);
    return launched;
  }

  it.each([
    { afterLines: 0, afterMs: 90 },
    { afterLines: 0, afterMs: 130 },
    { afterLines: 1, afterMs: 0 },
    { afterLines: 7, afterMs: 3 },
    { afterLines: COUNT, afterMs: 0 },
    { afterLines: COUNT, afterMs: 60 },
    { afterLines: COUNT, afterMs: Math.floor(Math.random() * 400) },
  ])("after $afterLines launches and $afterMs ms: every job is accounted for, once", async (moment) => {
    await site.close();
    const launched = await launchedUntilKilled(moment.afterLines, moment.afterMs);
    site = await harness.open();
    inbox = new ReportInbox(site);
    const reports = await site.inventory(tokens);
    expect(reports.map(({ token }) => token)).toEqual(tokens);
    for (const [i, token] of tokens.entries()) {
      const ended = await inbox.ended(token);
      if (ended.cause === "lost") {
        expect(launched).not.toContain(token);
        expect(await harness.begun(token)).toBe(0);
      } else {
        expect(ended).toMatchObject({ cause: "exited", exitCode: i });
        expect(await harness.begun(token)).toBe(1);
      }
    }
    // Wrappers that came too late have found that out by now, or never will do anything else.
    await expect.poll(() => harness.processes(), { timeout: 200_000 }).toEqual([]);
    for (const token of tokens) expect(await harness.begun(token)).toBeLessThanOrEqual(1);
  });

  it("TERM to the broker and its group does not reach the jobs", async () => {
    await site.close();
    const broker = victim();
    if (broker.stdout === null || broker.pid === undefined) throw new Error("it has a pid and a stdout");
    let seen = 0;
    for await (const _ of createInterface(broker.stdout)) if (++seen === COUNT) break;
    process.kill(-broker.pid, "SIGTERM");
    await once(broker, "exit");
    site = await harness.open();
    inbox = new ReportInbox(site);
    for (const [i, token] of tokens.entries()) {
      expect(await inbox.ended(token)).toMatchObject({ cause: "exited", exitCode: i });
    }
  });

  it("MS-1 two brokers that launch the same tokens at once run each once", async () => {
    const both = [victim(), victim()];
    for (const token of tokens) await inbox.ended(token);
    for (const token of tokens) expect(await harness.begun(token)).toBe(1);
    for (const { pid } of both) if (pid !== undefined) process.kill(-pid, "SIGKILL");
    await expect.poll(() => harness.processes(), { timeout: 200_000 }).toEqual([]);
  });
});
