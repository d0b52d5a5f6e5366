import { describe, expect, it } from "vitest";
import { serve } from "../../test/api/serving.ts";
import type { CompiledShares } from "../engine/index.ts";
import type { Identity } from "../model/index.ts";

const compiled: CompiledShares = {
  changes: [
    {
      ...{ account: "cms", consumer: "cms", kind: "modify" },
      settings: [{ name: "fairshare", before: "1", after: "200" }],
      command: ["sacctmgr", "-i", "modify", "account", "where", "name=cms", "set", "fairshare=200"],
      undo: ["sacctmgr", "-i", "modify", "account", "where", "name=cms", "set", "fairshare=1"],
    },
  ],
  remarks: ["shares weigh nothing there"],
};
const as = (role: Identity["role"], site?: string) => ({
  identify: (): Identity => ({
    ...{ owner: "ann", consumer: "cms", role },
    ...(site === undefined ? {} : { site }),
  }),
});

describe("AP-70 policies in the words of a batch system", () => {
  it("are told to those who may change the site", async () => {
    for (const whose of [as("admin"), as("siteAdmin", "local")]) {
      const { client, door } = await serve(whose);
      door.compiled = compiled;
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
