import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { exited, running, type ScriptedSite, scriptedSite } from "../../test/scripted-site.ts";
import { type SteppableClock, steppableClock } from "../../test/steppable-clock.ts";
import { JOB_DEFAULTS, type JobDescription, type ManagedSiteSpec } from "../model/index.ts";
import { type Commit, type Logbook, type LoggedEvent, projectLog, VIEWS } from "../runtime/index.ts";
import { compareViews, createMemoryLogbook, openSqliteLogbook } from "../store/index.ts";
import { type Broker, sandboxesIn, startBroker } from "./index.ts";

const SPEC: ManagedSiteSpec = {
  type: "managed",
  procs: 4,
  memoryBytes: 2 ** 30,
  discipline: "easy",
  defaultWallTimeMs: 60_000,
};

let folder = "";
let logbook: Logbook;
let clock: SteppableClock;
let warnings: string[];
let broken: unknown[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "stint-broker-"));
  logbook = createMemoryLogbook(VIEWS);
  clock = steppableClock(1_000_000);
  warnings = [];
  broken = [];
});
afterEach(() => rmSync(folder, { recursive: true }));

function start(site: ScriptedSite, over: Logbook = logbook): Promise<Broker> {
  return startBroker({
    logbook: over,
    openSite: async () => ({ kind: "managed", site }),
    clock,
    sandboxes: sandboxesIn(folder),
    warn: (message) => warnings.push(message),
    onBroken: (error) => broken.push(error),
  });
}

async function withSite(site: ScriptedSite): Promise<Broker> {
  const broker = await start(site);
  await broker.brokerApi.ask({ kind: "addSite", site: "local", spec: SPEC });
  return broker;
}

const submit = (broker: Broker, job: string, more: Partial<JobDescription> = {}) =>
  broker.brokerApi.ask({
    kind: "submit",
    job,
    description: { ...JOB_DEFAULTS, executable: "true", ...more },
    consumer: "vo/user",
    owner: "u1",
  });

/** Lets everything happen that follows within a second of the broker's clock. */
async function pass(ms = 1000): Promise<void> {
  const untilMs = clock.nowMs() + ms;
  for (let turn = 0; turn < 20; turn++) {
    clock.moveTo(Math.min(untilMs, Math.max(clock.nowMs(), clock.nextAlarmMs())));
    await new Promise((resolve) => setImmediate(resolve));
  }
  clock.moveTo(untilMs);
}

async function kindsLogged(): Promise<string[]> {
  const kinds: string[] = [];
  for await (const { kind } of logbook.events(1)) kinds.push(kind);
  return kinds;
}

