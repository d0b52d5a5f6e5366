import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../test/stint.ts";
import { type SwfJob, swfRow, swfText } from "../../test/swf-text.ts";
import type { SimulationRequest } from "../model/index.ts";
import { simulateFile } from "./index.ts";

const folder = temporaryFolder();
let files = 0;

function fileWith(text: string, ending = ".swf"): string {
  const path = join(folder, `${++files}${ending}`);
  writeFileSync(path, text);
  return path;
}

async function run(text: string, more: Partial<SimulationRequest> = {}) {
  const jobsOut = join(folder, `${++files}.csv`);
  const request: SimulationRequest = {
    trace: fileWith(text),
    discipline: "easy",
    estimates: "requested",
    overrun: "extend",
    lenient: false,
    jobsOut,
    ...more,
  };
  const { report } = await simulateFile(request, { version: "test" });
  return { report, rows: readFileSync(jobsOut, "utf8").trimEnd().split("\n").slice(1) };
}

const columns = (rows: readonly string[], ...wanted: number[]) =>
  rows.map((row) => wanted.map((column) => row.split(",")[column]).join(" "));

describe("from a trace to a report", () => {
  it("SI-1 requested processors count, else allocated; skipped jobs are counted by reason", async () => {
    const { report, rows } = await run(
      swfText([
        { submit: 0, runtime: 10, procs: 3, allocated: 1 },
        { submit: 0, runtime: 10, procs: -1, allocated: 2 },
        { submit: 0, runtime: 10, procs: -1 },
        { submit: 0, runtime: 0, procs: 1 },
        { submit: 0, runtime: -1, procs: 9 },
        { submit: 0, runtime: 10, procs: 5 },
      ]),
    );
    expect(columns(rows, 0, 4)).toEqual(["1 3", "2 2"]);
    expect(report.skipped).toEqual({ noProcs: 1, noRuntime: 2, widerThanMachine: 1, malformed: 0 });
    expect(report).toMatchObject({ jobs: 2, procs: 4, procsFrom: "header MaxProcs" });
  });

  it.each([
    {
      what: "a time beyond 2^53 ms",
      jobs: [{ submit: 0, runtime: 9e12 + 1e11, procs: 1 }],
      says: /^line 2 /,
    },
    { what: "a size", jobs: [{ submit: 0, runtime: 9e12, procs: 4 }], says: /^line 2 / },
    { what: "a submission", jobs: [{ submit: 9e15, runtime: 1, procs: 1 }], says: /^line 2 / },
    { what: "the sum", jobs: new Array(3).fill({ submit: 0, runtime: 4e12, procs: 1 }), says: /^the whole / },
  ])("SI-1 amounts that are not exact are refused: $what", async ({ jobs, says }) => {
    for (const discipline of ["easy", "conservative"] as const) {
      const ran = run(swfText(jobs), { discipline });
      await expect(ran).rejects.toMatchObject({
        code: "beyondCounting",
        what: expect.stringMatching(says),
      });
    }
  });

  it.each([
    { estimates: "requested", overrun: "extend", requested: 50, gives: "100 100", killed: 0 },
    { estimates: "requested", overrun: "extend", requested: 150, gives: "100 150", killed: 0 },
    { estimates: "requested", overrun: "extend", requested: -1, gives: "100 100", killed: 0 },
    { estimates: "requested", overrun: "kill", requested: 50, gives: "50 50", killed: 1 },
    { estimates: "requested", overrun: "kill", requested: -1, gives: "100 100", killed: 0 },
    { estimates: "exact", overrun: "extend", requested: 150, gives: "100 100", killed: 0 },
    { estimates: "exact", overrun: "kill", requested: 50, gives: "50 50", killed: 1 },
  ] as const)("SI-2 QU-17 runtime 100, request $requested, $estimates, $overrun: $gives", async (row) => {
    const text = swfText([{ submit: 0, runtime: 100, procs: 1, requested: row.requested }]);
    const { report, rows } = await run(text, { estimates: row.estimates, overrun: row.overrun });
    expect(columns(rows, 6, 7)).toEqual([row.gives]);
    expect(report.killed).toBe(row.killed);
  });

  it("SI-1 times count from the first simulated job, not from one that was skipped", async () => {
    const { rows } = await run(
      swfText([
        { submit: 100, runtime: -1, procs: 1 },
        { submit: 130, runtime: 5, procs: 1 },
        { submit: 140.25, runtime: 5.5, procs: 1 },
      ]),
    );
    expect(columns(rows, 1, 2, 3)).toEqual(["0 0 5", "10.25 10.25 15.75"]);
  });

  it("an unsorted trace gives the results of the sorted one, and is reported", async () => {
    const sorted: SwfJob[] = Array.from({ length: 5000 }, (_, i) => ({
      id: i + 1,
      submit: 3 * i,
      runtime: 1 + ((i * 7) % 11),
      procs: 1 + (i % 4),
    }));
    const swapped = [...sorted];
    [swapped[4500], swapped[4600]] = [swapped[4600], swapped[4500]];
    const inOrder = await run(swfText(sorted));
    const outOfOrder = await run(swfText(swapped));
    expect(outOfOrder.rows).toEqual(inOrder.rows);
    expect(inOrder.report.unsorted).toBe(0);
    expect(outOfOrder.report.unsorted).toBe(100);
    expect(outOfOrder.report.waitMeanSec).toBe(inOrder.report.waitMeanSec);
  });

  it("SI-5 the measures are those computed by hand", async () => {
    const { report } = await run(
      swfText([
        { submit: 0, runtime: 20, procs: 4 },
        { submit: 0, runtime: 5, procs: 4 },
        { submit: 10, runtime: 30, procs: 2 },
      ]),
      { discipline: "fcfs" },
    );
    // Starts 0, 20, 25; waits 0, 20, 15; responses 20, 25, 45; slowdowns 1, 25/10, 45/30.
    expect(report).toMatchObject({
      waitMeanSec: 35 / 3,
      waitMedianSec: 15,
      waitMaxSec: 20,
      responseMeanSec: 30,
      boundedSlowdownMean: (1 + 2.5 + 1.5) / 3,
      makespanSec: 55,
      backfilled: 0,
    });
    expect(report.waitP95Sec).toBeCloseTo(19.5, 12);
    expect(report.utilisation).toBeCloseTo((80 + 20 + 60) / (4 * 55), 12);
  });

  it("SI-6 rows are in order of submission, whatever the order of ends", async () => {
    const text = swfText([
      { submit: 0, runtime: 100, procs: 1 },
      { submit: 1, runtime: 1, procs: 1 },
      { submit: 2, runtime: 50, procs: 1 },
    ]);
    const { rows } = await run(text);
    expect(columns(rows, 0)).toEqual(["1", "2", "3"]);
  });

  it("SI-7 two runs of the same request differ in clock fields only", async () => {
    const text = swfText([
      { submit: 0, runtime: 100, procs: 3 },
      { submit: 1, runtime: 100, procs: 3 },
    ]);
    const trace = fileWith(text);
    const one = await run(text, { trace });
    const other = await run(text, { trace });
    expect(other.rows).toEqual(one.rows);
    const clocks = { simulationMs: 0, readMs: 0 };
    expect(JSON.stringify({ ...other.report, ...clocks })).toBe(JSON.stringify({ ...one.report, ...clocks }));
  });

  it("SI-6 a result saved as SWF is a workload that simulates to the same schedule", async () => {
    const text = swfText([
      { submit: 0, runtime: 100, procs: 3, requested: 200 },
      { submit: 1, runtime: 100, procs: 3, requested: 50 },
      { submit: 2, runtime: 9, procs: 1, requested: 9 },
    ]);
    const saved = join(folder, "saved.swf.gz");
    const first = await run(text);
    await simulateFile(
      {
        trace: fileWith(text),
        discipline: "easy",
        estimates: "requested",
        overrun: "extend",
        lenient: false,
        jobsOut: saved,
      },
      { version: "test" },
    );
    const second = await run(text, { trace: saved });
    expect(second.rows).toEqual(first.rows);
  });
});

