/**
 * An enforcer at a simulated site, in time that is stepped through, judged by what the site's queue shows.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { givenOrders, type RecordedAction } from "../experiments/bursts/given-orders.ts";
import { measureOwed, type Owed, type QueueSample } from "../experiments/bursts/owed.ts";
import { limitsOf, PLAYS, type Play, PROCS, policyFile } from "../experiments/bursts/scenario.ts";
import { type Broker, sandboxesIn, startBroker } from "../src/broker/index.ts";
import { readPolicies } from "../src/formats/policy-file/index.ts";
import { ENFORCEMENT_DEFAULTS, type EnforcementStep, type SimulatedSiteSpec } from "../src/model/index.ts";
import { type ForeignSite, VIEWS } from "../src/runtime/index.ts";
import { openSimulatedSite } from "../src/sites/simulated/index.ts";
import { createMemoryLogbook } from "../src/store/index.ts";
import { type SteppableClock, steppableClock } from "./steppable-clock.ts";

const SECOND = 1000;
const START_MS = 1_800_000_000_000;
const LENGTH_MS = 600 * SECOND;
const STEP_MS = 250;
const LOOK_EVERY_MS = 2 * SECOND;
const ORDER_MS = 200;
/** The looks' interval and what orders take, with a step of the clock for each. */
const LOOK_MS = LOOK_EVERY_MS + ORDER_MS + 4 * STEP_MS;
const ACCOUNTS = { g1: "physics", g2: "biology" } as const;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "stint-bursts-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The batches of a play as a trace; the last line keeps the trace from being played again. */
function writeTrace({ batches, runSec }: Play): string {
  const lines: string[] = [];
  const add = (atSec: number, group: number): void => {
    const id = lines.length + 1;
    lines.push(`${id} ${atSec} -1 ${runSec} 1 -1 -1 1 ${3 * runSec} -1 1 ${group} ${group} 1 1 -1 -1 -1`);
  };
  for (const { atSec, physics, biology } of batches) {
    for (let n = 0; n < physics; n++) add(atSec, 1);
    for (let n = 0; n < biology; n++) add(atSec, 2);
  }
  add(100_000, 1);
  const trace = join(folder, "people.swf");
  writeFileSync(trace, `${lines.join("\n")}\n`);
  return trace;
}

/**
 * The goal is two. A cap misses it: most jobs are held and let go, and those that run when the share of a
 * sliding window is used up are suspended and resumed besides. Fewer, by letting go later, leave more idle.
 */
function mostOrders({ mode }: Play): number {
  return mode === "cap" ? 2.25 : 2;
}

function specOf(play: Play): SimulatedSiteSpec {
  const granted = play.grant as readonly EnforcementStep[];
  return {
    ...{ type: "simulated", procs: PROCS, memoryBytes: 2 ** 36, discipline: "fcfs", jobs: "imitate" },
    ...{ defaultWallTimeMs: 60_000, speedUp: 1, delays: { orderMs: ORDER_MS, startMs: 0 }, seed: 7 },
    background: { trace: writeTrace(play), skipMs: 0 },
    losses: { failedPpm: 0, doubtfulPpm: 0, vanishedPpm: 0 },
    // Where limits are hard all that is over them may be suspended at once.
    enforcement: {
      ...ENFORCEMENT_DEFAULTS,
      granted,
      minRunMs: play.minRunSec * SECOND,
      suspendedPpm: 1_000_000,
    },
  };
}

