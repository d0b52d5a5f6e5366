import { describe, expect, it } from "vitest";
import { createBackoff } from "./backoff.ts";
import { beginLives } from "./life.ts";
import type { StreamOrder } from "./stream-order.ts";

describe("lives of an application", () => {
  it("SW-6 one that crashes again and again is started after at most 30 seconds", async () => {
    const application = { command: ["false"], delivery: "bytes", environment: {}, restarts: 12, next: [] };
    const waits: number[] = [];
    const backoff = createBackoff(Math.random, async (ms) => void waits.push(ms));
    const nothing = (): void => undefined;
    const stream = {
      order: { stream: "s", application } as unknown as StreamOrder,
      program: { command: ["false"], inbox: "/nowhere" },
      ...{ signal: new AbortController().signal, deliverable: () => [], isComplete: () => false },
      ...{ handed: () => Promise.reject(new Error("there is no block")), mayHandOver: () => true },
      ...{ acknowledge: nothing, setAside: () => Promise.resolve(), settled: () => Promise.resolve() },
      ...{ noteStart: nothing, print: nothing },
    };
    const { over, crashes } = beginLives(stream, backoff);
    await expect(over).rejects.toMatchObject({ code: "applicationFailed" });
    expect([crashes(), waits.length, waits[0] <= 200]).toEqual([13, 12, true]);
    expect(Math.max(...waits)).toBeLessThanOrEqual(30_000);
    expect(Math.min(...waits.slice(-2))).toBeGreaterThanOrEqual(15_000);
  });
});
