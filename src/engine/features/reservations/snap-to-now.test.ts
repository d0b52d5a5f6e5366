import { describe, expect, it } from "vitest";
import { heardWhen, snapToNow } from "./snap-to-now.ts";

const NOW = 1_000_000;

describe("now, when somebody hears of it", () => {
  it.each([
    { startMs: NOW + 1, heard: NOW + 1 },
    { startMs: NOW, heard: NOW },
    { startMs: NOW - 5, heard: NOW },
    { startMs: NOW - 59_999, heard: NOW },
    { startMs: NOW - 60_000, heard: NOW - 60_000 },
  ])("EN-125 $startMs is $heard", ({ startMs, heard }) => {
    expect(snapToNow(startMs, NOW)).toBe(heard);
    expect(heardWhen({ kind: "at", startMs }, NOW)).toEqual({ kind: "at", startMs: heard });
  });

  it("EN-125 other questions are as they are", () => {
    const from = { kind: "from", fromMs: 5 } as const;
    expect(heardWhen(from, NOW)).toBe(from);
  });
});
