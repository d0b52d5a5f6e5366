import "../../../test/property-seed.ts";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../../test/draws.ts";
import type {
  PlainChange,
  PlainNodeJob,
  PlainNodes,
  PlainOutage,
  PlainReservation,
  PlainSeries,
  PlainSiteEvents,
} from "../../../test/plain/plain-node-scene.ts";
import { playPlainly } from "../../../test/plain/plain-nodes.ts";
import { temporaryFolder } from "../../../test/stint.ts";
import { Fault } from "../../base/index.ts";
import { simulateFile } from "../index.ts";

const folder = temporaryFolder();
const RUNS = draws(60);
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

/** Equal parts on different nodes, or single processors wherever there is room. */
const drawnReservations = fc.array(
  fc
    .record({
      startMs: fc.nat(25),
      lengthMs: fc.integer({ min: 1, max: 14 }),
      memory: fc.nat(2),
      parts: fc.oneof(
        fc.record({ nodes: fc.integer({ min: 1, max: 2 }), procs: fc.integer({ min: 1, max: 3 }) }),
        fc.record({ procs: fc.integer({ min: 1, max: 5 }) }),
      ),
    })
    .map(({ startMs, lengthMs, memory, parts }): PlainReservation => {
      const shape =
        "nodes" in parts
          ? { tasks: parts.nodes, perTask: [parts.procs, memory], mostPerNode: 1 }
          : { tasks: parts.procs, perTask: [1, memory], mostPerNode: parts.procs };
      return { startMs, endMs: startMs + lengthMs, ...shape };
    }),
  { minLength: 1, maxLength: 3 },
);

/** Three nodes where nothing is said; null: a pool without nodes. */
type Site = Pick<PlainNodes, "discipline"> & { readonly nodes?: number | null };

/** The workload as a file, with a second for each ms of the plain version. */
function linesOf(
  jobs: readonly PlainNodeJob[],
  { outages, reservations = [] }: PlainSiteEvents,
  nodes: number | null,
): readonly unknown[] {
  const amountsOf = ({ tasks, perTask }: Pick<PlainNodeJob, "tasks" | "perTask">) => ({
    procs: tasks * perTask[0],
    ...(perTask[1] > 0 ? { memory: tasks * perTask[1] } : {}),
  });
  return [
    { pool: "p", ...(nodes === null ? {} : { nodes }), procs: PER_NODE[0], memory: PER_NODE[1] },
    ...jobs.flatMap((job, id) => {
      const { submitMs, runtimeMs, estimateMs, mostPerNode, cancelMs } = job;
      const parts = mostPerNode === 1 ? { nodes: job.tasks } : { tasksPerNode: mostPerNode };
      const times = { submit: submitMs, runtime: runtimeMs, limit: estimateMs };
      const line = { job: `${id}`, ...times, ...amountsOf(job), ...parts };
      return cancelMs === undefined ? [line] : [line, { cancel: `${id}`, at: cancelMs }];
    }),
    ...outages.map(({ atMs, untilMs, node }) => ({ down: "p", node, at: atMs, until: untilMs })),
    ...reservations.map((reservation, id) => {
      const { tasks, startMs, endMs, mostPerNode } = reservation;
      const parts = mostPerNode === 1 ? { nodes: tasks } : {};
      const times = { start: startMs, duration: endMs - startMs };
      return { reservation: `${id}`, ...times, ...amountsOf(reservation), ...parts };
    }),
  ];
}

/** What the program makes of it, or the code of why it makes nothing. */
async function played(
  jobs: readonly PlainNodeJob[],
  siteEvents: PlainSiteEvents,
  { discipline, nodes = 3 }: Site,
) {
  const trace = join(folder, "nodes.workload.jsonl");
  const jobsOut = join(folder, "nodes.csv");
  const lines = linesOf(jobs, siteEvents, nodes).map((line) => `${JSON.stringify(line)}\n`);
  writeFileSync(trace, lines.join(""));
  const rules = { discipline, estimates: "requested", overrun: "extend", lenient: false } as const;
  const outcome = await simulateFile({ trace, jobsOut, ...rules }, { version: "test" }).catch(refused);
  if (typeof outcome === "string") return outcome;
  const [head, ...rows] = readFileSync(jobsOut, "utf8").trimEnd().split("\n");
  const names = head.split(",");
  const outcomes = jobs.map(() => ({ startMs: -1, promisedMs: -1 }));
  for (const row of rows) {
    const of = (name: string) => Number(row.split(",")[names.indexOf(name)] || -1);
    outcomes[of("job_id")] = { startMs: of("start"), promisedMs: of("planned_start") };
  }
  const changes = outcome.report.workload?.reservationChanges ?? [];
  // The plain version does not say in which order nodes were taken.
  const inOrder = changes.map((one) => ({ ...one, movedTo: one.movedTo.toSorted((a, b) => a - b) }));
  return { outcomes, changes: inOrder };
}

