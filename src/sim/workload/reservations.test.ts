import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/stint.ts";
import type { SimulationRequest } from "../../model/index.ts";
import { simulateFile } from "../index.ts";

const folder = temporaryFolder();

type Line = Readonly<Record<string, unknown>>;

/** Four nodes of four processors. */
const site: Line = { pool: "all", nodes: 4, procs: 4 };
/** Whole nodes from 0 on, for so many seconds. */
const whole = (name: string, runtime: number, nodes: number): Line => {
  return { job: name, submit: 0, runtime, procs: 4 * nodes, nodes };
};
const reserved = (id: string, [start, duration, procs]: readonly number[], more: Line = {}): Line => {
  return { reservation: id, start, duration, procs, ...more };
};
const down = (node: number, at: number, until: number): Line => ({ down: "all", node, at, until });

async function run(lines: readonly Line[], more: Partial<SimulationRequest> = {}) {
  const [trace, jobsOut] = [join(folder, "one.workload.jsonl"), join(folder, "rows.csv")];
  writeFileSync(trace, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const rules = { discipline: "easy", estimates: "requested", overrun: "extend", lenient: false } as const;
  const { report } = await simulateFile({ trace, jobsOut, ...rules, ...more }, { version: "test" });
  const rows = readFileSync(jobsOut, "utf8").trimEnd().split("\n").slice(1);
  const starts = Object.fromEntries(rows.map((row) => [row.split(",")[0], Number(row.split(",")[3])]));
  return { report, starts, changes: report.workload?.reservationChanges };
}

const refusalOf = (lines: readonly Line[], more: Partial<SimulationRequest> = {}) =>
  run(lines, more).catch((fault: unknown) => fault);

function csvOf(text: string): string {
  const path = join(folder, "reservations.csv");
  writeFileSync(path, text);
  return path;
}

describe("reservations on nodes", () => {
  it.each(["fcfs", "easy", "conservative", "repack"] as const)(
    "QU-39 SI-97 under %s no job runs into a reservation, and others use the nodes beside it",
    async (discipline) => {
      const { starts, report } = await run(
        [site, whole("long", 20, 3), whole("short", 10, 1), reserved("r", [10, 5, 8], { nodes: 2 })],
        { discipline },
      );
      expect(starts).toEqual({ long: 15, short: discipline === "fcfs" ? 15 : 0 });
      expect(report.reservations).toBe(1);
    },
  );

  it("QU-37 a reservation goes to the nodes free longest, then to the first ones", async () => {
    const two = [reserved("late", [20, 9, 8], { nodes: 2 }), reserved("early", [5, 5, 8], { nodes: 2 })];
    // Late lies on 0 and 1, early on 2 and 3; were both on the same nodes, the others were free at once.
    const jobs = [whole("a", 20, 2), whole("b", 21, 2)];
    expect((await run([site, ...jobs, ...two])).starts).toEqual({ a: 0, b: 10 });
  });

  it("QU-37 processors on any nodes are tasks of one, which leave the rest of a node", async () => {
    const rest = { job: "rest", submit: 0, runtime: 20, procs: 2 };
    const { starts } = await run([site, whole("a", 20, 2), rest, whole("b", 6, 1), reserved("r", [5, 9, 6])]);
    expect(starts).toEqual({ a: 0, rest: 0, b: 14 });
  });

  it("QU-37 one that does not fit beside the others is refused with its line", async () => {
    const two = [reserved("r", [5, 5, 12], { nodes: 3 }), reserved("s", [9, 1, 6], { nodes: 2 })];
    expect(await refusalOf([site, whole("a", 1, 1), ...two])).toMatchObject({
      code: "reservationConflict",
      what: expect.stringContaining(":4:1: reservation s cannot be made"),
      why: expect.stringContaining("1 of its 2 parts find a node with room from 9 s to 10 s"),
    });
  });

  it("QU-40 a node failure moves the tasks reserved there and displaces waiting jobs", async () => {
    const lines = [
      ...[site, reserved("r", [10, 10, 4], { nodes: 1 }), whole("a", 20, 1), whole("b", 9, 3)],
      ...[whole("c", 30, 1), whole("d", 30, 1)],
    ];
    const conservative = { discipline: "conservative", stoppedJobs: "lost" } as const;
    expect((await run(lines, conservative)).starts).toEqual({ a: 0, b: 0, c: 9, d: 9 });
    const { starts, changes } = await run([...lines, down(0, 5, 100)], conservative);
    expect(changes).toEqual([
      {
        ...{ reservation: "r", pool: "all", node: 0, atSec: 5, movedProcs: 4, movedTo: [2] },
        ...{ missingProcs: 0, missingFromSec: null, missingUntilSec: null },
      },
    ]);
    expect(starts).toEqual({ a: 0, c: 5, d: 20 });
  });

  it("QU-40 a task without another node is missing until its own is back, and is reported", async () => {
    const lines = [site, whole("a", 50, 3), reserved("r", [0, 60, 4], { nodes: 1 })];
    const { starts, changes, report } = await run([...lines, down(0, 10, 40)]);
    expect(report.workload?.reservedMissingProcSec).toBe(4 * 30);
    expect(changes).toEqual([
      {
        ...{ reservation: "r", pool: "all", node: 0, atSec: 10, movedProcs: 0, movedTo: [] },
        ...{ missingProcs: 4, missingFromSec: 10, missingUntilSec: 40 },
      },
    ]);
    expect(starts).toEqual({ a: 0 });
  });
});

describe("where reservations come from", () => {
  it("SI-97 rows of a file are in the first pool, and count from the first job", async () => {
    const lines = [site, { ...whole("a", 5, 4), submit: 1000 }];
    const reservations = csvOf("id,start,duration,procs,nodes\nr,2,6,4,1\n");
    const { starts, report } = await run(lines, { reservations });
    expect(starts).toEqual({ a: 8 });
    expect(report.reservations).toBe(1);
    const tooLarge = csvOf("r,2,6,17\n");
    expect(await refusalOf(lines, { reservations: tooLarge })).toMatchObject({
      code: "reservationConflict",
      what: expect.stringContaining("reservations.csv:1:1: reservation r"),
    });
  });

  it("SI-97 rows beside pools without nodes are amounts", async () => {
    const lines = [{ pool: "all", procs: 4 }, whole("a", 5, 1)];
    expect((await run(lines, { reservations: csvOf("r,2,6,1\n") })).starts).toEqual({ a: 8 });
  });

  it.each([
    ["where pools have none", [{ pool: "all", procs: 4 }, whole("a", 5, 1)], {}, "pools have none"],
    ["beside a trace", [], { trace: "examples/poisson.swf" }, "pools have none"],
  ])("SI-97 nodes of a reservation are refused %s", async (_, lines, more, what) => {
    const reservations = csvOf("id,start,duration,procs,nodes\nq,0,1,1,\nr,2,6,4,2\n");
    const fault = await refusalOf(lines, { reservations, ...more });
    expect(fault).toMatchObject({ code: "reservationNodes", what: expect.stringContaining(what) });
    expect(fault).toMatchObject({ what: expect.stringContaining("reservations.csv:3:1: reservation r") });
  });

  it("SI-97 GPUs of a reservation that cannot be divided equally are refused", async () => {
    const gpus = { pool: "all", nodes: 4, procs: 4, gpus: 2 };
    const lines = [gpus, whole("a", 5, 1), reserved("r", [0, 1, 2], { gpus: 1 })];
    expect(await refusalOf(lines)).toMatchObject({
      code: "workloadParts",
      what: expect.stringContaining("reservation r"),
    });
  });
});
