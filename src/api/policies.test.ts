import { describe, expect, it } from "vitest";
import { serve } from "../../test/api/serving.ts";
import type { PolicyVersion, SiteUsage } from "../engine/index.ts";
import {
  ENFORCEMENT_DEFAULTS,
  type EnforcementRecord,
  type Identity,
  POLICY_DEFAULTS,
  type Policy,
  type Role,
} from "../model/index.ts";

const HOUR_MS = 3_600_000;
const at = Date.UTC(2026, 10, 20, 9);

function policy(change: Partial<Policy> = {}): Policy {
  return {
    ...POLICY_DEFAULTS,
    ...{ provider: "local", consumer: "cms" },
    epoch: { window: { kind: "sliding", lengthMs: HOUR_MS }, sharePpm: 200_000 },
    ...change,
  };
}

/** The same as the API has it, in seconds. */
function entry(change: object = {}) {
  const epoch = { window: { kind: "sliding", lengthSec: 3600 }, sharePpm: 200_000 };
  const burst = { bucketSec: 60, sharePpm: 1_000_000 };
  return { ...POLICY_DEFAULTS, provider: "local", consumer: "cms", epoch, burst, ...change };
}

const version: PolicyVersion = {
  ...{ version: 3, policies: [policy()], effectiveFromMs: at, appliedAtMs: at },
  ...{ by: "ann", note: "as agreed" },
};
const shown = {
  ...{ version: 3, policies: [entry()], by: "ann", note: "as agreed" },
  ...{ effectiveFrom: "2026-11-20T09:00:00.000Z", appliedAt: "2026-11-20T09:00:00.000Z" },
};
const watching = { site: "local", rules: ENFORCEMENT_DEFAULTS, isPaused: false, version: 3 };

const as = (role: Role, more: Partial<Identity> = {}) => ({
  identify: (): Identity => ({ owner: "ann", consumer: "cms/top", role, ...more }),
});
const ROLES_BUT_ADMIN = ["siteAdmin", "operator", "voAdmin", "auditor", "user"] as const;

describe("policies", () => {
  it("the version that holds, those that will, and who enforces which; for everybody", async () => {
    for (const role of ROLES_BUT_ADMIN) {
      const { client, brokerApi } = await serve(as(role));
      const coming = { ...version, version: 4, effectiveFromMs: at + HOUR_MS };
      const follower = {
        ...{ name: "east", sites: ["far"], version: 3, sinceMs: at, by: "east/broker" },
        heardAtMs: at + 1000,
      };
      brokerApi.policiesNow = { now: version, coming: [coming], enforcers: [watching] };
      brokerApi.followersNow = [follower];
      expect(await client.policies()).toEqual({
        now: shown,
        coming: [{ ...shown, version: 4, effectiveFrom: "2026-11-20T10:00:00.000Z" }],
        enforcers: [{ site: "local", version: 3, granted: ["watch"], form: "ours", isPaused: false }],
        followers: [
          {
            ...{ name: "east", sites: ["far"], version: 3, by: "east/broker" },
            ...{ since: "2026-11-20T09:00:00.000Z", heardAt: "2026-11-20T09:00:01.000Z" },
          },
        ],
        caller: "cms/top",
      });
    }
  });

  it("the ETag is the last version, 0 before the first", async () => {
    const { send, brokerApi } = await serve();
    const first = await send("GET", "/api/v1/policies");
    expect(first).toMatchObject({ status: 200, headers: { etag: '"0"' }, json: { now: null, coming: [] } });
    brokerApi.policiesNow = { now: version, coming: [], enforcers: [] };
    expect((await send("GET", "/api/v1/policies")).headers.etag).toBe('"3"');
    brokerApi.policiesNow = {
      now: version,
      coming: [{ ...version, version: 5 }],
      enforcers: [],
    };
    expect((await send("GET", "/api/v1/policies")).headers.etag).toBe('"5"');
  });

  it("all versions that there ever were, newest first", async () => {
    const { client, brokerApi } = await serve(as("user"));
    brokerApi.policySets.push({ ...version, version: 2 }, version);
    expect((await client.policyVersions()).map((it) => it.version)).toEqual([3, 2]);
  });
});

