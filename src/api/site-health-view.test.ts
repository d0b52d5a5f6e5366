import { describe, expect, it } from "vitest";
import { serve } from "../../test/api/serving.ts";

describe("health of sites", () => {
  it("a site shows why it takes few jobs or none, and nothing where it has no trouble", async () => {
    const { client, brokerApi } = await serve();
    expect((await client.site("local")).health).toBeUndefined();
    const instants = { sinceMs: Date.UTC(2026, 10, 20, 12), probeAtMs: Date.UTC(2026, 10, 20, 12, 10) };
    const trouble = { kind: "siteSetAside", site: "local", quick: 6, ended: 8, ...instants } as const;
    brokerApi.siteTroubles.set("local", trouble);
    expect((await client.site("local")).health).toEqual({
      state: "setAside",
      since: "2026-11-20T12:00:00.000Z",
      nextTest: "2026-11-20T12:10:00.000Z",
      quickFailures: 6,
      ended: 8,
    });
    const trial = { kind: "siteOnTrial", site: "local", most: 5, endedWell: 3, needed: 20 } as const;
    brokerApi.siteTroubles.set("local", trial);
    const [site] = await client.sites();
    expect(site?.health).toEqual({ state: "onTrial", most: 5, endedWell: 3, needed: 20 });
  });
});
