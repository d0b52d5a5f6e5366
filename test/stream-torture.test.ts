import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { changeSource } from "../torture/streams/changed-source.ts";
import { killBrokers } from "../torture/streams/killed-broker.ts";
import { tortureStream } from "../torture/streams/one-stream.ts";
import { compareRate } from "../torture/streams/rate.ts";
import { temporaryFolder } from "./stint.ts";

const base = temporaryFolder();

describe("a stream among misfortunes (npm run torture -- --streams N: more of them)", () => {
  it.concurrent.each([1])("SW-7, SW-8 every block at least once and in order, seed %i", async (seed) => {
    expect(await tortureStream(join(base, String(seed)), { seed, times: 10 })).toEqual([]);
  });

  it.concurrent("SW-2 wrappers that are killed keep a quota that was lowered", async () => {
    const fate = { seed: 1, times: 4, kinds: ["quota", "wrapper"] } as const;
    expect(await tortureStream(join(base, "quota"), fate)).toEqual([]);
  });

  it.concurrent.each([1, 2])("SW-5 a server that comes back with other data, seed %i", async (seed) => {
    expect(await changeSource(join(base, `changed-${seed}`), seed)).toEqual([]);
  });

  it.concurrent("BR-121 killed brokers lose no block", async () => {
    expect(await killBrokers(join(base, "brokers"), 1, 2)).toEqual([]);
  });
});

// The rate itself depends on a quiet machine: npm run torture -- --streams N --kind rate.
it("a rate above or below what was ordered is found", () => {
  const ordered = [
    { atMs: 0, bytesPerSec: 100 },
    { atMs: 5000, bytesPerSec: 200 },
  ];
  const arrivals = (bytes: number) =>
    [0, 10_000].map((atMs) => ({ atMs, bytes: 1 + (atMs * bytes) / 10_000 }));
  expect(compareRate(arrivals(1500), ordered)).toEqual({ wrong: [], judged: 1, leftOut: 0 });
  expect(compareRate(arrivals(1590), ordered).wrong).toHaveLength(1);
  // The order of 200 may be obeyed 200 ms later: 1,480 bytes are as right as 1,500.
  expect(compareRate(arrivals(1410), ordered).wrong).toEqual([]);
  expect(compareRate(arrivals(1390), ordered).wrong).toHaveLength(1);
  expect(compareRate([], ordered).wrong).toHaveLength(1);
  const stalls = (ms: number) => [5050, 5100, 5150, 5200, 5250, 5300].map((atMs) => ({ atMs, ms }));
  expect(compareRate(arrivals(1200), ordered, stalls(50))).toEqual({ wrong: [], judged: 0, leftOut: 1 });
  expect(compareRate(arrivals(1200), ordered, stalls(20)).wrong).toHaveLength(1);
});
