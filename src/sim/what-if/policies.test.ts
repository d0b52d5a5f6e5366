/** Comparisons with recorded starts under usage policies. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/stint.ts";
import type { SimulatedPolicies, SimulationRequest } from "../../model/index.ts";
import { simulateFile, whatIf } from "../index.ts";

const folder = temporaryFolder();
const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

/** Half of four processors for `u1` over an hour, and all of them for a moment. */
const half = file(
  "half.policy.yaml",
  "- (1) CPU, here, u1, (3600,50), (5,50)\n- (2) CPU, here, u2, (3600,50), (5,100)\n",
);
const rules = { discipline: "fcfs", estimates: "requested", overrun: "extend", lenient: false } as const;
const enforced: SimulatedPolicies = { files: [half], form: "ours" };

type Row = readonly [submit: number, wait: number, runtime: number, procs: number, user: number];

const swf = (name: string, rows: readonly Row[]): string =>
  file(
    name,
    `; MaxProcs: 4\n${rows
      .map(([submit, wait, runtime, procs, user], at) =>
        [at + 1, submit, wait, runtime, procs, -1, -1, procs, runtime, -1, 1, user, 1, -1, 1, 1, -1, -1].join(
          " ",
        ),
      )
      .join("\n")}\n`,
  );

const lines = (name: string, rows: readonly Row[], beginning: object[] = []): string => {
  const jobs = rows.map(([submit, wait, runtime, procs, user], at) => {
    return { job: `${at + 1}`, submit, recordedStart: submit + wait, runtime, procs, user: `u${user}` };
  });
  const all = [...beginning, { pool: "all", procs: 4 }, ...jobs];
  return file(name, `${all.map((line) => JSON.stringify(line)).join("\n")}\n`);
};

/** Two jobs of one user that fill the machine together, and one of another user behind them. */
const ROWS: readonly Row[] = [
  [0, 0, 100, 2, 1],
  [0, 0, 100, 2, 1],
  [10, 90, 50, 2, 2],
];

interface Asked {
  readonly policies?: SimulatedPolicies;
  readonly changes?: readonly string[];
}

/** Starts by job: recorded, under today's rules, and under the change. */
async function compared(trace: string, { policies, changes = [] }: Asked) {
  const jobsOut = join(folder, "starts.csv");
  const simulation: SimulationRequest = { trace, ...rules, jobsOut, ...(policies && { policies }) };
  const report = await whatIf({ simulation, changes }, "test");
  const [head = "", ...rows] = readFileSync(jobsOut, "utf8").trim().split("\n");
  const column = (name: string) => rows.map((row) => row.split(",")[head.split(",").indexOf(name)]);
  return {
    report,
    today: column("baseline_start"),
    changed: column("changed_start"),
    names: column("job_id"),
  };
}

describe("a comparison under policies", () => {
  it.each([
    ["a trace in SWF", swf("a.swf", ROWS)],
    ["JSON lines", lines("a.workload.jsonl", ROWS)],
  ])("SI-54 what policies change of %s: the second job of a user who has half waits", async (_, trace) => {
    const { report, today, changed } = await compared(trace, { changes: [`policies=${half}`] });
    expect(today.map(Number)).toEqual([0, 0, 100]);
    // The other user has the half that is free, at once.
    expect(changed.map(Number)).toEqual([0, 100, 10]);
    expect(report.baseline.meanSec).toBe(0);
    expect(report.rules.policies).toEqual([]);
    expect(report.change?.rules.policies).toEqual([half]);
  });

  it("SI-54 the baseline is under the policies of today, and policies=none takes them away", async () => {
    const trace = swf("b.swf", ROWS);
    const { report, today, changed } = await compared(trace, {
      policies: enforced,
      changes: ["policies=none"],
    });
    expect(today.map(Number)).toEqual([0, 100, 10]);
    expect(changed.map(Number)).toEqual([0, 0, 100]);
    expect(report.rules.policies).toEqual([half]);
    // Of three starts one is recorded 100 s earlier, one 90 s later.
    expect(report.baseline.meanSec).toBeCloseTo(190 / 3, 9);
  });

  it("SI-54 without a period the starts are those of a simulation under the policies", async () => {
    const rows = Array.from({ length: 60 }, (_, at): Row => {
      const size = 1 + ((at * 7) % 4);
      return [at * 9, 3, 20 + ((at * 31) % 90), size === 4 ? 1 : size, 1 + (at % 2)];
    });
    const trace = swf("c.swf", rows);
    const { today } = await compared(trace, { policies: enforced });
    const jobsOut = join(folder, "rows.csv");
    await simulateFile({ trace, ...rules, jobsOut, policies: enforced }, { version: "test" });
    const [head = "", ...played] = readFileSync(jobsOut, "utf8").trim().split("\n");
    const startOf = (row: string) => Number(row.split(",")[head.split(",").indexOf("start")]);
    expect(today.map(Number)).toEqual(played.map(startOf));
  });

  it("SI-60 what ran at the beginning goes on, and counts against its consumer's share", async () => {
    const record = lines(
      "d.workload.jsonl",
      [
        [0, 50, 200, 2, 1],
        [60, 40, 30, 2, 1],
        [150, 0, 30, 2, 2],
      ],
      [{ period: 100, until: 1000 }],
    );
    const { report, names, today } = await compared(record, { policies: enforced });
    expect(report.beginning).toMatchObject({ running: 1, waiting: 1, runningWithoutRoom: 0 });
    // It runs until 250, 150 s after the beginning; the second user is not kept waiting.
    expect(Object.fromEntries(names.map((name, at) => [name, Number(today[at])]))).toEqual({ 2: 150, 3: 50 });
  });

  it("SI-54 jobs that the policies never let in are counted", async () => {
    const wide = swf("e.swf", [...ROWS, [20, 200, 10, 4, 1]]);
    const { report } = await compared(wide, { changes: [`policies=${half}`] });
    expect(report.change).toMatchObject({ jobs: 3, incomparable: 1, onlyToday: 1 });
  });

  it.each([
    [["policies="], "no file is named"],
    [["policies=none", `policies=${half}`], "none means no policies"],
  ])("SI-54 %j is refused", async (changes, why) => {
    const asked = compared(swf("f.swf", ROWS), { changes });
    await expect(asked).rejects.toMatchObject({ code: "changeValue", why: expect.stringContaining(why) });
  });
});
