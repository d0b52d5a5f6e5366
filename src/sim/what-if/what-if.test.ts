import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/stint.ts";
import type { SimulationRequest, WhatIfRequest } from "../../model/index.ts";
import { simulateFile, whatIf } from "../index.ts";

const folder = temporaryFolder();
let files = 0;

type Line = Readonly<Record<string, unknown>>;
type More = Partial<SimulationRequest> & Omit<Partial<WhatIfRequest>, "simulation">;

const fresh = (ending: string) => join(folder, `${++files}${ending}`);

function fileWith(lines: readonly Line[]): string {
  const path = fresh(".workload.jsonl");
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return path;
}

async function ask(lines: readonly Line[], { changes = [], report: page, live, ...more }: More = {}) {
  const rules = { discipline: "easy", estimates: "requested", overrun: "extend", lenient: false } as const;
  const jobsOut = fresh(".csv");
  const simulation = { trace: fileWith(lines), ...rules, jobsOut, ...more };
  const report = await whatIf(
    { simulation, changes, ...(page === undefined ? {} : { report: page }), ...(live && { live }) },
    "test",
  );
  const rows = readFileSync(jobsOut, "utf8").trim().split("\n").slice(1);
  /** Baseline's starts by job, in seconds after the beginning. */
  const starts = Object.fromEntries(rows.map((row) => [row.split(",")[0], Number(row.split(",")[7])]));
  return { report, rows, starts };
}

const pool = (procs: number): Line => ({ pool: "all", procs });
/** A job of [submit, recorded start, runtime, procs]. */
function job(
  name: string,
  [submit, recordedStart, runtime, procs]: readonly [number, number | null, number, number],
  more: Line = {},
): Line {
  return { job: name, submit, recordedStart, runtime, procs, ...more };
}

describe("the beginning of a record", () => {
  const record = [
    { period: 1000, until: 5000 },
    pool(4),
    job("over", [0, 0, 900, 4]),
    job("long", [10, 500, 2000, 2], { limit: 3000 }),
    job("waited", [600, 2500, 100, 4]),
    job("came", [1200, 1200, 50, 2], { limit: 60 }),
    job("gone", [700, null, 100, 4]),
    { cancel: "gone", at: 900 },
  ];

  it("SI-60 running jobs occupy their processors, and waiting ones precede new arrivals", async () => {
    const { report, starts } = await ask(record);
    expect(report.beginning).toEqual({
      ...{ fromAt: "1970-01-01T00:16:40.000Z", running: 1, runningWithoutRoom: 0, waiting: 1, over: 2 },
    });
    // The long one has 1500 s left of its run time and 2500 s of its limit.
    expect(starts).toEqual({ waited: 1500, came: 200 });
    expect(report.baseline).toMatchObject({ jobs: 2, medianSec: 0, p95Sec: 0, biasSec: 0 });
  });

  it.each(["size", "length", "age"] as const)(
    "SI-60 running jobs precede all others under the priority %s",
    async (priority) => {
      const { report, starts } = await ask(record, { priority });
      expect(report.beginning).toMatchObject({ running: 1, runningWithoutRoom: 0 });
      expect(starts.waited).toBe(1500);
    },
  );

  it("SI-60 the wait of a job already queued counts from its eligibility", async () => {
    const { report } = await ask(record);
    expect(report.baseline.recordedWait.meanSec).toBe((1900 + 0) / 2);
    expect(report.baseline.simulatedWait).toEqual(report.baseline.recordedWait);
  });

  it("SI-60 a running job that does not fit is counted", async () => {
    const { report } = await ask([
      { period: 100 },
      pool(4),
      ...["a", "b"].map(half),
      job("c", [200, 300, 9, 1]),
    ]);
    expect(report.beginning).toMatchObject({ running: 2, runningWithoutRoom: 1 });
  });
  const half = (name: string) => job(name, [0, 0, 1000, 3]);

  it("SI-60 without a period the record begins with its first job", async () => {
    const { report } = await ask(record.slice(1).filter(({ cancel }) => cancel === undefined));
    expect(report.beginning).toMatchObject({ fromAt: null, running: 0, waiting: 0, over: 0 });
  });

  it("SI-60 a simulation without a comparison ignores the recorded starts", async () => {
    const trace = fileWith([pool(4), job("a", [0, 500, 100, 4])]);
    const rules = { discipline: "easy", estimates: "requested", overrun: "extend", lenient: false } as const;
    const { report } = await simulateFile({ trace, ...rules }, { version: "test" });
    expect(report.waitMaxSec).toBe(0);
  });
});

