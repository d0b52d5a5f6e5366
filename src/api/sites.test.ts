import { describe, expect, it } from "vitest";
import { serve } from "../../test/api/serving.ts";
import {
  ENFORCEMENT_DEFAULTS,
  type Identity,
  inSeconds,
  RESERVATION_DEFAULTS,
  type SimulatedSiteSpec,
  SLURM_DEFAULTS,
} from "../model/index.ts";
import type { Denial } from "./index.ts";

const least = { name: "far", spec: { type: "simulated", procs: 16 } };
const completed: SimulatedSiteSpec = {
  type: "simulated",
  procs: 16,
  memoryBytes: 16 * 2 ** 30,
  discipline: "easy",
  defaultWallTimeMs: 3_600_000,
  jobs: "imitate",
  speedUp: 1,
  background: null,
  delays: { orderMs: 0, startMs: 0 },
  losses: { failedPpm: 0, doubtfulPpm: 0, vanishedPpm: 0 },
  seed: 1,
};

const { defaultWallTimeMs: _limit, ...sameThere } = completed;
/** The specification as the API represents it, in seconds. */
const shown = { ...sameThere, defaultWallTimeSec: 3600, delays: { orderSec: 0, startSec: 0 } };

function as(who: Partial<Identity>): { identify: () => Identity } {
  return { identify: () => ({ owner: "me", consumer: "local/me", role: "admin", ...who }) };
}

