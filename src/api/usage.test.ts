import { describe, expect, it } from "vitest";
import { serve } from "../../test/api/serving.ts";
import type { LevelHistory } from "../engine/index.ts";
import type { HostJobReading, Identity, Role } from "../model/index.ts";
import type { HostView } from "../runtime/index.ts";
import { isoInstant } from "./iso-instant.ts";

const at = Date.UTC(2026, 10, 20, 9);
const as = (role: Role, more: Partial<Identity> = {}) => ({
  identify: (): Identity => ({ owner: "ann", consumer: "cms/top", role, ...more }),
});
const part = (mean: number) => ({ mean, min: 0, max: 2 * mean });
const level = (consumer: string): LevelHistory => ({
  ...{ resource: "cpu", consumer, inUse: [part(2), null], waiting: [part(1), null] },
  ...{ jobsRunning: [part(1), null], jobsWaiting: [part(1), null], usedPpm: [part(9), null] },
  ...{ epochPpm: [200_000, 200_000], burstPpm: [null, 600_000] },
});
const there = {
  grid: { fromMs: at, untilMs: at + 60_000, stepMs: 30_000, bucketMs: 10_000 },
  covered: [2, 0],
  resources: [{ resource: "cpu" as const, inUse: [part(2), null], free: [part(1), null], capacity: [4, 4] }],
  ...{ jobsRunning: [part(1), null], jobsWaiting: [part(0), null] },
  levels: ["cms", "cms/top", "cms/top/ann", "atlas"].map(level),
};

describe("the history of use", () => {
  it("is told step by step; what is not known is null", async () => {
    const { client, brokerApi } = await serve();
    brokerApi.historyThere = { ...there, levels: [level("cms")] };
    const asked = { since: isoInstant(at), until: isoInstant(at + 60_000), everySec: 30 };
    const { grid: _, covered: __, ...same } = there;
    expect(await client.usageHistory("local", asked)).toEqual({
      ...{ ...same, site: "local", levels: [level("cms")], everySec: 30, sampledSec: [20, 0] },
      ...{ since: "2026-11-20T09:00:00.000Z", until: "2026-11-20T09:01:00.000Z" },
    });
    expect(brokerApi.historyQuestions).toEqual([
      { site: "local", fromMs: at, untilMs: at + 60_000, stepMs: 30_000 },
    ]);
  });

  it("is of the last hour where nothing is said, in steps that suit it", async () => {
    const { client, brokerApi } = await serve({ nowMs: () => at });
    await client.usageHistory("local");
    expect(brokerApi.historyQuestions).toEqual([
      { site: "local", fromMs: at - 3_600_000, untilMs: at, stepMs: null },
    ]);
  });

  it.each<[Role, Partial<Identity>, string | undefined, readonly string[]]>([
    ["admin", {}, undefined, ["cms", "cms/top", "cms/top/ann", "atlas"]],
    ["admin", {}, "cms/top", ["cms/top", "cms/top/ann"]],
    ["siteAdmin", { site: "far" }, undefined, []],
    ["voAdmin", { consumer: "cms" }, undefined, ["cms", "cms/top", "cms/top/ann"]],
    ["user", {}, "cms", ["cms/top", "cms/top/ann"]],
  ])("%s %j of %s sees that of %j", async (role, more, consumer, seen) => {
    const { client, brokerApi } = await serve(as(role, more));
    brokerApi.historyThere = there;
    const { levels } = await client.usageHistory("local", consumer === undefined ? {} : { consumer });
    expect(levels.map((it) => it.consumer)).toEqual(seen);
  });

  it.each([
    ["since=2026-11-20T10:00:00Z&until=2026-11-20T09:00:00Z", "since"],
    ["since=2026-02-31T99:00:00Z", "since"],
    ["since=2026-11-01T00:00:00Z&until=2026-11-20T09:00:00Z&everySec=10", "everySec"],
    ["everySec=5", "everySec"],
  ])("%s is wrong at %s", async (query, parameter) => {
    const { send } = await serve();
    const { status, json } = await send("GET", `/api/v1/sites/local/usage/history?${query}`);
    expect(status).toBe(400);
    expect(JSON.stringify(json)).toContain(parameter);
  });

  it("of a site that is not there is 404", async () => {
    const { client } = await serve();
    await expect(client.usageHistory("nowhere")).rejects.toMatchObject({ code: "unknownSite" });
    await expect(client.hosts("nowhere")).rejects.toMatchObject({ code: "unknownSite" });
  });
});