describe("applying policies", () => {
  it("makes them the next version, from then on; the answer has its number as ETag", async () => {
    const { send, client, brokerApi } = await serve();
    const effectiveFrom = "2026-11-21T00:00:00Z";
    const body = { policies: [entry()], effectiveFrom, note: "as agreed" };
    const answer = await send("PUT", "/api/v1/policies", { body });
    expect(answer).toMatchObject({ status: 201, headers: { etag: '"1"' } });
    expect(answer.json).toMatchObject({ version: 1, by: "me", note: "as agreed", policies: [entry()] });
    const asked = { kind: "applyPolicies", by: "me", onVersion: null };
    const effectiveFromMs = Date.parse(effectiveFrom);
    expect(brokerApi.asked).toEqual([{ ...asked, policies: [policy()], effectiveFromMs, note: "as agreed" }]);
    await client.applyPolicies({ policies: [] }, { onVersion: 1 });
    const last = { ...asked, policies: [], effectiveFromMs: null, note: "", onVersion: 1 };
    expect(brokerApi.asked.at(-1)).toEqual(last);
  });

  it("is for admins alone", async () => {
    for (const role of ROLES_BUT_ADMIN) {
      const { client, brokerApi } = await serve(as(role, role === "siteAdmin" ? { site: "local" } : {}));
      await expect(client.applyPolicies({ policies: [] })).rejects.toMatchObject({ code: "notAllowed" });
      expect(brokerApi.asked).toEqual([]);
    }
  });

  it("AP-87 on top of another version than the last, a precondition has failed", async () => {
    const { send, brokerApi } = await serve();
    brokerApi.refuse = () => ({ kind: "policiesChanged", onVersion: 2, isVersion: 3 });
    const headers = { "if-match": '"2"' };
    const answer = await send("PUT", "/api/v1/policies", { body: { policies: [] }, headers });
    const json = { type: "urn:stint:policiesChanged", onVersion: 2, isVersion: 3 };
    expect(answer).toMatchObject({ status: 412, json });
    const wrong = await send("PUT", "/api/v1/policies", {
      body: { policies: [] },
      headers: { "if-match": "2" },
    });
    expect(wrong).toMatchObject({ status: 400, json: { parameter: "if-match" } });
  });

  it("a provider that is neither a site nor a consumer is refused", async () => {
    const { send, brokerApi } = await serve();
    brokerApi.refuse = () => ({ kind: "unknownProvider", provider: "x", consumer: "y", known: ["local"] });
    const answer = await send("PUT", "/api/v1/policies", { body: { policies: [] } });
    expect(answer).toMatchObject({ status: 422, json: { type: "urn:stint:unknownProvider", provider: "x" } });
  });

  const { epoch } = entry();
  it.each<[string, object, string]>([
    ["an interval of nothing", { epoch: { ...epoch, window: { kind: "sliding", lengthSec: 0 } } }, "/epoch"],
    ["a share over the whole", { epoch: { ...epoch, sharePpm: 1_000_001 } }, "/epoch/sharePpm"],
    ["a share below nothing", { epoch: { ...epoch, sharePpm: -1 } }, "/epoch/sharePpm"],
    ["a word that is not known", { mode: "generous" }, "/mode"],
    ["a field that is not known", { modus: "shared" }, "/modus"],
    ["a path with a blank", { consumer: "c ms" }, "/consumer"],
    ["a path that is none", { consumer: "/cms" }, "/consumer"],
    ["a burst below the epoch", { burst: { bucketSec: 0.001, sharePpm: 199_999 } }, "/burst/sharePpm"],
  ])("%s is told at its place", async (_, change, pointer) => {
    const { send, brokerApi } = await serve();
    const policies = [entry({ consumer: "atlas" }), entry(change)];
    const answer = await send("PUT", "/api/v1/policies", { body: { policies } });
    expect(answer.status).toBe(400);
    expect(String(answer.json.pointer)).toMatch(new RegExp(`^/policies/1${pointer}`));
    expect(brokerApi.asked).toEqual([]);
  });

  it("two of one consumer, and one not below its provider, are told at their places", async () => {
    const { send, brokerApi } = await serve();
    const policies = [entry(), entry({ rule: "cap" }), entry({ provider: "cms", consumer: "atlas/x" })];
    const answer = await send("PUT", "/api/v1/policies", { body: { policies } });
    const errors = [{ pointer: "/policies/1" }, { pointer: "/policies/2/consumer" }];
    expect(answer).toMatchObject({ status: 400, json: { errors } });
    const fine = [
      entry(),
      entry({ resource: "memory" }),
      entry({ provider: "cms", consumer: "cms/top" }),
      entry({ provider: "local/fast" }),
    ];
    expect((await send("PUT", "/api/v1/policies", { body: { policies: fine } })).status).toBe(201);
    expect(brokerApi.asked).toHaveLength(1);
  });

  it("an instant that is none is told", async () => {
    const { send } = await serve();
    for (const effectiveFrom of ["tomorrow", "2026-02-31T00:00:00Z", "2026-11-20T08:00:00"]) {
      const answer = await send("PUT", "/api/v1/policies", { body: { policies: [], effectiveFrom } });
      expect(answer).toMatchObject({ status: 400, json: { pointer: "/effectiveFrom" } });
    }
  });
});

