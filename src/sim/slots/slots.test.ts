import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/stint.ts";
import { swfText } from "../../../test/swf-text.ts";
import type { SimulationRequest } from "../../model/index.ts";
import { simulateFile } from "../index.ts";

const folder = temporaryFolder();
const trace = join(folder, "trace.swf");
const out = join(folder, "slots.csv");
// Four processors: one job on three of them for 100 s, and one that waits for all four.
writeFileSync(
  trace,
  swfText([
    { submit: 0, runtime: 100, procs: 3, requested: 200 },
    { submit: 10, runtime: 50, procs: 4, requested: 60 },
  ]),
);

function simulate(more: Partial<SimulationRequest>) {
  const request = { trace, discipline: "easy", estimates: "requested", overrun: "extend" } as const;
  return simulateFile({ ...request, lenient: false, ...more }, { version: "test" });
}

describe("slots of a simulated site", () => {
  it("SI-40 rows per slot at every multiple, after all else at that instant", async () => {
    await simulate({ sampleSlotsMs: 50_000, slotsOut: out });
    // At 100 the first has ended early and the second has started; at 150 it has just ended.
    expect(readFileSync(out, "utf8").trimEnd().split("\n")).toEqual([
      "at,jobs_in_system,slots,start,procs,duration,extensible",
      "50,2,2,0,1,150,0",
      "50,2,2,210,4,172590,1",
      "100,1,1,60,4,172740,1",
    ]);
  });

  it("SI-40 the report has the distributions", async () => {
    const { report } = await simulate({ sampleSlotsMs: 50_000 });
    expect(report.slots).toMatchObject({
      everySec: 50,
      samples: 2,
      count: { mean: 1.5, median: 1.5, max: 2 },
      jobsInSystem: { mean: 1.5 },
      countJobsCorrelation: 1,
      procs: { median: 4, max: 4 },
      startSec: { max: 210 },
      extensibleShare: 2 / 3,
    });
  });

  it.each([{}, { discipline: "conservative" }, { priority: "size" }] as const)(
    "SI-40 sampling with %j changes nothing else of a run",
    async (more) => {
      const { report: plain } = await simulate(more);
      const { report } = await simulate({ ...more, sampleSlotsMs: 7000 });
      const { slots: _, ...rest } = report;
      const clocks = { simulationMs: 0, readMs: 0 };
      expect({ ...rest, ...clocks }).toEqual({ ...plain, ...clocks });
    },
  );

  it.each([
    [{ slotsOut: join(folder, "a.csv") }, "--sample-slots 1h"],
    [
      { sampleSlotsMs: 1000, discipline: "exec:mine" },
      "it cannot be predicted which jobs exec:mine will start",
    ],
    [{ sampleSlotsMs: 1000, slotsOut: join(folder, "a.txt") }, "ends in .csv"],
    [{ sampleSlotsMs: 1000, slotsOut: join(folder, "a.csv"), jobsOut: "a.txt" }, ".swf"],
  ] as const)("SI-40 %j is refused, and no file is left", async (more, words) => {
    const fault = await simulate(more as Partial<SimulationRequest>).catch((error: unknown) => error);
    expect(JSON.stringify({ ...(fault as object) }) + String(fault)).toContain(words);
    expect(existsSync(join(folder, "a.csv"))).toBe(false);
  });
});