const job = (id: string | null, siteJob: string | null = null): HostJobReading => ({
  ...{ job: id, siteJob, owner: "ann", processes: 2, cpuMs: 12_340, usedMs: 5000, memoryBytes: 4096 },
});
const host: HostView = {
  ...{ site: "local", host: "node1", sensor: "s", droppedInAll: 3, course: null },
  reading: {
    ...{ seq: 9, atMs: at, overMs: 10_000, unreadable: 1, dropped: 0 },
    jobs: [job("a"), job("b"), job(null, "42")],
  },
};

describe("hosts", () => {
  it("are told as they were last seen, with their course where a period is said", async () => {
    const { client, brokerApi } = await serve({ nowMs: () => at + 30_000 });
    const values = [{ name: "procsMilli", parts: [{ mean: 1500, min: 1000, max: 2000 }, null] }];
    const { grid, covered } = there;
    brokerApi.hostsThere = [{ ...host, course: { grid, covered, values, standing: [] } }];
    const [seen] = await client.hosts("local", { since: new Date(at).toISOString() });
    const shown = { owner: "ann", processes: 2, cpuSec: 12.34, procs: 0.5, memoryBytes: 4096 };
    expect(seen).toEqual({
      ...{ host: "node1", sensor: "s", at: "2026-11-20T09:00:00.000Z", isSilent: false },
      ...{ procs: 1.5, memoryBytes: 3 * 4096, unreadable: 1, dropped: 3 },
      jobs: [
        { job: "a", siteJob: null, ...shown },
        { job: "b", siteJob: null, ...shown },
        { job: null, siteJob: "42", ...shown },
      ],
      course: {
        ...{ since: "2026-11-20T09:00:00.000Z", until: "2026-11-20T09:01:00.000Z", everySec: 30 },
        ...{ sampledSec: [20, 0], procs: [{ mean: 1.5, min: 1, max: 2 }, null] },
        ...{ memoryBytes: [{ mean: 0, min: 0, max: 0 }, null], jobs: [{ mean: 0, min: 0, max: 0 }, null] },
      },
    });
  });

  it.each([
    [60_000, false],
    [60_001, true],
  ])("whose sensor said nothing for %i ms is silent: %s", async (ms, isSilent) => {
    const { client, brokerApi } = await serve({ nowMs: () => at + ms });
    brokerApi.hostsThere = [host];
    expect(await client.hosts("local")).toMatchObject([{ isSilent, course: null }]);
  });

  it.each<[Role, Partial<Identity>, readonly (string | null)[]]>([
    ["admin", {}, ["a", "b", null]],
    ["operator", {}, ["a", "b", null]],
    ["siteAdmin", { site: "local" }, ["a", "b", null]],
    ["siteAdmin", { site: "far" }, []],
    ["voAdmin", { consumer: "cms" }, ["a"]],
    ["user", {}, ["a"]],
  ])("%s %j sees the jobs %j there, and what all use", async (role, more, seen) => {
    const { client, brokerApi } = await serve(as(role, more));
    brokerApi.put("a", { owner: "ann", consumer: "cms/top", site: "local" });
    brokerApi.put("b", { owner: "eve", consumer: "atlas", site: "local" });
    brokerApi.hostsThere = [host];
    const [shown] = await client.hosts("local");
    // Who administers another site sees the jobs there, and none here.
    expect(shown?.jobs.map((it) => it.job)).toEqual(seen);
    expect(shown?.procs).toBe(1.5);
  });
});

