import { describe, expect, it } from "vitest";
import { HOUR } from "../../../../test/engine-scene.ts";
import { site, USER } from "../../../../test/reservation-scene.ts";
import { livePrices } from "../../index.ts";
import { thinnedStarts } from "./thinned-starts.ts";

const ascending = (count: number): Float64Array => Float64Array.from({ length: count }, (_, at) => 10 * at);

describe("the priced starts of a long list", () => {
  it("EN-33 are all of them if time allows", () => {
    for (const [starts, waiting] of [
      [0, 0],
      [1, 0],
      [48, 1_000_000],
      [1900, 2000],
    ]) {
      expect(thinnedStarts(ascending(starts), waiting)).toEqual({ startsMs: ascending(starts), leftOut: 0 });
    }
  });

  it.each([
    [49, 1_000_000],
    [5000, 5000],
    [99_999, 100_000],
  ])("EN-33 else some ascending, with the earliest and the last: %i beside %i", (starts, waiting) => {
    const all = ascending(starts);
    const { startsMs, leftOut } = thinnedStarts(all, waiting);
    expect(leftOut).toBeGreaterThan(0);
    expect(startsMs.length + leftOut).toBe(starts);
    expect([...startsMs.slice(0, 24)]).toEqual([...all.slice(0, 24)]);
    expect(startsMs.at(-1)).toBe(all.at(-1));
    expect(startsMs.every((startMs, at) => at === 0 || startMs > startsMs[at - 1])).toBe(true);
    expect(startsMs.every((startMs) => startMs % 10 === 0 && startMs <= 10 * starts)).toBe(true);
    expect(startsMs.length * waiting).toBeLessThanOrEqual(Math.max(4_000_000, 48 * waiting));
  });

  it("EN-33 have the price that each has alone", () => {
    const play = site();
    for (let at = 0; at < 40; at++) play.submit(`j${at}`, 1 + (at % 4), { wallTimeMs: HOUR + at * 1000 });
    play.settle();
    const here = play.projection.sites.get("here");
    if (here === undefined) throw new Error("no site");
    const asked = { consumer: USER, procs: 2, memoryBytes: 0, durationMs: HOUR };
    const list = livePrices(play.projection, here, { ...asked, when: { kind: "whenever" } }, play.now);
    for (const { startMs, delayProcMs, delaysJobs } of list) {
      const when = { kind: "at", startMs } as const;
      const [alone] = livePrices(play.projection, here, { ...asked, when }, play.now);
      expect(alone).toMatchObject({ delayProcMs, delaysJobs });
    }
  });
});
