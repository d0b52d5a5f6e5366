/**
 * A workload in JSON lines starts its jobs as the trace in SWF that says the same does, and on one node as in
 * a pool.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../../test/draws.ts";
import { serialProgram } from "../../../test/serial-program.ts";
import { temporaryFolder } from "../../../test/stint.ts";
import { DISCIPLINES, PRIORITY_NAMES, type SimulationRequest } from "../../model/index.ts";
import { simulateFile } from "../index.ts";

const { numRuns: RUNS } = draws(60);
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

async function starts(
  name: string,
  text: string,
  more: Pick<SimulationRequest, "priority" | "discipline" | "sampleSlotsMs">,
) {
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
  return { priority: report.priority, slots: report.slots, starts: byJob.sort() };
}

describe("a workload in JSON lines", () => {
  const program = serialProgram(folder);
  const limits = join(folder, "limits.yaml");
  writeFileSync(limits, "users: { default: { maxProcs: 3 } }\n");
  const ways = fc
    .record({
      discipline: fc.constantFrom<SimulationRequest["discipline"]>(...DISCIPLINES, program),
      priority: fc.constantFrom(undefined, ...PRIORITY_NAMES),
      isLimited: fc.boolean(),
      isSampled: fc.boolean(),
    })
    .map(({ discipline, priority, isLimited, isSampled }) => {
      const isOurs = discipline !== program;
      const config = priority === "maui" && isLimited ? { priorityConfig: limits } : {};
      return {
        discipline,
        ...(isOurs && priority !== undefined ? { priority, ...config } : {}),
        ...(isOurs && isSampled ? { sampleSlotsMs: 50_000 } : {}),
      };
    });

  it("SI-1 SI-54 jobs start as in the same trace in SWF, with any options", async () => {
    await fc.assert(
      fc.asyncProperty(jobs, ways, async (drawn, way) => {
        const { swf, lines } = written(drawn);
        const ofTrace = await starts("same.swf", swf, way);
        expect(await starts("same.workload.jsonl", lines, way)).toEqual(ofTrace);
      }),
      { numRuns: RUNS },
    );
  });

  it("SI-52 QU-39 on one node jobs start as in a pool without nodes, under any priority", async () => {
    const ours = ways.filter((way) => way.discipline !== program && way.sampleSlotsMs === undefined);
    await fc.assert(
      fc.asyncProperty(jobs, ours, async (drawn, way) => {
        const { lines } = written(drawn);
        const inPool = await starts("pool.workload.jsonl", lines, way);
        const onNode = lines.replace(`"procs":${PROCS}}`, `"procs":${PROCS},"nodes":1}`);
        expect(await starts("node.workload.jsonl", onNode, way)).toEqual(inPool);
      }),
      { numRuns: RUNS },
    );
  });
});
