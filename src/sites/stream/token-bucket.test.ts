import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createTokenBucket } from "./token-bucket.ts";

const never = new AbortController().signal;

describe("token bucket", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Bytes that pass in this time, taken in chunks by as many as take at once. */
  async function passed(rate: number, ms: number, order: { chunk: number; takers: number }) {
    const bucket = createTokenBucket(rate, () => vi.getMockedSystemTime()?.valueOf() ?? 0);
    const ending = new AbortController();
    let bytes = 0;
    for (let at = 0; at < order.takers; at++) {
      const run = async (): Promise<void> => {
        for (;;) {
          await bucket.take(order.chunk, ending.signal);
          bytes += order.chunk;
        }
      };
      run().catch(() => undefined);
    }
    await vi.advanceTimersByTimeAsync(ms);
    const first = bytes;
    return { bucket, first, more: () => bytes - first, end: () => ending.abort() };
  }

  it.each([
    { rate: 1_000_000, chunk: 65_536, takers: 1 },
    { rate: 1_000_000, chunk: 1000, takers: 4 },
    { rate: 50_000, chunk: 65_536, takers: 2 },
  ])("SW-1 the mean over 10 s is the rate: $rate in chunks of $chunk", async ({ rate, ...order }) => {
    const { first, end } = await passed(rate, 10_000, order);
    expect(Math.abs(first - rate * 10)).toBeLessThanOrEqual(Math.max(rate * 0.05, order.chunk));
    end();
  });

  it("SW-1 a new rate holds within 200 ms, up, down and to nothing", async () => {
    const { bucket, more, end } = await passed(100_000, 2000, { chunk: 2000, takers: 2 });
    bucket.changeRate(1_000_000);
    await vi.advanceTimersByTimeAsync(200);
    expect(more()).toBeGreaterThan(180_000);
    bucket.changeRate(0);
    await vi.advanceTimersByTimeAsync(200);
    const stopped = more();
    await vi.advanceTimersByTimeAsync(5000);
    expect(more()).toBe(stopped);
    bucket.changeRate(100_000);
    await vi.advanceTimersByTimeAsync(1000);
    expect(more() - stopped).toBeGreaterThan(90_000);
    expect(more() - stopped).toBeLessThan(110_000);
    end();
  });

  it("a bucket that nobody used lets a quarter of a second pass at once", async () => {
    const bucket = createTokenBucket(1000, () => vi.getMockedSystemTime()?.valueOf() ?? 0);
    await vi.advanceTimersByTimeAsync(60_000);
    let taken = 0;
    const run = async (): Promise<void> => {
      for (; taken < 1000; taken += 10) await bucket.take(10, never);
    };
    void run();
    await vi.advanceTimersByTimeAsync(0);
    expect(taken).toBeLessThanOrEqual(270);
    expect(taken).toBeGreaterThanOrEqual(250);
    await vi.advanceTimersByTimeAsync(2000);
  });
});
