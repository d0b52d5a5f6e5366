import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { workHere } from "../../../test/scenario-here.ts";
import type { Scenario, ScenarioSite } from "../../model/index.ts";
import { simulateFile } from "../simulate.ts";
import { runScenario } from "./run-scenario.ts";
import { workloadSeed } from "./seeds.ts";

const folder = mkdtempSync(join(tmpdir(), "stint-scenario-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const trace = resolve(import.meta.dirname, "../../../examples/poisson.swf");

const drawn: ScenarioSite = {
  name: "west",
  pools: [{ name: "all", procs: 32 }],
  discipline: "easy",
  estimates: "requested",
  overrun: "extend",
  workload: {
    kind: "drawn",
    model: "lublin",
    set: "batch",
    jobs: 60,
    load: 0.8,
    scale: "arrivals",
    parameters: {},
  },
};
const recorded: ScenarioSite = {
  ...drawn,
  name: "north",
  pools: [{ name: "all", procs: 128 }],
  discipline: "conservative",
  workload: { kind: "recorded", trace, lenient: false, scale: "arrivals" },
};

function scenarioOf(sites: readonly ScenarioSite[], more: Partial<Scenario> = {}): Scenario {
  const runs = (["fcfs", "easy"] as const).map((discipline) => ({
    name: `discipline=${discipline}`,
    settings: { discipline },
    sites: sites.map((site) => ({ ...site, discipline })),
  }));
  return {
    name: "test",
    folder,
    seed: 1,
    replicates: 3,
    warmUp: { kind: "jobs", count: 5 },
    coolDown: { kind: "time", lengthMs: 0 },
    baseline: "discipline=fcfs",
    compare: ["waitMeanSec"],
    jobsOut: "first",
    runs,
    ...more,
  };
}

let directories = 0;
/** In so many threads, or in this one. */
async function run(
  scenario: Scenario,
  { workers = 0, directory = join(folder, `results-${directories++}`) } = {},
) {
  const order = { scenario, directory, isOverwriting: false, workers };
  const summary = await runScenario(order, "1.2.3", {}, workers === 0 ? workHere : undefined);
  const files = Object.fromEntries(
    readdirSync(directory).map((file) => [file, readFileSync(join(directory, file), "utf8")]),
  );
  return { summary, files, directory };
}

describe("running a scenario", () => {
  it("SI-7 SI-6 any number of threads gives the same bytes", async () => {
    const scenario = scenarioOf([drawn]);
    const [one, three] = [await run(scenario, { workers: 1 }), await run(scenario, { workers: 3 })];
    expect(three.files).toEqual(one.files);
    expect(Object.keys(one.files).sort()).toEqual([
      "classes.csv",
      "discipline=easy-1.swf",
      "discipline=fcfs-1.swf",
      "jobs-discipline=easy-1.csv",
      "jobs-discipline=fcfs-1.csv",
      "report.html",
      "runs.csv",
      "summary.json",
      "users.csv",
    ]);
    expect(JSON.parse(one.files["summary.json"])).toEqual(JSON.parse(JSON.stringify(one.summary)));
  });

  it("SI-87 classes and users are those of the jobs that count, and the report shows them", async () => {
    const { summary, files } = await run(scenarioOf([recorded], { replicates: 1 }));
    const [, ...users] = files["users.csv"].trimEnd().split("\n");
    for (const { run: name, classes, jobsCounted, waitMeanSec, fairness } of summary.rows) {
      expect(classes.reduce((sum, { jobs }) => sum + jobs, 0)).toBe(jobsCounted);
      const waited = classes.reduce((sum, group) => sum + group.jobs * group.waitMeanSec, 0);
      expect(waited / jobsCounted).toBeCloseTo(waitMeanSec, 6);
      const own = users.map((line) => line.split(",")).filter(([of]) => of === name);
      expect(own.reduce((sum, [, , , , jobs]) => sum + Number(jobs), 0)).toBe(jobsCounted);
      const waits = own.map(([, , , , , , , , wait]) => Number(wait));
      const total = waits.reduce((sum, wait) => sum + wait, 0);
      const squares = waits.reduce((sum, wait) => sum + wait ** 2, 0);
      expect(fairness?.waitJain).toBeCloseTo(total ** 2 / (waits.length * squares), 9);
    }
    for (const words of ["Mean wait by class", "short narrow", "Fairness to users"]) {
      expect(files["report.html"]).toContain(words);
    }
    expect(files["runs.csv"].split("\n")[0]).toContain("fairness_wait_gini");
    expect(files["classes.csv"].split("\n")).toHaveLength(2 * 4 + 2);
  });

  it("SI-12 all runs have the same workloads; each replicate has another", async () => {
    const { rows } = (await run(scenarioOf([drawn], { jobsOut: "none" }))).summary;
    expect(rows.map(({ run: name, replicate }) => `${name} ${replicate}`)).toEqual([
      "discipline=fcfs 1",
      "discipline=fcfs 2",
      "discipline=fcfs 3",
      "discipline=easy 1",
      "discipline=easy 2",
      "discipline=easy 3",
    ]);
    const hashes = rows.map(({ workloadSha256 }) => workloadSha256);
    expect(hashes.slice(0, 3)).toEqual(hashes.slice(3));
    expect(new Set(hashes).size).toBe(3);
    expect(rows[0].seed).toBe(workloadSeed(1, 0, 0));
    expect(workloadSeed(1, 0, 0)).not.toBe(workloadSeed(1, 0, 1));
  });

  it("SI-12 a workload's own seed precedes the scenario's", async () => {
    const own = { ...drawn, workload: { ...drawn.workload, seed: 9 } };
    const seeds = async (seed: number) => {
      const { summary } = await run(scenarioOf([own, drawn], { seed, replicates: 1, jobsOut: "none" }));
      return summary.rows.map((row) => row.seed);
    };
    const [one, two] = [await seeds(1), await seeds(2)];
    expect(one[0]).toBe(two[0]);
    expect(one[1]).not.toBe(two[1]);
  });

  it("SI-30 a recorded workload without cuts gives the numbers of a simulation of the trace", async () => {
    const scenario = scenarioOf([], {
      replicates: 1,
      warmUp: { kind: "time", lengthMs: 0 },
      runs: [{ name: "base", settings: {}, sites: [recorded] }],
      baseline: "base",
      jobsOut: "all",
    });
    const { summary, files, directory } = await run(scenario);
    const rules = { discipline: "conservative", estimates: "requested", overrun: "extend" } as const;
    const request = { trace, procs: 128, lenient: false, ...rules };
    const jobsOut = join(folder, "alone.csv");
    const { report } = await simulateFile({ ...request, jobsOut }, { version: "1.2.3" });
    const { waitMeanSec, waitP95Sec, boundedSlowdownMean, utilisation, makespanSec, backfilled, skipped } =
      report;
    const same = {
      waitMeanSec,
      waitP95Sec,
      boundedSlowdownMean,
      utilisation,
      makespanSec,
      backfilled,
      skipped,
    };
    expect(summary.rows[0]).toMatchObject({ ...same, jobs: report.jobs, jobsCounted: report.jobs });
    expect(summary.rows[0].workloadSha256).toBe(report.traceSha256);
    expect(files["jobs-base.csv"]).toBe(readFileSync(jobsOut, "utf8"));
    // Little's law, over the time until nobody waits any more.
    expect(summary.rows[0].queueLengthMean).toBeCloseTo((waitMeanSec * report.jobs) / makespanSec, 6);
    const again = await simulateFile(
      { ...request, trace: join(directory, "base.swf") },
      { version: "1.2.3" },
    );
    expect(again.report.waitMeanSec).toBe(report.waitMeanSec);
  });

  it("SI-6 runs.csv has a row for each run, site and replicate, with keys in snake_case", async () => {
    const { files, summary } = await run(scenarioOf([drawn], { jobsOut: "none" }));
    const lines = files["runs.csv"].trimEnd().split("\n");
    const names = lines[0].split(",");
    expect(lines).toHaveLength(7);
    expect(names.slice(0, 5)).toEqual(["vary_discipline", "run", "site", "replicate", "seed"]);
    for (const name of ["wait_p95_sec", "bounded_slowdown_mean", "skipped_wider_than_machine"]) {
      expect(names).toContain(name);
    }
    const cells = lines[1].split(",");
    expect(cells).toHaveLength(names.length);
    expect(Number(cells[names.indexOf("wait_mean_sec")])).toBe(summary.rows[0].waitMeanSec);
    expect(Object.keys(files).sort()).toEqual([
      "classes.csv",
      "report.html",
      "runs.csv",
      "summary.json",
      "users.csv",
    ]);
  });

  it("a load is of all pools together, and no job is wider than the largest", async () => {
    const pools = [
      { name: "a", procs: 16 },
      { name: "b", procs: 32 },
    ];
    const site = { ...drawn, pools, workload: { ...drawn.workload, jobs: 2000 } } as ScenarioSite;
    const warmUp = { kind: "time", lengthMs: 0 } as const;
    const { summary } = await run(scenarioOf([site], { replicates: 1, warmUp, jobsOut: "none" }));
    expect(summary.rows[0]).toMatchObject({ procs: 48, jobs: 2000, skipped: { widerThanMachine: 0 } });
    expect(summary.rows[0].utilisation).toBeGreaterThan(0.5);
    expect(summary.rows[0].utilisation).toBeLessThan(0.82);
  });

  it.each([
    [
      "parameters: { serialPrb: 1 }",
      { parameters: { serialPrb: 1 } },
      "west: parameters.serialPrb: the model",
    ],
    [
      "an impossible value",
      { parameters: { serialProb: 2 } },
      "west: parameters.serialProb: 2 is not possible",
    ],
  ])("a problem of a model names the scenario's word: %s", async (_, change, what) => {
    const site = { ...drawn, workload: { ...drawn.workload, ...change } } as ScenarioSite;
    const running = run(scenarioOf([site], { replicates: 1 }));
    await expect(running).rejects.toMatchObject({ what: expect.stringContaining(what) });
  });

  it("SI-6 no two simulations share a file", async () => {
    const sites = [
      { ...drawn, name: "c" },
      { ...drawn, name: "b-c" },
    ];
    const { runs } = scenarioOf(sites);
    const named = runs.map((one, at) => ({ ...one, name: at === 0 ? "a" : "a-b" }));
    const { files } = await run(
      scenarioOf(sites, { runs: named, replicates: 2, jobsOut: "all", baseline: "a" }),
    );
    expect(Object.keys(files).filter((file) => file.endsWith(".swf"))).toHaveLength(2 * 2 * 2);
  });

  it("SI-6 refuses a directory that is not empty", async () => {
    const directory = join(folder, "full");
    mkdirSync(directory);
    writeFileSync(join(directory, "thesis.tex"), "");
    await expect(run(scenarioOf([drawn]), { directory })).rejects.toMatchObject({
      code: "directoryNotEmpty",
    });
    expect(readdirSync(directory)).toEqual(["thesis.tex"]);
  });

  it("SI-7 a stopped scenario writes its finished simulations", async () => {
    const sites = [drawn, { ...drawn, name: "east" }];
    const scenario = scenarioOf(sites, { replicates: 200, jobsOut: "all" });
    const directory = join(folder, "stopped");
    const stop = new AbortController();
    const summary = await runScenario({ scenario, directory, isOverwriting: false, workers: 2 }, "1.2.3", {
      stop: stop.signal,
      onProgress: ({ simulationsDone }) => {
        if (simulationsDone === 5) stop.abort();
      },
    });
    expect(summary.simulationsPlanned).toBe(400);
    expect(summary.simulationsDone).toBeGreaterThanOrEqual(5);
    expect(summary.simulationsDone).toBeLessThan(20);
    expect(summary.rows).toHaveLength(2 * summary.simulationsDone);
    const files = readdirSync(directory);
    expect(files.filter((file) => file.endsWith(".csv"))).toHaveLength(2 * summary.simulationsDone + 3);
    expect(files.filter((file) => file.endsWith(".tmp"))).toEqual([]);
    expect(readFileSync(join(directory, "report.html"), "utf8")).toContain("Stopped early");
  });

  it("SI-7 of several failures the first in order is reported, in any thread", async () => {
    const broken = (name: string, procs: number) => ({
      name,
      settings: {},
      sites: [{ ...recorded, pools: [{ name: "all", procs }], reservations: join(folder, `${name}.csv`) }],
    });
    writeFileSync(join(folder, "late.csv"), "id,start,duration,procs\nlate,0,1,999\n");
    writeFileSync(join(folder, "early.csv"), "id,start,duration,procs\nearly,0,1,999\n");
    const runs = [broken("early", 128), broken("late", 128)];
    const scenario = scenarioOf([], { replicates: 1, runs, baseline: "early" });
    const directory = join(folder, "failed");
    await expect(run(scenario, { workers: 2, directory })).rejects.toMatchObject({
      code: "reservationConflict",
      what: expect.stringContaining("early.csv:2:1: reservation early"),
    });
    expect(existsSync(join(directory, "summary.json"))).toBe(false);
  });
});
