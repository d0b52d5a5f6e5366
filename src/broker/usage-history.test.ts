import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { plainSamples } from "../../test/plain/plain-samples.ts";
import { scriptedSite } from "../../test/scripted-site.ts";
import { type SteppableClock, steppableClock } from "../../test/steppable-clock.ts";
import { createProjection } from "../engine/index.ts";
import { type HostReading, JOB_DEFAULTS, type ManagedSiteSpec } from "../model/index.ts";
import { type Samples, VIEWS } from "../runtime/index.ts";
import { createMemoryLogbook } from "../store/index.ts";
import { type Broker, sandboxesIn, startBroker } from "./index.ts";
import { createUsageKeeper } from "./usage-history.ts";

const SPEC: ManagedSiteSpec = {
  ...{ type: "managed", procs: 4, memoryBytes: 2 ** 30, discipline: "easy", defaultWallTimeMs: 60_000 },
};
const HOUR_MS = 3_600_000;
const T0 = 1_000 * HOUR_MS;

let folder = "";
let clock: SteppableClock;
let samples: Samples;
let warnings: string[];
let broker: Broker;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "stint-observed-"));
  clock = steppableClock(T0 + 1);
  samples = plainSamples();
  warnings = [];
});
afterEach(async () => {
  await broker.stop();
  rmSync(folder, { recursive: true });
});

async function start(over: Samples | null = samples): Promise<void> {
  broker = await startBroker({
    logbook: createMemoryLogbook(VIEWS),
    openSite: async () => ({ kind: "managed", site: scriptedSite() }),
    ...{ clock, sandboxes: sandboxesIn(folder), onBroken: () => undefined },
    ...(over !== null && { samples: over }),
    warn: (message) => warnings.push(message),
  });
  await broker.brokerApi.ask({ kind: "addSite", site: "here", spec: SPEC });
}

async function pass(ms: number): Promise<void> {
  clock.moveTo(clock.nowMs() + ms);
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}

const history = (minutes: number, stepMs = 10_000) =>
  broker.brokerApi.usageHistory({ site: "here", fromMs: T0, untilMs: T0 + minutes * 60_000, stepMs });

describe("the history of a site", () => {
  it("EN-83 has a sample every ten seconds of the site's published use", async () => {
    await start();
    await pass(20_000);
    const description = { ...JOB_DEFAULTS, executable: "true", procs: 3 };
    await broker.brokerApi.ask({ kind: "submit", job: "a", description, consumer: "vo/u", owner: "u" });
    await pass(25_000);
    const course = await history(1);
    // The first is of the instant at which the broker began, when there was no site.
    expect(course?.covered).toEqual([0, 1, 1, 1, 1, 0]);
    const cpu = course?.resources.find(({ resource }) => resource === "cpu");
    expect(cpu?.capacity).toEqual([null, 4, 4, 4, 4, 4]);
    expect(cpu?.inUse.map((part) => part?.mean ?? null)).toEqual([null, 0, 0, 3, 3, null]);
    expect(cpu?.free.map((part) => part?.mean ?? null)).toEqual([null, 4, 4, 1, 1, null]);
    expect(course?.jobsRunning.map((part) => part?.max ?? null)).toEqual([null, 0, 0, 1, 1, null]);
  });

  it("EN-83 an unknown site has none; without a store every step is a gap", async () => {
    await start(null);
    await pass(30_000);
    expect(
      await broker.brokerApi.usageHistory({ site: "x", fromMs: 0, untilMs: 1, stepMs: null }),
    ).toBeUndefined();
    expect(await history(1)).toMatchObject({ covered: [0, 0, 0, 0, 0, 0], levels: [], resources: [] });
    expect(await broker.brokerApi.hosts({ site: "here", course: null })).toEqual([]);
  });

  it("EN-83 a failure to store samples is reported once and affects nothing", async () => {
    const add = vi.fn<Samples["add"]>(() => Promise.reject(new Error("the disk is full")));
    await start({ ...samples, add });
    await pass(60_000);
    expect(add.mock.calls.length).toBeGreaterThan(4);
    expect(warnings).toEqual(["no history of use is kept: the disk is full"]);
    add.mockResolvedValue(true);
    await pass(20_000);
    add.mockRejectedValue(new Error("again"));
    await pass(20_000);
    expect(warnings).toHaveLength(2);
    expect(broker.brokerApi.usage("here")?.free.cpu).toBe(4);
  });

  it("drops old samples every hour, never after the clock was set", async () => {
    await start();
    const prune = vi.fn<Samples["prune"]>(async () => undefined);
    let [nowMs, ring] = [T0, (): void => undefined];
    const own = {
      nowMs: () => nowMs,
      wakeAt: (_: number, call: () => void) => {
        ring = call;
        return () => undefined;
      },
    };
    const round = { projection: createProjection(), nowMs: own.nowMs };
    const world = {
      round,
      clock: own,
      warn: () => undefined,
      samples: { ...samples, prune },
      find: async () => undefined,
    };
    createUsageKeeper(world).begin();
    const beats = (count: number): void => {
      for (let beat = 0; beat < count; beat++) {
        nowMs += 10_000;
        ring();
      }
    };
    beats(359);
    expect(prune).not.toHaveBeenCalled();
    beats(1);
    await vi.waitFor(() => expect(prune.mock.calls).toEqual([[T0 + HOUR_MS]]), 100_000);
    beats(359);
    nowMs += 1000 * HOUR_MS;
    beats(359);
    nowMs -= 1000 * HOUR_MS;
    beats(360);
    expect(prune).toHaveBeenCalledTimes(1);
    beats(1);
    await vi.waitFor(() => expect(prune).toHaveBeenCalledTimes(2), 100_000);
  });
});