describe("the baseline", () => {
  const lines = [
    pool(4),
    job("a", [0, 0, 1000, 4], { queue: "batch" }),
    // Simulated at 1000 s each: off by 100 s of a wait of 900 s, and by 3000 s.
    job("b", [0, 900, 10, 2], { queue: "batch" }),
    job("c", [0, 4000, 10, 2], { queue: "debug" }),
    job("d", [0, null, 10, 1]),
  ];

  it("SI-61 the error of starts has its size and its sign", async () => {
    const { baseline, withoutRecord } = (await ask(lines)).report;
    expect(baseline).toMatchObject({ jobs: 3, medianSec: 100, biasSec: (100 - 3000) / 3 });
    expect(baseline.meanSec).toBeCloseTo(3100 / 3, 9);
    expect(baseline.p95Sec).toBeCloseTo(2710, 9);
    expect(baseline.within15MinShare).toBe(2 / 3);
    expect(baseline.within10PercentShare).toBe(1 / 3);
    expect(withoutRecord).toBe(1);
  });

  it("SI-61 errors are grouped by queue and size", async () => {
    const { groups } = (await ask(lines)).report.baseline;
    expect(groups.map(({ by, name, jobs, medianSec }) => [by, name, jobs, medianSec])).toEqual([
      ["queue", "batch", 2, 50],
      ["queue", "debug", 1, 3000],
      ["size", "2", 2, 1550],
      ["size", "3–4", 1, 0],
    ]);
  });

  it.each([
    { lines: [pool(1), { job: "a", submit: 0, runtime: 1, procs: 1 }], code: "noRecordedStart" },
    { lines, more: { sampleSlotsMs: 1000 }, code: "optionMisplaced" },
    { lines, more: { changes: ["disciplin=easy"] }, code: "changeUnknown" },
    { lines, more: { changes: ["discipline=easyy"] }, code: "changeValue" },
    { lines, more: { changes: ["pool.all.procs=0"] }, code: "changeValue" },
    { lines, more: { changes: ["pool.none.procs=5"] }, code: "changePool" },
  ])("an impossible comparison is refused: $code", async ({ lines: said, more = {}, code }) => {
    await expect(ask(said, more)).rejects.toMatchObject({ code });
  });
});

describe("a change of rules", () => {
  // Under fcfs "b" keeps "c" waiting; under easy "c" goes by.
  const lines = [
    pool(4),
    job("a", [0, 0, 1000, 2], { user: "ada", group: "physics" }),
    job("b", [1, 1000, 500, 4], { user: "bob", group: "biology" }),
    job("c", [2, 1500, 600, 2], { user: "ada", group: "physics" }),
  ];

  it("SI-61 jobs that start earlier and later are counted, with the differences", async () => {
    const { change } = (await ask(lines, { discipline: "fcfs", changes: ["discipline=easy"] })).report;
    expect(change).toMatchObject({
      ...{ jobs: 3, netSec: -1498, meanSec: 1498 / 3, incomparable: 0, isWithinError: false },
      earlier: { jobs: 1, medianSec: 1498, p95Sec: 1498, totalSec: 1498 },
      later: { jobs: 0, totalSec: 0 },
      rules: { discipline: "easy" },
    });
    expect(change?.groups.filter(({ netSec }) => netSec !== 0).map(({ by, name }) => [by, name])).toEqual([
      ["size", "2"],
      ["group", "physics"],
      ["user", "ada"],
    ]);
  });

  it("pools can be changed, and several rules at once", async () => {
    const changes = ["pool.all.procs=8", "pool.all.memory=1G", "estimates=exact", "overrun=kill"];
    const { change } = (await ask(lines, { changes })).report;
    expect(change?.rules).toMatchObject({
      ...{ estimates: "exact", overrun: "kill" },
      pools: [{ name: "all", procs: 8, memoryBytes: 1024 ** 3 }],
    });
    expect(change?.waitChanged.meanSec).toBe(0);
  });

  it("SI-61 a baseline error larger than the effect is stated", async () => {
    const off = lines.map((line) => ("job" in line ? { ...line, recordedStart: 90_000 } : line));
    const { change } = (await ask(off, { discipline: "fcfs", changes: ["discipline=easy"] })).report;
    expect(change?.isWithinError).toBe(true);
    expect(change?.verdict).toMatch(
      /^The baseline is off by 1d00h in the mean, more than the 8m19s by which/,
    );
  });

  it("rows per job have the recorded, today's and the changed start", async () => {
    const { rows } = await ask(lines, { discipline: "fcfs", changes: ["discipline=easy"] });
    expect(rows[2]).toBe("c,,physics,ada,2,2,1500,1500,2");
  });

  it("the page begins with the baseline, runs no scripts, and escapes names", async () => {
    const page = fresh(".html");
    const odd = lines.map((line) => ("user" in line ? { ...line, user: "<b>&" } : line));
    await ask(odd, { discipline: "fcfs", changes: ["discipline=easy"], report: page });
    const html = readFileSync(page, "utf8");
    expect(html).not.toMatch(/<script|src=|href=|<b>&/);
    expect(html).toContain("&lt;b&gt;&amp;");
    expect(html.indexOf("what really happened")).toBeLessThan(html.indexOf("With discipline=easy"));
  });
});

