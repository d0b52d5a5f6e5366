import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type SteppableClock, steppableClock } from "../../../test/steppable-clock.ts";
import type { SurveyedJob } from "../../engine/index.ts";
import {
  ENFORCEMENT_DEFAULTS,
  ENFORCEMENT_STEPS,
  type EnforcementStep,
  type EnforcementVerb,
  type SimulatedSiteSpec,
} from "../../model/index.ts";
import type { ForeignSite } from "../../runtime/index.ts";
import { openSimulatedSite } from "./index.ts";

const START_MS = 1_000_000;
const HOUR_MS = 3_600_000;

let directory: string;
let clock: SteppableClock;
let site: ForeignSite;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "stint-simulated-enforce-"));
  clock = steppableClock(START_MS);
  // Four processors: 1 and 2 run, 3 and 4 wait for them; each takes an hour. The fifth comes in ten days.
  const line = (id: number) => {
    const submit = id < 5 ? id : 864_000;
    return `${id} ${submit} -1 3600 2 -1 -1 2 3600 -1 1 ${id} 7 1 1 -1 -1 -1\n`;
  };
  writeFileSync(join(directory, "others.swf"), [1, 2, 3, 4, 5].map(line).join(""));
  site = await open();
  at(10_000);
});
afterEach(async () => {
  await site.close();
  rmSync(directory, { recursive: true, force: true });
});

function open({ granted = ENFORCEMENT_STEPS as readonly EnforcementStep[], orderMs = 0 } = {}) {
  const spec: SimulatedSiteSpec = {
    ...{ type: "simulated", procs: 4, memoryBytes: 2 ** 30, discipline: "fcfs", jobs: "imitate" },
    ...{ defaultWallTimeMs: 60_000, speedUp: 1, delays: { orderMs, startMs: 0 }, seed: 7 },
    background: { trace: join(directory, "others.swf"), skipMs: 0 },
    losses: { failedPpm: 0, doubtfulPpm: 0, vanishedPpm: 0 },
    enforcement: { ...ENFORCEMENT_DEFAULTS, granted },
  };
  return openSimulatedSite({ name: "sim", spec, directory: join(directory, "site"), clock });
}

const at = (ms: number): void => clock.moveTo(START_MS + ms);
const give = (verb: EnforcementVerb, siteJobs: readonly string[], untilMs = 0) => {
  const answer = site.enforce?.({ verb, siteJobs, untilMs: START_MS + untilMs });
  if (answer === undefined) throw new Error("what must hold: the site can enforce");
  return answer;
};

/** States of the first four jobs. */
async function standing(): Promise<Readonly<Record<string, SurveyedJob["state"]>>> {
  const { jobs } = await site.survey();
  return Object.fromEntries(
    jobs.flatMap(({ siteJob, state }) => (Number(siteJob) <= 4 ? [[siteJob, state]] : [])),
  );
}
const jobNow = async (id: string): Promise<SurveyedJob | undefined> =>
  (await site.survey()).jobs.find(({ siteJob }) => siteJob === id);

it("others' jobs have the users and groups of the trace", async () => {
  expect(await jobNow("3")).toMatchObject({ user: "u3", account: "g7", token: null });
});

it("what is held is over the queue's order until its lease ends, to the millisecond", async () => {
  const { commands, refused } = await give("hold", ["3", "1", "9"], 2 * HOUR_MS);
  expect([commands, refused]).toEqual([["hold 3,1 until 1970-01-01T02:16:40.000Z"], []]);
  at(10_001);
  const untilMs = START_MS + 2 * HOUR_MS;
  expect(await jobNow("3")).toMatchObject({ state: "waiting", reason: "BeginTime", eligibleAtMs: untilMs });
  at(HOUR_MS + 3000);
  expect(await standing()).toMatchObject({ 3: "waiting", 4: "running" });
  at(2 * HOUR_MS + 1);
  expect(await jobNow("3")).toMatchObject({ state: "running", startedAtMs: untilMs });
});