function refused(error: unknown): string {
  if (error instanceof Fault) return error.code;
  throw error;
}

/** As the program tells them. */
function told(changes: readonly PlainChange[], reservations: readonly PlainReservation[]) {
  return changes.map(({ reservation, node, atMs, moved, missing, missingFromMs, missingUntilMs }) => {
    const [procs] = reservations[reservation].perTask;
    return {
      ...{ reservation: `${reservation}`, pool: "p", node, atSec: atMs },
      movedProcs: procs * moved.reduce((sum, tasks) => sum + tasks, 0),
      movedTo: moved.flatMap((tasks, to) => (tasks > 0 ? [to] : [])),
      missingProcs: procs * missing,
      missingFromSec: missing > 0 ? missingFromMs : null,
      missingUntilSec: missing > 0 ? missingUntilMs : null,
    };
  });
}

/** What fits one node, in tasks of one processor. */
function narrowed<T extends Pick<PlainNodeJob, "tasks" | "perTask">>(one: T) {
  const tasks = Math.min(one.tasks, PER_NODE[0]);
  const memory = Math.min(one.perTask[1], Math.floor(PER_NODE[1] / tasks));
  return { ...one, tasks, perTask: [1, memory], mostPerNode: PER_NODE[0] };
}

/** Jobs that did not come to their end say nothing. */
function ended(course: PlainSeries) {
  return course.outcomes.map((one) => (one.startMs < 0 ? { startMs: -1, promisedMs: -1 } : one));
}

const DISCIPLINES = ["fcfs", "easy", "conservative", "repack"] as const;

describe("nodes", () => {
  it.each(DISCIPLINES)(
    "QU-27 QU-28 QU-32 SI-52 under %s starts and promises are those of the plain version",
    async (discipline) => {
      await fc.assert(
        fc.asyncProperty(drawnJobs, drawnOutages, async (jobs, outages) => {
          const course = playPlainly(jobs, { outages }, { nodes: 3, perNode: PER_NODE, discipline });
          const expected = course === undefined ? [] : ended(course);
          fc.pre(expected.some(({ startMs }) => startMs >= 0));
          const found = await played(jobs, { outages }, { discipline });
          expect(found).toEqual({ outcomes: expected, changes: [] });
        }),
        RUNS,
      );
    },
  );
});

describe("reservations on nodes", () => {
  it.each(DISCIPLINES)(
    "QU-37 QU-39 QU-40 SI-97 under %s starts, promises and moves are those of the plain version",
    async (discipline) => {
      let made = 0;
      await fc.assert(
        fc.asyncProperty(drawnJobs, drawnOutages, drawnReservations, async (jobs, outages, reservations) => {
          const siteEvents = { outages, reservations };
          const course = playPlainly(jobs, siteEvents, { nodes: 3, perNode: PER_NODE, discipline });
          if (course === undefined) {
            expect(await played(jobs, siteEvents, { discipline })).toBe("reservationConflict");
            return;
          }
          const outcomes = ended(course);
          fc.pre(outcomes.some(({ startMs }) => startMs >= 0));
          made++;
          const changes = told(course.changes, reservations);
          expect(await played(jobs, siteEvents, { discipline })).toEqual({ outcomes, changes });
        }),
        RUNS,
      );
      expect(made, "some reservations can be made").toBeGreaterThan(0);
    },
  );

  it.each(DISCIPLINES)(
    "QU-39 under %s one node beside reservations gives the starts of the machine",
    async (discipline) => {
      await fc.assert(
        fc.asyncProperty(drawnJobs, drawnReservations, async (drawn, reservations) => {
          const jobs = drawn.map(narrowed);
          const siteEvents = { outages: [], reservations: reservations.map(narrowed) };
          const expected = await played(jobs, siteEvents, { discipline, nodes: null });
          expect(await played(jobs, siteEvents, { discipline, nodes: 1 })).toEqual(expected);
        }),
        RUNS,
      );
    },
  );
});