describe("what cannot be simulated", () => {
  it("a trace without simulated jobs is refused with the counts, and leaves no file", async () => {
    const jobsOut = join(folder, "nothing.csv");
    const text = swfText([{ submit: 0, runtime: 1, procs: 5 }]);
    await expect(run(text, { jobsOut })).rejects.toMatchObject({
      code: "noJobLeft",
      why: expect.stringContaining("1 wider than 4 processors"),
    });
    expect(existsSync(jobsOut)).toBe(false);
  });

  it("a trace of which policies admit no job is refused, and leaves no file", async () => {
    const jobsOut = join(folder, "none.csv");
    const agreement = "providers: [{ name: s, procs: 4 }]\npolicies: ['CPU, s, physics, (1h, 50)']\n";
    const policies = { files: [fileWith(agreement, ".policy.yaml")], form: "ours" } as const;
    const text = swfText([{ submit: 0, runtime: 1, procs: 1 }]);
    await expect(run(text, { jobsOut, policies })).rejects.toMatchObject({
      code: "noJobStarted",
      remedy: expect.stringContaining("--owners FILE"),
    });
    expect(existsSync(jobsOut)).toBe(false);
  });

  it("SI-6 a malformed line leaves no output file", async () => {
    const good = Array.from({ length: 9000 }, (_, i) => swfRow({ id: i, submit: i, runtime: 1, procs: 1 }));
    const jobsOut = join(folder, "broken.csv");
    const text = `; MaxProcs: 4\n${good.join("\n")}\n1 2 3\n`;
    await expect(run(text, { jobsOut })).rejects.toMatchObject({ code: "swfFieldCount" });
    expect(readdirSync(folder).filter((name) => name.includes("broken"))).toEqual([]);
  });

  it("SI-97 reservations are respected; one that does not fit is refused with its line", async () => {
    const text = swfText([{ submit: 0, runtime: 10, procs: 3 }]);
    const reservations = fileWith("id,start,duration,procs\nr1,5,20,2\n", ".csv");
    const { rows, report } = await run(text, { reservations });
    expect(columns(rows, 2)).toEqual(["25"]);
    expect(report.reservations).toBe(1);
    const tooMany = fileWith("id,start,duration,procs\nr1,5,20,2\nr2,24.5,3,3\n", ".csv");
    await expect(run(text, { reservations: tooMany })).rejects.toMatchObject({
      kind: "refused",
      what: `${tooMany}:3:1: reservation r2 cannot be made`,
      why: expect.stringContaining("short of 1 at 24.5 s"),
    });
  });

  it("the size of the machine must be known", async () => {
    const text = swfText([{ submit: 0, runtime: 1, procs: 1 }]).replace("; MaxProcs: 4\n", "");
    await expect(run(text)).rejects.toMatchObject({ code: "machineSizeUnknown" });
    expect((await run(`; MaxNodes: 2\n${text}`)).report.procsFrom).toBe("header MaxNodes");
  });
});
