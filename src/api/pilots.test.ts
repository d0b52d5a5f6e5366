import { describe, expect, it } from "vitest";
import { recordOf } from "../../test/api/fake-record.ts";
import { serve } from "../../test/api/serving.ts";
import { type Identity, type PilotRecord, SLURM_DEFAULTS } from "../model/index.ts";

const pilot: PilotRecord = {
  ...{ job: "pilot-local-1", site: "local", state: "RUNNING", node: "secret-node", drained: null },
  ...{ submittedAtMs: 0, openedAtMs: 1000, untilMs: 9000, quietSinceMs: null, endedAtMs: null, taken: 2 },
  ...{ procs: 4, memoryBytes: 0, gpus: 0 },
};

/** Pilots of a site as somebody sees them, in a list and one by one. */
async function seenBy(role: Identity["role"], publish: "all" | "aggregates") {
  const identify = (): Identity => ({ owner: "me", consumer: "local/me", role });
  const { send, brokerApi } = await serve({ identify });
  const [local] = brokerApi.sites();
  const spec = { ...SLURM_DEFAULTS, type: "slurm", procs: 4, memoryBytes: 2 ** 30 } as const;
  brokerApi.siteViews.set("local", { ...local, spec: { ...spec, publish } });
  brokerApi.pilotsThere = [pilot];
  brokerApi.payloadsThere = [
    recordOf("mine", 1),
    { ...recordOf("other", 2), owner: "ann", consumer: "cms/ann" },
  ];
  const { items } = (await send("GET", "/api/v1/pilots")).json as { readonly items: readonly unknown[] };
  return [items[0], (await send("GET", "/api/v1/pilots/pilot-local-1")).json];
}

describe("looking at pilots", () => {
  it("EN-287 users of a site that publishes aggregates see neither the node nor jobs of others", async () => {
    for (const seen of await seenBy("user", "aggregates")) {
      expect(seen).toMatchObject({ node: null, jobs: ["mine"], procsBusy: 2 });
    }
    const whole = { node: "secret-node", jobs: ["mine", "other"] };
    for (const seen of await seenBy("admin", "aggregates")) expect(seen).toMatchObject(whole);
    for (const seen of await seenBy("user", "all")) expect(seen).toMatchObject(whole);
  });
});

describe("the audit of pilots", () => {
  it("EN-305 an unknown site or job is an error, and the id of a job may be abbreviated", async () => {
    const { brokerApi, client } = await serve();
    brokerApi.put("abc123", {});
    const listed = (query: { site?: string; job?: string; node?: string }) =>
      client.call("listAudit", { query });
    await expect(listed({ site: "nope" })).rejects.toMatchObject({ code: "unknownSite" });
    await expect(listed({ job: "nope" })).rejects.toMatchObject({ code: "unknownJob" });
    for (const query of [{}, { node: "nope" }, { site: "local" }, { job: "abc" }]) {
      expect(await listed(query)).toEqual({ items: [] });
    }
    const queried: unknown[] = [];
    brokerApi.query = ((_: string, question: object) => {
      queried.push(question);
      return [];
    }) as unknown as typeof brokerApi.query;
    await listed({ job: "abc" });
    expect(queried).toContainEqual({ job: "abc123" });
  });
});