describe("what enforcers did", () => {
  const record: EnforcementRecord = {
    ...{ id: "1", site: "local", owner: "ann", consumer: "cms/top", atMs: at, isAdvice: true },
    action: { verb: "suspend", job: "a1", cause: { kind: "roomFor", job: "b2", consumer: "atlas" } },
  };

  it("is told newest first, in words, too; an advice as one", async () => {
    const { client, brokerApi } = await serve();
    brokerApi.actionPage = { items: [record], next: "further" };
    expect(await client.enforcementActions()).toEqual({
      items: [
        {
          ...{ at: "2026-11-20T09:00:00.000Z", site: "local", verb: "suspend", job: "a1", isAdvice: true },
          cause: { kind: "roomFor", job: "b2", consumer: "atlas" },
          text: "suspend a1: to free capacity for b2 of atlas, which is within its share",
        },
      ],
      next: "further",
    });
  });

  it("narrowed to a site and a job, whose id may be abbreviated, page by page", async () => {
    const { client, brokerApi } = await serve();
    brokerApi.put("abc1");
    await client.enforcementActions({ site: "local", job: "abc", cursor: "further", limit: 7 });
    expect(brokerApi.actionQueries).toEqual([{ site: "local", job: "abc1", after: "further", limit: 7 }]);
    const nowhere = client.enforcementActions({ site: "nowhere" });
    await expect(nowhere).rejects.toMatchObject({ code: "unknownSite" });
    await expect(client.enforcementActions({ job: "zz" })).rejects.toMatchObject({ code: "unknownJob" });
  });

  it("is of jobs that the caller may see, and of nobody else's", async () => {
    const asked = async (role: Role, more: Partial<Identity> = {}) => {
      const { client, brokerApi } = await serve(as(role, more));
      await client.enforcementActions();
      return brokerApi.actionQueries;
    };
    expect(await asked("auditor")).toEqual([{}]);
    expect(await asked("siteAdmin", { site: "local" })).toEqual([{ site: "local" }]);
    expect(await asked("voAdmin")).toEqual([{ consumer: "cms/top" }]);
    expect(await asked("user")).toEqual([{ of: { owner: "ann", consumer: "cms/top" } }]);
    const { client, brokerApi } = await serve(as("user"));
    brokerApi.put("b2", { owner: "bob", consumer: "atlas/bob" });
    brokerApi.idsBeginning = async () => [];
    await expect(client.enforcementActions({ job: "b2" })).rejects.toMatchObject({ code: "unknownJob" });
  });
});