it("a lease ends in time though its broker was killed, and nobody looked", async () => {
  await give("hold", ["3"], 2 * HOUR_MS);
  // Nothing is closed: what counts is in the journal.
  at(5 * HOUR_MS);
  site = await open({ granted: ["watch"] });
  at(5 * HOUR_MS + 1);
  const { jobs } = await site.survey();
  expect(jobs.some(({ siteJob }) => siteJob === "3")).toBe(false);
});

it("a lease outlives a snapshot, and another life gives it back without any grant", async () => {
  await give("hold", ["3", "4"], 9 * HOUR_MS);
  await give("suspend", ["1"]);
  for (let life = 0; life < 2; life++) {
    at(20_000 + life);
    await site.close();
    site = await open({ granted: ["watch"] });
  }
  expect(await standing()).toEqual({ 1: "suspended", 2: "running", 3: "waiting", 4: "waiting" });
  expect(site.abilities.has("enforce")).toBe(true);
  await expect(give("hold", ["3"], HOUR_MS)).rejects.toMatchObject({ code: "enforcementNotGranted" });
  await give("resume", ["1"]);
  await give("release", ["3", "4"]);
  at(30_000);
  expect(await standing()).toEqual({ 1: "running", 2: "running", 3: "waiting", 4: "waiting" });
  expect((await jobNow("3"))?.eligibleAtMs).toBeUndefined();
});

it("what is suspended makes room, and goes on with its rest", async () => {
  at(1_001_000);
  await give("suspend", ["1", "3"]);
  at(1_001_001);
  expect(await standing()).toEqual({ 1: "suspended", 2: "running", 3: "running", 4: "waiting" });
  at(2_000_000);
  await give("resume", ["1"]);
  at(HOUR_MS + 5000);
  expect(await standing()).toMatchObject({ 1: "running", 3: "running" });
  const restMs = HOUR_MS + 1000 - 1_001_000;
  at(HOUR_MS + 2000 + restMs + 1);
  expect(await jobNow("1")).toBeUndefined();
});

it("what is requeued waits at the end and runs its whole time again", async () => {
  at(1_001_000);
  await give("suspend", ["1"]);
  at(1_002_000);
  await give("requeue", ["1", "2", "4"]);
  at(1_002_001);
  expect(await standing()).toEqual({ 1: "waiting", 2: "waiting", 3: "running", 4: "running" });
  expect(await jobNow("1")).toMatchObject({ startedAtMs: null });
  // 3 and 4 run an hour from when they began; then 1 and 2 do, whole.
  at(1_001_000 + HOUR_MS + 2000);
  expect(await standing()).toMatchObject({ 1: "running", 2: "running" });
  at(1_001_000 + 2 * HOUR_MS - 1000);
  expect(await jobNow("1")).toMatchObject({ state: "running" });
});

it("what this site cannot do is refused with its reason", async () => {
  const why = "a simulated site has no priorities";
  expect(await give("raise", ["1", "3"])).toMatchObject({ refused: [{ siteJob: "3", why }] });
});

it("orders take effect with the site's delay, in the order in which they were given", async () => {
  await site.close();
  site = await open({ orderMs: 500 });
  const both = [give("hold", ["3"], HOUR_MS), give("release", ["3"])];
  at(10_499);
  expect((await jobNow("3"))?.eligibleAtMs).toBeUndefined();
  at(10_502);
  await Promise.all(both);
  expect((await jobNow("3"))?.eligibleAtMs).toBeUndefined();
});

it("without a grant there is no ability, and nothing is held", async () => {
  await site.close();
  site = await open({ granted: ["watch"] });
  expect(site.abilities.has("enforce")).toBe(false);
  await expect(give("hold", ["3"], HOUR_MS)).rejects.toMatchObject({ kind: "notAllowed" });
});
