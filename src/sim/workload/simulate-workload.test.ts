import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/stint.ts";
import type { SimulationRequest } from "../../model/index.ts";
import { simulateFile } from "../index.ts";

const folder = temporaryFolder();
let files = 0;

type Line = Readonly<Record<string, unknown>>;

function fileWith(lines: readonly Line[]): string {
  const path = join(folder, `${++files}.workload.jsonl`);
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return path;
}

async function run(lines: readonly Line[], more: Partial<SimulationRequest> = {}) {
  const jobsOut = join(folder, `${++files}.csv`);
  const trace = fileWith(lines);
  const base = { discipline: "easy", estimates: "requested", overrun: "extend", lenient: false } as const;
  const { report } = await simulateFile({ trace, ...base, jobsOut, ...more }, { version: "test" });
  const rows = readFileSync(jobsOut, "utf8").trimEnd().split("\n").slice(1);
  const starts = Object.fromEntries(rows.map((row) => [row.split(",")[0], Number(row.split(",")[3])]));
  return { report, facts: report.workload, starts, rows };
}

const refusalOf = (lines: readonly Line[], more: Partial<SimulationRequest> = {}) =>
  run(lines, more).catch((fault: unknown) => fault);

/** A job of [submit, runtime, procs]. */
const job = (
  name: string,
  [submit, runtime, procs]: readonly [number, number, number],
  more: Line = {},
): Line => ({ ...{ job: name, submit, runtime, procs }, ...more });
const pool = (name: string, procs: number, more: Line = {}): Line => ({ pool: name, procs, ...more });

describe("a workload with several resources", () => {
  it("SI-1 jobs wait for memory and GPUs as for processors", async () => {
    const { starts } = await run([
      pool("all", 8, { memory: "8G", gpus: 1 }),
      job("a", [0, 10, 1], { memory: "6G" }),
      job("b", [1, 10, 1], { memory: "4G" }),
      job("c", [2, 10, 1], { gpus: 1 }),
      job("d", [3, 10, 1], { gpus: 1 }),
    ]);
    expect(starts).toEqual({ a: 0, b: 10, c: 2, d: 12 });
  });

  it("SI-1 a job runs in the pools it names, and times count from the first submission", async () => {
    const { starts, rows } = await run([
      ...[pool("one", 2), pool("two", 2)],
      ...[job("a", [100, 10, 2], { pools: ["two"] }), job("b", [101, 10, 2], { pools: ["two"] })],
      job("c", [101, 5, 2]),
    ]);
    expect(starts).toEqual({ a: 0, b: 10, c: 1 });
    expect(rows.map((row) => row.split(",")[1])).toEqual(["two", "two", "one"]);
  });

  it("SI-1 a job that fits no pool is skipped and counted by reason", async () => {
    const { facts, report } = await run([
      ...[pool("thin", 8, { memory: "1G" }), pool("fat", 2, { memory: "8G", gpus: 1 })],
      job("fits", [0, 10, 1]),
      job("procs", [0, 10, 9]),
      job("memory", [0, 10, 1], { memory: "9G" }),
      job("gpus", [0, 10, 1], { gpus: 2 }),
      job("together", [0, 10, 4], { memory: "4G" }),
      job("elsewhere", [0, 10, 1], { pools: ["other"] }),
      job("nothing", [0, 0, 1]),
    ]);
    expect(facts?.fitNowhere).toEqual({ unknownPool: 1, procs: 1, memory: 1, gpus: 1, together: 1 });
    expect(report.skipped).toEqual({ noProcs: 0, noRuntime: 1, widerThanMachine: 5, malformed: 0 });
    expect(report.jobs).toBe(1);
  });

  it("SI-1 the options describe the site where the file has no pools", async () => {
    const lines = [job("a", [0, 10, 4], { memory: "1G" }), job("b", [0, 10, 1], { memory: "4G" })];
    const { report, starts } = await run(lines, { procs: 5, memoryBytes: 4 * 1024 ** 3 });
    expect(report).toMatchObject({ procs: 5, procsFrom: "option" });
    expect(starts).toEqual({ a: 0, b: 10 });
    expect(await refusalOf(lines)).toMatchObject({ code: "siteMissing" });
    expect(await refusalOf([pool("all", 4), ...lines], { procs: 5 })).toMatchObject({
      code: "optionMisplaced",
    });
  });

  it("SI-1 the rules of estimates are those of a trace", async () => {
    const late = [pool("all", 1), job("a", [0, 100, 1], { limit: 50 })];
    expect((await run(late)).rows[0]).toContain(",100,100,");
    const { report, rows } = await run(late, { overrun: "kill" });
    expect(rows[0]).toContain(",50,50,");
    expect(report.killed).toBe(1);
  });
});