/** Plays it; what its queue showed once a second, and how many orders were given. */
async function playSimulated(play: Play, isEnforced: boolean) {
  const clock = steppableClock(START_MS);
  let site: ForeignSite | undefined;
  const broker = await startBroker({
    logbook: createMemoryLogbook(VIEWS),
    openSite: async (name, spec) => {
      const directory = join(folder, name);
      const facts = { name, directory, clock, surveyEveryMs: LOOK_EVERY_MS };
      site = await openSimulatedSite({ ...facts, spec: spec as SimulatedSiteSpec });
      return { kind: "foreign", site };
    },
    ...{ clock, sandboxes: sandboxesIn(folder), warn: () => undefined },
    onBroken: (error) => {
      throw error;
    },
  });
  const { brokerApi } = broker;
  await brokerApi.ask({ kind: "addSite", site: "east", spec: specOf(play) });
  const text = policyFile(play, "east").replaceAll("physics", "g1").replaceAll("biology", "g2");
  const { policies } = readPolicies([text]);
  const order = { effectiveFromMs: null, onVersion: null, by: "admin", note: "" };
  if (isEnforced)
    await brokerApi.ask({ kind: "applyPolicies", policies: policies.map(({ policy }) => policy), ...order });
  const samples: QueueSample[] = [];
  for (let atMs = 0; atMs < LENGTH_MS; atMs += STEP_MS) {
    await step(clock, START_MS + atMs);
    if (atMs % SECOND === 0 && site !== undefined) samples.push(await sampled(site, atMs));
  }
  const orders = await ordersGiven(broker);
  await broker.stop();
  return { samples, orders };
}

async function ordersGiven({ brokerApi }: Broker): Promise<number> {
  const actions: RecordedAction[] = [];
  let after: string | undefined;
  do {
    const page = await brokerApi.actions({ limit: 1000, ...(after === undefined ? {} : { after }) });
    actions.push(...page.items.map(({ action }) => action));
    after = page.next;
  } while (after !== undefined);
  // Newest first, as they are told.
  return givenOrders(actions.reverse());
}

/** Moves on, and lets the site's journal and the broker's round come to their ends. */
async function step(clock: SteppableClock, toMs: number): Promise<void> {
  clock.moveTo(toMs);
  await delay(1);
  for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setImmediate(resolve));
}

async function sampled(site: ForeignSite, atMs: number): Promise<QueueSample> {
  const { jobs } = await site.survey();
  return {
    atMs,
    jobs: jobs.flatMap(({ siteJob, account, procs, state, submittedAtMs }) => {
      if (account !== "g1" && account !== "g2") return [];
      const shown = state === "running" || state === "suspended" ? state : "waiting";
      const submittedMs = (submittedAtMs ?? START_MS) - START_MS;
      return [{ id: siteJob, consumer: ACCOUNTS[account], procs: procs ?? 1, state: shown, submittedMs }];
    }),
  };
}

function owedOf(play: Play, samples: readonly QueueSample[]): Owed {
  const warmUpMs = 2 * LOOK_MS + (play.grant.includes("suspend") ? 0 : play.runSec * SECOND);
  return measureOwed(samples, {
    ...{ procs: PROCS, limits: limitsOf(play), mode: play.mode, lookMs: LOOK_MS, fromMs: warmUpMs },
  });
}

describe("limits at a simulated site", { timeout: 400_000 }, () => {
  it.each(PLAYS)("are kept under $name, with few orders and little idle", async (play) => {
    const { samples, orders } = await playSimulated(play, true);
    const owed = owedOf(play, samples);
    const jobs = play.batches.reduce((total, { physics, biology }) => total + physics + biology, 0);
    const told = JSON.stringify({ ...owed, ordersPerJob: orders / jobs });
    expect(owed.overFraction, told).toBeLessThanOrEqual(0.02);
    expect(owed.beyondLooks, told).toBe(0);
    expect(orders / jobs, told).toBeLessThanOrEqual(mostOrders(play));
    expect(owed.idleFraction, told).toBeLessThanOrEqual(0.05);
    expect(owed.overEpochFraction, told).toBeLessThanOrEqual(0.02);
  });

  it("are not kept where nobody enforces, and that is found", async () => {
    const [, play] = PLAYS;
    if (play === undefined) throw new Error("what must hold: there are plays");
    const { samples } = await playSimulated(play, false);
    expect(owedOf(play, samples).overFraction).toBeGreaterThan(0.5);
  });
});
