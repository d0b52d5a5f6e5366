import { describe, expect, it } from "vitest";
import { serve } from "../../test/api/serving.ts";
import type { Identity, Role } from "../model/index.ts";
import type { AccountView } from "../runtime/index.ts";
import { derivedId } from "./job-ids.ts";

const SU = 3_600_000;
const posting: AccountView["postings"][number] = {
  ...{ id: "g1", site: "local", consumer: "cms/top", atMs: Date.UTC(2026, 10, 20), kind: "grant" },
  ...{ about: "me", procMs: 10 * SU },
  entries: [
    { book: 2, account: "grants", procMs: -10 * SU },
    { book: 2, account: "consumer cms/top", procMs: 10 * SU },
  ],
};
const view: Omit<AccountView, "consumer"> = {
  levels: [
    { site: "local", consumer: "cms", balanceProcMs: null, isGranted: false },
    { site: "local", consumer: "cms/top", balanceProcMs: 4.5 * SU, isGranted: true },
  ],
  sites: [
    {
      ...{ site: "local", hasGrants: true, incomeProcMs: { base: 5 * SU, delays: SU / 2, penalties: 0 } },
      sold: {
        ...{ reservedProcMs: 8 * SU, usedProcMs: 5 * SU, delayedJobs: 2 },
        ...{ pricedDelayProcMs: 3 * SU, causedDelayProcMs: 2 * SU },
      },
    },
  ],
  postings: [posting],
};
const as = (role: Role, more: Partial<Identity> = {}) => ({
  identify: (): Identity => ({ owner: "ann", consumer: "cms/top", role, ...more }),
});

describe("accounts", () => {
  it("each level's balance, the site's income, the newest postings; in SU and exactly", async () => {
    const { client, brokerApi } = await serve();
    brokerApi.accountView = view;
    expect(await client.account({ consumer: "cms/top" })).toEqual({
      consumer: "cms/top",
      levels: [
        { site: "local", consumer: "cms", balanceSu: null, balanceProcMs: null, granted: false },
        { site: "local", consumer: "cms/top", balanceSu: 4.5, balanceProcMs: 4.5 * SU, granted: true },
      ],
      sites: [
        {
          ...{ site: "local", hasGrants: true, incomeSu: { base: 5, delays: 0.5, penalties: 0 } },
          incomeProcMs: { base: 5 * SU, delays: SU / 2, penalties: 0 },
          reserved: { su: 8, procMs: 8 * SU, idleSu: 3, idleProcMs: 3 * SU },
          delays: { jobs: 2, pricedSu: 3, pricedProcMs: 3 * SU, causedSu: 2, causedProcMs: 2 * SU },
        },
      ],
      postings: [
        {
          ...{ id: "g1", site: "local", consumer: "cms/top", at: "2026-11-20T00:00:00.000Z" },
          ...{ kind: "grant", about: "me", su: 10, procMs: 10 * SU, entries: posting.entries },
        },
      ],
    });
  });

  it("a site's reserved and idle time, and what priced delays came to", async () => {
    const { client, brokerApi } = await serve();
    brokerApi.accountView = view;
    const { sites } = await client.account({ consumer: "cms/top" });
    expect(sites).toMatchObject([
      {
        reserved: { su: 8, idleSu: 3 },
        delays: { jobs: 2, pricedSu: 3, causedProcMs: 2 * SU },
      },
    ]);
  });

  it("one's own where nobody is named; a site's income is not for consumers", async () => {
    const { client, brokerApi } = await serve(as("user"));
    brokerApi.accountView = view;
    expect(await client.account()).toMatchObject({ consumer: "cms/top", sites: [] });
    await client.account({ consumer: "cms/top/x", site: "local" });
    expect(brokerApi.accountsAsked).toEqual([
      ["cms/top", undefined],
      ["cms/top/x", "local"],
    ]);
    await expect(client.account({ consumer: "cms" })).rejects.toMatchObject({ code: "notAllowed" });
    await expect(client.account({ site: "nowhere" })).rejects.toMatchObject({ code: "unknownSite" });
  });

  it("a site's administrator sees everybody's there, and nothing elsewhere", async () => {
    const { client, brokerApi } = await serve(as("siteAdmin", { site: "local" }));
    brokerApi.accountView = view;
    expect(await client.account({ consumer: "cms2" })).toMatchObject({ sites: [{ site: "local" }] });
    expect(brokerApi.accountsAsked).toEqual([["cms2", "local"]]);
    await expect(client.account({ consumer: "cms2", site: "far" })).rejects.toMatchObject({
      code: "notAllowed",
    });
  });
});

describe("grants", () => {
  const request = { site: "local", consumer: "cms/top", su: 2.5 };

  it("are for those who may change the site's accounts; the answer has the balance", async () => {
    const { client, brokerApi } = await serve();
    brokerApi.accountView = view;
    const made = await client.grant(request, { idempotencyKey: "k" });
    const id = derivedId("grant", "me", "k");
    expect(made).toEqual({ id, ...request, procMs: 2.5 * SU, balanceSu: 4.5, balanceProcMs: 4.5 * SU });
    const { su: _, ...said } = request;
    expect(brokerApi.asked).toEqual([{ kind: "grant", ...said, procMs: 2.5 * SU, by: "me", grant: id }]);
    for (const role of ["user", "voAdmin", "operator", "auditor"] as const) {
      const { client: other } = await serve(as(role));
      await expect(other.grant(request)).rejects.toMatchObject({ code: "notAllowed" });
    }
  });

  it("the same key grants once; another grant under it is 409", async () => {
    const { send, brokerApi } = await serve();
    const id = derivedId("grant", "me", "k");
    const headers = { "idempotency-key": "k" };
    brokerApi.accountView = { ...view, postings: [{ ...posting, id, procMs: 2.5 * SU }] };
    expect(await send("POST", "/api/v1/grants", { body: request, headers })).toMatchObject({
      status: 200,
      json: { id, su: 2.5 },
    });
    for (const body of [
      { ...request, su: 3 },
      { ...request, consumer: "atlas" },
    ]) {
      const other = await send("POST", "/api/v1/grants", { body, headers });
      expect(other).toMatchObject({ status: 409, json: { type: "urn:stint:idempotencyKeyReused" } });
    }
    expect(brokerApi.asked).toEqual([]);
  });

  it.each([
    [{ ...request, su: 0 }, 400, "/su"],
    [{ ...request, su: "5" }, 400, "/su"],
    [{ ...request, consumer: "" }, 400, "/consumer"],
    [{ ...request, site: "nowhere" }, 422, undefined],
  ])("%j is %d", async (body, status, pointer) => {
    const { send, brokerApi } = await serve();
    const answer = await send("POST", "/api/v1/grants", { body });
    expect({ status: answer.status, pointer: answer.json.pointer }).toEqual({ status, pointer });
    expect(brokerApi.asked).toEqual([]);
  });
});
