import "../../../test/property-seed.ts";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type PlainNodeJob, type PlainOutage, playPlainly } from "../../../test/plain/plain-nodes.ts";
import { temporaryFolder } from "../../../test/stint.ts";
import { simulateFile } from "../index.ts";

const folder = temporaryFolder();
const RUNS = { numRuns: Number(process.env.STINT_PROPERTY_RUNS ?? 60) };
const PER_NODE = [3, 4];

const times = {
  submitMs: fc.nat(20),
  runtimeMs: fc.integer({ min: 1, max: 9 }),
  slackMs: fc.nat(6),
  /** Odd, as outages are even: what is ordered at one instant is ordered by the file. */
  cancelMs: fc.option(fc.nat(14).map((at) => 2 * at + 1)),
};

/** Equal parts on different nodes, or single processors wherever there is room. */
const drawnJobs = fc
  .array(
    fc.oneof(
      fc.record({ ...times, nodes: fc.integer({ min: 1, max: 3 }), procs: fc.integer({ min: 1, max: 3 }) }),
      fc.record({
        ...times,
        tasks: fc.integer({ min: 1, max: 6 }),
        mostPerNode: fc.integer({ min: 2, max: 3 }),
      }),
    ),
    { minLength: 1, maxLength: 12 },
  )
  .chain((jobs) => fc.tuple(...jobs.map((job) => fc.nat(2).map((memory) => ({ ...plainJob(job), memory })))))
  .map((jobs) => jobs.map(({ memory, ...job }) => ({ ...job, perTask: [job.perTask[0], memory] })))
  .map((jobs) => jobs.toSorted((one, other) => one.submitMs - other.submitMs))
  .map((jobs) => [{ ...jobs[0], submitMs: 0 }, ...jobs.slice(1)]);

function plainJob(
  drawn: { submitMs: number; runtimeMs: number; slackMs: number; cancelMs: number | null } & (
    | { nodes: number; procs: number }
    | { tasks: number; mostPerNode: number }
  ),
): PlainNodeJob {
  const { submitMs, runtimeMs, slackMs, cancelMs } = drawn;
  const shape =
    "nodes" in drawn
      ? { tasks: drawn.nodes, perTask: [drawn.procs, 0], mostPerNode: 1 }
      : { tasks: drawn.tasks, perTask: [1, 0], mostPerNode: drawn.mostPerNode };
  const cancel = cancelMs === null ? {} : { cancelMs };
  return { submitMs, runtimeMs, estimateMs: runtimeMs + slackMs, ...shape, ...cancel };
}

/** At most one outage of a node. */
const drawnOutages = fc
  .uniqueArray(fc.nat(2), { maxLength: 2 })
  .chain((nodes) =>
    fc.tuple(
      ...nodes.map((node) =>
        fc
          .record({ at: fc.nat(12), length: fc.integer({ min: 1, max: 12 }) })
          .map(({ at, length }): PlainOutage => ({ node, atMs: 2 * at, untilMs: 2 * at + length })),
      ),
    ),
  );

/** The same through a file, a second for each ms of the plain version. */
async function played(
  jobs: readonly PlainNodeJob[],
  outages: readonly PlainOutage[],
  discipline: "conservative" | "repack",
) {
  const lines: unknown[] = [{ pool: "p", nodes: 3, procs: PER_NODE[0], memory: PER_NODE[1] }];
  for (const [
    id,
    { submitMs, runtimeMs, estimateMs, tasks, perTask, mostPerNode, cancelMs },
  ] of jobs.entries()) {
    const parts = mostPerNode === 1 ? { nodes: tasks } : { tasksPerNode: mostPerNode };
    const amounts = { procs: tasks * perTask[0], ...(perTask[1] > 0 ? { memory: tasks * perTask[1] } : {}) };
    lines.push({
      job: `${id}`,
      submit: submitMs,
      runtime: runtimeMs,
      limit: estimateMs,
      ...amounts,
      ...parts,
    });
    if (cancelMs !== undefined) lines.push({ cancel: `${id}`, at: cancelMs });
  }
  for (const { atMs, untilMs, node } of outages) lines.push({ down: "p", node, at: atMs, until: untilMs });
  const trace = join(folder, "nodes.workload.jsonl");
  const jobsOut = join(folder, "nodes.csv");
  writeFileSync(trace, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const rules = { discipline, estimates: "requested", overrun: "extend", lenient: false } as const;
  await simulateFile({ trace, jobsOut, ...rules }, { version: "test" });
  const [head, ...rows] = readFileSync(jobsOut, "utf8").trimEnd().split("\n");
  const names = head.split(",");
  const outcomes = jobs.map(() => ({ startMs: -1, promisedMs: -1 }));
  for (const row of rows) {
    const of = (name: string) => Number(row.split(",")[names.indexOf(name)]);
    outcomes[of("job_id")] = { startMs: of("start"), promisedMs: of("planned_start") };
  }
  return outcomes;
}

describe("nodes with a plan", () => {
  it.each(["conservative", "repack"] as const)(
    "QU-32 SI-52 under %s every start and promise is that of the plain rule",
    async (discipline) => {
      await fc.assert(
        fc.asyncProperty(drawnJobs, drawnOutages, async (jobs, outages) => {
          const site = { nodes: 3, perNode: PER_NODE, discipline };
          const expected = playPlainly(jobs, outages, site).map((outcome) =>
            outcome.startMs < 0 ? { startMs: -1, promisedMs: -1 } : outcome,
          );
          fc.pre(expected.some(({ startMs }) => startMs >= 0));
          expect(await played(jobs, outages, discipline)).toEqual(expected);
        }),
        RUNS,
      );
    },
  );
});