describe("adding a site", () => {
  it("what is left out has its defaults, what is said counts", async () => {
    const { send, brokerApi } = await serve();
    const answer = await send("POST", "/api/v1/sites", { body: least });
    expect(answer).toMatchObject({ status: 201, headers: { location: "/api/v1/sites/far" } });
    expect(answer.json).toMatchObject({ name: "far", state: "open", spec: shown });
    const said = {
      type: "simulated",
      procs: 2,
      memoryBytes: 1,
      discipline: "fcfs",
      jobs: "run",
      background: { trace: "/data/a.swf" },
      delays: { startSec: 0.005 },
      losses: { vanishedPpm: 7 },
      seed: 0,
    };
    await send("POST", "/api/v1/sites", { body: { name: "b", spec: said } });
    expect(brokerApi.asked.at(-1)).toEqual({
      kind: "addSite",
      site: "b",
      spec: {
        ...completed,
        ...said,
        background: { trace: "/data/a.swf", skipMs: 0 },
        delays: { orderMs: 0, startMs: 5 },
        losses: { failedPpm: 0, doubtfulPpm: 0, vanishedPpm: 7 },
      },
    });
  });

  it("of its rules of reservations what is left out has the careful defaults", async () => {
    const { send, brokerApi } = await serve();
    const reservations = { consumers: ["cms"], sharePpm: 250_000, longestSec: null, noticeSec: 0.5 };
    const body = { ...least, spec: { ...least.spec, reservations } };
    const { status, json } = await send("POST", "/api/v1/sites", { body });
    const rules = { ...inSeconds(RESERVATION_DEFAULTS), ...reservations };
    expect({ status, rules: Object(json.spec).reservations }).toEqual({ status: 201, rules });
    expect(rules).toMatchObject({ aheadSec: RESERVATION_DEFAULTS.aheadMs / 1000 });
    expect(brokerApi.siteViews.get("far")?.spec.reservations).toEqual({
      ...RESERVATION_DEFAULTS,
      ...{ consumers: ["cms"], sharePpm: 250_000, longestMs: null, noticeMs: 500 },
    });
    for (const wrong of [
      { sharePpm: 1_000_001 },
      { offerSec: 0 },
      { unitPriceThousandths: 999 },
      { aheed: 1 },
    ]) {
      const spec = { ...least.spec, reservations: wrong };
      expect((await send("POST", "/api/v1/sites", { body: { name: "x", spec } })).status).toBe(400);
    }
  });

  it("how far policies are enforced is kept, the rest has the careful defaults", async () => {
    const { send, brokerApi } = await serve();
    const enforcement = { granted: ["hold", "suspend"], leaseSec: 120 };
    const body = { ...least, spec: { ...least.spec, enforcement } };
    const { status, json } = await send("POST", "/api/v1/sites", { body });
    const rules = { ...inSeconds(ENFORCEMENT_DEFAULTS), ...enforcement };
    expect({ status, rules: Object(json.spec).enforcement }).toEqual({ status: 201, rules });
    const consumers = { physics: "cms" };
    await send("POST", "/api/v1/sites", { body: { name: "far2", spec: { type: "slurm", consumers } } });
    expect(brokerApi.asked.at(-1)).toMatchObject({ kind: "addSite", spec: { type: "slurm", consumers } });
    for (const wrong of [{ granted: ["stop"] }, { leaseSec: 0 }, { suspendedPpm: 1_000_001 }, { leese: 1 }]) {
      const spec = { ...least.spec, enforcement: wrong };
      expect((await send("POST", "/api/v1/sites", { body: { name: "x", spec } })).status).toBe(400);
    }
  });

  it("twice with a key and the same spec is once; else the name is taken", async () => {
    const { send, brokerApi } = await serve();
    const headers = { "idempotency-key": "k" };
    expect((await send("POST", "/api/v1/sites", { body: least, headers })).status).toBe(201);
    expect((await send("POST", "/api/v1/sites", { body: least, headers })).status).toBe(200);
    const other = { name: "far", spec: { type: "simulated", procs: 17 } };
    for (const sending of [{ body: least }, { body: other, headers }]) {
      const answer = await send("POST", "/api/v1/sites", sending);
      expect(answer).toMatchObject({ status: 409, json: { type: "urn:stint:idInUse", id: "far" } });
    }
    expect(brokerApi.asked).toHaveLength(1);
  });

  it("this machine is not added so, and it is said where instead", async () => {
    const { send, brokerApi } = await serve();
    const answer = await send("POST", "/api/v1/sites", {
      body: { name: "here", spec: { type: "managed", procs: 4 } },
    });
    expect(answer).toMatchObject({ status: 422, json: { type: "urn:stint:managedSite" } });
    expect(answer.json.remedy).toContain("stint.yaml");
    expect(brokerApi.asked).toEqual([]);
  });

  it.each<[object, string]>([
    [{ procs: 0 }, "/spec/procs"],
    [{ procs: 1_000_001 }, "/spec/procs"],
    [{ speedUp: 1.5 }, "/spec/speedUp"],
    [{ speedUp: 0 }, "/spec/speedUp"],
    [{ discipline: "lifo" }, "/spec/discipline"],
    [{ type: "pbs" }, "/spec/type"],
    [{ delays: { orderSec: -1 } }, "/spec/delays/orderSec"],
    [{ losses: { failedPpm: 1_000_001 } }, "/spec/losses/failedPpm"],
    [{ losses: { failed: 1 } }, "/spec/losses/failed"],
    [{ seed: 2 ** 32 }, "/spec/seed"],
    [{ proc: 3 }, "/spec/proc"],
  ])("AP-4 what cannot be is named: %j", async (change, pointer) => {
    const { send, brokerApi } = await serve();
    const answer = await send("POST", "/api/v1/sites", {
      body: { name: "far", spec: { ...least.spec, ...change } },
    });
    expect(answer).toMatchObject({ status: 400, json: { pointer } });
    expect(brokerApi.asked).toEqual([]);
  });

  it("AP-4 the path of a trace is absolute", async () => {
    const { send } = await serve();
    const spec = { ...least.spec, background: { trace: "a.swf" } };
    expect((await send("POST", "/api/v1/sites", { body: { name: "far", spec } })).status).toBe(400);
  });

  it("say how soon they serve, of which instant, by which method and with which record", async () => {
    const { send, client, brokerApi } = await serve();
    const kept = [{ probability: 0.95, promises: 400, kept: 0.97, fellShort: false }];
    const score = { of: "site", kept, medianErrorMs: 1500 } as const;
    const local = brokerApi.siteViews.get("local");
    if (local === undefined) throw new Error("it is there");
    expect((await client.sites()).map(({ responseTimes }) => responseTimes)).toEqual([null]);
    brokerApi.siteViews.set("local", {
      ...local,
      response: {
        ...{ atMs: Date.UTC(2026, 10, 20, 8), partition: "main" },
        estimated: { waitMs: 61_000, method: "schedule", score: null },
        worst: { waitMs: 125_000.5, method: "history", score },
      },
    });
    const responseTimes = {
      ...{ at: "2026-11-20T08:00:00.000Z", partition: "main" },
      estimated: { waitSec: 61, method: "schedule", score: null },
      worst: { waitSec: 125.0005, method: "history", score: { of: "site", kept, medianErrorSec: 1.5 } },
    };
    expect((await send("GET", "/api/v1/sites")).json).toMatchObject({ items: [{ responseTimes }] });
    expect((await send("GET", "/api/v1/sites/local")).json).toMatchObject({ responseTimes });
    expect(brokerApi.refreshed).toEqual([["local"], ["local"], ["local"]]);
  });

  it("is for those who may change every site", async () => {
    const denials: Denial[] = [];
    const { send, brokerApi } = await serve({
      ...as({ role: "siteAdmin", site: "far" }),
      onDenial: (denial) => denials.push(denial),
    });
    const answer = await send("POST", "/api/v1/sites", { body: least });
    expect(answer).toMatchObject({ status: 403, json: { type: "urn:stint:notAllowed" } });
    expect(brokerApi.asked).toEqual([]);
    expect(denials).toHaveLength(1);
  });
});

