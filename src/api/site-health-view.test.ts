import { describe, expect, it } from "vitest";
import { serve } from "../../test/api/serving.ts";
import { nodeHealthView } from "./site-health-view.ts";

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

  it("a site shows nodes in trouble", () => {
    const node = { site: "far", node: "n3", minutes: [], failures: [], sent: [] };
    const sinceMs = Date.UTC(2026, 10, 20, 12);
    const pauses = { pauseMs: 600_000, probeAtMs: sinceMs + 600_000, goodProbes: 0 };
    const aside = { sinceMs, quick: 5, ended: 6, ...pauses };
    expect(nodeHealthView([])).toEqual({});
    expect(
      nodeHealthView([
        { ...node, aside, endedWell: null },
        { ...node, node: "n4", aside: null, endedWell: 2 },
      ]),
    ).toEqual({
      nodeHealth: [
        {
          ...{ node: "n3", state: "setAside", quickFailures: 5, ended: 6 },
          ...{ since: "2026-11-20T12:00:00.000Z", nextTest: "2026-11-20T12:10:00.000Z" },
        },
        { node: "n4", state: "onTrial", endedWell: 2 },
      ],
    });
  });
});
