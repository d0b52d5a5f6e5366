import "../../../test/property-seed.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../../test/draws.ts";
import { createMachine, createReplay, type ReplayJob } from "../index.ts";
import { startOnNodes } from "./choose.ts";
import { createNodeSite, type NodeJob, takeOff } from "./site.ts";

const RUNS = draws(400);

interface DrawnJob {
  readonly submitMs: number;
  readonly tasks: number;
  readonly perTask: readonly number[];
  readonly mostPerNode: number;
  readonly runtimeMs: number;
  readonly slackMs: number;
}

const drawnJobs = (columns: number) =>
  fc.array(
    fc.record({
      submitMs: fc.nat(40),
      tasks: fc.integer({ min: 1, max: 4 }),
      perTask: fc
        .tuple(fc.integer({ min: 1, max: 3 }), fc.nat(3))
        .map((amounts) => amounts.slice(0, columns)),
      mostPerNode: fc.integer({ min: 1, max: 4 }),
      runtimeMs: fc.integer({ min: 1, max: 12 }),
      slackMs: fc.nat(8),
    }),
    { minLength: 1, maxLength: 14 },
  );

/** Plays jobs on nodes instant by instant; calls `look` after each, and gives the starts. */
function playOnNodes(
  jobs: readonly DrawnJob[],
  { nodes, perNode, discipline }: { nodes: number; perNode: readonly number[]; discipline: "fcfs" | "easy" },
  look: (free: Float64Array) => void = () => undefined,
): number[] {
  const site = createNodeSite([{ nodes, perNode }]);
  const jobOf = (id: number): NodeJob => ({
    pool: 0,
    shape: jobs[id],
    estimateMs: jobs[id].runtimeMs + jobs[id].slackMs,
  });
  const starts = jobs.map(() => -1);
  let waiting: number[] = [];
  for (let nowMs = 0; starts.includes(-1); nowMs++) {
    for (const [id, startMs] of starts.entries()) {
      if (startMs >= 0 && startMs + jobs[id].runtimeMs === nowMs) takeOff(site, id);
    }
    for (const [id, { submitMs }] of jobs.entries()) if (submitMs === nowMs) waiting.push(id);
    for (const id of startOnNodes(site, discipline, { waiting, jobOf }, nowMs)) starts[id] = nowMs;
    waiting = waiting.filter((id) => starts[id] < 0);
    look(site.free[0].free);
  }
  return starts;
}

describe("nodes", () => {
  it.each(["fcfs", "easy"] as const)("QU-27 under %s no node is ever oversubscribed", (discipline) => {
    fc.assert(
      fc.property(drawnJobs(2), (jobs) => {
        const site = { nodes: 4, perNode: [3, 3], discipline };
        playOnNodes(jobs, site, (free) => {
          for (const amount of free) expect(amount).toBeGreaterThanOrEqual(0);
        });
      }),
      RUNS,
    );
  });

  it.each(["fcfs", "easy"] as const)(
    "QU-27 QU-28 under %s nodes of one processor give the starts of a whole pool",
    (discipline) => {
      fc.assert(
        fc.property(drawnJobs(1), (drawn) => {
          const jobs = drawn
            .map((job) => ({ ...job, perTask: [1] }))
            .sort((one, other) => one.submitMs - other.submitMs);
          const starts = playOnNodes(jobs, { nodes: 5, perNode: [1], discipline });
          expect(starts).toEqual(startsOfPool(jobs, discipline));
        }),
        RUNS,
      );
    },
  );

  it("QU-28 no job behind the head of the queue delays it", () => {
    fc.assert(
      fc.property(drawnJobs(2), (drawn) => {
        const jobs = drawn.map((job) => ({ ...job, submitMs: 0 }));
        const site = { nodes: 4, perNode: [3, 3] };
        const starts = playOnNodes(jobs, { ...site, discipline: "easy" });
        const head = starts.findIndex((startMs) => startMs > 0);
        if (head < 0) return;
        const exact = jobs.map((job) => ({ ...job, runtimeMs: job.runtimeMs + job.slackMs, slackMs: 0 }));
        const alone = playOnNodes(exact.slice(0, head + 1), { ...site, discipline: "easy" });
        expect(starts[head]).toBeLessThanOrEqual(alone[head]);
      }),
      RUNS,
    );
  });
});

function startsOfPool(jobs: readonly DrawnJob[], discipline: "fcfs" | "easy"): number[] {
  const starts = jobs.map(() => -1);
  const replay = createReplay<ReplayJob>(createMachine([[5]], { discipline }), {
    finished: ({ job, startMs }) => {
      starts[job.id] = startMs;
    },
  });
  for (const [id, { submitMs, tasks, runtimeMs, slackMs }] of jobs.entries()) {
    replay.offer({ id, submitMs, need: [tasks], runtimeMs, estimateMs: runtimeMs + slackMs });
  }
  replay.finish();
  return starts;
}
