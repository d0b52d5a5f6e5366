import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { exited, running, type ScriptedSite, scriptedSite } from "../../../test/scripted-site.ts";
import { type SteppableClock, steppableClock } from "../../../test/steppable-clock.ts";
import type { Survey } from "../../engine/index.ts";
import type { SimulatedSiteSpec } from "../../model/index.ts";
import type { ForeignSite, PlacedAttempt } from "../../runtime/index.ts";
import { openSimulatedSite } from "./index.ts";

const START_MS = 1_000_000;
const SPEC: SimulatedSiteSpec = {
  type: "simulated",
  procs: 2,
  memoryBytes: 0,
  discipline: "fcfs",
  defaultWallTimeMs: 60_000,
  jobs: "run",
  speedUp: 1,
  background: null,
  delays: { orderMs: 0, startMs: 100 },
  losses: { failedPpm: 0, doubtfulPpm: 0, vanishedPpm: 0 },
  seed: 1,
};

let directory: string;
let clock: SteppableClock;
let programs: ScriptedSite;
let site: ForeignSite;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "stint-simulated-"));
  clock = steppableClock(START_MS);
  await open();
});
afterEach(async () => {
  await site.close();
  rmSync(directory, { recursive: true, force: true });
});

/** Opens the site again, as after a restart of the broker; the recorded calls begin empty. */
async function open(): Promise<void> {
  programs = scriptedSite();
  site = await openSimulatedSite({ name: "sim", spec: SPEC, directory, clock, programs });
}

async function released(token: string, procs = 1): Promise<PlacedAttempt> {
  const streams = { stdOutput: "stdout", stdError: "stderr" };
  const order = { token, command: ["x"], environment: {}, limitMs: 60_000, inputFiles: [], ...streams };
  const attempt = {
    token,
    siteJob: await site.submit({ ...order, procs, memoryBytes: 0, reservation: null, name: "n" }),
  };
  await site.act("release", attempt);
  return attempt;
}

/** Advances the clock and waits until due work is done. */
async function pass(ms: number): Promise<Survey> {
  clock.moveTo(clock.nowMs() + ms);
  await nextTurn();
  return site.survey();
}

const states = ({ jobs }: Survey): string[] => jobs.map(({ siteJob, state }) => `${siteJob} ${state}`);

it("a program begins a while after its turn, and counts as running when it says so", async () => {
  await released("1/1");
  expect((await pass(99)).jobs).toMatchObject([{ state: "waiting", reason: "Prolog", startedAtMs: null }]);
  expect(programs.asked).toEqual([]);
  expect(states(await pass(2))).toEqual(["1 waiting"]);
  expect(programs.asked).toEqual(["launch 1/1"]);
  programs.tell(running("1/1", START_MS + 105));
  expect((await pass(0)).jobs).toMatchObject([{ state: "running", startedAtMs: START_MS + 105 }]);
  programs.tell(exited("1/1", START_MS + 120, 4));
  const { ended, jobs } = await pass(50);
  expect(jobs).toEqual([]);
  const end = { cause: "exited", exitCode: 4, signal: null };
  expect(ended).toMatchObject([{ startedAtMs: START_MS + 105, endedAtMs: START_MS + 120, end }]);
  await site.acknowledge("1/1");
  expect(programs.asked).toEqual(["launch 1/1", "acknowledge 1/1"]);
});

it("orders are passed on, and the processors are free when the program has ended", async () => {
  const first = await released("1/1", 2);
  await released("2/1", 2);
  await pass(200);
  programs.tell(running("1/1", START_MS + 110));
  await site.act("suspend", first);
  await pass(10);
  expect(programs.asked).toEqual(["launch 1/1", "suspend 1/1"]);
  await site.act("cancel", first);
  await pass(10);
  expect(programs.asked.slice(2)).toEqual(["cancel 1/1"]);
  await site.signal(first, "SIGUSR1");
  programs.tell({ ...exited("1/1", clock.nowMs()), cause: "cancelled" } as ReturnType<typeof exited>);
  expect((await pass(10)).ended).toMatchObject([{ token: "1/1", end: { cause: "cancelled" } }]);
});

it("cancelled between its turn and its beginning it never begins", async () => {
  const attempt = await released("1/1");
  await pass(50);
  await site.act("cancel", attempt);
  const { ended, jobs } = await pass(200);
  expect(jobs).toEqual([]);
  expect(ended).toMatchObject([{ startedAtMs: null, end: { cause: "cancelled" } }]);
  expect(programs.asked).toEqual([]);
});

it("of two jobs of one token the first to have its turn has the program", async () => {
  const first = await released("1/1");
  const second = await released("1/1");
  const { ended, jobs } = await pass(200);
  expect(jobs).toMatchObject([{ siteJob: first.siteJob }]);
  expect(ended).toMatchObject([{ siteJob: second.siteJob, end: { cause: "launchFailed" } }]);
  expect(programs.asked).toEqual(["launch 1/1"]);
});

it("after a restart programs are told again how their jobs stand", async () => {
  const [first, second, third] = [await released("1/1"), await released("2/1"), await released("3/1")];
  await pass(200);
  programs.tell(running("1/1", START_MS + 110));
  programs.tell(running("2/1", START_MS + 111));
  await site.act("suspend", second);
  await pass(200);
  programs.tell(running("3/1", START_MS + 330));
  await site.act("cancel", third);
  await pass(10);
  await site.close();
  clock.moveTo(clock.nowMs() + 1000);
  programs = scriptedSite();
  programs.known = [running("3/1", START_MS + 330)];
  site = await openSimulatedSite({ name: "sim", spec: SPEC, directory, clock, programs });
  const survey = await pass(10);
  expect(programs.asked.toSorted()).toEqual([
    "cancel 3/1",
    "inventory 3/1",
    "launch 1/1",
    "resume 1/1",
    "suspend 2/1",
  ]);
  expect(states(survey)).toEqual([`${first.siteJob} running`, `${third.siteJob} running`, "2 suspended"]);
  expect(survey.jobs[0].startedAtMs).toBe(START_MS + 110);
});
