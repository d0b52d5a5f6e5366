import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/stint.ts";
import { DISCIPLINES, type PolicyTrial, type SimulationRequest } from "../../model/index.ts";
import { affectedBy, simulateFile } from "../index.ts";

const folder = temporaryFolder();
let files = 0;

type Line = Readonly<Record<string, unknown>>;

function written(text: string, ending: string): string {
  const path = join(folder, `${++files}${ending}`);
  writeFileSync(path, text);
  return path;
}

const workload = (lines: readonly Line[]) =>
  written(lines.map((line) => `${JSON.stringify(line)}\n`).join(""), ".workload.jsonl");

/** Shares as `resource consumer percent`: so much over an hour, and at once. */
const policiesOf = (shares: readonly string[]) =>
  written(
    shares
      .map((share, at) => {
        const [resource, consumer, percent] = share.split(" ");
        return `- (${at + 1}) ${resource}, here, ${consumer}, (3600,${percent}), (5,${percent})\n`;
      })
      .join(""),
    ".policy.yaml",
  );

async function play(
  lines: readonly Line[],
  shares: readonly string[],
  more: Partial<SimulationRequest> = {},
  writeError: (text: string) => void = () => {},
) {
  const jobsOut = join(folder, `${++files}.csv`);
  const rules = { discipline: "fcfs", estimates: "exact", overrun: "extend", lenient: false } as const;
  const policies = { files: [policiesOf(shares)], form: "ours" } as const;
  const request = { trace: workload(lines), ...rules, jobsOut, policies, ...more };
  const { report } = await simulateFile(request, { version: "test", writeError });
  return { report, starts: startsIn(jobsOut) };
}

/** A program that starts whoever comes or goes on, and tells on stderr what it hears. */
const GREEDY = `
  const names = new Map();
  require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const m = JSON.parse(line);
    if (m.kind === "hello") console.log('{"protocol":1}');
    if (m.kind !== "instant") return;
    for (const e of m.events) if (e.kind === "submitted") names.set(e.id, e.name);
    const words = m.events.map((e) => e.kind + (names.has(e.id) ? " " + names.get(e.id) : ""));
    if (words.length > 0) console.error(m.now + " " + words.join(", "));
    const start = m.events.filter((e) => e.kind === "submitted" || e.kind === "resumed").map((e) => e.id);
    console.log(JSON.stringify({ start }));
  });`;

async function startsWithout(lines: readonly Line[], more: Partial<SimulationRequest>) {
  const jobsOut = join(folder, `${++files}.csv`);
  const rules = { discipline: "fcfs", estimates: "exact", overrun: "extend", lenient: false } as const;
  await simulateFile({ trace: workload(lines), ...rules, jobsOut, ...more }, { version: "test" });
  return startsIn(jobsOut);
}

function startsIn(jobsOut: string): Readonly<Record<string, number>> {
  const rows = readFileSync(jobsOut, "utf8").trimEnd().split("\n").slice(1);
  return Object.fromEntries(rows.map((row) => [row.split(",")[0], Number(row.split(",")[3])]));
}

const codeOf = (played: Promise<unknown>) =>
  played.then(
    () => "none",
    (fault: { readonly code: string }) => fault.code,
  );

/** A job of [submit, runtime, procs] of a user. */
function job(
  name: string,
  user: string,
  [submit, runtime, procs]: readonly [number, number, number],
  more: Line = {},
): Line {
  return { job: name, user, submit, runtime, procs, ...more };
}

const pool = (name: string, procs: number, more: Line = {}): Line => ({ pool: name, procs, ...more });