describe("the life of a job", () => {
  it("BR-1 BR-3 from submission to end, every step is recorded before it is sent to the site", async () => {
    const site = scriptedSite();
    const broker = await withSite(site);
    expect((await submit(broker, "a")).ok).toBe(true);
    await pass();
    expect(site.asked).toEqual(["inventory", "launch a/1"]);
    site.tell(running("a/1", clock.nowMs()));
    await pass();
    expect(await broker.brokerApi.job("a")).toMatchObject({ state: "RUNNING", site: "local" });
    site.tell(exited("a/1", clock.nowMs(), 3));
    await pass();
    expect(await broker.brokerApi.job("a")).toMatchObject({ state: "DONE", result: "failed", exitCode: 3 });
    expect(site.asked.at(-1)).toBe("acknowledge a/1");
    expect(await kindsLogged()).toEqual([
      "siteAdded",
      "jobAccepted",
      "jobPlaced",
      "queueSettled",
      "attemptRunning",
      "attemptEnded",
      "posted",
      "queueSettled",
    ]);
  });

  it("BR-1 nothing is launched before its decision is durable", async () => {
    const waiting: (() => void)[] = [];
    const slow: Logbook = {
      ...logbook,
      commit: async (commit: Commit) => {
        const receipt = await logbook.commit(commit);
        await new Promise<void>((resolve) => waiting.push(resolve));
        return receipt;
      },
    };
    const site = scriptedSite();
    const broker = await start(site, slow);
    void broker.brokerApi.ask({ kind: "addSite", site: "local", spec: SPEC });
    void submit(broker, "a");
    await pass();
    expect(site.asked).toEqual(["inventory"]);
    for (let turn = 0; turn < 10; turn++) {
      for (const release of waiting.splice(0)) release();
      await pass(10);
    }
    expect(site.asked).toEqual(["inventory", "launch a/1"]);
  });

  it("what the log cannot hold is refused before it takes effect, and the broker goes on", async () => {
    const broker = await withSite(scriptedSite());
    await expect(submit(broker, "half", { executable: "\ud800" })).rejects.toMatchObject({
      code: "notRecordable",
    });
    const long = { arguments: ["x".repeat(17 * 1024 * 1024)] };
    await expect(submit(broker, "long", long)).rejects.toMatchObject({ code: "notRecordable" });
    expect(await broker.brokerApi.job("half")).toBeUndefined();
    expect(await broker.brokerApi.job("long")).toBeUndefined();
    expect((await submit(broker, "whole", { executable: "\ud83d\ude00" })).ok).toBe(true);
    await pass();
    expect(await broker.brokerApi.job("whole")).toMatchObject({ state: "SCHEDULED" });
    expect(broken).toEqual([]);
  });

  it("text of a site that is not whole is mended: what happened cannot be refused", async () => {
    const site = scriptedSite();
    const broker = await withSite(site);
    await submit(broker, "a");
    await pass();
    const nothing = { exitCode: undefined, signal: undefined, cpuMs: undefined };
    const [token, atMs] = ["a/1", clock.nowMs()];
    site.tell({ kind: "ended", token, atMs, cause: "launchFailed", detail: "no \ud83d", ...nothing });
    await pass();
    expect(JSON.stringify(await broker.brokerApi.job("a"))).toContain("no \uFFFD");
    expect(broken).toEqual([]);
  });

  it("BR-5 a job that cannot be launched is ABORTED with the reason; others go on", async () => {
    const site = scriptedSite(({ token }) => {
      if (token === "a/1") throw new Error("no room for its directory");
    });
    const broker = await withSite(site);
    await submit(broker, "a");
    await submit(broker, "b");
    await pass();
    expect(await broker.brokerApi.job("a")).toMatchObject({
      state: "ABORTED",
      abortReason: { kind: "launchFailed", detail: "no room for its directory" },
    });
    expect(site.asked).toContain("launch b/1");
  });

  it("the views are at every moment what the log says", async () => {
    const site = scriptedSite();
    const broker = await withSite(site);
    for (const job of ["a", "b", "c", "d", "e"]) await submit(broker, job, { procs: 2 });
    await pass();
    await broker.brokerApi.ask({ kind: "cancel", job: "e" });
    site.tell(running("a/1", clock.nowMs()));
    site.tell(exited("b/1", clock.nowMs()));
    await pass();
    await broker.stop();
    expect(await compareViews({ logbook, schemas: VIEWS, project: projectLog() })).toEqual([]);
  });

  it("a verb on a job that is over is refused for its state, on one that never was as unknown", async () => {
    const site = scriptedSite();
    const broker = await withSite(site);
    await submit(broker, "a");
    await broker.brokerApi.ask({ kind: "cancel", job: "a" });
    const again = await broker.brokerApi.ask({ kind: "hold", job: "a" });
    expect(again).toMatchObject({ ok: false, refusal: { kind: "wrongState", state: "CANCELLED" } });
    const unknown = await broker.brokerApi.ask({ kind: "hold", job: "zzz" });
    expect(unknown).toMatchObject({ ok: false, refusal: { kind: "unknownJob" } });
    expect(await submit(broker, "a")).toMatchObject({ ok: false, refusal: { kind: "idInUse" } });
  });
});