describe("what happens beside arrivals and ends", () => {
  it("SI-51 a job that is cancelled while its user's limit keeps it out never runs", async () => {
    const limits = join(folder, "limits.yaml");
    writeFileSync(limits, "users: { default: { maxProcs: 1 } }\n");
    const lines = [
      pool("all", 8),
      ...["a", "b", "c"].map((name) => job(name, [0, 10, 1], { user: "ann" })),
      { cancel: "b", at: 5 },
    ];
    const { starts, facts } = await run(lines, { priority: "maui", priorityConfig: limits });
    expect(starts).toEqual({ a: 0, c: 10 });
    expect(facts?.cancelled).toEqual({ waiting: 1, running: 0, ended: 0 });
  });

  it("SI-51 cancelled jobs leave, waiting or running, and are counted", async () => {
    const { facts, starts, report } = await run([
      ...[
        pool("all", 2),
        job("a", [0, 10, 2]),
        job("b", [1, 10, 2]),
        job("c", [2, 10, 2]),
        job("d", [9, 1, 1]),
        job("e", [6, 9, 1]),
      ],
      ...[
        { cancel: "b", at: 5 },
        { cancel: "a", at: 4 },
        { cancel: "c", at: 50 },
        { cancel: "d", at: 8 },
        { cancel: "e", at: 7 },
      ],
    ]);
    expect(facts?.cancelled).toEqual({ waiting: 2, running: 2, ended: 1 });
    expect(starts).toEqual({ c: 5 });
    expect(report.jobs).toBe(1);
    expect(facts?.wastedProcSec).toBe(8 + 2);
  });

  it.each([
    { stoppedJobs: "requeue", starts: { a: 0, b: 20 }, requeued: 1, lost: 0 },
    { stoppedJobs: "lost", starts: { a: 0 }, requeued: 0, lost: 1 },
  ] as const)(
    "SI-51 jobs stopped by an outage: $stoppedJobs",
    async ({ stoppedJobs, starts, requeued, lost }) => {
      const outcome = await run(
        [
          ...[pool("all", 4), job("a", [0, 30, 2]), job("b", [1, 10, 2])],
          { down: "all", procs: 2, at: 5, until: 20 },
        ],
        { stoppedJobs },
      );
      expect(outcome.starts).toEqual(starts);
      expect(outcome.facts).toMatchObject({ outages: 1, stopped: 1, requeued, lost, wastedProcSec: 8 });
      expect(outcome.facts?.downProcSec).toBe(30);
    },
  );

  it.each(["fcfs", "easy", "conservative", "repack"] as const)(
    "SI-51 under %s reservations hold, and capacity that is down is not used",
    async (discipline) => {
      const { starts, facts } = await run(
        [
          ...[pool("all", 2), { reservation: "m", start: 10, duration: 10, procs: 2 }],
          ...[job("a", [0, 5, 1]), job("b", [1, 12, 2]), job("c", [2, 5, 1])],
          { down: "all", procs: 1, at: 3, until: 40 },
        ],
        { discipline },
      );
      expect(facts?.brokenReservations).toBe(1);
      expect(starts.b).toBe(40);
    },
  );

  it.each([
    ["a job that is not there", { cancel: "x", at: 1 }, "jobUnknown"],
    ["a pool that is not there", { down: "x", procs: 1, at: 1, until: 2 }, "poolUnknown"],
    ["more down than there is", { down: "all", procs: 5, at: 1, until: 2 }, "downTwice"],
    ["a node that is not there", { down: "all", node: 1, at: 1, until: 2 }, "nodeUnknown"],
    ["a job twice", job("a", [3, 1, 1]), "jobTwice"],
    ["a pool twice", pool("all", 3), "poolTwice"],
    ["a reservation too large", { reservation: "r", start: 0, duration: 1, procs: 5 }, "reservationConflict"],
  ])("SI-51 %s is refused with its line", async (_, line, code) => {
    const fault = await refusalOf([pool("all", 4), job("a", [0, 9, 1]), line]);
    expect(fault).toMatchObject({ code, what: expect.stringContaining(":3:1: ") });
  });
});