describe("SI-80 a workload in JSON lines under policies", () => {
  it("shares are of all pools together, and each job runs in the pools that it names", async () => {
    const lines = [
      ...[pool("one", 4), pool("two", 4)],
      ...["a", "b", "c"].map((name) => job(name, "ann", [0, 100, 2], { pools: ["one"] })),
      job("d", "ann", [0, 100, 2], { pools: ["two"] }),
    ];
    // Half of eight: two jobs at once, wherever; the third waits though its pool has room.
    expect((await play(lines, ["CPU ann 50"])).starts).toEqual({ a: 0, b: 0, c: 100, d: 100 });
    // Three quarters: the third is let in, and waits in the queue of its pool.
    expect((await play(lines, ["CPU ann 75"])).starts).toEqual({ a: 0, b: 0, c: 100, d: 100 });
    expect((await play(lines, ["CPU ann 100"])).starts).toEqual({ a: 0, b: 0, c: 100, d: 0 });
  });

  it("a limit on GPUs or on memory holds as one on processors does", async () => {
    const lines = [
      pool("all", 8, { memory: "8G", gpus: 4 }),
      ...["a", "b"].map((name) => job(name, "ann", [0, 100, 1], { gpus: 2, memory: "3G" })),
    ];
    const free = ["CPU ann 100", "GPU ann 100", "memory ann 100"];
    expect((await play(lines, free)).starts).toEqual({ a: 0, b: 0 });
    expect((await play(lines, ["CPU ann 100", "GPU ann 50"])).starts).toEqual({ a: 0, b: 100 });
    expect((await play(lines, ["CPU ann 100", "memory ann 50"])).starts).toEqual({ a: 0, b: 100 });
  });

  it("a cancelled job leaves, waiting or running, and is counted", async () => {
    const lines = [
      pool("all", 4),
      job("runs", "ann", [0, 100, 2]),
      job("waits", "ann", [0, 100, 2]),
      job("next", "ann", [0, 100, 2]),
      { cancel: "waits", at: 10 },
      { cancel: "runs", at: 20 },
    ];
    const { report, starts } = await play(lines, ["CPU ann 50"]);
    expect(starts).toEqual({ next: 20 });
    expect(report.workload?.cancelled).toEqual({ waiting: 1, running: 1, ended: 0 });
    expect(report.workload?.wastedProcSec).toBe(40);
  });

  it.each([
    ["requeue", { b: 0, a: 100 }],
    ["lost", { b: 0 }],
  ] as const)("what is down is not available; who ran there: %s", async (stoppedJobs, expected) => {
    const lines = [
      ...[pool("one", 2), pool("two", 2), { down: "one", procs: 2, at: 50, until: 100 }],
      job("a", "ann", [0, 60, 2], { pools: ["one"] }),
      job("b", "ann", [0, 100, 2], { pools: ["two"] }),
    ];
    const { report, starts } = await play(lines, ["CPU ann 100"], { stoppedJobs });
    expect(starts).toEqual(expected);
    expect(report.workload).toMatchObject({ outages: 1, stopped: 1, wastedProcSec: 100, downProcSec: 100 });
  });

  it("without an effective limit the run equals one without policies, job for job", async () => {
    const lines = [
      ...[pool("one", 3, { memory: "4G" }), pool("two", 2, { memory: "2G" })],
      ...Array.from({ length: 40 }, (_, at) =>
        job(`j${at}`, "ann", [7 * at, 20 + ((at * 37) % 50), 1 + (at % 2)], {
          memory: "1G",
          ...(at % 3 === 0 ? { pools: ["two"] } : {}),
        }),
      ),
    ];
    const { starts } = await play(lines, ["CPU ann 100"]);
    const jobsOut = join(folder, `${++files}.csv`);
    const rules = { discipline: "fcfs", estimates: "exact", overrun: "extend", lenient: false } as const;
    await simulateFile({ trace: workload(lines), ...rules, jobsOut }, { version: "test" });
    expect(Object.keys(starts)).toHaveLength(readFileSync(jobsOut, "utf8").trimEnd().split("\n").length - 1);
  });

  it("reserved amounts stay free under any discipline", async () => {
    const lines = [pool("all", 4), job("a", "ann", [0, 10, 2]), job("b", "ann", [0, 10, 2])];
    const reserved = { reservation: "r", pool: "all", start: 5, duration: 5, procs: 2 };
    for (const discipline of DISCIPLINES) {
      const { starts } = await play([...lines, reserved], ["CPU ann 100"], { discipline });
      expect(starts).toEqual({ a: 0, b: 10 });
    }
  });

  it("on nodes, policies without limits start jobs as without policies", async () => {
    for (let seed = 1; seed <= 12; seed++) {
      const drawn = (at: number, count: number) => (((at + 3) * (seed + 7) * 2654435761) >>> 8) % count;
      const lines = Array.from({ length: 30 }, (_, at) =>
        job(`j${at}`, "ann", [5 * at + drawn(at, 5), 5 + drawn(at + 50, 40), 1 + drawn(at + 90, 3)], {
          ...(drawn(at + 70, 3) === 0 ? { nodes: 1 + drawn(at + 90, 3) } : {}),
        }),
      );
      const all = [pool("all", 4, { nodes: 3 }), ...lines];
      const enforced = await play(all, ["CPU ann 100"]);
      expect(Object.keys(enforced.starts)).toHaveLength(30);
      expect(enforced.starts).toEqual(await startsWithout(all, { discipline: "fcfs" }));
    }
  });

  it("shares hold on nodes under any discipline, with an outage and a reservation", async () => {
    const lines = [
      pool("all", 2, { nodes: 2 }),
      ...["a", "b", "c", "d"].map((name) => job(name, "ann", [0, 10, 1])),
      ...["e", "f"].map((name) => job(name, "bob", [0, 10, 1])),
      { down: "all", at: 15, until: 30, node: 0 },
      { reservation: "r", pool: "all", start: 100, duration: 50, procs: 4, nodes: 2 },
      job("late", "bob", [100, 10, 1]),
    ];
    for (const discipline of DISCIPLINES) {
      const { starts } = await play(lines, ["CPU ann 50", "CPU bob 50"], { discipline });
      expect(starts).toEqual({ a: 0, b: 0, e: 0, f: 0, c: 15, d: 15, late: 150 });
    }
  });

  it("lets a program start who was let in: it hears of nobody else", async () => {
    const greedy = written(GREEDY, ".cjs");
    const heard: string[] = [];
    const lines = [
      pool("all", 4),
      ...["a", "b", "c", "d"].map((name) => job(name, "ann", [0, 10, 1])),
      ...["e", "f"].map((name) => job(name, "bob", [0, 10, 1])),
      { cancel: "d", at: 12 },
      { down: "all", at: 15, until: 30, procs: 4 },
    ];
    const { starts, report } = await play(
      lines,
      ["CPU ann 50", "CPU bob 50"],
      { discipline: `exec:'${process.execPath}' '${greedy}'` },
      (text) => heard.push(text),
    );
    expect(starts).toEqual({ a: 0, b: 0, e: 0, f: 0, c: 30 });
    expect(report.enforcing).toMatchObject({ stops: 0, neverStarted: 0 });
    expect(heard.join("").trimEnd().split("\n")).toEqual([
      "0 submitted a, submitted e, submitted b, submitted f",
      "10 ended a, ended e, ended b, ended f, submitted c, submitted d",
      "12 cancelled d",
      "15 down, cancelled c",
      "30 submitted c",
      "40 ended c",
    ]);
  });

  it("has a program's jobs stopped for others, and tells it so", async () => {
    const greedy = written(GREEDY, ".cjs");
    const heard: string[] = [];
    const lines = [
      pool("all", 8),
      job("a", "ann", [0, 3600, 4]),
      job("b", "ann", [1, 3600, 4]),
      job("c", "bob", [1800, 900, 4]),
    ];
    const share = (consumer: string) =>
      `- { provider: here, consumer: ${consumer}, resource: cpu, epoch: { interval: 1h, share: 50% }, ` +
      "mode: preempting }";
    const text = `policies:\n${["ann", "bob"].map(share).join("\n")}\n`;
    const policies = { files: [written(text, ".policy.yaml")], form: "ours" } as const;
    const program = { discipline: `exec:'${process.execPath}' '${greedy}'`, policies } as const;
    const { report } = await play(lines, [], program, (text) => heard.push(text));
    expect(report.enforcing?.stops).toBeGreaterThan(0);
    const told = heard.join("");
    expect(told).toContain("suspended b");
    expect(told).toContain("resumed b");
  });
});

