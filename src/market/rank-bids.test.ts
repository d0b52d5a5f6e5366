import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../test/draws.ts";
import { plainScore } from "../../test/plain/bids.ts";
import { rankBids } from "./index.ts";

const bids = [
  { site: "slow and cheap", endMs: 9000, costProcMs: 10 },
  { site: "fast and dear", endMs: 1000, costProcMs: 90 },
  { site: "between", endMs: 3000, costProcMs: 30 },
];

describe("MK-38 order of bids", () => {
  it.each([
    { what: "by time", alphaPpm: 0, order: ["fast and dear", "between", "slow and cheap"] },
    { what: "by cost", alphaPpm: 1_000_000, order: ["slow and cheap", "between", "fast and dear"] },
    { what: "by both", alphaPpm: 500_000, order: ["between", "slow and cheap", "fast and dear"] },
  ])("$what", ({ alphaPpm, order }) => {
    const ranked = rankBids(bids, alphaPpm).map(({ site }) => site);
    expect(ranked[0]).toBe(order[0]);
    if (alphaPpm !== 500_000) expect(ranked).toEqual(order);
  });

  it("equal ones: the earlier end, then the lower cost, then the name", () => {
    const same = [
      { site: "b", endMs: 5, costProcMs: 7 },
      { site: "a", endMs: 5, costProcMs: 7 },
      { site: "c", endMs: 4, costProcMs: 9 },
    ];
    expect(rankBids(same, 1_000_000).map(({ site }) => site)).toEqual(["a", "b", "c"]);
    const even = [
      { site: "cheap", endMs: 9, costProcMs: 1 },
      { site: "early", endMs: 1, costProcMs: 9 },
    ];
    expect(rankBids(even, 500_000).map(({ site }) => site)).toEqual(["early", "cheap"]);
    expect(rankBids([], 0)).toEqual([]);
  });

  it("it is that of the plain rule", () => {
    const amount = fc.integer({ min: 0, max: 40 });
    const bid = fc.record({ site: fc.constantFrom("a", "b", "c"), endMs: amount, costProcMs: amount });
    const alpha = fc.integer({ min: 0, max: 8 }).map((eighths) => eighths * 125_000);
    fc.assert(
      fc.property(fc.array(bid, { maxLength: 6 }), alpha, (all, alphaPpm) => {
        const ranked = rankBids(all, alphaPpm);
        expect(new Set(ranked)).toEqual(new Set(all));
        const scores = ranked.map((it) => plainScore(it, all, alphaPpm / 1_000_000));
        for (const [at, score] of scores.entries()) {
          expect(score).toBeGreaterThanOrEqual((scores[at - 1] ?? score) - 1e-9);
        }
      }),
      draws(200),
    );
  });
});
