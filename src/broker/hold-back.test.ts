import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { running, type ScriptedSite, scriptedSite } from "../../test/scripted-site.ts";
import { type SteppableClock, steppableClock } from "../../test/steppable-clock.ts";
import { Fault } from "../base/index.ts";
import { JOB_DEFAULTS, type ManagedSiteSpec } from "../model/index.ts";
import { type Logbook, VIEWS } from "../runtime/index.ts";
import { createMemoryLogbook } from "../store/index.ts";
import { type Broker, sandboxesIn, startBroker } from "./index.ts";

const SPEC: ManagedSiteSpec = {
  ...{ type: "managed", procs: 4, memoryBytes: 2 ** 30, discipline: "easy", defaultWallTimeMs: 60_000 },
};

let clock: SteppableClock;
let logbook: Logbook;
let warnings: string[];
let isShort: boolean;
beforeEach(() => {
  clock = steppableClock(1_000_000);
  logbook = createMemoryLogbook(VIEWS);
  warnings = [];
  isShort = true;
});

/** A site that is short of files whenever `isShort`. */
function shortSite(): ScriptedSite {
  const site = scriptedSite(() => {
    if (isShort) throw shortage;
  });
  return site;
}

const shortage = new Fault({
  ...{ kind: "failed", code: "siteShort" },
  ...{ what: "cannot launch", why: "too many open files", remedy: "raise their number" },
});

async function start(site: ScriptedSite): Promise<Broker> {
  const folder = mkdtempSync(join(tmpdir(), "stint-held-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return startBroker({
    ...{ logbook, clock, sandboxes: sandboxesIn(folder) },
    openSite: async () => ({ kind: "managed", site }),
    warn: (message) => warnings.push(message),
    onBroken: (error) => warnings.push(String(error)),
  });
}

async function pass(ms = 2500): Promise<void> {
  const untilMs = clock.nowMs() + ms;
  for (let turn = 0; turn < 40; turn++) {
    clock.moveTo(Math.min(untilMs, Math.max(clock.nowMs(), clock.nextAlarmMs())));
    await new Promise((resolve) => setImmediate(resolve));
  }
  clock.moveTo(untilMs);
}

async function submitted(broker: Broker, count: number): Promise<readonly string[]> {
  const jobs = Array.from({ length: count }, (_, n) => `j${n}`);
  const description = { ...JOB_DEFAULTS, executable: "true" };
  const who = { consumer: "vo/user", owner: "u" };
  for (const job of jobs) await broker.brokerApi.ask({ kind: "submit", job, description, ...who });
  await pass();
  return jobs;
}

const stateOf = async (broker: Broker, job: string) => (await broker.brokerApi.job(job))?.state;

it("BR-69 holds launches back, says so once, and launches each when there is enough again", async () => {
  const site = shortSite();
  const broker = await start(site);
  await broker.brokerApi.ask({ kind: "addSite", site: "local", spec: SPEC });
  const jobs = await submitted(broker, 6);
  for (const job of jobs) expect(await stateOf(broker, job)).toBe("SCHEDULED");
  expect(warnings).toEqual(["cannot launch: too many open files; raise their number (tried again)"]);
  expect(broker.brokerApi.sites()[0].trouble).toContain("too many open files");
  // Processors are kept: nothing is launched beyond them.
  expect(new Set(site.asked.filter((it) => it.startsWith("launch"))).size).toBe(4);
  isShort = false;
  await pass();
  expect(broker.brokerApi.sites()[0].trouble).toBeNull();
  expect(warnings.at(-1)).toBe("site local has what it needs again");
  site.tell(running("j0/1", clock.nowMs()));
  await pass();
  expect(await stateOf(broker, "j0")).toBe("RUNNING");
  await broker.stop();
});

it("BR-69 a cancelled job ends at once; the broker stops and starts without waiting", async () => {
  const first = await start(shortSite());
  await first.brokerApi.ask({ kind: "addSite", site: "local", spec: SPEC });
  await submitted(first, 2);
  await first.brokerApi.ask({ kind: "cancel", job: "j0" });
  await pass();
  expect(await stateOf(first, "j0")).toBe("CANCELLED");
  await first.stop();
  expect(await stateOf(first, "j1")).toBe("SCHEDULED");
  const site = shortSite();
  const second = await start(site);
  expect(await stateOf(second, "j1")).toBe("SCHEDULED");
  isShort = false;
  await pass();
  expect(site.asked.filter((it) => it === "launch j1/1").length).toBeGreaterThan(1);
  site.tell(running("j1/1", clock.nowMs()));
  await pass();
  expect(await stateOf(second, "j1")).toBe("RUNNING");
  await second.stop();
});

it("BR-69 orders for running jobs are repeated too, in sequence", async () => {
  const site = shortSite();
  isShort = false;
  const failing = {
    ...site,
    cancel: async (token: string) => (isShort ? Promise.reject(shortage) : site.cancel(token)),
  };
  const broker = await start(failing);
  await broker.brokerApi.ask({ kind: "addSite", site: "local", spec: SPEC });
  await submitted(broker, 1);
  site.tell(running("j0/1", clock.nowMs()));
  await pass();
  isShort = true;
  await broker.brokerApi.ask({ kind: "cancel", job: "j0" });
  await pass();
  expect(site.asked).not.toContain("cancel j0/1");
  isShort = false;
  await pass();
  expect(site.asked).toContain("cancel j0/1");
  await broker.stop();
});
