import { describe, expect, it } from "vitest";
import { serve } from "../../test/api/serving.ts";
import type { ClusterExplanation } from "../engine/index.ts";

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
  it("AP-29 is told by its id there, as data and in sentences", async () => {
    const { send, door, client } = await serve();
    const [{ name: site }] = door.sites();
    door.explanationThere = { explanation, areJobsPrivate: false };
    const { status, json } = await send("GET", `/api/v1/sites/${site}/jobs/1234/why`);
    const { atMs: _, ...facts } = explanation;
    expect(status).toBe(200);
    expect(json).toEqual({ site, at: "1970-01-01T00:00:00.000Z", ...facts, lines: expect.any(Array) });
    const { lines } = await client.whyThere(site, "1234");
    expect(lines[0]).toBe("job 1234 is PENDING");
    expect(lines.length).toBeGreaterThan(2);
  });

  it("AP-29 is 404 for a job that is not shown, 409 at a site that shows its queue alone", async () => {
    const { client, door } = await serve();
    const [{ name: site }] = door.sites();
    await expect(client.whyThere(site, "7")).rejects.toMatchObject({ code: "siteShowsNoJobs" });
    door.explanationThere = { explanation: undefined, areJobsPrivate: false };
    await expect(client.whyThere(site, "7_[1-9]")).rejects.toMatchObject({
      kind: "notFound",
      code: "unknownSiteJob",
    });
    await expect(client.whyThere("nowhere", "7")).rejects.toMatchObject({ code: "unknownSite" });
  });

  it("AP-29 where jobs are hidden from other users it is for those who may change the site", async () => {
    const { send, door } = await serve({ identify: () => user });
    const [{ name: site }] = door.sites();
    const path = `/api/v1/sites/${site}/jobs/1234/why`;
    door.explanationThere = { explanation, areJobsPrivate: true };
    expect((await send("GET", path)).status).toBe(403);
    door.explanationThere = { explanation, areJobsPrivate: false };
    expect((await send("GET", path)).status).toBe(200);
  });
});
