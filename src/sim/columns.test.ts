/**
 * A trace in columns beside the same trace job by job, which is how it is played where slots are sampled.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../test/draws.ts";
import { temporaryFolder } from "../../test/stint.ts";
import { type SwfJob, swfText } from "../../test/swf-text.ts";
import { DISCIPLINES, type SimulationRequest } from "../model/index.ts";
import { simulateFile } from "./index.ts";

const RUNS = draws(50);
const folder = temporaryFolder();
const trace = join(folder, "trace.swf");

/** Some of them are no jobs: without processors or a runtime, or wider than the machine. */
const rows: fc.Arbitrary<SwfJob> = fc.record({
  submit: fc.nat(40),
  runtime: fc.integer({ min: -1, max: 30 }),
  procs: fc.integer({ min: -1, max: 5 }),
  allocated: fc.integer({ min: -1, max: 5 }),
  requested: fc.integer({ min: -1, max: 40 }),
});

const rules = fc.record({
  discipline: fc.constantFrom(...DISCIPLINES),
  estimates: fc.constantFrom("exact", "requested"),
  overrun: fc.constantFrom("extend", "kill"),
  format: fc.constantFrom("csv", "swf"),
});

async function outcome(
  {
    format,
    ...request
  }: Pick<SimulationRequest, "discipline" | "estimates" | "overrun"> & { readonly format: string },
  more: Partial<SimulationRequest>,
) {
  const jobsOut = join(folder, `jobs.${format}`);
  const asked: SimulationRequest = { trace, lenient: false, procs: 4, jobsOut, ...request, ...more };
  const { report, course } = await simulateFile(asked, { version: "test" });
  const { slots: _, simulationMs: __, readMs: ___, ...same } = report;
  return { report: same, course, rows: readFileSync(jobsOut, "utf8") };
}

describe("a trace in columns", () => {
  it("SI-1 SI-2 SI-5 SI-6 gives the report and the rows that it gives job by job", async () => {
    const some = fc.array(rows, { minLength: 1, maxLength: 25 });
    await fc.assert(
      fc.asyncProperty(some, rules, async (jobs, how) => {
        const inOrder = [...jobs].sort((a, b) => a.submit - b.submit);
        writeFileSync(trace, swfText([...inOrder, { submit: 41, runtime: 1, procs: 1 }]));
        expect(await outcome(how, {})).toEqual(await outcome(how, { sampleSlotsMs: 3_600_000 }));
      }),
      RUNS,
    );
  });

  it("an unsorted trace is read again and replayed completely", async () => {
    const late = Array.from({ length: 5000 }, (_, n) => ({ submit: 10 + n, runtime: 5, procs: 1 }));
    writeFileSync(trace, swfText([...late, { submit: 3, runtime: 7, procs: 4 }]));
    const how = { discipline: "easy", estimates: "exact", overrun: "extend", format: "csv" } as const;
    const { report, rows: written } = await outcome(how, {});
    expect(report).toMatchObject({ jobs: 5001, unsorted: 1 });
    expect(written.split("\n")[1]).toBe("5001,0,0,7,4,0,7,7,7,,0");
  });
});