describe("looking at sites", () => {
  it("EN-287 users of a site that publishes aggregates see no name of a partition or node", async () => {
    const seenBy = async (who: Partial<Identity>) => {
      const { send, brokerApi } = await serve(as(who));
      const [local] = brokerApi.sites();
      const estimated = { waitMs: 61_000, method: "schedule", score: null } as const;
      const named = { partition: "secret", sshHost: "secret-login", publish: "aggregates" } as const;
      brokerApi.siteViews.set("local", {
        ...local,
        spec: { ...SLURM_DEFAULTS, type: "slurm", procs: 4, memoryBytes: 2 ** 30, ...named },
        response: { atMs: 0, partition: "secret", estimated, worst: { ...estimated, method: "history" } },
      });
      return JSON.stringify((await send("GET", "/api/v1/sites/local")).json);
    };
    expect(await seenBy({ role: "user" })).not.toContain("secret");
    expect(await seenBy({ role: "admin" })).toContain("secret-login");
  });

  it("a site is open, draining or in trouble, and says what it is", async () => {
    const { send, brokerApi } = await serve(as({ role: "user" }));
    const view = async () => (await send("GET", "/api/v1/sites/local")).json;
    expect(await view()).toMatchObject({ state: "open", draining: false, seenAt: null, trouble: null });
    const [local] = brokerApi.sites();
    brokerApi.siteViews.set("local", { ...local, isDraining: true, seenAtMs: 0 });
    expect(await view()).toMatchObject({ state: "draining", draining: true });
    expect(await view()).toMatchObject({ seenAt: "1970-01-01T00:00:00.000Z" });
    brokerApi.siteViews.set("local", { ...local, isDraining: true, trouble: "its trace is gone" });
    expect(await view()).toMatchObject({ state: "trouble", draining: true, trouble: "its trace is gone" });
    expect((await send("GET", "/api/v1/sites")).json).toEqual({ items: [await view()] });
    const spec = { ...SLURM_DEFAULTS, type: "slurm", procs: 4, memoryBytes: 2 ** 30 } as const;
    brokerApi.siteViews.set("local", { ...local, spec, isDraining: true });
    expect(await view()).toMatchObject({ state: "read-only", draining: true });
  });

  it.each([
    ["GET", "/api/v1/sites/loca"],
    ["POST", "/api/v1/sites/loca/drain"],
    ["POST", "/api/v1/sites/loca/reopen"],
    ["POST", "/api/v1/sites/loca/test"],
    ["DELETE", "/api/v1/sites/loca"],
  ])("one that is not there is 404: %s %s", async (method, path) => {
    const { send, brokerApi } = await serve();
    const answer = await send(method, path);
    expect(answer).toMatchObject({ status: 404, json: { type: "urn:stint:unknownSite", known: ["local"] } });
    expect(answer.json.remedy).toContain("local");
    expect(brokerApi.asked).toEqual([]);
  });
});