describe("SI-84 a record with its site under other policies", () => {
  const tried = (lines: readonly Line[], shares: readonly string[], more: Partial<PolicyTrial> = {}) =>
    affectedBy({
      ...{ trace: workload(lines), files: [policiesOf(shares)], before: [] },
      ...{ discipline: "fcfs", estimates: "exact", form: "ours", ...more },
    });
  const record = [
    { period: 1000, until: 5000 },
    pool("all", 4),
    job("runs", "ann", [900, 200, 4], { recordedStart: 950 }),
    job("waits", "ann", [960, 100, 2], { recordedStart: 1150 }),
    job("comes", "bob", [1050, 100, 4], { recordedStart: 1250 }),
    job("gone", "bob", [1060, 100, 4], { recordedStart: 1400 }),
    { cancel: "gone", at: 1100 },
  ];

  it("running jobs continue under any policies; cancelled ones are not compared", async () => {
    const effects = await tried(record, ["CPU ann 50", "CPU bob 100"]);
    expect(effects.record).toMatchObject({ running: 1, notCompared: 1, skipped: 0 });
    expect(effects).toMatchObject({ jobs: 2, procs: 4, pools: [{ name: "all", procs: 4 }] });
    // Ann's job runs to 1150 though it is wider than her half; by then she has used more than Bob.
    const ann = effects.consumers.find(({ consumer }) => consumer === "ann");
    expect(ann).toMatchObject({
      jobs: 1,
      waitRecordedMs: 190_000,
      waitTodayMs: 190_000,
      waitChangedMs: 290_000,
    });
  });

  it("the error of today's rules is that against recorded starts", async () => {
    const { baseline } = await tried(record, ["CPU ann 100", "CPU bob 100"]);
    expect(baseline).toEqual({ medianErrorMs: 0, p95ErrorMs: 0 });
    const late = record.map((line) =>
      "job" in line && line.job === "comes" ? { ...line, recordedStart: 1350 } : line,
    );
    expect((await tried(late, ["CPU ann 100"])).baseline.p95ErrorMs).toBe(100_000);
  });

  it("a job cancelled in the queue that would have started occupies nothing", async () => {
    const held = [
      job("held", "bob", [1000, 400, 2]),
      { cancel: "held", at: 1500 },
      job("stays", "bob", [1070, 100, 2]),
      { cancel: "stays", at: 1080 },
    ];
    for (const before of [[], [policiesOf(["CPU ann 100", "CPU bob 100"])]]) {
      const { record: told, ...effects } = await tried([...record, ...held], ["CPU ann 50"], { before });
      const { record: _, ...without } = await tried(record, ["CPU ann 50"], { before });
      expect(effects).toEqual(without);
      expect(told).toMatchObject({ notCompared: 3 });
    }
  });

  it("nodes of a pool are summed, and a file without recorded starts is refused", async () => {
    const nodes = [pool("all", 2, { nodes: 2 }), ...record.slice(2)];
    expect((await tried(nodes, ["CPU ann 100"])).procs).toBe(4);
    const unknown = [pool("all", 4), job("a", "ann", [0, 10, 1])];
    expect(await codeOf(tried(unknown, ["CPU ann 100"]))).toBe("noRecordedStart");
  });

  it("sacct output is read as an import, without pseudonyms", async () => {
    const trial = { trace: "examples/accounting.txt", files: [policiesOf(["CPU physics 50"])], before: [] };
    const accounting = { zone: "UTC", since: "2026-03-03", until: "2026-03-07" };
    const rules = { discipline: "easy", estimates: "requested", form: "ours", accounting } as const;
    const effects = await affectedBy({ ...trial, ...rules });
    expect(effects.jobs).toBe(290);
    expect(effects.consumers.map(({ consumer }) => consumer)).toContain("physics");
    expect(effects.record?.warnings).not.toHaveLength(0);
  });
});
