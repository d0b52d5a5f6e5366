import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../test/draws.ts";
import "../../test/property-seed.ts";
import type { EpochWindow } from "../model/index.ts";
import {
  amountAt,
  calendarWindow,
  changeUse,
  createUseHistory,
  fallsBelowAtMs,
  keptForMs,
  limitOver,
  reachesAtMs,
  type UseHistory,
  type UseLimit,
  usedOver,
  WHOLE_SHARE,
} from "./index.ts";

const HOUR_MS = 3_600_000;

/** Changes as [ms since the one before, amount], applied to a history that covers `window`. */
type Changes = readonly (readonly [number, number])[];
const changes = (longestMs: number) =>
  fc.array(fc.tuple(fc.integer({ min: 0, max: longestMs }), fc.integer({ min: 0, max: 9 })), {
    maxLength: 40,
  });

function played(steps: Changes, window: EpochWindow): { history: UseHistory; nowMs: number } {
  const history = createUseHistory(keptForMs(window));
  let nowMs = 0;
  for (const [afterMs, amount] of steps) {
    nowMs += afterMs;
    changeUse(history, nowMs, amount);
  }
  return { history, nowMs };
}

/** The amount in each ms: that of ms t is used from t to t + 1. */
function amountByMs(steps: Changes, untilMs: number, amountThen: number): readonly number[] {
  const amounts: number[] = [];
  let [nowMs, amount] = [0, 0];
  for (const [afterMs, next] of steps) {
    for (nowMs += afterMs; amounts.length < nowMs; ) amounts.push(amount);
    amount = next;
  }
  while (amounts.length < untilMs) amounts.push(amountThen);
  return amounts;
}

function plainSum(amounts: readonly number[], window: EpochWindow, nowMs: number): bigint {
  const startMs =
    window.kind === "sliding"
      ? nowMs - window.lengthMs
      : calendarWindow(window.unit, nowMs, window.offsetMs).startMs;
  return BigInt(amounts.slice(Math.max(0, startMs), nowMs).reduce((sum, amount) => sum + amount, 0));
}

describe("use over a window", () => {
  it("PO-2 of a sliding window is the exact sum over its last ms", () => {
    const window = { kind: "sliding", lengthMs: 100 } as const;
    fc.assert(
      fc.property(changes(30), fc.integer({ min: 0, max: 150 }), (steps, laterMs) => {
        const { history, nowMs } = played(steps, window);
        const atMs = nowMs + laterMs;
        const amounts = amountByMs(steps, atMs, amountAt(history, atMs));
        expect(usedOver(history, window, atMs)).toBe(plainSum(amounts, window, atMs));
      }),
      draws(200),
    );
  });

  it("PO-2 of a calendar window is the sum since it began", () => {
    const window = { kind: "fixed", unit: "hour", offsetMs: 1_800_000 } as const;
    const history = createUseHistory(keptForMs(window));
    changeUse(history, 0, 3);
    changeUse(history, 2_000_000, 0);
    expect(usedOver(history, window, 1_799_999)).toBe(3n * 1_799_999n);
    expect(usedOver(history, window, 1_800_000)).toBe(0n);
    expect(usedOver(history, window, 3_000_000)).toBe(600_000n);
  });

  it("PO-2 is exact for bytes over a month, far beyond 2^53", () => {
    const window = { kind: "fixed", unit: "month", offsetMs: 0 } as const;
    const history = createUseHistory(keptForMs(window));
    const bytes = 9_007_199_254_740_991;
    changeUse(history, 0, bytes);
    changeUse(history, 1, bytes - 1);
    expect(usedOver(history, window, 31 * 24 * HOUR_MS - 1)).toBe(
      BigInt(bytes) + BigInt(bytes - 1) * (31n * 24n * BigInt(HOUR_MS) - 2n),
    );
    expect(limitOver({ window, share: WHOLE_SHARE / 2, capacity: bytes }, 0)).toBe(
      (BigInt(bytes) * 31n * 24n * BigInt(HOUR_MS)) / 2n,
    );
  });

  it("PO-2 drops changes that no window covers", () => {
    const window = { kind: "sliding", lengthMs: 1_000 } as const;
    const history = createUseHistory(keptForMs(window));
    for (let step = 0; step < 10_000; step++) changeUse(history, step * 100, step % 2);
    expect(history.atMs.length).toBeLessThan(200);
    expect(usedOver(history, window, 999_900)).toBe(500n);
  });
});

describe("crossing a limit", () => {
  const firstMs = (isThere: (atMs: number) => boolean, fromMs: number, untilMs: number) => {
    for (let atMs = fromMs; atMs <= untilMs; atMs++) if (isThere(atMs)) return atMs;
    return null;
  };

  it("is computed to the ms for sliding windows, and null where it never occurs", () => {
    const window = { kind: "sliding", lengthMs: 60 } as const;
    const percents = fc.integer({ min: 0, max: 110 });
    const amount = fc.integer({ min: 0, max: 9 });
    fc.assert(
      fc.property(changes(25), percents, amount, (steps, percent, then) => {
        const { history, nowMs } = played(steps, window);
        const limit: UseLimit = { window, share: (percent * WHOLE_SHARE) / 100, capacity: 7 };
        const horizonMs = nowMs + 2 * window.lengthMs;
        const amounts = amountByMs(steps, horizonMs, then);
        const isOver = (atMs: number) =>
          plainSum(amounts, window, atMs) * 100n >= BigInt(percent * 7 * window.lengthMs);
        expect(reachesAtMs(history, limit, nowMs, then)).toBe(firstMs(isOver, nowMs, horizonMs));
        expect(fallsBelowAtMs(history, limit, nowMs, then)).toBe(
          firstMs((atMs) => !isOver(atMs), nowMs, horizonMs),
        );
      }),
      draws(300),
    );
  });

  it("starts again with each calendar window, by the length of each month", () => {
    const window = { kind: "fixed", unit: "hour", offsetMs: 0 } as const;
    const history = createUseHistory(keptForMs(window));
    const limit = { window, share: WHOLE_SHARE / 4, capacity: 4 };
    changeUse(history, 0, 1);
    expect(reachesAtMs(history, limit, 0, 2)).toBe(1_800_000);
    expect(reachesAtMs(history, limit, 3_000_000, 4)).toBe(3_000_000 + 150_000);
    expect(reachesAtMs(history, limit, 3_000_000, 1)).toBeNull();
    changeUse(history, 1_000_000, 4);
    expect(reachesAtMs(history, limit, 1_000_000, 4)).toBe(1_650_000);
    expect(reachesAtMs(history, limit, 1_000_000, 1)).toBeNull();
    expect(reachesAtMs(history, limit, 3_500_000, 0)).toBe(3_500_000);
    expect(fallsBelowAtMs(history, limit, 3_500_000, 4)).toBe(HOUR_MS);
    expect(fallsBelowAtMs(history, { ...limit, share: 0 }, 3_500_000, 0)).toBeNull();
    const month = { ...limit, window: { kind: "fixed", unit: "month", offsetMs: 0 } } as const;
    const february = Date.UTC(2023, 1, 28, 23, 59, 59, 999);
    expect(reachesAtMs(createUseHistory(0), month, february, 2)).toBe(
      Date.UTC(2023, 2, 1) + (31 * 24 * HOUR_MS) / 2,
    );
  });
});