describe("draining a site", () => {
  it("drains and reopens, and says who asked", async () => {
    const { send, brokerApi } = await serve(as({ role: "siteAdmin", owner: "ada", site: "local" }));
    expect((await send("POST", "/api/v1/sites/local/drain")).json).toMatchObject({ state: "draining" });
    expect((await send("POST", "/api/v1/sites/local/reopen")).json).toMatchObject({ state: "open" });
    expect(brokerApi.asked).toEqual([
      { kind: "drainSite", site: "local", by: "ada" },
      { kind: "reopenSite", site: "local", by: "ada" },
    ]);
  });

  it("is for those who may change that site", async () => {
    const { send, brokerApi } = await serve(as({ role: "siteAdmin", site: "elsewhere" }));
    for (const verb of ["drain", "reopen"]) {
      expect((await send("POST", `/api/v1/sites/local/${verb}`)).status).toBe(403);
    }
    expect(brokerApi.asked).toEqual([]);
  });
});

describe("testing a site", () => {
  const checks = [
    { what: "queue", works: true, isNeeded: true, why: "it is seen", remedy: null },
    { what: "suspending", works: null, isNeeded: false, why: "nobody knows", remedy: "ask" },
  ];
  const said = { checks: checks.map(({ isNeeded, ...check }) => ({ ...check, needed: isNeeded })) };

  it("one that is there, and one that is not added", async () => {
    const { send, brokerApi } = await serve(as({ role: "admin" }));
    brokerApi.checks = checks;
    expect(await send("POST", "/api/v1/sites/local/test")).toMatchObject({ status: 200, json: said });
    const body = { spec: { type: "slurm", sshHost: "login.example.org" } };
    expect(await send("POST", "/api/v1/site-tests", { body })).toMatchObject({ status: 200, json: said });
    const managed = { spec: { type: "managed", procs: 1 } };
    expect((await send("POST", "/api/v1/site-tests", { body: managed })).status).toBe(422);
    expect(brokerApi.asked).toEqual([]);
  });

  it("is for those who may change the site, or add one", async () => {
    const { send } = await serve(as({ role: "siteAdmin", site: "local" }));
    expect((await send("POST", "/api/v1/sites/local/test")).status).toBe(200);
    const body = { spec: { type: "slurm" } };
    expect((await send("POST", "/api/v1/site-tests", { body })).status).toBe(403);
    const user = await serve(as({ role: "user" }));
    expect((await user.send("POST", "/api/v1/sites/local/test")).status).toBe(403);
  });
});

describe("removing a site", () => {
  it("tells what went and what stays", async () => {
    const { send, brokerApi } = await serve();
    const removed = await send("DELETE", "/api/v1/sites/local?clean=true");
    expect(removed).toMatchObject({
      status: 200,
      json: { name: "local", removed: ["its folder"], left: [] },
    });
    expect(brokerApi.sites()).toEqual([]);
    const other = await serve();
    const left = await other.send("DELETE", "/api/v1/sites/local");
    expect(left.json).toEqual({ name: "local", removed: [], left: ["its folder"] });
  });

  it("with jobs there it is 409, and says which; it is for those who may add one", async () => {
    const { send, brokerApi } = await serve();
    brokerApi.refuse = () => ({
      kind: "siteHasJobs",
      site: "local",
      jobs: ["a"],
      count: 1,
      isDraining: true,
    });
    const refused = await send("DELETE", "/api/v1/sites/local");
    expect(refused).toMatchObject({ status: 409, json: { type: "urn:stint:siteHasJobs", jobs: ["a"] } });
    const siteAdmin = await serve(as({ role: "siteAdmin", site: "local" }));
    expect((await siteAdmin.send("DELETE", "/api/v1/sites/local")).status).toBe(403);
  });
});
