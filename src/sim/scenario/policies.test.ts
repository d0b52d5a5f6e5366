/**
 * Usage policies in a scenario: who keeps them, what came of them, and where that is told.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Scenario, ScenarioPolicies, ScenarioSite, ScenarioSummary } from "../../model/index.ts";
import { scenarioReport } from "../report/scenario-report.ts";
import { carryOut } from "./execute-task.ts";
import { consumersCsv, runsCsv } from "./runs-csv.ts";
import type { SiteOutcome } from "./site-outcome.ts";

const folder = mkdtempSync(join(tmpdir(), "stint-policed-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Jobs as `submit runtime procs user`, on a machine of four processors. */
const JOBS = ["0 100 2 1", "0 100 2 1", "0 100 4 3", "10 50 2 2"];
const TUPLES = [
  "(1) CPU, west, u1, (3600,50), (5,50)",
  "(2) CPU, west, u2, (3600,50), (5,100)",
  "(3) CPU, west, u3, (3600,0), (5,25)",
  "(4) CPU, east, u1, (3600,50), (5,50)",
];

function siteWith(policies: ScenarioPolicies | undefined): ScenarioSite {
  const trace = join(folder, "trace.swf");
  return {
    name: "west",
    pools: [{ name: "all", procs: 4 }],
    ...{ discipline: "fcfs", estimates: "exact", overrun: "extend" },
    ...(policies === undefined ? {} : { policies }),
    workload: { kind: "recorded", trace, lenient: false, scale: "arrivals" },
  };
}

const written = { files: [], tuples: TUPLES };
const RUNS: Readonly<Record<string, ScenarioPolicies | undefined>> = {
  none: undefined,
  measured: { ...written, pep: "none" },
  ours: { ...written, pep: "ours" },
  literal: { ...written, pep: "literal" },
};

const cut = { kind: "jobs", count: 0 } as const;
const scenario: Scenario = {
  ...{ name: "policed", folder, seed: 3, replicates: 1, warmUp: cut, coolDown: cut },
  ...{ baseline: "none", compare: ["waitMeanSec"], jobsOut: "first" },
  runs: Object.entries(RUNS).map(([name, policies]) => ({ name, settings: {}, sites: [siteWith(policies)] })),
};

async function play(of: Scenario, run: number): Promise<readonly SiteOutcome[] | { readonly code: string }> {
  const shared = { stopped: new SharedArrayBuffer(4), program: new SharedArrayBuffer(4) };
  const order = { scenario: of, version: "1.2.3", directory: folder, ...shared };
  const answer = await carryOut({ index: 0, run, replicate: 0 }, order);
  if (answer.kind === "failed") return answer.fault;
  if (answer.kind !== "done") throw new Error("what must hold: nobody stops it");
  return answer.sites;
}

let outcomes: readonly SiteOutcome[] = [];
beforeAll(async () => {
  const lines = JOBS.map((job, at) => {
    const [submit, runtime, procs, user] = job.split(" ");
    const end = `${procs} ${runtime} -1 1 ${user} 1 -1 -1 -1 -1 -1`;
    return `${at + 1} ${submit} -1 ${runtime} ${procs} -1 -1 ${end}`;
  });
  writeFileSync(join(folder, "trace.swf"), `; MaxProcs: 4\n${lines.join("\n")}\n`);
  for (const run of scenario.runs.keys()) {
    const sites = await play(scenario, run);
    if ("code" in sites) throw new Error(`what must hold: it is played, ${sites.code}`);
    outcomes = [...outcomes, ...sites];
  }
});

function rowOf(run: string) {
  const row = outcomes.find((outcome) => outcome.row.run === run)?.row;
  if (row === undefined) throw new Error(`what must hold: ${run} was run`);
  return row;
}