describe("a queue as it is now", () => {
  const lines = [
    { period: 1000 },
    pool(4),
    job("running 1", [999, 999, 101, 4]),
    { job: "wide", submit: 1000, recordedStart: 1100, limit: 50, procs: 4 },
    { job: "thin", submit: 1000, limit: 20, procs: 1 },
  ];
  const live = "the queue of west";

  it("a queue is compared with the starts that the batch system expects, under its given name", async () => {
    const { report, starts } = await ask(lines, { live, changes: ["pool.all.procs=5"] });
    expect(report).toMatchObject({ trace: live, comparedWith: "expected", withoutRecord: 1 });
    expect(report.beginning).toMatchObject({ running: 1, waiting: 2 });
    expect(report.baseline).toMatchObject({ jobs: 1, medianSec: 0 });
    expect(starts).toEqual({ wide: 100, thin: 150 });
    expect(report.change).toMatchObject({ earlier: { jobs: 1 }, isWithinError: false });
  });

  it("without expected starts the effect is reported, and the error as unknown", async () => {
    const without = lines.map(({ recordedStart: _, ...line }: Line) => line);
    const page = fresh(".html");
    const { report } = await ask(without, { live, changes: ["pool.all.procs=5"], report: page });
    expect(report.baseline.jobs).toBe(0);
    expect(report.change?.verdict).toMatch(/how far off today's rules are is not known/);
    expect(readFileSync(page, "utf8")).toContain("Of no job is known when the batch system expects it");
  });
});

describe("jobs that were cancelled while they waited", () => {
  /** Four processors are free, and yet `kept` never began: a dependency, say. */
  const kept = [
    { period: 0, until: 9000 },
    pool(4),
    job("kept", [10, null, 5000, 4], { limit: 6000 }),
    { cancel: "kept", at: 3000 },
    job("one", [20, 20, 100, 4], { limit: 200 }),
    job("two", [30, 120, 100, 4], { limit: 200 }),
  ];

  it("do not occupy what they never had; how many they are is told", async () => {
    const { report, starts } = await ask(kept);
    expect(starts).toEqual({ one: 10, two: 110 });
    expect(report).toMatchObject({ neverStarted: 1, baseline: { medianSec: 0 } });
  });

  it("wait among the others where they would have waited", async () => {
    const waiting = [
      { period: 0, until: 9000 },
      pool(4),
      job("first", [0, 0, 1000, 3], { limit: 1000 }),
      job("wide", [10, null, 5000, 4], { limit: 6000 }),
      { cancel: "wide", at: 500 },
      job("long", [20, 500, 3000, 1], { limit: 3000 }),
    ];
    const { report, starts } = await ask(waiting);
    expect(starts).toEqual({ first: 0, long: 500 });
    expect(report.neverStarted).toBe(0);
  });

  it("are left out of the changed rules, too, where they are of today's", async () => {
    const { report } = await ask(kept, { changes: ["pool.all.procs=8"] });
    expect(report.change).toMatchObject({ earlier: { jobs: 1 } });
  });
});

describe("a trace in SWF", () => {
  const swfRow = (id: number, [submit, wait, runtime, procs, requested]: readonly number[]) =>
    `${id} ${submit} ${wait} ${runtime} ${procs} -1 -1 ${procs} ${requested} -1 1 ${id % 2} 3 -1 0 -1 -1 -1`;
  const rows = [
    [0, 0, 100, 3, 200],
    [10, 190, 50, 2, 60],
    [20, 5, 30, 1, 100],
    [30, 300, 40, 4, 40],
    [40, -1, 20, 1, 20],
  ] as const;

  it("is compared with its recorded waits, and changed, as the same record in JSON lines", async () => {
    const trace = fresh(".swf");
    const text = rows.map((row, at) => swfRow(at + 1, row)).join("\n");
    writeFileSync(trace, `; MaxProcs: 4\n${text}\n`);
    const lines = rows.map(([submit, wait, runtime, procs, limit], at) =>
      job(String(at + 1), [submit, wait < 0 ? null : submit + wait, runtime, procs], {
        ...{ limit, user: `u${(at + 1) % 2}`, group: "g3", queue: "q0" },
      }),
    );
    for (const changes of [[], ["pool.site.procs=8"], ["discipline=fcfs"]]) {
      const ours = await ask([], { trace, changes });
      const same = await ask([{ pool: "site", procs: 4 }, ...lines], { changes });
      expect(ours.rows).toEqual(same.rows);
      const { trace: _, traceSha256: __, ...report } = ours.report;
      expect(same.report).toMatchObject(report);
      expect(ours.rows).toHaveLength(rows.length);
    }
  });

  it("takes the size of its machine from --procs, and says when nobody tells it", async () => {
    const trace = fresh(".swf");
    writeFileSync(trace, `${rows.map((row, at) => swfRow(at + 1, row)).join("\n")}\n`);
    expect((await ask([], { trace, procs: 4 })).report.rules.pools).toMatchObject([
      { name: "site", procs: 4 },
    ]);
    await expect(ask([], { trace })).rejects.toMatchObject({ code: "machineSizeUnknown" });
  });
});
