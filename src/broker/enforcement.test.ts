import { describe, expect, it } from "vitest";
import { foreignSpec, HOUR, shown } from "../../test/engine-scene.ts";
import {
  add,
  clock,
  logbook,
  pass,
  queue,
  start,
  warnings,
  worldForEach,
} from "../../test/foreign-broker.ts";
import { SURVEY_EVERY } from "../../test/scripted-foreign-site.ts";
import { ENFORCEMENT_DEFAULTS, JOB_DEFAULTS, type Policy, type SiteSpec } from "../model/index.ts";
import { projectLog, VIEWS } from "../runtime/index.ts";
import { compareViews } from "../store/index.ts";
import type { Broker } from "./index.ts";

worldForEach();

const LEASE = 60_000;
const ENFORCED: SiteSpec = {
  ...foreignSpec(4),
  enforcement: { ...ENFORCEMENT_DEFAULTS, granted: ["hold", "suspend"], minRunMs: 0, leaseMs: LEASE },
};

function policy(consumer: string, provider: string, more: Partial<Policy> = {}): Policy {
  return {
    ...{ resource: "cpu", provider, consumer },
    epoch: { window: { kind: "sliding", lengthMs: HOUR }, sharePpm: 500_000 },
    burst: { bucketMs: 60_000, sharePpm: 1_000_000 },
    ...{ rule: "entitlement", mode: "preempting", carry: "forgive" },
    ...more,
  };
}

const applyTo = (broker: Broker, provider: string) =>
  broker.brokerApi.ask({
    kind: "applyPolicies",
    policies: [policy("a", provider), policy("b", provider)],
    ...{ effectiveFromMs: null, onVersion: null, by: "admin", note: "" },
  });

/** Somebody's job in the queue of the site. */
function there(siteJob: string, account: string, more = {}): void {
  const whose = { account, user: "u", procs: 2, eligibleAtMs: 0, submittedAtMs: clock.nowMs() };
  queue.jobs.set(siteJob, shown(siteJob, null, { ...whose, ...more }));
}
const isHeld = (siteJob: string) => (queue.jobs.get(siteJob)?.eligibleAtMs ?? 0) > clock.nowMs();

async function enforced(): Promise<Broker> {
  const broker = await start();
  await add(broker, "far", ENFORCED);
  await applyTo(broker, "far");
  return broker;
}

describe("BR-27 the enforcer of a foreign site", () => {
  it("holds what is not let in, lets in what may, and records what was said", async () => {
    for (const job of ["1", "2", "3"]) there(job, "a");
    const broker = await enforced();
    await pass(2 * SURVEY_EVERY);
    expect(queue.asked).toEqual(["enforce hold 3", "enforce release 1 2"]);
    expect(["1", "2", "3"].map(isHeld)).toEqual([false, false, true]);
    const { items } = await broker.brokerApi.actions({ site: "far" });
    expect(new Set(items.map(({ action }) => `${action.verb} ${action.job}`))).toEqual(
      new Set(["hold 3", "release 1", "release 2"]),
    );
    const kinds: string[] = [];
    for await (const { kind, body } of logbook.events(1)) {
      if (kind === "enforcementAnswered") kinds.push(String(body.commands));
    }
    expect(kinds).toEqual(["hold 3", "release 1,2"]);
    await broker.stop();
  });

  it("renews what it holds while it lives; when it is gone the site lets go by itself", async () => {
    for (const job of ["1", "2", "3"]) there(job, "a", { procs: 4 });
    const broker = await enforced();
    await pass(2 * SURVEY_EVERY);
    for (let i = 0; i < 8; i++) {
      await pass(LEASE / 4);
      expect(isHeld("3")).toBe(true);
    }
    await broker.stop();
    await pass(LEASE + 1);
    expect(isHeld("3")).toBe(false);
  });

  it("goes on after a restart with what it held", async () => {
    for (const job of ["1", "2", "3"]) there(job, "a", { procs: 4 });
    const before = await enforced();
    await pass(2 * SURVEY_EVERY);
    await before.stop();
    queue.asked.length = 0;
    const broker = await start();
    await pass(3 * SURVEY_EVERY);
    expect(queue.asked).toEqual([]);
    await broker.brokerApi.ask({ kind: "pauseEnforcement", site: "far", by: "admin" });
    await pass(SURVEY_EVERY);
    expect(["2", "3"].map(isHeld)).toEqual([false, false]);
    await broker.stop();
  });

  it("what the site refuses is recorded as the site's, and the next job is tried; once each", async () => {
    there("1", "a", { state: "running", startedAtMs: clock.nowMs() });
    there("2", "a", { state: "running", startedAtMs: clock.nowMs() });
    for (const job of ["1", "2"]) queue.unwilling.add(job);
    const broker = await enforced();
    await pass(2 * SURVEY_EVERY);
    there("3", "b");
    await pass(4 * SURVEY_EVERY);
    const { items } = await broker.brokerApi.actions({ site: "far" });
    expect(items.some(({ action }) => action.cause.kind === "siteRefused" && action.verb === "suspend")).toBe(
      true,
    );
    expect(warnings.join("\n")).toContain("did not suspend");
    expect(queue.asked.filter((call) => call.startsWith("enforce suspend"))).toEqual([
      "enforce suspend 2",
      "enforce suspend 1",
    ]);
    await broker.stop();
  });
});

describe("policies on this machine", () => {
  it("EN-52 EN-56 a broker enforces them, and knows the use after a restart", async () => {
    const before = await start();
    const spec: SiteSpec = {
      ...{ type: "managed", procs: 4, memoryBytes: 2 ** 30, discipline: "fcfs", defaultWallTimeMs: HOUR },
      enforcement: { ...ENFORCEMENT_DEFAULTS, granted: ["hold", "suspend"], minRunMs: 0 },
    };
    await add(before, "here", spec);
    await applyTo(before, "here");
    const submit = (broker: Broker, job: string, consumer: string) =>
      broker.brokerApi.ask({
        kind: "submit",
        ...{ job, consumer, owner: "u" },
        description: { ...JOB_DEFAULTS, executable: "true", procs: 2 },
      });
    for (const job of ["a1", "a2", "a3"]) await submit(before, job, "a/u");
    await submit(before, "b1", "b/u");
    await pass(50);
    expect((await before.brokerApi.job("a2"))?.enforced?.isHeld).toBe(true);
    expect((await before.brokerApi.explain("a3"))?.causes[0]).toMatchObject({
      ...{ kind: "policy", site: "here" },
    });
    await pass(3000);
    for (const job of ["a1", "a2", "a3", "b1"]) {
      expect((await before.brokerApi.job(job))?.state).toBe("DONE");
    }
    const undo = { kind: "undoEnforcement", enforcedJob: "a1", by: "admin" } as const;
    expect(await before.brokerApi.ask(undo)).toMatchObject({
      refusal: { kind: "notEnforced", isOver: true },
    });
    const usage = before.brokerApi.usage("here")?.levels;
    expect(usage?.map(({ consumer, inUse }) => `${consumer} ${inUse}`)).toEqual(["a 0", "b 0"]);
    await before.stop();
    const broker = await start();
    expect(broker.brokerApi.usage("here")?.levels).toEqual(usage);
    await broker.stop();
    expect(await compareViews({ logbook, schemas: VIEWS, project: projectLog() })).toEqual([]);
  });
});
