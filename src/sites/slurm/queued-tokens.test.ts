import { describe, expect, it } from "vitest";
import { QueuedTokens } from "./queued-tokens.ts";

describe("attempts in the queue", () => {
  it("one reading serves many until it is old or something is submitted", async () => {
    let [nowMs, readings, isBroken] = [0, 0, false];
    const queued = new QueuedTokens(
      async () => {
        readings++;
        if (isBroken) throw new Error("no controller");
        return new Set(["a/1"]);
      },
      { nowMs: () => nowMs },
    );
    expect(await Promise.all(["a/1", "b/1", "c/1"].map((token) => queued.has(token)))).toEqual([
      true,
      false,
      false,
    ]);
    expect(readings).toBe(1);
    queued.outdate();
    await queued.has("b/1");
    expect(readings).toBe(2);
    nowMs = 11_000;
    isBroken = true;
    await expect(queued.has("b/1")).rejects.toThrow("no controller");
    isBroken = false;
    expect(await queued.has("a/1")).toBe(true);
    expect(readings).toBe(4);
  });

  it("what has ended since an older reading is read again", async () => {
    let [nowMs, tokens] = [0, new Set(["a/1", "b/1"])];
    const queued = new QueuedTokens(async () => tokens, { nowMs: () => nowMs });
    expect(await queued.has("a/1")).toBe(true);
    nowMs = 500;
    tokens = new Set(["b/1"]);
    expect(await queued.has("a/1")).toBe(false);
    expect(await queued.has("b/1")).toBe(true);
  });
});
