import "../../../test/property-seed.ts";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../../test/draws.ts";
import { temporaryFolder } from "../../../test/stint.ts";
import { DISCIPLINES, type Discipline } from "../../model/index.ts";
import { createMachine, createReplay, type ReplayJob } from "../../queue/index.ts";
import { simulateFile } from "../index.ts";

const folder = temporaryFolder();
const RUNS = draws(40);
const PROCS = 4;

const drawnJobs = fc
  .array(
    fc.record({
      submit: fc.nat(30),
      runtime: fc.integer({ min: 1, max: 12 }),
      slack: fc.nat(8),
      procs: fc.integer({ min: 1, max: PROCS }),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((jobs) => [{ submit: 0, runtime: 1, slack: 0, procs: 1 }, ...jobs])
  .map((jobs) => jobs.toSorted((one, other) => one.submit - other.submit));
type Drawn = typeof drawnJobs extends fc.Arbitrary<infer Jobs> ? Jobs : never;

const drawnOutages = fc.array(
  fc.record({
    at: fc.nat(40),
    length: fc.integer({ min: 1, max: 20 }),
    procs: fc.integer({ min: 1, max: 2 }),
  }),
  { maxLength: 2 },
);

async function rowsOf(jobs: Drawn, events: readonly unknown[], discipline: Discipline) {
  const trace = join(folder, "w.workload.jsonl");
  const jobsOut = join(folder, "w.csv");
  const lines = jobs.map(({ submit, runtime, slack, procs }, id) => {
    return { job: `${id}`, submit, runtime, limit: runtime + slack, procs };
  });
  writeFileSync(trace, [...lines, ...events].map((line) => `${JSON.stringify(line)}\n`).join(""));
  const rules = { discipline, estimates: "requested", overrun: "extend", lenient: false } as const;
  await simulateFile({ trace, jobsOut, procs: PROCS, ...rules }, { version: "test" });
  const rows = readFileSync(jobsOut, "utf8").trimEnd().split("\n").slice(1);
  return rows.map((row) => {
    const [, , , start, end, procs] = row.split(",").map(Number);
    return { start, end, procs };
  });
}

describe("workloads in JSON lines", () => {
  it.each(DISCIPLINES)("SI-1 without events, jobs start under %s as in a replay", async (discipline) => {
    await fc.assert(
      fc.asyncProperty(drawnJobs, async (jobs) => {
        const rows = await rowsOf(jobs, [], discipline);
        expect(rows.map(({ start }) => start)).toEqual(replayedStarts(jobs, discipline));
      }),
      RUNS,
    );
  });

  it.each(DISCIPLINES)(
    "SI-51 QU-25 under %s capacity that is down is never used, and no job is lost",
    async (discipline) => {
      await fc.assert(
        fc.asyncProperty(drawnJobs, drawnOutages, async (jobs, outages) => {
          const down = outages.map(({ at, length, procs }) => ({ start: at, end: at + length, procs }));
          const lines = down.map(({ start, end, procs }) => ({ down: "site", at: start, until: end, procs }));
          const rows = await rowsOf(jobs, lines, discipline);
          expect(rows).toHaveLength(jobs.length);
          for (const { start: atMs } of [...rows, ...down]) {
            const used = [...rows, ...down].filter(({ start, end }) => start <= atMs && atMs < end);
            expect(used.reduce((sum, { procs }) => sum + procs, 0)).toBeLessThanOrEqual(PROCS);
          }
        }),
        RUNS,
      );
    },
  );
});

function replayedStarts(jobs: Drawn, discipline: Discipline): number[] {
  const starts: number[] = [];
  const replay = createReplay<ReplayJob>(createMachine([[PROCS]], { discipline }), {
    finished: ({ job, startMs }) => {
      starts[job.id] = startMs / 1000;
    },
  });
  for (const [id, { submit, runtime, slack, procs }] of jobs.entries()) {
    const [runtimeMs, estimateMs] = [runtime * 1000, (runtime + slack) * 1000];
    replay.offer({ id, submitMs: submit * 1000, need: [procs], runtimeMs, estimateMs });
  }
  replay.finish();
  return starts;
}
