/**
 * Who decides at the sites of a scenario, what is sampled there, and workloads in JSON lines: the same as
 * of a simulation of the same file.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { workHere } from "../../../test/scenario-here.ts";
import { serialProgram } from "../../../test/serial-program.ts";
import { temporaryFolder } from "../../../test/stint.ts";
import { readScenarioFile } from "../../formats/scenario-yaml/index.ts";
import type { SimulationReport, SimulationRequest } from "../../model/index.ts";
import { simulateFile } from "../simulate.ts";
import { runScenario } from "./run-scenario.ts";

const folder = temporaryFolder();
const examples = resolve(import.meta.dirname, "../../../examples");
const trace = join(examples, "poisson.swf");
const lines = join(examples, "two-pools.workload.jsonl");
mkdirSync(join(folder, "programs"));

/** First come, first served; notes its process in the folder in which it runs. */
const FCFS = `
  const { appendFileSync } = require("node:fs");
  appendFileSync("begun.txt", process.pid + "\\n");
  let free = 0;
  const queue = [], running = new Map();
  require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const m = JSON.parse(line);
    if (m.kind === "hello") { free = m.pools[0].procs; return console.log('{"protocol":1}'); }
    if (m.kind === "goodbye") process.exit(0);
    for (const e of m.events) {
      if (e.kind === "submitted") queue.push(e);
      else { free += running.get(e.id); running.delete(e.id); }
    }
    const start = [];
    while (queue.length > 0 && queue[0].procs <= free) {
      const { id, procs } = queue.shift();
      free -= procs; running.set(id, procs); start.push(id);
    }
    console.log(JSON.stringify({ start }));
  });`;
writeFileSync(join(folder, "programs/fcfs.cjs"), FCFS);
/** Says hello, and then nothing more; deaf to SIGTERM. */
const DEAF = `
  require("node:fs").appendFileSync("begun.txt", process.pid + "\\n");
  process.on("SIGTERM", () => {});
  console.log('{"protocol":1}');
  setInterval(() => {}, 1000);`;
writeFileSync(join(folder, "programs/deaf.cjs"), DEAF);

/** Runs a scenario, and ends in the midst of it as soon as the program is there. */
const ABRUPT = `
  import { existsSync, readFileSync } from "node:fs";
  const [built, file, directory] = process.argv.slice(2);
  const { readScenarioFile } = await import(built + "/formats/scenario-yaml/index.js");
  const { runScenario } = await import(built + "/sim/index.js");
  const size = () => (existsSync("begun.txt") ? readFileSync("begun.txt").length : 0);
  const before = size();
  const { scenario } = await readScenarioFile(file);
  void runScenario({ scenario, directory, isOverwriting: true, workers: 1 }, "1.2.3");
  setInterval(() => { if (size() > before) process.exit(3); }, 20);`;

let count = 0;
/** Runs a scenario that is written into the folder, in so many threads, or in this one. */
async function run(text: string, { stop, workers = 0 }: { stop?: AbortSignal; workers?: number } = {}) {
  const name = `s${count++}`;
  writeFileSync(join(folder, `${name}.yaml`), `name: ${name}\n${text}`);
  const { scenario, problems } = await readScenarioFile(join(folder, `${name}.yaml`));
  expect(problems).toEqual([]);
  if (scenario === undefined) throw new Error("what must hold: what has no problems is a scenario");
  const directory = join(folder, `${name}-results`);
  const order = { scenario, directory, isOverwriting: false, workers };
  const hooks = stop === undefined ? {} : { stop };
  const summary = await runScenario(order, "1.2.3", hooks, workers === 0 ? workHere : undefined);
  const read = (file: string) => readFileSync(join(directory, file), "utf8");
  return { summary, rows: summary.rows, directory, read };
}

/** The report of a simulation of one file under a site's usual rules. */
async function alone(more: Partial<SimulationRequest>) {
  const rules = { discipline: "easy", estimates: "requested", overrun: "extend", lenient: false } as const;
  return (await simulateFile({ trace, ...rules, ...more }, { version: "1.2.3" })).report;
}

/** What a row and a report both have, and has to be equal. */
function measured(of: object) {
  const has = of as Record<string, unknown>;
  const names = [
    "waitMeanSec",
    "waitP95Sec",
    "waitMaxSec",
    "boundedSlowdownMean",
    "utilisation",
    "makespanSec",
  ];
  const others = ["jobs", "backfilled", "skipped", "killed", "priority", "slots", "workload"];
  return Object.fromEntries([...names, ...others].map((name) => [name, has[name]]));
}

