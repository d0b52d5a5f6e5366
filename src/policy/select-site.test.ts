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

describe("PO-21 the selected site", () => {
  it.each<[SiteSelector, string]>([
    ["leastUsed", "b"],
    ["leastRecentlyUsed", "c"],
    ["bestStart", "c"],
    ["cheapest", "a"],
  ])("%s: %s", (selector, site) => {
    expect(taken(selector)).toBe(site);
  });

  it("of round robin is the one behind the last, and wraps around", () => {
    expect([null, "a", "b", "c", "gone"].map((last) => taken("roundRobin", last))).toEqual([
      ...["a", "b", "c", "a", "a"],
    ]);
  });

  it("of a random selection is each about as often", () => {
    expect([0, 0.34, 0.67, 0.999].map((drawn) => taken("random", null, drawn))).toEqual(["a", "b", "c", "c"]);
  });

  it("of no sites is undefined", () => {
    for (const selector of SITE_SELECTORS) {
      expect(selectSite([], selector, { lastSite: null, drawn: 0.5 })).toBeUndefined();
    }
  });

  it("of a random selection depends on an id alone, and many ids are spread evenly", () => {
    expect(drawnFrom("abc")).toBe(drawnFrom("abc"));
    const counts = [0, 0, 0, 0];
    for (let at = 0; at < 4000; at++) counts[Math.floor(drawnFrom(`job${at}`) * 4)] += 1;
    for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(120);
  });
});
