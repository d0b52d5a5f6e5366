import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hasSharedData, tracePath, withoutSharedData } from "../../../test/shared-data.ts";
import { temporaryFolder } from "../../../test/stint.ts";
import { type SwfJob, swfText } from "../../../test/swf-text.ts";
import type { RescaleRequest } from "../../model/index.ts";
import { poissonWorkload } from "./poisson.ts";
import { rescaleTrace } from "./rescale-trace.ts";

const folder = temporaryFolder();
const WEEK_SEC = 604_800;

function fileOf(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

const many = fileOf("many.swf", poissonWorkload({ seed: 5, jobs: 4000, procs: 64, load: 0.6 }));
const few: readonly SwfJob[] = [
  { submit: 100, runtime: 200, procs: 2, requested: 400 },
  { submit: 150, runtime: 0, procs: 2 },
  { submit: 300, runtime: 100, procs: 4 },
];

async function rescaled(request: Partial<RescaleRequest> & Pick<RescaleRequest, "load" | "scale">) {
  let text = "";
  const whole: RescaleRequest = { kind: "rescale", from: many, seed: 1, lenient: false, ...request };
  const summary = await rescaleTrace(whole, "1.2.3", async (piece) => {
    text += piece;
  });
  const lines = text.trimEnd().split("\n");
  const rows = lines.filter((line) => !line.startsWith(";")).map((line) => line.split(" ").map(Number));
  return { text, rows, summary };
}

describe("a recorded workload that is brought to a load", () => {
  // Work 800, span 200, 4 processors: a load of 1.
  it("SI-14 scaled by arrivals, gaps are multiplied and jobs unchanged", async () => {
    const { rows, summary } = await rescaled({
      from: fileOf("few.swf", swfText(few)),
      load: 0.5,
      scale: "arrivals",
    });
    expect(rows.map((row) => [row[1], row[3], row[8]])).toEqual([
      [100, 200, 400],
      [500, 100, -1],
    ]);
    expect(summary).toEqual({ jobs: 2, procs: 4, load: 0.5, spanSec: 400 });
  });

  it("SI-14 scaled by runtimes, run times and requests are multiplied", async () => {
    const { rows } = await rescaled({ from: fileOf("few.swf", swfText(few)), load: 0.5, scale: "runtimes" });
    expect(rows.map((row) => [row[1], row[3], row[8]])).toEqual([
      [100, 100, 200],
      [300, 50, -1],
    ]);
  });

  it("SI-14 overlay adds jobs of a second copy, a week later", async () => {
    const { rows, summary } = await rescaled({ load: 0.7, scale: "overlay" });
    expect(summary.load).toBeGreaterThan(0.66);
    expect(summary.load).toBeLessThan(0.74);
    const original = new Map(rows.filter((row) => row[0] <= 4000).map((row) => [row[1], row]));
    const added = rows.filter((row) => row[0] > 4000);
    expect(original.size).toBeGreaterThan(3900);
    expect(added.every((row) => original.has(row[1] - WEEK_SEC))).toBe(true);
    expect(new Set(rows.map((row) => row[0])).size).toBe(rows.length);
    expect(rows.every((row, i) => i === 0 || row[1] >= rows[i - 1][1])).toBe(true);
  });

  it("SI-14 duplicate adds jobs at their own submission", async () => {
    const before = await rescaled({ load: 0.6, scale: "arrivals" });
    const { rows, summary } = await rescaled({ load: 0.8, scale: "duplicate" });
    expect(summary.spanSec).toBeGreaterThan(0);
    expect(summary.load).toBeGreaterThan(0.76);
    expect(summary.load).toBeLessThan(0.84);
    expect(rows.length).toBeGreaterThan(before.rows.length);
    rows.forEach((row, i) => {
      if (row[0] > 4000) expect(row.slice(1, 10)).toEqual(rows[i - 1].slice(1, 10));
    });
  });

  it("SI-7 the same seed gives the same trace", async () => {
    const first = await rescaled({ load: 0.8, scale: "duplicate" });
    expect((await rescaled({ load: 0.8, scale: "duplicate" })).text).toBe(first.text);
    expect((await rescaled({ load: 0.8, scale: "duplicate", seed: 2 })).text).not.toBe(first.text);
  });

  it("the header is kept, and the change is added to it", async () => {
    const { text } = await rescaled({ load: 0.8, scale: "duplicate" });
    expect(text).toContain("; Note: Poisson arrivals drawn by Stint, seed 5");
    expect(text).toMatch(/; Note: brought from a load of 0\.\d+ to 0\.8 by Stint 1\.2\.3, --scale duplicate/);
  });

  it("SI-14 refuses an unreachable load, and a trace without a load", async () => {
    await expect(rescaled({ load: 0.3, scale: "duplicate" })).rejects.toMatchObject({
      code: "scaleImpossible",
    });
    await expect(rescaled({ load: 5, scale: "overlay" })).rejects.toMatchObject({ code: "scaleImpossible" });
    const single = fileOf("single.swf", swfText(few.slice(0, 1)));
    await expect(rescaled({ from: single, load: 0.3, scale: "arrivals" })).rejects.toMatchObject({
      code: "loadUnknown",
    });
    const sizeless = fileOf("sizeless.swf", swfText(few).replace(/^;.*\n/, ""));
    await expect(rescaled({ from: sizeless, load: 0.3, scale: "arrivals" })).rejects.toMatchObject({
      code: "machineSizeUnknown",
    });
  });

  it.skipIf(!hasSharedData)(
    `SI-14 reaches the loads of the source on CTC-SP2${withoutSharedData}`,
    async () => {
      for (const load of [0.76, 0.88]) {
        const from = { from: tracePath("CTC-SP2"), procs: 430, seed: 1, lenient: false } as const;
        const request: RescaleRequest = { kind: "rescale", ...from, load, scale: "overlay" };
        const summary = await rescaleTrace(request, "1.2.3", async () => undefined);
        expect(Math.abs(summary.load - load)).toBeLessThan(0.01);
      }
    },
  );
});
