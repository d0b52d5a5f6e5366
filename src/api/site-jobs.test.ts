import { describe, expect, it } from "vitest";
import { serve } from "../../test/api/serving.ts";
import type { ClusterExplanation } from "../engine/index.ts";
import type { LiveQueue } from "../model/index.ts";

const explanation: ClusterExplanation = {
  siteJob: "1234",
  state: "waiting",
  stateText: "PENDING",
  atMs: 0,
  blockers: [{ kind: "held", by: "user", remedies: [{ kind: "release" }] }],
  openPartitions: ["batch"],
  system: { reason: "JobHeldUser", agreement: "same" },
  unknown: [],
  prediction: {
    ...{ startAtMs: 60_000, method: "schedule", discipline: "conservative", systemExpectsAtMs: null },
    ...{ jobsBefore: 0, jobsLeftOut: 0, setAside: ["held"] },
  },
  changes: [],
};
const user = { owner: "you", consumer: "local/you", role: "user" } as const;

describe("why a job of a cluster waits", () => {
  it("is told by its id there, as data and in sentences", async () => {
    const { send, brokerApi, client } = await serve();
    const [{ name: site }] = brokerApi.sites();
    brokerApi.explanationThere = { explanation, areJobsPrivate: false };
    const { status, json } = await send("GET", `/api/v1/sites/${site}/jobs/1234/why`);
    const { atMs: _, ...facts } = explanation;
    const prediction = {
      ...{ startAt: "1970-01-01T00:01:00.000Z", method: "schedule", discipline: "conservative" },
      ...{ systemExpectsAt: null, jobsBefore: 0, jobsLeftOut: 0, setAside: ["held"] },
    };
    expect(status).toBe(200);
    expect(json).toEqual({
      site,
      at: "1970-01-01T00:00:00.000Z",
      ...facts,
      prediction,
      lines: expect.any(Array),
    });
    const { lines } = await client.whyThere(site, "1234");
    expect(lines[0]).toBe("job 1234 is PENDING");
    expect(lines.length).toBeGreaterThan(2);
  });

  it("is 404 for a job that is not shown, 409 at a site that shows its queue alone", async () => {
    const { client, brokerApi } = await serve();
    const [{ name: site }] = brokerApi.sites();
    await expect(client.whyThere(site, "7")).rejects.toMatchObject({ code: "siteShowsNoJobs" });
    brokerApi.explanationThere = { explanation: undefined, areJobsPrivate: false };
    await expect(client.whyThere(site, "7_[1-9]")).rejects.toMatchObject({
      kind: "notFound",
      code: "unknownSiteJob",
    });
    await expect(client.whyThere("nowhere", "7")).rejects.toMatchObject({ code: "unknownSite" });
  });

  it("where jobs are hidden from other users it is for those who may change the site", async () => {
    const { send, brokerApi } = await serve({ identify: () => user });
    const [{ name: site }] = brokerApi.sites();
    const path = `/api/v1/sites/${site}/jobs/1234/why`;
    brokerApi.explanationThere = { explanation, areJobsPrivate: true };
    expect((await send("GET", path)).status).toBe(403);
    brokerApi.explanationThere = { explanation, areJobsPrivate: false };
    expect((await send("GET", path)).status).toBe(200);
    const whose = (owner: string) => ({ owner, consumer: `local/${owner}` });
    brokerApi.explanationThere = { explanation, areJobsPrivate: true, whose: whose("you") };
    expect((await send("GET", path)).status).toBe(200);
    brokerApi.explanationThere = { explanation, areJobsPrivate: true, whose: whose("other") };
    expect((await send("GET", path)).status).toBe(403);
  });
});

const queue: LiveQueue = {
  ...{ atMs: 0, discipline: "conservative", countsMemory: false },
  pools: [{ name: "main", capacity: [8, 0, 0] }],
  ...{ running: [], reserved: [] },
  waiting: [
    {
      ...{ siteJob: "17", queue: "main", user: "anna", account: null, need: [2, 0, 0], limitMs: 60_000 },
      ...{ pools: [0], expectedStartAtMs: null },
    },
  ],
  leftOut: { forTheirOwn: 2, tooWide: 0, inReservations: 0 },
};

describe("the queue of a cluster as a workload", () => {
  it("is the lines of a file, with what they leave out", async () => {
    const { brokerApi, client } = await serve();
    const [{ name: site }] = brokerApi.sites();
    await expect(client.queueThere(site)).rejects.toMatchObject({ code: "siteShowsNoJobs" });
    brokerApi.queuedThere = { queue, hidden: [{ what: "users", why: "so it is" }], areJobsPrivate: false };
    const view = await client.queueThere(site);
    expect(view).toMatchObject({ site, discipline: "conservative", waiting: 1, running: 0 });
    expect(view.leftOut.forTheirOwn).toBe(2);
    expect(view.unknown).toHaveLength(1);
    expect(JSON.parse(view.lines[2] ?? "")).toMatchObject({ job: "17", limit: 60, pools: ["main"] });
  });

  it("where jobs are hidden from other users it is for those who may change the site", async () => {
    const { send, brokerApi } = await serve({ identify: () => user });
    const [{ name: site }] = brokerApi.sites();
    brokerApi.queuedThere = { queue, hidden: [], areJobsPrivate: true };
    expect((await send("GET", `/api/v1/sites/${site}/queue`)).status).toBe(403);
    brokerApi.queuedThere = { queue, hidden: [], areJobsPrivate: false };
    expect((await send("GET", `/api/v1/sites/${site}/queue`)).status).toBe(200);
  });
});