describe("a sensor's report", () => {
  const { atMs: _, overMs: __, jobs: ___, ...same } = host.reading;
  const jobs = host.reading.jobs.map(({ cpuMs, usedMs, ...there }) => ({
    ...there,
    ...{ cpuSec: cpuMs / 1000, usedSec: usedMs === null ? null : usedMs / 1000 },
  }));
  const reading = { ...same, jobs, overSec: 10, at: "2026-11-20T09:00:00.000Z" };
  const body = { site: "local", host: "node1", sensor: "s-1", readings: [reading] };

  it.each<[Role, Partial<Identity>, number]>([
    ["admin", {}, 200],
    ["siteAdmin", { site: "local" }, 200],
    ["siteAdmin", { site: "far" }, 403],
    ["sensor", { site: "local" }, 200],
    ["sensor", { site: "far" }, 403],
    ["operator", {}, 403],
    ["user", {}, 403],
  ])("of %s %j is %i", async (role, more, status) => {
    const { send, brokerApi } = await serve(as(role, more));
    const answer = await send("POST", "/api/v1/sensors/reports", { body });
    expect(answer.status).toBe(status);
    expect(brokerApi.hostReports).toHaveLength(status === 200 ? 1 : 0);
    if (status !== 200) return;
    expect(answer.json).toEqual({ lastSeq: 9, taken: 1 });
    expect(brokerApi.hostReports[0]).toEqual({ ...body, readings: [host.reading] });
  });

  it("is all that the role sensor can do", async () => {
    const { send } = await serve(as("sensor", { site: "local" }));
    const looks = [
      "jobs",
      "sites",
      "policies",
      "sites/local/usage",
      "sites/local/hosts",
      "tokens",
      "accounts",
    ];
    for (const look of looks) expect((await send("GET", `/api/v1/${look}`)).status).toBe(403);
    expect((await send("POST", "/api/v1/jobs", { body: { executable: "true" } })).status).toBe(403);
    expect((await send("GET", "/metrics")).status).toBe(403);
  });

  it.each([
    ["of a host with a slash", { host: "a/b" }],
    ["without readings", { readings: [] }],
    ["with a number below one", { readings: [{ ...reading, seq: 0 }] }],
    ["with a time that is none", { readings: [{ ...reading, at: "today" }] }],
    [
      "with an owner that would move a cursor",
      { readings: [{ ...reading, jobs: [{ ...job("a"), owner: "\u001b[2J" }] }] },
    ],
  ])("AP-4 one %s is refused", async (_, change) => {
    const { send, brokerApi } = await serve();
    expect((await send("POST", "/api/v1/sensors/reports", { body: { ...body, ...change } })).status).toBe(
      400,
    );
    expect(brokerApi.hostReports).toEqual([]);
  });

  it("of a site that is not there is 404", async () => {
    const { client } = await serve();
    await expect(client.reportHost({ ...body, site: "nowhere" })).rejects.toMatchObject({
      code: "unknownSite",
    });
    expect(await client.reportHost(body)).toEqual({ lastSeq: 9, taken: 1 });
  });
});

describe("metrics of consumers", () => {
  it("tell of each level that a policy names what it uses, and may", async () => {
    const { send, brokerApi } = await serve();
    brokerApi.usages.set("local", {
      ...{
        site: "local",
        atMs: at,
        capacity: { cpu: 4, gpu: 0, memory: 9 },
        free: { cpu: 1, gpu: 0, memory: 9 },
      },
      ...{ jobsRunning: 1, jobsWaiting: 0 },
      levels: [
        {
          ...{ resource: "cpu", consumer: "cms", inUse: 3, waiting: 8, jobsRunning: 2, jobsWaiting: 1 },
          ...{
            usedPpm: 123_456,
            epochPpm: 200_000,
            burstPpm: 1_000_000,
            rule: "entitlement",
            mode: "shared",
          },
          window: { kind: "sliding", lengthMs: 3_600_000 },
        },
      ],
    });
    const { text } = await send("GET", "/metrics");
    const labels = '{site="local",consumer="cms",resource="cpu"}';
    for (const line of ["in_use 3", "waiting 8", "jobs_running 2", "jobs_waiting 1", "used_ratio 0.123456"]) {
      const [name, value] = line.split(" ");
      expect(text).toContain(`stint_consumer_${name}${labels} ${value}\n`);
    }
    expect(text).toContain(`stint_consumer_epoch_ratio${labels} 0.2\n`);
    expect(text).toContain(`stint_consumer_burst_ratio${labels} 1\n`);
  });
});
