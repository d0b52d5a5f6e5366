/**
 * Parts of stores and links: asked for, kept aside, and shown.
 */
import { describe, expect, it } from "vitest";
import { aPrice } from "../../test/api/fake-reservations.ts";
import { serve } from "../../test/api/serving.ts";

const STORES = { scratch: { sizeBytes: 1000 } };
const LINKS = { uplink: { rateBytesPerSec: 125_000_000 } };
const scratch = { kind: "store", name: "scratch", amount: 500 } as const;
const uplink = { kind: "link", name: "uplink", amount: 1000 } as const;
const startAt = "2026-11-20T08:00:00Z";
const slot = { durationSec: 3600, startAt };

/** A broker whose site `local` has a store and a link, and whose site `far` has neither. */
async function serving() {
  const served = await serve();
  const { siteViews } = served.brokerApi;
  const [local] = siteViews.values();
  if (local === undefined) throw new Error("no site");
  siteViews.set("far", { ...local, name: "far" });
  siteViews.set("local", { ...local, spec: { ...local.spec, stores: STORES, links: LINKS } });
  return served;
}

describe("a part of a store or of a link", () => {
  it("is asked for without processors, and offered so", async () => {
    const { client, brokerApi } = await serving();
    brokerApi.siteQuotes = [{ site: "local", trouble: null, starts: [aPrice()] }];
    await client.quote({ resource: scratch, durationSec: 3600, sites: ["local"] });
    const size = { procs: 0, memoryBytes: 0, resource: scratch };
    expect(brokerApi.quoteQuestions).toMatchObject([{ ...size, durationMs: 3_600_000, sites: ["local"] }]);
    const offer = await client.offer({ site: "local", resource: scratch, ...slot });
    expect(offer).toMatchObject({ site: "local", procs: 0, memoryBytes: null, resource: scratch });
    expect(brokerApi.asked).toMatchObject([{ kind: "offerSlot", site: "local", ...size }]);
  });

  it("is had together with others of the same site, under one key once", async () => {
    const { client, brokerApi } = await serving();
    const parts = [
      { site: "local", procs: 2 },
      { site: "local", resource: scratch },
      { site: "local", resource: uplink },
    ];
    const made = await client.offerCoReservation({ parts, ...slot }, { idempotencyKey: "k" });
    expect(made.items.map(({ procs, resource }) => [procs, resource])).toEqual([
      [2, null],
      [0, scratch],
      [0, uplink],
    ]);
    expect(await client.offerCoReservation({ parts, ...slot }, { idempotencyKey: "k" })).toEqual(made);
    const other = parts
      .map((part) => ("resource" in part ? { ...part, resource: uplink } : part))
      .slice(0, 2);
    await expect(
      client.offerCoReservation({ parts: other, ...slot }, { idempotencyKey: "k" }),
    ).rejects.toThrow();
    expect(brokerApi.asked).toHaveLength(1);
  });

  it.each([
    [{ site: "local", ...slot }, 400, "/procs"],
    [{ site: "local", procs: 1, resource: scratch, ...slot }, 400, "/procs"],
    [{ site: "local", memoryBytes: 1, resource: scratch, ...slot }, 400, "/memoryBytes"],
    [{ site: "local", resource: { ...scratch, amount: 0 }, ...slot }, 400, "/resource/amount"],
    [{ site: "local", resource: { ...scratch, amount: 0.5 }, ...slot }, 400, "/resource/amount"],
    [{ site: "local", resource: { ...scratch, kind: "disk" }, ...slot }, 400, "/resource/kind"],
  ])("%j is %d at %s", async (body, status, pointer) => {
    const { send, brokerApi } = await serving();
    const { status: answered, json } = await send("POST", "/api/v1/reservations", { body });
    expect({ status: answered, pointer: json.pointer }).toEqual({ status, pointer });
    expect(brokerApi.asked).toEqual([]);
  });

  it.each([
    [
      { site: "far", resource: scratch },
      { stores: [], links: [] },
    ],
    [
      { site: "local", resource: { ...scratch, name: "home" } },
      { stores: ["scratch"], links: ["uplink"] },
    ],
    [
      { site: "local", resource: { ...uplink, kind: "store" } },
      { stores: ["scratch"], links: ["uplink"] },
    ],
  ])("%j is not there: 422 with what there is", async ({ site, resource }, there) => {
    const { send } = await serving();
    const body = { resource, durationSec: 60, sites: [site] };
    const quoted = await send("POST", "/api/v1/quotes", { body });
    expect(quoted).toMatchObject({
      status: 422,
      json: { type: "urn:stint:unknownResource", site, ...there },
    });
    const parts = [
      { site: "far", procs: 1 },
      { site, resource },
    ];
    const together = await send("POST", "/api/v1/quotes/together", { body: { parts, durationSec: 60 } });
    expect(together).toMatchObject({ status: 422, json: { type: "urn:stint:unknownResource", site } });
  });

  it("stores and links of a site are requested and shown; no name is of both", async () => {
    const { client, send, brokerApi } = await serving();
    const spec = { type: "simulated", procs: 4, stores: STORES, links: LINKS } as const;
    const made = await client.addSite({ name: "data", spec });
    expect(made.spec).toMatchObject({ stores: STORES, links: LINKS });
    const shared = { ...spec, links: { scratch: { rateBytesPerSec: 1 } } };
    const refused = await send("POST", "/api/v1/sites", { body: { name: "both", spec: shared } });
    expect(refused).toMatchObject({ status: 400, json: { pointer: "/spec/links/scratch" } });
    const none = { ...spec, stores: { "a/b": { sizeBytes: 1 } } };
    expect((await send("POST", "/api/v1/sites", { body: { name: "odd", spec: none } })).status).toBe(400);
    expect(brokerApi.asked).toHaveLength(1);
  });
});
