import { describe, expect, it } from "vitest";
import {
  explainWaiting,
  forecast,
  inboundFor,
  isTrialOver,
  type LinkCapacity,
  linkCapacityAfter,
  type MeasuredRate,
  rankClasses,
  STREAM_RULES,
  type TrialQuestion,
  trialsDue,
} from "./index.ts";

const DAY_MS = 24 * 3_600_000;
const classes = [
  { name: "old", freeProcs: 2, benchmark: 0.5 },
  { name: "new", freeProcs: 1, benchmark: 1 },
  { name: "full", freeProcs: 0, benchmark: 2 },
];
const rate = (className: string, bytesPerSec: number, atMs = 0): MeasuredRate => ({
  ...{ executableHash: "h", className, bytesPerSec, bytesPerCpuSec: bytesPerSec, atMs },
});
const ask = (said: Partial<TrialQuestion> = {}): TrialQuestion => ({
  ...{ executableHash: "h", eligible: classes, remembered: [], nowMs: 0, rules: STREAM_RULES, ...said },
});

describe("processors by trial", () => {
  it("STR-30 a stream is tried on one processor of each class with a free one, once in 30 days", () => {
    expect(trialsDue(ask())).toEqual(["old", "new"]);
    const remembered = [rate("old", 6)];
    expect(trialsDue(ask({ remembered, nowMs: 30 * DAY_MS - 1 }))).toEqual(["new"]);
    expect(trialsDue(ask({ remembered, nowMs: 30 * DAY_MS }))).toEqual(["old", "new"]);
    expect(trialsDue(ask({ remembered, executableHash: "other" }))).toEqual(["old", "new"]);
    const over = (sinceMs: number, blocks: number) => isTrialOver({ sinceMs, blocks }, STREAM_RULES.trial);
    expect([over(29_999, 2), over(30_000, 0), over(5, 3)]).toEqual([false, true, true]);
  });

  it("STR-31 the fastest class first; one without a free member is estimated by its benchmark", () => {
    const remembered = [rate("old", 5), rate("old", 6, 1), rate("new", 4)];
    expect(rankClasses(ask({ remembered }))).toEqual([
      { className: "full", bytesPerSec: 16, origin: "estimated" },
      { className: "old", bytesPerSec: 6, origin: "measured" },
      { className: "new", bytesPerSec: 4, origin: "measured" },
    ]);
    expect(rankClasses(ask()).map(({ className, origin }) => `${className} ${origin}`)).toEqual([
      ...["full unknown", "new unknown", "old unknown"],
    ]);
  });
});

describe("links", () => {
  it("STR-32 the forecaster with the least squared error speaks, with its error", () => {
    expect(forecast([])).toBeUndefined();
    expect(forecast([7])).toEqual({ bytesPerSec: 7, forecaster: "last", errorBytesPerSec: 0 });
    const rising = Array.from({ length: 80 }, (_, at) => at);
    expect(forecast(rising)).toEqual({ bytesPerSec: 79, forecaster: "last", errorBytesPerSec: 1 });
    const spiky = Array.from({ length: 80 }, (_, at) => (at % 7 === 3 ? 1000 : 10));
    expect(forecast(spiky)?.forecaster).not.toBe("last");
    const alternating = Array.from({ length: 400 }, (_, at) => (at % 2 === 0 ? 0 : 10));
    const { bytesPerSec = 0, forecaster } = forecast(alternating) ?? {};
    expect([forecaster, Math.round(bytesPerSec)]).toEqual(["mean20", 5]);
  });

  it("STR-33 capacity falls to what was achieved after 30 s, and rises by 5 % a period", () => {
    const period = (nowMs: number, achieved: readonly number[], isSourceLimited = [false, false]) => ({
      ...{ nowMs, declaredBytesPerSec: 100, allocatedBytesPerSec: [50, 50], isSourceLimited },
      achievedBytesPerSec: achieved,
    });
    let capacity: LinkCapacity | undefined;
    const seen = [0, 10_000, 20_000, 30_000].map((nowMs) => {
      capacity = linkCapacityAfter(period(nowMs, [40, 40]), capacity);
      return capacity.bytesPerSec;
    });
    expect(seen).toEqual([100, 100, 100, 80]);
    expect(linkCapacityAfter(period(40_000, [50, 50]), capacity)).toEqual({ bytesPerSec: 84 });
    expect(linkCapacityAfter(period(40_000, [50, 50]), { bytesPerSec: 99 })).toEqual({ bytesPerSec: 100 });
    const slowSource = period(90_000, [50, 9], [false, true]);
    expect(linkCapacityAfter(slowSource, { bytesPerSec: 90, shortSinceMs: 0 })).toEqual({ bytesPerSec: 90 });
    expect(inboundFor(100, 0.05, 15)).toBe(80);
  });
});

describe("why a stream waits", () => {
  const pool = { procs: { fast: 4 }, inboundBytesPerSec: { wan: 100 }, storageBytes: 1000 };
  const need = { id: "n", procs: 3, classes: ["fast"], link: "wan", bytesPerSec: 30, storageBytes: 300 };
  const holder = (id: string, procs: number, bytesPerSec: number, endMs?: number) => ({
    ...{ id, procs: { fast: procs }, link: "wan", bytesPerSec, storageBytes: 100 },
    ...(endMs === undefined ? {} : { endMs }),
  });

  it("STR-34 the short resource, by how much, whose it is, and when it will be there", () => {
    const holders = [holder("a", 1, 10, 500), holder("b", 2, 20, 200)];
    expect(explainWaiting(need, pool, holders, 100)).toEqual({
      short: [
        {
          ...{ resource: "processors", needed: 3, available: 1, missing: 2, availableAtMs: 200 },
          holders: [
            { id: "b", amount: 2, isReserving: false },
            { id: "a", amount: 1, isReserving: false },
          ],
        },
      ],
      startAtMs: 200,
      smallestChange: { resource: "processors", lowerTo: 1 },
    });
  });

  it("STR-34 several shortages, and a holder without an end", () => {
    const holders = [holder("a", 2, 80), { ...holder("b", 1, 10, 300), isReserving: true }];
    const { short, startAtMs, smallestChange } = explainWaiting(need, pool, holders, 100);
    expect(short.map(({ resource, missing, availableAtMs }) => [resource, missing, availableAtMs])).toEqual([
      ["processors", 2, Infinity],
      ["bandwidth", 20, Infinity],
    ]);
    expect([startAtMs, smallestChange]).toEqual([Infinity, undefined]);
    expect(explainWaiting(need, pool, [], 7)).toEqual({ short: [], startAtMs: 7 });
  });
});
