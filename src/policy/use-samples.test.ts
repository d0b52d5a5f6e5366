import fc from "fast-check";
import { describe, expect, it } from "vitest";
import "../../test/property-seed.ts";
import {
  folded,
  foldedBySteps,
  type PlacedBucket,
  partOf,
  type SampleBucket,
  seriesGrid,
  slotBucket,
  valueInEffectBySteps,
} from "./index.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const amounts = fc.array(fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }), {
  minLength: 1,
  maxLength: 60,
});

const together = (buckets: readonly SampleBucket[]) => buckets.reduce((one, other) => folded(one, other));

describe("a bucket", () => {
  it("folded from buckets is that of their slots, in any order and steps, and exact", () => {
    const cuts = fc.infiniteStream(fc.integer({ min: 1, max: 9 }));
    fc.assert(
      fc.property(amounts, cuts, (values, lengths) => {
        const slots = values.map(slotBucket);
        const parts: SampleBucket[] = [];
        for (let at = 0; at < slots.length; ) {
          const length = lengths.next().value ?? 1;
          parts.push(together(slots.slice(at, at + length)));
          at += length;
        }
        expect(together(parts.reverse())).toEqual({
          slots: values.length,
          sum: values.reduce((sum, value) => sum + BigInt(value), 0n),
          min: Math.min(...values),
          max: Math.max(...values),
        });
      }),
    );
  });

  it("counts sampled slots without the value as 0, and is null without any sampled slot", () => {
    const bucket = together([3, 5].map(slotBucket));
    expect(partOf(bucket, 2)).toEqual({ mean: 4, min: 3, max: 5 });
    expect(partOf(bucket, 3)).toEqual({ mean: 2.666, min: 0, max: 5 });
    expect(partOf(undefined, 3)).toEqual({ mean: 0, min: 0, max: 0 });
    expect(partOf(undefined, 0)).toBeNull();
  });

  it("takes integers ≥ 0 alone", () => {
    for (const value of [-1, 0.5, Number.NaN, 2 ** 53]) expect(() => slotBucket(value)).toThrow("whole");
  });
});

describe("the grid of a series", () => {
  const nowMs = 20_000 * DAY_MS + 12_345;
  const grid = (agoMs: number, stepMs: number | null) =>
    seriesGrid({ fromMs: nowMs - agoMs, untilMs: nowMs, stepMs }, nowMs);

  it.each([
    ["ten minutes in slots", 600_000, 10_000, { stepMs: 10_000, bucketMs: 10_000 }],
    ["an hour in steps of half a minute", HOUR_MS, 30_000, { stepMs: 30_000, bucketMs: 10_000 }],
    ["an hour in steps of five minutes", HOUR_MS, 300_000, { stepMs: 300_000, bucketMs: 300_000 }],
    ["steps that are no multiple of a slot", HOUR_MS, 15_000, { stepMs: 20_000, bucketMs: 10_000 }],
    ["slots of which none are kept any more", 2 * DAY_MS, 10_000, { stepMs: 300_000, bucketMs: 300_000 }],
    ["what only hours are left of", 40 * DAY_MS, 300_000, { stepMs: HOUR_MS, bucketMs: HOUR_MS }],
    ["a day in steps of an hour", DAY_MS, HOUR_MS, { stepMs: HOUR_MS, bucketMs: HOUR_MS }],
    ["an hour, as is usual", HOUR_MS, null, { stepMs: 30_000, bucketMs: 10_000 }],
    ["a week, as is usual", 7 * DAY_MS, null, { stepMs: 7_200_000, bucketMs: HOUR_MS }],
    ["ten years, as is usual", 3650 * DAY_MS, null, { stepMs: 60 * DAY_MS, bucketMs: HOUR_MS }],
  ])("follows the retention of buckets: %s", (_, agoMs, asked, expected) => {
    const { stepMs } = expected;
    const made = grid(agoMs, asked);
    expect(made).toMatchObject(expected);
    expect(made.fromMs % stepMs).toBe(0);
    expect(made.fromMs).toBeLessThanOrEqual(nowMs - agoMs);
    expect(made.untilMs).toBeGreaterThanOrEqual(nowMs);
    expect((made.untilMs - made.fromMs) % stepMs).toBe(0);
  });

  it("has each bucket in its step, and drops those outside", () => {
    const within = { fromMs: 60_000, untilMs: 120_000, stepMs: 30_000, bucketMs: 10_000 };
    const at = (atMs: number, value: number): PlacedBucket => ({ atMs, ...slotBucket(value) });
    const steps = foldedBySteps([at(50_000, 9), at(60_000, 1), at(80_000, 3), at(120_000, 9)], within);
    expect(steps).toEqual([{ slots: 2, sum: 4n, min: 1, max: 3 }, undefined]);
  });

  it("has the value in effect at the end of each step, and none before the first report", () => {
    const within = { fromMs: 0, untilMs: 40_000, stepMs: 10_000, bucketMs: 10_000 };
    const said = [
      { atMs: 10_000, value: 4 },
      { atMs: 20_000, value: 7 },
      { atMs: 29_000, value: 8 },
      { atMs: 30_000, value: null },
    ];
    expect(valueInEffectBySteps(said, within)).toEqual([null, 4, 8, null]);
  });
});
