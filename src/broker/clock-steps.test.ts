/** A broker on a machine whose clock is set while it runs, or between two of its lives. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type MachineTime, machineTime } from "../../test/machine-time.ts";
import { exited, running, scriptedSite } from "../../test/scripted-site.ts";
import { JOB_DEFAULTS, type ManagedSiteSpec } from "../model/index.ts";
import { type Logbook, projectLog, VIEWS } from "../runtime/index.ts";
import { compareViews, createMemoryLogbook } from "../store/index.ts";
import { type Broker, lastEventMs, sandboxesIn, startBroker, steadyClock } from "./index.ts";

const HOUR = 3_600_000;
const STEPS = [2000, 60_000, HOUR, 10 * 365 * 24 * HOUR].flatMap((ms) => [ms, -ms]);
const SPEC: ManagedSiteSpec = {
  type: "managed",
  procs: 1,
  memoryBytes: 2 ** 30,
  discipline: "easy",
  defaultWallTimeMs: 60_000,
};

/** Brokers of one logbook on one machine, one after the other. */
function lives() {
  const folder = mkdtempSync(join(tmpdir(), "stint-clock-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const logbook = createMemoryLogbook(VIEWS);
  const time = machineTime(Date.UTC(2026, 5, 1));
  const world = { site: scriptedSite() };
  const broken: unknown[] = [];
  const begin = async (): Promise<Broker> => {
    const notBeforeMs = await lastEventMs(logbook);
    // Another one for each life: the one before no longer hears what is reported.
    world.site = scriptedSite();
    const { site } = world;
    return startBroker({
      logbook,
      openSite: async () => ({ kind: "managed", site }),
      clock: steadyClock(time.sources, { notBeforeMs, onBehind: () => {} }),
      sandboxes: sandboxesIn(folder),
      warn: () => {},
      onBroken: (error) => broken.push(error),
    });
  };
  return Object.assign(world, { logbook, time, broken, begin });
}

type Lives = ReturnType<typeof lives>;

async function pass({ time }: Pick<Lives, "time">, ms: number): Promise<void> {
  for (let turn = 0; turn < 10; turn++) {
    time.pass(ms / 10);
    for (let turns = 0; turns < 3; turns++) await new Promise((resolve) => setImmediate(resolve));
  }
}

const submit = (broker: Broker, job: string) =>
  broker.brokerApi.ask({
    kind: "submit",
    job,
    description: { ...JOB_DEFAULTS, executable: "true" },
    consumer: "vo/user",
    owner: "u1",
  });

/** A job from its submission to its end, which it reaches ten seconds after its start. */
async function runThrough(world: Lives, broker: Broker, job: string, during = () => {}): Promise<void> {
  const { site, time } = world;
  await submit(broker, job);
  await pass(world, 1000);
  expect(site.asked).toContain(`launch ${job}/1`);
  site.tell(running(`${job}/1`, time.wallMs()));
  await pass(world, 5000);
  during();
  await pass(world, 5000);
  site.tell(exited(`${job}/1`, time.wallMs()));
  await pass(world, 1000);
  expect(await broker.brokerApi.job(job)).toMatchObject({ state: "DONE", result: "ok" });
}

const usedMs = async ({ brokerApi }: Broker, id: string): Promise<number> => {
  const job = await brokerApi.job(id);
  return (job?.endedAtMs ?? 0) - (job?.startedAtMs ?? 0);
};

async function expectReplays({ logbook, broken }: { logbook: Logbook; broken: unknown[] }): Promise<void> {
  expect(broken).toEqual([]);
  expect(await compareViews({ logbook, schemas: VIEWS, project: projectLog() })).toEqual([]);
}

describe.each(STEPS)("a clock that is set by %d ms", (step) => {
  it("while the broker runs: jobs go on being placed, started and ended, and the log replays", async () => {
    const world = lives();
    const broker = await world.begin();
    await broker.brokerApi.ask({ kind: "addSite", site: "local", spec: SPEC });
    await runThrough(world, broker, "before");
    await runThrough(world, broker, "during", () => world.time.step(step));
    await runThrough(world, broker, "after");
    expect(await usedMs(broker, "after")).toBeGreaterThan(8000);
    expect(await usedMs(broker, "after")).toBeLessThan(12_000);
    world.time.step(-step);
    await runThrough(world, broker, "setRight");
    await broker.stop();
    await expectReplays(world);
  });

  it("between two lives: what ran is found, what comes is placed, and the log replays", async () => {
    const world = lives();
    const first = await world.begin();
    await first.brokerApi.ask({ kind: "addSite", site: "local", spec: SPEC });
    await submit(first, "early");
    await pass(world, 1000);
    world.site.tell(running("early/1", world.time.wallMs()));
    await submit(first, "waits");
    await pass(world, 1000);
    await first.stop();
    world.time.step(step);
    const second = await world.begin();
    await pass(world, 1000);
    world.site.tell(exited("early/1", world.time.wallMs()));
    await pass(world, 1000);
    expect(world.site.asked).toContain("launch waits/1");
    expect(await second.brokerApi.job("early")).toMatchObject({ state: "DONE" });
    await second.stop();
    await expectReplays(world);
  });
});

describe("a clock that leaps by more than jobs take", () => {
  it.each([["goes on"], ["restarts"]])(
    "starts as many as there is room for; the log replays where it %s",
    async (then) => {
      const world = lives();
      let broker = await world.begin();
      const { brokerApi } = broker;
      await brokerApi.ask({ kind: "addSite", site: "local", spec: SPEC });
      for (const job of ["one", "two", "three"]) await submit(broker, job);
      await pass(world, 1000);
      world.site.tell(running("one/1", world.time.wallMs()));
      await pass(world, 1000);
      // Longer than two of them may take: nobody was there to start the second in the meantime.
      world.time.step(HOUR);
      await pass(world, 20_000);
      const launched = () => world.site.asked.filter((order) => order.startsWith("launch "));
      expect(launched()).toEqual(["launch one/1", "launch two/1"]);
      await submit(broker, "four");
      await pass(world, 1000);
      if (then === "restarts") {
        await broker.stop();
        broker = await world.begin();
        await submit(broker, "five");
        await pass(world, 1000);
      }
      expect(launched()).not.toContain("launch three/1");
      await broker.stop();
      await expectReplays(world);
    },
  );
});

it("a life begins no earlier than the one before, though a site's clock dated the last events", async () => {
  const dated = [
    ["queueSettled", 5000],
    ["jobAccepted", 5500],
    ["attemptEnded", 2000],
    ["posted", 2000],
  ] as const;
  const events = dated.map(([kind, atMs], at) => ({
    kind,
    atMs,
    seq: at + 1,
    version: 1,
    body: {},
    hash: "",
  }));
  const logOf = (most: number) => ({
    head: async () => ({ seq: most, hash: "" }),
    async *events(fromSeq: number) {
      yield* events.slice(fromSeq - 1, most);
    },
  });
  expect(await lastEventMs(logOf(4))).toBe(5500);
  expect(await lastEventMs(logOf(0))).toBe(0);
});

/** A log as two lives wrote it of which the second went by its machine's clock, which had been ahead. */
async function oldLog(behindMs: number): Promise<{ logbook: Logbook; time: MachineTime }> {
  const world = lives();
  const broker = await world.begin();
  await broker.brokerApi.ask({ kind: "addSite", site: "local", spec: SPEC });
  await runThrough(world, broker, "first");
  const { seq } = await world.logbook.head();
  await runThrough(world, broker, "second");
  await broker.stop();
  const logbook = createMemoryLogbook(VIEWS);
  for await (const event of world.logbook.events(1)) {
    const atMs = event.seq > seq ? event.atMs - behindMs : event.atMs;
    await logbook.commit({ events: [{ ...event, atMs }], changes: [] });
  }
  return { logbook, time: world.time };
}

it.each([2000, 60_000, HOUR])(
  "a log with a life that was %d ms ahead of the next replays",
  async (aheadMs) => {
    const { logbook } = await oldLog(aheadMs);
    const project = projectLog();
    const ends: unknown[] = [];
    for await (const event of logbook.events(1)) {
      for (const { view, key, record } of project(event)) {
        if (view === "jobs" && record?.state === "DONE") ends.push(key);
      }
    }
    expect(ends).toEqual(["first", "second"]);
  },
);
