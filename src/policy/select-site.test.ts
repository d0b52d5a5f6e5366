import { describe, expect, it } from "vitest";
import { SITE_SELECTORS, type SiteSelector } from "../model/index.ts";
import { drawnFrom, type SiteChoice, selectSite } from "./select-site.ts";

const rows: readonly SiteChoice[] = [
  { site: "a", usedPpm: 900_000, lastSentMs: 5, predictedStartMs: 100, costProcMs: 7 },
  { site: "b", usedPpm: 100_000, lastSentMs: 9, predictedStartMs: null, costProcMs: 7 },
  { site: "c", usedPpm: 500_000, lastSentMs: null, predictedStartMs: 50, costProcMs: null },
];
const taken = (selector: SiteSelector, lastSite: string | null = null, drawn = 0) =>
  selectSite(rows, selector, { lastSite, drawn })?.site;

describe("which of the recommended sites is taken", () => {
  it.each<[SiteSelector, string]>([
    ["leastUsed", "b"],
    ["leastRecentlyUsed", "c"],
    ["bestStart", "c"],
    ["cheapest", "a"],
  ])("PO-22 %s: %s", (selector, site) => {
    expect(taken(selector)).toBe(site);
  });

  it("PO-22 round robin goes on behind the last one, and begins again", () => {
    expect([null, "a", "b", "c", "gone"].map((last) => taken("roundRobin", last))).toEqual([
      ...["a", "b", "c", "a", "a"],
    ]);
  });

  it("PO-22 at random each has its part", () => {
    expect([0, 0.34, 0.67, 0.999].map((drawn) => taken("random", null, drawn))).toEqual(["a", "b", "c", "c"]);
  });

  it("PO-22 of none, none", () => {
    for (const selector of SITE_SELECTORS) {
      expect(selectSite([], selector, { lastSite: null, drawn: 0.5 })).toBeUndefined();
    }
  });

  it("PO-30 the number of an id is always the same, and many ids are spread evenly", () => {
    expect(drawnFrom("abc")).toBe(drawnFrom("abc"));
    const counts = [0, 0, 0, 0];
    for (let at = 0; at < 4000; at++) counts[Math.floor(drawnFrom(`job${at}`) * 4)] += 1;
    for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(120);
  });
});
