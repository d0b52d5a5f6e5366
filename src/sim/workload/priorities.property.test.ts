/**
 * A workload in JSON lines under a priority starts its jobs as the trace in SWF that says the same does.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/stint.ts";
import { type Discipline, PRIORITY_NAMES, type SimulationRequest } from "../../model/index.ts";
import { simulateFile } from "../index.ts";

const RUNS = Number(process.env.STINT_PROPERTY_RUNS ?? 60);
const PROCS = 8;
const folder = temporaryFolder();

const jobs = fc.array(
  fc.record({
    gapSec: fc.nat(60),
    procs: fc.integer({ min: 1, max: PROCS }),
    runtimeSec: fc.integer({ min: 1, max: 300 }),
    moreSec: fc.constantFrom(0, 0, 100),
    user: fc.integer({ min: 1, max: 4 }),
    group: fc.integer({ min: 1, max: 2 }),
    queue: fc.integer({ min: 1, max: 2 }),
  }),
  { minLength: 2, maxLength: 20 },
);

type Drawn = typeof jobs extends fc.Arbitrary<infer All> ? All : never;

function written(drawn: Drawn): { readonly swf: string; readonly lines: string } {
  let submit = 0;
  const rows = drawn.map((job, at) => {
    submit += job.gapSec;
    return { ...job, submit, id: at + 1, limit: job.runtimeSec + job.moreSec };
  });
  const swf = rows.map(({ id, submit: at, runtimeSec, procs, limit, user, group, queue }) =>
    [id, at, -1, runtimeSec, procs, -1, -1, procs, limit, -1, 1, user, group, -1, queue, queue, -1, -1].join(
      " ",
    ),
  );
  const lines = rows.map(({ id, submit: at, runtimeSec, procs, limit, user, group, queue }) =>
    JSON.stringify({
      ...{ job: String(id), submit: at, runtime: runtimeSec, limit, procs },
      ...{ user: String(user), group: String(group), queue: String(queue) },
    }),
  );
  const pool = JSON.stringify({ pool: "all", procs: PROCS });
  return { swf: `; MaxProcs: ${PROCS}\n${swf.join("\n")}\n`, lines: `${[pool, ...lines].join("\n")}\n` };
}

async function starts(name: string, text: string, more: Pick<SimulationRequest, "priority" | "discipline">) {
  const [trace, jobsOut] = [join(folder, name), join(folder, `${name}.csv`)];
  writeFileSync(trace, text);
  const request = {
    trace,
    estimates: "requested",
    overrun: "extend",
    lenient: false,
    jobsOut,
    ...more,
  } as const;
  const { report } = await simulateFile(request, { version: "test" });
  const [head = "", ...rows] = readFileSync(jobsOut, "utf8").trim().split("\n");
  const [id, start] = ["job", "start"].map((word) => head.split(",").findIndex((it) => it.startsWith(word)));
  const byJob = rows.map((row) => row.split(",")).map((cells) => `${cells[id]}@${Number(cells[start])}`);
  return { priority: report.priority, starts: byJob.sort() };
}

describe("a workload in JSON lines under a priority", () => {
  it("starts its jobs as the same trace in SWF", async () => {
    const names = fc.constantFrom(...PRIORITY_NAMES);
    const disciplines = fc.constantFrom<Discipline>("fcfs", "easy", "conservative");
    await fc.assert(
      fc.asyncProperty(jobs, names, disciplines, async (drawn, priority, discipline) => {
        const { swf, lines } = written(drawn);
        const ofTrace = await starts("same.swf", swf, { priority, discipline });
        expect(await starts("same.workload.jsonl", lines, { priority, discipline })).toEqual(ofTrace);
      }),
      { numRuns: RUNS },
    );
  });
});