/** Whether no program that has noted itself is there any more. */
function allGone(): boolean {
  const pids = readFileSync(join(folder, "begun.txt"), "utf8").trim().split("\n").map(Number);
  return pids.every((pid) => {
    try {
      process.kill(pid, 0);
      return false;
    } catch {
      return true;
    }
  });
}

const site = (words: string, workload = `trace: ${trace}`) =>
  `sites: [{ name: w, ${words}, workload: { ${workload} } }]\n`;

describe("deciders of a scenario", () => {
  it("SI-22 SI-54 priorities, slots and programs give the numbers of a simulation of the trace", async () => {
    const config = join(folder, "slurm.yaml");
    writeFileSync(config, 'users: { "3": { shares: 4 } }\n');
    const vary = `vary:
  - { name: slurm, priority: { name: slurm, config: slurm.yaml }, slots: { every: 12h } }
  - { name: maui, discipline: conservative, priority: maui }
  - { name: program, discipline: exec:node programs/fcfs.cjs one }
`;
    const { rows, read, directory } = await run(site("procs: 128") + vary);
    const slots = join(folder, "slots.csv");
    const slurm = await alone({
      priority: "slurm",
      priorityConfig: config,
      sampleSlotsMs: 12 * 3_600_000,
      slotsOut: slots,
    });
    const maui = await alone({ discipline: "conservative", priority: "maui" });
    const { priority: _, ...fcfs } = await alone({ discipline: "fcfs" });
    expect(rows.map(measured)).toEqual([slurm, maui, fcfs].map(measured));
    expect(rows.map(({ discipline }) => discipline)).toEqual([
      "easy",
      "conservative",
      "exec:node programs/fcfs.cjs one",
    ]);
    expect(read("slots-slurm.csv")).toBe(readFileSync(slots, "utf8"));
    expect(readdirSync(directory).filter((name) => name.startsWith("slots"))).toHaveLength(1);
    expect(allGone()).toBe(true);
  });

  it("runs.csv has the columns of all runs, empty where one has no value", async () => {
    const vary = "vary: [{ name: a }, { name: b, slots: { every: 1d }, priority: age }]\n";
    const { read } = await run(`${site("procs: 128")}jobsOut: none\n${vary}`);
    const [names, ...rows] = read("runs.csv")
      .trimEnd()
      .split("\n")
      .map((line) => line.split(","));
    const column = (name: string) => rows.map((cells) => cells[names.indexOf(name)]);
    expect(names.slice(0, 4)).toEqual(["vary_slots", "vary_priority", "run", "site"]);
    expect(column("priority")).toEqual(["none", "age"]);
    expect(column("slots_samples")).toEqual(["", expect.stringMatching(/^\d+$/)]);
    expect(rows.every((cells) => cells.length === names.length)).toBe(true);
  });

  it("SI-30 samples of the counted time are measured, all of them are written", async () => {
    const cuts = "warmUp: { time: 5d }\ncoolDown: { time: 5d }\n";
    const { rows, read } = await run(site("procs: 128, slots: { every: 1d }") + cuts);
    const days = new Set(
      read("slots-base.csv")
        .trimEnd()
        .split("\n")
        .slice(1)
        .map((row) => row.split(",")[0]),
    );
    const { slots } = rows[0];
    expect(days.size).toBeGreaterThan(20);
    // The last submission is in the 24th day; five and five are cut off, and both ends belong to the rest.
    expect(slots?.samples).toBe(14);
  });

  it("SI-54 a priority orders the queue of several pools", async () => {
    const pools = "pools: [{ name: a, procs: 64 }, { name: b, procs: 64 }]";
    const vary = "vary: { priority: [none, age, size] }\n";
    const { rows } = await run(`${site(pools)}${vary}jobsOut: none\n`);
    // Who has waited longest is who came first; where sizes decide, the median job waits less.
    const [arrival, age, size] = rows.map(({ run: _, priority: __, ...numbers }) => numbers);
    expect(age).toEqual(arrival);
    expect(size.waitMedianSec).toBeLessThan(arrival.waitMedianSec);
  });

  it("SI-22 a program is started for each simulation, with the workload of the other runs", async () => {
    const before = existsSync(join(folder, "begun.txt"))
      ? readFileSync(join(folder, "begun.txt"), "utf8")
      : "";
    const drawn = site("procs: 16", "model: poisson, jobs: 40");
    const vary = "vary: { discipline: [fcfs, exec:node programs/fcfs.cjs] }\nreplicates: 3\n";
    const { rows } = await run(drawn + vary, { workers: 3 });
    expect(rows.slice(3).map(({ waitMeanSec }) => waitMeanSec)).toEqual(
      rows.slice(0, 3).map(({ waitMeanSec }) => waitMeanSec),
    );
    const begun = readFileSync(join(folder, "begun.txt"), "utf8").slice(before.length).trim().split("\n");
    expect(new Set(begun).size).toBe(3);
    expect(allGone()).toBe(true);
  });

  it("SI-22 SI-7 a program without an answer is terminated when the scenario is stopped", async () => {
    const vary = "vary: [{ name: fcfs, discipline: fcfs }, { name: deaf }]\n";
    const stop = new AbortController();
    const text = site("procs: 128, discipline: exec:node programs/deaf.cjs") + vary;
    const before = readFileSync(join(folder, "begun.txt"), "utf8").length;
    const running = run(text, { workers: 2, stop: stop.signal });
    while (readFileSync(join(folder, "begun.txt"), "utf8").length === before) {
      await new Promise((again) => setTimeout(again, 20));
    }
    const isDone = () => existsSync(join(folder, `s${count - 1}-results`, "jobs-fcfs.csv"));
    while (!isDone()) await new Promise((again) => setTimeout(again, 20));
    stop.abort();
    const { summary, directory } = await running;
    expect([summary.simulationsPlanned, summary.rows.map((row) => row.run)]).toEqual([2, ["fcfs"]]);
    expect(readdirSync(directory).filter((name) => name.includes("deaf"))).toEqual([]);
    expect(allGone()).toBe(true);
  });

  it("SI-22 faults of a program name the scenario's words", async () => {
    const text = site("procs: 128, answerTimeout: 300ms, discipline: exec:node programs/deaf.cjs");
    await expect(run(text, { workers: 1 })).rejects.toMatchObject({
      code: "programSilent",
      what: expect.stringContaining("exec:node programs/deaf.cjs: answer "),
      remedy: expect.stringContaining("or raise answerTimeout:"),
    });
    expect(allGone()).toBe(true);
  });

  it("SI-22 a program does not outlive the process, even one that ignores signals", async () => {
    const file = join(folder, "outlived.yaml");
    writeFileSync(file, `name: s\n${site("procs: 128, discipline: exec:node programs/deaf.cjs")}`);
    writeFileSync(join(folder, "abrupt.mjs"), ABRUPT);
    const built = resolve(import.meta.dirname, "../../../dist");
    const words = [join(folder, "abrupt.mjs"), built, file, join(folder, "outlived")];
    const before = readFileSync(join(folder, "begun.txt"), "utf8").length;
    const { status } = spawnSync(process.execPath, words, { cwd: folder });
    expect(status).toBe(3);
    expect(readFileSync(join(folder, "begun.txt"), "utf8").length).toBeGreaterThan(before);
    // The signal is sent; that it has arrived takes the machine a moment.
    while (!allGone()) await new Promise((again) => setTimeout(again, 20));
  });

  it("problems of a priority file have its name and line", async () => {
    writeFileSync(join(folder, "wrong.yaml"), "weights: { age: many }\n");
    const text = site("procs: 128, priority: { name: slurm, config: wrong.yaml }");
    await expect(run(text)).rejects.toMatchObject({ what: expect.stringContaining("wrong.yaml:1:17: ") });
  });
});

