import { describe, expect, it } from "vitest";
import { changeUse, noUsage, usageAt } from "./decaying-usage.ts";
import { changeWindowedUse, noWindowedUsage, windowedUsageAt } from "./windowed-usage.ts";

describe("use that decays with a half-life", () => {
  it("halves in a half-life when nobody runs, and never decays without one", () => {
    const usage = noUsage();
    changeUse(usage, 4, { atMs: 0, halfLifeMs: null });
    changeUse(usage, -4, { atMs: 100, halfLifeMs: null });
    expect(usageAt(usage, 5000, null)).toBe(400);
    expect(usageAt(usage, 1100, 1000)).toBeCloseTo(200, 9);
    expect(usageAt(usage, 2100, 1000)).toBeCloseTo(100, 9);
  });

  it("equals the sum over every millisecond, each decayed by its age", () => {
    const halfLifeMs = 300;
    const usage = noUsage();
    const changes = [
      [0, 3],
      [120, 5],
      [400, -3],
      [777, -5],
    ] as const;
    for (const [atMs, change] of changes) changeUse(usage, change, { atMs, halfLifeMs });
    let sum = 0;
    const steps = 20;
    for (let step = 0; step < 1000 * steps; step++) {
      const middleMs = (step + 0.5) / steps;
      const procs = changes.filter(([at]) => at <= middleMs).reduce((all, [, change]) => all + change, 0);
      sum += (procs / steps) * 0.5 ** ((1000 - middleMs) / halfLifeMs);
    }
    expect(usageAt(usage, 1000, halfLifeMs) / sum).toBeCloseTo(1, 8);
  });

  it("steady use of r processors tends to r × half-life ÷ ln 2", () => {
    const usage = noUsage();
    changeUse(usage, 7, { atMs: 0, halfLifeMs: 10 });
    expect(usageAt(usage, 10_000, 10)).toBeCloseTo((7 * 10) / Math.LN2, 9);
  });
});

/** Every millisecond put into its window, the windows weighed at the end. */
function plainWindows(
  changes: readonly (readonly [number, number])[],
  atMs: number,
  { intervalMs, depth, decay }: { intervalMs: number; depth: number; decay: number },
): number {
  let sum = 0;
  for (let ms = 0; ms < atMs; ms++) {
    const age = Math.floor(atMs / intervalMs) - Math.floor(ms / intervalMs);
    const procs = changes.filter(([at]) => at <= ms).reduce((all, [, change]) => all + change, 0);
    if (age < depth) sum += procs * decay ** age;
  }
  return sum;
}

describe("use in windows", () => {
  const changes = [
    [5, 2],
    [34, 1],
    [35, -2],
    [180, 4],
    [190, -5],
  ] as const;

  it.each([
    { intervalMs: 10, depth: 3, decay: 0.5 },
    { intervalMs: 7, depth: 8, decay: 0.8 },
    { intervalMs: 100, depth: 1, decay: 1 },
    { intervalMs: 30, depth: 5, decay: 0 },
  ])("equals every millisecond put into its window: $intervalMs ms × $depth, decay $decay", (windows) => {
    for (const askedMs of [[], [40], [9, 40, 41, 100, 179]]) {
      const usage = noWindowedUsage(windows);
      const events = [
        ...changes.map(([atMs, change]) => ({ atMs, change })),
        ...askedMs.map((atMs) => ({ atMs, change: 0 })),
      ].sort((a, b) => a.atMs - b.atMs);
      for (const { atMs, change } of events) {
        if (change === 0) windowedUsageAt(usage, atMs, windows);
        else changeWindowedUse(usage, change, { atMs, windows });
      }
      for (const atMs of [190, 195, 200, 1000]) {
        expect(windowedUsageAt(usage, atMs, windows)).toBeCloseTo(plainWindows(changes, atMs, windows), 9);
      }
    }
  });

  it("two windows ago weighs decay squared, and beyond the depth nothing", () => {
    const windows = { intervalMs: 100, depth: 3, decay: 0.5 };
    const usage = noWindowedUsage(windows);
    changeWindowedUse(usage, 1, { atMs: 0, windows });
    changeWindowedUse(usage, -1, { atMs: 100, windows });
    expect(windowedUsageAt(usage, 250, windows)).toBe(25);
    expect(windowedUsageAt(usage, 300, windows)).toBe(0);
  });
});
