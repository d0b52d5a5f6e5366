import { afterEach, describe, expect, it } from "vitest";
import { createRateSearch } from "./rates-thread.ts";

const unitBytesPerSec = 1_000_000;
const search = createRateSearch();
afterEach(() => search.stop());

describe("the search of rates in a thread", () => {
  it("finds that a step is worth reaching for one of two streams alone", async () => {
    const session = (weight: number) => ({
      ...{ minBytesPerSec: 1_000_000, maxBytesPerSec: 10_000_000 },
      utility: { kind: "step" as const, weight, unitBytesPerSec, x0: 6 },
    });
    const sessions = [session(1), session(3)];
    const rates = await search.find({ sessions, inboundBytesPerSec: 9_000_000 });
    expect(rates?.[1]).toBeGreaterThanOrEqual(5_999_999);
    expect((rates?.[0] ?? 0) + (rates?.[1] ?? 0)).toBeLessThanOrEqual(9_000_000);
    // The thread is started again after it was stopped.
    await search.stop();
    expect(await search.find({ sessions, inboundBytesPerSec: 9_000_000 })).toEqual(rates);
  });
});