describe("use", () => {
  const level: SiteUsage["levels"][number] = {
    ...{
      resource: "cpu",
      consumer: "cms",
      inUse: 3,
      waiting: 8,
      jobsRunning: 2,
      jobsWaiting: 1,
      usedPpm: 123_456,
    },
    ...{ epochPpm: 200_000, burstPpm: 1_000_000, rule: "entitlement", mode: "shared" },
    window: { kind: "sliding", lengthMs: HOUR_MS },
  };
  const usage: SiteUsage = {
    ...{ site: "local", atMs: at, capacity: { cpu: 4, gpu: 0, memory: 2 ** 34 } },
    free: { cpu: 1, gpu: 0, memory: 2 ** 33 },
    ...{ jobsRunning: 2, jobsWaiting: 1 },
    levels: ["cms", "cms/top", "cms/top/ann", "atlas"].map((consumer) => ({ ...level, consumer })),
  };

  it("is what each level has in use, and has used, against its shares", async () => {
    const { client, brokerApi } = await serve();
    brokerApi.usages.set("local", { ...usage, levels: [level] });
    const { atMs: _, ...same } = usage;
    const inSec = { ...level, window: { kind: "sliding", lengthSec: 3600 } };
    const amounts = {
      capacity: { procs: 4, gpus: 0, memoryBytes: 2 ** 34 },
      free: { procs: 1, gpus: 0, memoryBytes: 2 ** 33 },
    };
    const answered = { ...same, at: "2026-11-20T09:00:00.000Z", ...amounts, levels: [inSec] };
    expect(await client.siteUsage("local")).toEqual(answered);
    await expect(client.siteUsage("nowhere")).rejects.toMatchObject({ code: "unknownSite" });
  });

  it.each<[Role, Partial<Identity>, readonly string[]]>([
    ["admin", {}, ["cms", "cms/top", "cms/top/ann", "atlas"]],
    ["operator", {}, ["cms", "cms/top", "cms/top/ann", "atlas"]],
    ["auditor", {}, ["cms", "cms/top", "cms/top/ann", "atlas"]],
    ["siteAdmin", { site: "local" }, ["cms", "cms/top", "cms/top/ann", "atlas"]],
    ["siteAdmin", { site: "far" }, []],
    ["voAdmin", { consumer: "cms" }, ["cms", "cms/top", "cms/top/ann"]],
    ["user", {}, ["cms/top", "cms/top/ann"]],
  ])("%s %j sees that of %j", async (role, more, seen) => {
    const { client, brokerApi } = await serve(as(role, more));
    brokerApi.usages.set("local", usage);
    const { levels, free } = await client.siteUsage("local");
    expect({ free, seen: levels.map(({ consumer }) => consumer) }).toEqual({
      free: { procs: 1, gpus: 0, memoryBytes: 2 ** 33 },
      seen,
    });
  });
});

describe("an enforcer", () => {
  it("pauses and goes on; twice is once; the answer is how it then stands", async () => {
    const { client, brokerApi } = await serve();
    const still = { site: "local", version: null, granted: ["watch"], form: "ours" };
    expect(await client.pauseEnforcement("local")).toEqual({ ...still, isPaused: true });
    expect(await client.pauseEnforcement("local")).toEqual({ ...still, isPaused: true });
    expect(await client.continueEnforcement("local")).toEqual({ ...still, isPaused: false });
    expect(brokerApi.asked.at(-1)).toEqual({ kind: "continueEnforcement", site: "local", by: "me" });
    await expect(client.pauseEnforcement("nowhere")).rejects.toMatchObject({ code: "unknownSite" });
  });

  it("what it did to a job is undone; the answer is the job", async () => {
    const { send, client, brokerApi } = await serve();
    brokerApi.put("abc1", { site: "local" });
    const answer = await send("POST", "/api/v1/jobs/abc/undo");
    expect(answer).toMatchObject({ status: 200, json: { id: "abc1" } });
    expect(brokerApi.asked).toEqual([{ kind: "undoEnforcement", enforcedJob: "abc1", by: "me" }]);
    brokerApi.refuse = () => ({ kind: "notEnforced", isOver: false, job: "abc1" });
    await expect(client.undoEnforcement("abc1")).rejects.toMatchObject({ kind: "refused" });
    await expect(client.undoEnforcement("zz")).rejects.toMatchObject({ code: "unknownJob" });
  });

  it.each<[Role, Partial<Identity>, boolean]>([
    ["operator", {}, true],
    ["siteAdmin", { site: "local" }, true],
    ["siteAdmin", { site: "far" }, false],
    ["voAdmin", {}, false],
    ["auditor", {}, false],
    ["user", {}, false],
  ])("%s %j may pause and undo: %s", async (role, more, isAllowed) => {
    const { client, brokerApi } = await serve(as(role, more));
    brokerApi.put("abc1", { site: "local", owner: "ann", consumer: "cms/top" });
    const outcome = async (call: Promise<unknown>): Promise<boolean> =>
      call.then(
        () => true,
        () => false,
      );
    const outcomes = [
      await outcome(client.pauseEnforcement("local")),
      await outcome(client.continueEnforcement("local")),
      await outcome(client.undoEnforcement("abc1")),
    ];
    expect(outcomes).toEqual([isAllowed, isAllowed, isAllowed]);
    expect(brokerApi.asked).toHaveLength(isAllowed ? 3 : 0);
  });
});