describe("policies in a scenario", () => {
  it("SI-83 the named enforcer applies the policies of this site, not those of others", () => {
    expect(rowOf("none")).not.toHaveProperty("policies");
    expect(rowOf("measured").waitMaxSec).toBe(190);
    // u1 may have two processors at a time, so its second job waits for its first.
    expect(rowOf("ours").waitMaxSec).toBe(100);
    expect(rowOf("ours").policies).toMatchObject({ site: "west", pep: "ours", neverStarted: 1 });
    expect(rowOf("literal").policies?.pep).toBe("literal");
  });

  it("SI-83 jobs wider than their policies permit are only counted", () => {
    expect([rowOf("measured").jobs, rowOf("ours").jobs]).toEqual([4, 3]);
    expect(rowOf("measured").policies?.neverStarted).toBe(0);
  });

  it("SI-86 compliance is measured as in a verification, with an enforcer or none", () => {
    const ofU1 = (run: string) => rowOf(run).policies?.consumers.find(({ consumer }) => consumer === "u1");
    // Four processors for 100 s, of which two were above its burst; the run is 250 s long.
    expect(ofU1("measured")).toMatchObject({ burstShare: 0.5, used: 0.4, aboveBurst: 0.2, waitMeanSec: 0 });
    // Two for 200 s, which is the whole run, and all that it may.
    expect(ofU1("ours")).toMatchObject({ used: 0.5, aboveBurst: 0, jobs: 2, waitMeanSec: 50 });
    expect(rowOf("measured").policies?.aboveBurst).toBeGreaterThan(0.2);
  });

  it("SI-5 a processor is in use while a job runs, not while it is suspended", () => {
    for (const { row, course } of outcomes) {
      expect(row.utilisation).toBeLessThanOrEqual(1);
      expect(Math.max(...course.busy)).toBeLessThanOrEqual(1.000_001);
    }
    expect(rowOf("ours").utilisation).toBeCloseTo(500 / 800, 9);
  });

  it("results are columns of runs.csv, rows per consumer, and a section with use against limits", () => {
    const rows = outcomes.map(({ row }) => row);
    expect(runsCsv(scenario, rows)).toContain("policies_above_epoch,policies_above_epoch_contended");
    const [head, ...lines] = consumersCsv(rows).trimEnd().split("\n");
    expect(head).toMatch(/^run,site,replicate,pep,consumer,epoch_share,burst_share,used,above_epoch/);
    expect(lines.map((line) => line.split(",").slice(0, 5).join(" "))).toContain("ours west 1 ours u1");
    expect(consumersCsv([rowOf("none")])).toBe("");
    const summary = { ...scenario, rows, estimates: [], differences: [], simulationsPlanned: 4 };
    const told = { ...summary, version: "1", scenario: "policed", simulationsDone: 4 } as ScenarioSummary;
    const html = scenarioReport(scenario, told, outcomes);
    expect(html).toContain("Use of u1, and what it may use");
    expect(html).toContain("epoch share, 50.00 %");
    expect(html).toContain("Policies: means over the replicates");
  });

  it.each([
    ["ours", 100],
    ["none", 0],
  ] as const)(
    "SI-83 SI-80 a workload in JSON lines is simulated under policies: %s",
    async (pep, waitMaxSec) => {
      const trace = join(folder, "lines.workload.jsonl");
      const jobs = ["a", "b"].map((job) => ({ job, submit: 0, runtime: 100, procs: 2, user: "u1" }));
      const lines = [{ pool: "all", procs: 4 }, ...jobs].map((line) => `${JSON.stringify(line)}\n`);
      writeFileSync(trace, lines.join(""));
      const workload = { kind: "lines", trace, lenient: false } as const;
      const site = { ...siteWith({ ...written, pep }), workload };
      const sites = await play({ ...scenario, runs: [{ name: "lines", settings: {}, sites: [site] }] }, 0);
      if ("code" in sites) throw new Error(`what must hold: it is played, ${sites.code}`);
      expect(sites[0].row).toMatchObject({ jobs: 2, waitMaxSec });
      const ofU1 = sites[0].row.policies?.consumers.find(({ consumer }) => consumer === "u1");
      expect(ofU1).toMatchObject({ aboveBurst: pep === "ours" ? 0 : 0.5 });
    },
  );

  it("SI-83 a run with faulty policies fails with their position", async () => {
    const wrong = { ...written, tuples: ["(1) CPU, west, u1, (0,50)"], pep: "ours" } as const;
    const one = { ...scenario, runs: [{ name: "wrong", settings: {}, sites: [siteWith(wrong)] }] };
    expect(await play(one, 0)).toMatchObject({ what: expect.stringContaining("the scenario's policies:1") });
  });
});