describe("one engine, any store", () => {
  it("BR-1 the same scenario gives the same events in memory and in SQLite", async () => {
    const inMemory = await eventsOfScenario(logbook);
    const onDisk = await openSqliteLogbook({ directory: join(folder, "log"), views: VIEWS });
    clock = steppableClock(1_000_000);
    const inSqlite = await eventsOfScenario(onDisk);
    await onDisk.close();
    expect(inSqlite).toEqual(inMemory);
    expect(inMemory.length).toBeGreaterThan(15);
  });

  async function eventsOfScenario(over: Logbook): Promise<LoggedEvent[]> {
    const site = scriptedSite(({ token }) => {
      const nowMs = clock.nowMs();
      clock.wakeAt(nowMs + 500, () => site.tell(running(token, nowMs + 500)));
      clock.wakeAt(nowMs + 20_000, () => site.tell(exited(token, nowMs + 20_000)));
    });
    const broker = await start(site, over);
    await broker.brokerApi.ask({ kind: "addSite", site: "local", spec: SPEC });
    for (const [i, procs] of [3, 2, 1, 4, 2].entries()) await submit(broker, `j${i}`, { procs });
    for (let second = 0; second < 120; second++) {
      if (second === 7) await broker.brokerApi.ask({ kind: "hold", job: "j4" });
      if (second === 31) await broker.brokerApi.ask({ kind: "release", job: "j4" });
      await quiet(over);
      clock.moveTo(clock.nowMs() + 1000);
    }
    await broker.stop();
    const events: LoggedEvent[] = [];
    for await (const event of over.events(1)) events.push(event);
    return events;
  }

  /** Lets all that is due now be decided, written and carried out before the clock moves on. */
  async function quiet(over: Logbook): Promise<void> {
    for (let turn = 0; turn < 6; turn++) {
      clock.moveTo(clock.nowMs() + 20);
      await over.rows("jobs", {});
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
});

describe("after a restart", () => {
  it("BR-1 BR-2 decided jobs are launched again, and running jobs are found", async () => {
    const first = scriptedSite();
    const before = await withSite(first);
    for (const job of ["a", "b", "c", "d", "e"]) await submit(before, job);
    await pass();
    first.tell(running("a/1", clock.nowMs()));
    first.tell(running("b/1", clock.nowMs()));
    await pass();
    const second = scriptedSite();
    second.known = [running("a/1", 0), exited("b/1", clock.nowMs(), 5)];
    const after = await start(second);
    await pass();
    expect(second.asked.filter((asked) => asked.startsWith("launch"))).toEqual([
      "launch c/1",
      "launch d/1",
      "launch e/1",
    ]);
    expect(second.asked).toContain("inventory a/1 b/1");
    expect(await after.brokerApi.job("a")).toMatchObject({ state: "RUNNING" });
    expect(await after.brokerApi.job("b")).toMatchObject({ state: "DONE", exitCode: 5 });
  });

  it("BR-2 cancellations and suspensions from before the crash are ordered again", async () => {
    const first = scriptedSite();
    const before = await withSite(first);
    for (const job of ["a", "b"]) await submit(before, job);
    await pass();
    for (const job of ["a", "b"]) first.tell(running(`${job}/1`, clock.nowMs()));
    await pass();
    await before.brokerApi.ask({ kind: "cancel", job: "a" });
    await before.brokerApi.ask({ kind: "suspend", job: "b" });
    const second = scriptedSite();
    second.known = [running("a/1", 0), running("b/1", 0)];
    await start(second);
    expect(second.asked).toContain("cancel a/1");
    expect(second.asked).toContain("suspend b/1");
  });
});

describe("many at once", () => {
  it("BR-7 the jobs of one owner are accepted in the order of their submission", async () => {
    const broker = await withSite(scriptedSite());
    const data = join(folder, "large.bin");
    writeFileSync(data, Buffer.alloc(3_000_000));
    const jobs = ["a", "b", "c", "d"];
    await Promise.all(jobs.map((job, i) => submit(broker, job, { inputSandbox: i % 2 === 0 ? [data] : [] })));
    const { items } = await broker.brokerApi.jobs({});
    expect(items.map(({ id }) => id)).toEqual(["d", "c", "b", "a"]);
  });
});

describe("what can go wrong", () => {
  it("BR-6 when the log cannot be written the broker says so, and acknowledges nothing", async () => {
    const site = scriptedSite();
    const full: Logbook = { ...logbook, commit: () => Promise.reject(new Error("disk full")) };
    const broker = await start(site, full);
    const asked = broker.brokerApi.ask({
      kind: "addSite",
      site: "local",
      spec: SPEC,
    });
    await expect(asked).rejects.toThrow("disk full");
    expect(broken).toHaveLength(1);
  });

  it("BR-13 input files are copied at submission; with a missing one nothing is kept", async () => {
    const launched: string[] = [];
    const site = scriptedSite((order) => {
      launched.push(...order.inputFiles.map(({ source }) => source));
    });
    const broker = await withSite(site);
    const data = join(folder, "data.txt");
    writeFileSync(data, "as submitted");
    await submit(broker, "a", { inputSandbox: [data] });
    writeFileSync(data, "changed later");
    await pass();
    expect(launched.map((path) => readFileSync(path, "utf8"))).toEqual(["as submitted"]);
    const missing = submit(broker, "b", { inputSandbox: [join(folder, "none.txt")] });
    await expect(missing).rejects.toMatchObject({ code: "sandboxUnreadable" });
    expect(await broker.brokerApi.job("b")).toBeUndefined();
  });
});