describe("nodes", () => {
  const site = pool("all", 4, { nodes: 2, memory: "4G" });

  it("SI-52 free processors on different nodes do not fit a task of one node", async () => {
    const four = [job("a", [0, 10, 3], { nodes: 1 }), job("b", [0, 20, 3], { nodes: 1 })];
    const { starts } = await run([site, ...four, job("c", [1, 5, 2], { nodes: 1 }), job("d", [2, 5, 2])]);
    expect(starts).toEqual({ a: 0, b: 0, c: 10, d: 2 });
  });

  it("SI-52 tasksPerNode limits the tasks on one node", async () => {
    const lines = [site, job("a", [0, 10, 3], { nodes: 1 }), job("b", [1, 5, 4], { tasksPerNode: 2 })];
    expect((await run(lines)).starts.b).toBe(10);
    expect(
      (await run([site, job("a", [0, 5, 6], { tasksPerNode: 2 }), job("b", [0, 5, 1])])).facts,
    ).toMatchObject({
      fitNowhere: { together: 1 },
    });
  });

  it("SI-52 a node that is down stops its own jobs, and only these", async () => {
    const { starts, facts } = await run([
      ...[site, job("a", [0, 10, 4], { nodes: 1 }), job("b", [1, 30, 2], { nodes: 1 })],
      { down: "all", node: 0, at: 5, until: 60 },
    ]);
    expect(facts).toMatchObject({ stopped: 1, requeued: 1 });
    expect(starts).toEqual({ a: 31, b: 1 });
  });

  it("SI-52 conservative plans nodes for each job, not only amounts", async () => {
    const lines = [
      site,
      ...[job("a", [0, 10, 4], { nodes: 1 }), job("b", [0, 4, 4], { nodes: 1 })],
      ...[job("wide", [1, 5, 8], { nodes: 2 }), job("long", [2, 12, 4], { nodes: 1 })],
      job("short", [3, 6, 4], { nodes: 1 }),
    ];
    const { starts } = await run(lines, { discipline: "conservative" });
    expect(starts).toEqual({ a: 0, b: 0, wide: 10, long: 15, short: 4 });
  });

  it.each([
    ["amounts that are down", { down: "all", procs: 1, at: 0, until: 1 }, "nodeMissing"],
    ["a node that is down already", { down: "all", node: 0, at: 1, until: 5 }, "downTwice"],
    ["GPUs of a job that cannot be parted", job("b", [0, 1, 2], { gpus: 1 }), "workloadParts"],
  ])("%s are refused", async (_, line, code) => {
    const down = { down: "all", node: 0, at: 0, until: 2 };
    expect(await refusalOf([site, job("a", [0, 3, 2]), down, line])).toMatchObject({
      code,
      what: expect.stringContaining(":4:1: "),
    });
  });
});

describe("files and options", () => {
  it("SI-6 rows are of the jobs that ended, in order of submission, with unchanged names", async () => {
    const { rows } = await run(
      [pool("p,1", 1, { memory: "1G" }), job('x"', [5, 2, 1], { user: "u" }), job("w", [0, 10, 1])],
      { discipline: "conservative" },
    );
    expect(rows).toEqual(['w,"p,1",0,0,10,1,0,0,0,10,10,,0,0', '"x""","p,1",5,10,12,1,0,0,5,2,2,u,10,0']);
  });

  it.each([
    { option: { jobsOut: "jobs.swf" }, of: "jsonl" },
    { option: { sampleSlotsMs: 1000 }, of: "jsonl on nodes" },
    { option: { discipline: "exec:true" }, of: "jsonl on nodes" },
    { option: { gpus: 1, trace: "t.swf" }, of: "swf" },
  ])("SI-54 $option has no effect for $of", async ({ option, of }) => {
    const fault = await refusalOf(
      [pool("all", 1, of === "jsonl on nodes" ? { nodes: 2 } : {}), job("a", [0, 1, 1])],
      option as Partial<SimulationRequest>,
    );
    expect(fault).toMatchObject({ code: "optionMisplaced" });
  });

  it("SI-7 two runs give the same, clock fields aside", async () => {
    const example = { trace: "examples/two-pools.workload.jsonl" };
    const [one, other] = [await run([], example), await run([], example)];
    expect(one.rows).toEqual(other.rows);
    expect({ ...one.report, simulationMs: 0, readMs: 0 }).toEqual({
      ...{ ...other.report, simulationMs: 0, readMs: 0 },
    });
  });
});