describe("workloads in JSON lines in a scenario", () => {
  it("SI-97 reservations of a file are added to those of the lines, with their nodes", async () => {
    const whole = { submit: 0, runtime: 10, procs: 4, nodes: 2 };
    const said = [
      { pool: "all", nodes: 2, procs: 2 },
      { job: "a", ...whole },
      { job: "b", ...whole },
    ];
    const held = { reservation: "r", start: 10, duration: 10, procs: 1 };
    const text = [...said, held].map((line) => `${JSON.stringify(line)}\n`).join("");
    writeFileSync(join(folder, "nodes.workload.jsonl"), text);
    writeFileSync(join(folder, "nodes.csv"), "id,start,duration,procs,nodes\ns,20,10,2,1\n");
    const { rows } = await run(site("reservations: nodes.csv", "trace: nodes.workload.jsonl"));
    expect(rows).toMatchObject([{ reservations: 2, waitMaxSec: 30, workload: { reservationChanges: [] } }]);
  });

  it("SI-54 lines give the numbers of a simulation of the file", async () => {
    const vary = "vary: { discipline: [fcfs, easy], onOutage: [requeue, lost] }\n";
    const { rows, read, directory } = await run(site("estimates: exact", `trace: ${lines}`) + vary);
    const jobsOut = join(folder, "alone.csv");
    const reports: SimulationReport[] = [];
    for (const discipline of ["fcfs", "easy"] as const) {
      for (const stoppedJobs of ["requeue", "lost"] as const) {
        reports.push(await alone({ trace: lines, discipline, stoppedJobs, estimates: "exact", jobsOut }));
      }
    }
    expect(rows.map(measured)).toEqual(reports.map(measured));
    expect(rows[0]).toMatchObject({ procs: 192, jobsCounted: 6, workloadSha256: reports[0].traceSha256 });
    expect(read("jobs-discipline=easy_onOutage=lost.csv")).toBe(readFileSync(jobsOut, "utf8"));
    expect(readdirSync(directory).filter((name) => name.endsWith(".swf"))).toEqual([]);
    expect(read("runs.csv").split("\n")[0]).toContain(",workload_cancelled_waiting,");
    expect(read("report.html")).toContain("<h2>Cancellations and outages</h2>");
  });

  it("SI-54 priorities, slots and programs give the numbers of a simulation of the file", async () => {
    const decider = serialProgram(folder);
    const two = join(folder, "two.workload.jsonl");
    const jobs = [4, 1, 3, 2, 4, 1].map((procs, at) => ({ job: `${at}`, submit: at, runtime: 9, procs }));
    const said = [...["a", "b"].map((pool) => ({ pool, procs: 4 })), ...jobs];
    writeFileSync(two, said.map((line) => `${JSON.stringify(line)}\n`).join(""));
    const vary = `vary:
  - { name: size, priority: size, slots: { every: 5s } }
  - { name: program, discipline: "${decider}" }
`;
    const { rows, read } = await run(site("onOutage: requeue", `trace: ${two}`) + vary);
    const slotsOut = join(folder, "line-slots.csv");
    const size = await alone({ trace: two, priority: "size", sampleSlotsMs: 5000, slotsOut });
    const program = await alone({ trace: two, discipline: decider });
    const { slots: _, ...others } = measured(size);
    expect(rows.map(measured)).toEqual([
      expect.objectContaining({ ...others, slots: expect.objectContaining({ everySec: 5 }) }),
      measured(program),
    ]);
    expect(read("slots-size.csv")).toBe(readFileSync(slotsOut, "utf8"));
    expect(read("slots-size.csv")).toMatch(/,extensible,pool\n/);
  });

  it("SI-54 SI-71 several pools of a trace go with programs, slots and jobs with reservations", async () => {
    const pools = "pools: [{ name: a, procs: 128 }, { name: b, procs: 128 }]";
    const reserving = "reserving: { share: 0.3, alpha: 0.5 }";
    const vary = `vary:
  - { name: program, discipline: "${serialProgram(folder)}" }
  - { name: slots, slots: { every: 10m } }
  - { name: none, reserving: { share: 0, alpha: 0 }, priority: size }
  - { name: some, ${reserving}, priority: size }
  - { name: queued, priority: size }
`;
    const { rows } = await run(`${site(pools, "model: poisson, jobs: 60")}jobsOut: none\n${vary}`);
    const [program, slots, nobody, some, queued] = rows;
    expect(program.waitMeanSec).toBeGreaterThan(queued.waitMeanSec);
    expect(slots.slots?.samples).toBeGreaterThan(0);
    expect(nobody.waitMeanSec).toBe(queued.waitMeanSec);
    expect(some.reserving?.reservedJobs).toBeGreaterThan(5);
    expect(rows.every(({ jobsCounted }) => jobsCounted === 60)).toBe(true);
  });

  it("SI-30 warm-up and cool-down exclude the first and the last jobs", async () => {
    const cuts = "warmUp: { jobs: 2 }\ncoolDown: { jobs: 1 }\n";
    const { rows } = await run(site("estimates: exact", `trace: ${lines}`) + cuts);
    expect(rows[0]).toMatchObject({ jobs: 6, jobsCounted: 3 });
  });

  it.each([
    {
      what: "no pools",
      text: '{"job": "a", "submit": 0, "runtime": 5, "procs": 1}\n',
      words: "discipline: easy",
      fault: { code: "siteMissing", remedy: expect.stringContaining('a line {"pool"') },
    },
  ])("refuses $what with the scenario's words", async ({ text, words, fault }) => {
    writeFileSync(join(folder, "other.jsonl"), text);
    await expect(run(site(words, "trace: other.jsonl"))).rejects.toMatchObject(fault);
  });
});
