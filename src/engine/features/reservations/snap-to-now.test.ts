import { describe, expect, it } from "vitest";
import { heardWhen, snapToNow } from "./snap-to-now.ts";

const NOW = 1_000_000;

describe("a start that has just passed", () => {
  it.each([
    { startMs: NOW + 1, heard: NOW + 1 },
    { startMs: NOW, heard: NOW },
    { startMs: NOW - 5, heard: NOW },
    { startMs: NOW - 59_999, heard: NOW },
    { startMs: NOW - 60_000, heard: NOW - 60_000 },
  ])("EN-34 $startMs is taken as $heard", ({ startMs, heard }) => {
    expect(snapToNow(startMs, NOW)).toBe(heard);
    expect(heardWhen({ kind: "at", startMs }, NOW)).toEqual({ kind: "at", startMs: heard });
  });

  it("EN-34 other requests are not changed", () => {
    const from = { kind: "from", fromMs: 5 } as const;
    expect(heardWhen(from, NOW)).toBe(from);
  });
});
