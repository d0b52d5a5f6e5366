import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { poissonWorkload, SHIPPED_DRAW } from "./poisson.ts";

describe("the synthetic workload of the demo", () => {
  it("the shipped file is the draw", () => {
    const shipped = new URL("../../../examples/poisson.swf", import.meta.url);
    expect(poissonWorkload(SHIPPED_DRAW)).toBe(readFileSync(shipped, "utf8"));
  });

  it("the load is about the requested one over the time of arrivals", () => {
    const rows = poissonWorkload({ seed: 1, jobs: 5000, procs: 64, load: 0.7 })
      .trimEnd()
      .split("\n")
      .filter((line) => !line.startsWith(";"))
      .map((line) => line.split(" ").map(Number));
    const work = rows.reduce((sum, row) => sum + row[3] * row[4], 0);
    const load = work / (64 * rows[rows.length - 1][1]);
    expect(load).toBeGreaterThan(0.65);
    expect(load).toBeLessThan(0.75);
    expect(rows.every((row) => row[4] <= 64 && row[8] >= Math.min(row[3], 64_800))).toBe(true);
  });
});