const reading = (seq: number, atMs: number, more: Partial<HostReading> = {}): HostReading => ({
  ...{ seq, atMs, overMs: seq === 1 ? null : 10_000, unreadable: 0, dropped: 0 },
  jobs: [
    {
      job: "a",
      siteJob: null,
      owner: "ann",
      processes: 2,
      cpuMs: 5000 * seq,
      usedMs: 5000,
      memoryBytes: 4096,
    },
  ],
  ...more,
});
const report = (...readings: HostReading[]) => ({ site: "here", host: "node1", sensor: "s", readings });

/** A job of this broker at its site. */
async function submitted(job: string): Promise<void> {
  const description = { ...JOB_DEFAULTS, executable: "true" };
  await broker.brokerApi.ask({ kind: "submit", job, description, consumer: "vo/ann", owner: "ann" });
  await pass(20);
}

describe("readings of a sensor", () => {
  it("list no jobs of other brokers; what a batch system has an id for is its own", async () => {
    await start();
    await submitted("a");
    const [ours] = reading(1, T0).jobs;
    const jobs = [ours, { ...ours, job: "theirs" }, { ...ours, job: "theirs2", siteJob: "42" }];
    await broker.brokerApi.takeReadings(report(reading(1, T0, { jobs })));
    const [host] = (await broker.brokerApi.hosts({ site: "here", course: null })) ?? [];
    expect(host?.reading.jobs).toEqual([ours, { ...ours, job: null, siteJob: "42" }]);
  });

  it("are counted once and in order, even if sent twice", async () => {
    await start();
    await submitted("a");
    const { takeReadings } = broker.brokerApi;
    expect(await takeReadings(report(reading(2, T0 + 10_000), reading(1, T0)))).toEqual({
      lastSeq: 2,
      taken: 2,
    });
    expect(await takeReadings(report(reading(2, T0 + 10_000), reading(3, T0 + 20_000)))).toEqual({
      ...{ lastSeq: 3, taken: 1 },
    });
    expect(await takeReadings(report(reading(1, T0)))).toEqual({ lastSeq: 3, taken: 0 });
    expect(await takeReadings({ ...report(reading(1, T0)), site: "nowhere" })).toBeUndefined();
    await pass(30_000);
    const course = { fromMs: T0, untilMs: T0 + 30_000, stepMs: 10_000 };
    const [host, ...others] = (await broker.brokerApi.hosts({ site: "here", course })) ?? [];
    expect(others).toEqual([]);
    expect(host).toMatchObject({ host: "node1", sensor: "s", droppedInAll: 0, reading: { seq: 3 } });
    expect(host?.course?.covered).toEqual([1, 1, 1]);
    const procs = host?.course?.values.find(({ name }) => name === "procsMilli");
    expect(procs?.parts.map((part) => part?.mean)).toEqual([0, 500, 500]);
  });

  it("cover the time since the previous one, and report the total dropped", async () => {
    await start();
    await broker.brokerApi.takeReadings(report(reading(1, T0)));
    await broker.brokerApi.takeReadings(report(reading(5, T0 + 90_000, { overMs: 30_000, dropped: 3 })));
    await broker.brokerApi.takeReadings(
      report(reading(6, T0 + 4 * HOUR_MS, { overMs: 3 * HOUR_MS, dropped: 1 })),
    );
    const course = { fromMs: T0, untilMs: T0 + 4 * HOUR_MS + 60_000, stepMs: 60_000 };
    const [host] = (await broker.brokerApi.hosts({ site: "here", course })) ?? [];
    expect(host?.droppedInAll).toBe(4);
    expect(host?.course?.covered.slice(0, 3)).toEqual([1, 3, 0]);
    expect(host?.course?.covered.reduce((sum, slots) => sum + slots)).toBe(1 + 3 + 30);
  });
});
