import { describe, expect, it } from "vitest";
import { serve } from "../../test/api/serving.ts";
import type { CompiledShares, Identity, ShareStep } from "../model/index.ts";

const compiled: CompiledShares = {
  changes: [
    {
      ...{ entity: "account", name: "cms", consumer: "cms", kind: "modify" },
      settings: [{ name: "fairshare", before: "1", after: "200" }],
      command: ["sacctmgr", "-i", "modify", "account", "where", "name=cms", "set", "fairshare=200"],
      undo: ["sacctmgr", "-i", "modify", "account", "where", "name=cms", "set", "fairshare=1"],
    },
  ],
  configuration: [{ name: "PriorityType", before: null, after: "priority/multifactor", why: "shares" }],
  remarks: ["shares weigh nothing there"],
};
const as = (role: Identity["role"], site?: string) => ({
  identify: (): Identity => ({
    ...{ owner: "ann", consumer: "cms", role },
    ...(site === undefined ? {} : { site }),
  }),
});

describe("policies in the words of a batch system", () => {
  it("are told to those who may change the site", async () => {
    for (const whose of [as("admin"), as("siteAdmin", "local")]) {
      const { client, brokerApi } = await serve(whose);
      brokerApi.compiled = compiled;
      expect(await client.compiledPolicies("local")).toEqual({ site: "local", ...compiled });
    }
  });

  it("are nobody else's business", async () => {
    for (const whose of [as("siteAdmin", "other"), as("operator"), as("user")]) {
      const { send } = await serve(whose);
      expect((await send("GET", "/api/v1/sites/local/compiled-policies")).status).toBe(403);
    }
  });

  it("are not there for a site that knows no shares, nor for none", async () => {
    const { send } = await serve();
    const there = await send("GET", "/api/v1/sites/local/compiled-policies");
    expect(there).toMatchObject({ status: 409, json: { type: "urn:stint:knowsNoShares" } });
    expect((await send("GET", "/api/v1/sites/nowhere/compiled-policies")).status).toBe(404);
  });
});

const step: ShareStep = { id: "ab/1", change: compiled.changes[0], result: "made", why: null };

describe("a cluster's own shares are changed to the policies", () => {
  it("for those who may change the site, in whose name it is done", async () => {
    for (const whose of [as("admin"), as("siteAdmin", "local")]) {
      const { client, brokerApi } = await serve(whose);
      brokerApi.compiled = compiled;
      brokerApi.shareSteps = [step];
      expect(await client.applyCompiledPolicies("local")).toEqual({ site: "local", steps: [step] });
      expect(brokerApi.shareRequests).toEqual([{ site: "local", by: "ann", verb: "apply", isForced: false }]);
    }
  });

  it("and for nobody else; not where no shares are known", async () => {
    const path = "/api/v1/sites/local/compiled-policies/apply";
    for (const whose of [as("siteAdmin", "other"), as("operator"), as("user")]) {
      const { send, brokerApi } = await serve(whose);
      expect((await send("POST", path)).status).toBe(403);
      expect(brokerApi.shareRequests).toEqual([]);
    }
    const { send } = await serve();
    expect(await send("POST", path)).toMatchObject({
      status: 409,
      json: { type: "urn:stint:knowsNoShares" },
    });
  });
});

describe("what was changed is taken back", () => {
  it("and with force also what somebody else has changed since", async () => {
    const { client, brokerApi } = await serve(as("admin"));
    brokerApi.compiled = compiled;
    brokerApi.shareSteps = [{ ...step, result: "left", why: "fairshare is 42 there" }];
    const { steps } = await client.takeBackCompiledPolicies("local", false);
    expect(steps[0]).toMatchObject({ result: "left", why: "fairshare is 42 there" });
    await client.takeBackCompiledPolicies("local", true);
    expect(brokerApi.shareRequests.map(({ verb, isForced }) => `${verb} ${isForced}`)).toEqual([
      ...["takeBack false", "takeBack true"],
    ]);
  });

  it("by those who may change the site", async () => {
    const { send } = await serve(as("operator"));
    expect((await send("POST", "/api/v1/sites/local/compiled-policies/take-back")).status).toBe(403);
  });
});
