/**
 * Jobs that reserve in a scenario: what is told of them, and where.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { workHere } from "../../../test/scenario-here.ts";
import type { ReservingRules, Scenario, ScenarioSite, ScenarioSummary } from "../../model/index.ts";
import { runScenario } from "./run-scenario.ts";

const folder = mkdtempSync(join(tmpdir(), "stint-reserving-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const site: ScenarioSite = {
  name: "west",
  pools: [{ name: "all", procs: 64 }],
  discipline: "conservative",
  estimates: "requested",
  overrun: "extend",
  workload: {
    kind: "drawn",
    model: "lublin",
    set: "batch",
    jobs: 400,
    load: 0.8,
    scale: "arrivals",
    requests: "popular",
    parameters: {},
  },
};

const RULES: Readonly<Record<string, ReservingRules | undefined>> = {
  queue: undefined,
  nobody: { sharePpm: 0, alphaPpm: 0 },
  earliest: { sharePpm: 200_000, alphaPpm: 0 },
  cheapest: { sharePpm: 200_000, alphaPpm: 1_000_000 },
  each: { sharePpm: 400_000, alphaPpm: "random" },
};

let summary: ScenarioSummary;
let files: Readonly<Record<string, string>>;

beforeAll(async () => {
  const runs = Object.entries(RULES).map(([name, reserving]) => ({
    name,
    settings: {},
    sites: [{ ...site, ...(reserving === undefined ? {} : { reserving }) }],
  }));
  const directory = join(folder, "results");
  const cut = { kind: "jobs", count: 20 } as const;
  const scenario: Scenario = {
    ...{ name: "reserving", folder, seed: 3, replicates: 2, warmUp: cut, coolDown: cut, runs },
    baseline: "queue",
    compare: ["waitMeanSec"],
    jobsOut: "first",
  };
  summary = await runScenario(
    { scenario, directory, isOverwriting: false, workers: 1 },
    "1.2.3",
    {},
    workHere,
  );
  files = Object.fromEntries(
    readdirSync(directory).map((file) => [file, readFileSync(join(directory, file), "utf8")]),
  );
});

function rowOf(run: string) {
  const row = summary.rows.find((one) => one.run === run && one.replicate === 1);
  if (row === undefined) throw new Error(`what must hold: ${run} was run`);
  return row;
}

/** The rows of the first replicate as records. */
function jobsOf(run: string): readonly Readonly<Record<string, string>>[] {
  const [head, ...lines] = files[`jobs-${run}-1.csv`].trimEnd().split("\n");
  const names = head.split(",");
  return lines.map((line) => Object.fromEntries(line.split(",").map((cell, at) => [names[at], cell])));
}

describe("reserving in a scenario", () => {
  it("SI-70 share 0 changes nothing but the report on reservations", () => {
    const { run: _, reserving, ...nobody } = rowOf("nobody");
    const { run: __, ...queue } = rowOf("queue");
    expect(nobody).toEqual(queue);
    expect(reserving).toMatchObject({ share: 0, alpha: 0, reservedJobs: 0, fixedMeanSu: null, delays: 0 });
  });

  it("prices, waits of both kinds, and delays are reported, of the counted jobs", () => {
    const { earliest, cheapest } = Object.fromEntries(
      ["earliest", "cheapest"].map((name) => [name, rowOf(name).reserving]),
    );
    expect(earliest?.reservedJobs).toBeGreaterThan(0);
    expect((earliest?.reservedJobs ?? 0) + (earliest?.queuedJobs ?? 0)).toBe(360);
    expect(cheapest).toMatchObject({ fixedMeanSu: 0, unitPrice: 1, freeShare: 1, delayedJobs: 0, delays: 0 });
    expect(earliest?.fixedMeanSu).toBeGreaterThan(0);
    expect(earliest?.unitPrice).toBeGreaterThan(1);
    expect(earliest?.delays).toBeGreaterThanOrEqual(earliest?.delayedJobs ?? 0);
    expect(earliest?.delayMaxSec).toBeGreaterThanOrEqual(earliest?.delayMeanSec ?? 0);
    expect(earliest?.reservedWaitMeanSec).toBeLessThan(cheapest?.reservedWaitMeanSec ?? 0);
    expect(earliest?.returnedSu).toBeGreaterThan(0);
  });

  it("SI-70 rows per job have reservations and prices; the same jobs reserve at every α", () => {
    const [earliest, cheapest, each] = ["earliest", "cheapest", "each"].map(jobsOf);
    const holders = (jobs: typeof earliest) => jobs.flatMap((row, at) => (row.reserved === "1" ? [at] : []));
    expect(holders(cheapest)).toEqual(holders(earliest));
    expect(holders(each)).toEqual(expect.arrayContaining(holders(earliest)));
    expect(holders(each).length).toBeGreaterThan(holders(earliest).length);
    const counted = earliest.slice(20, 380).filter(({ reserved }) => reserved === "1");
    const mean = counted.reduce((sum, row) => sum + Number(row.fixed_su), 0) / counted.length;
    expect(rowOf("earliest").reserving?.fixedMeanSu).toBeCloseTo(mean, 9);
    expect(earliest.filter(({ reserved }) => reserved === "0")[0]).toMatchObject({
      fixed_su: "",
      delayed_jobs: "",
    });
    expect(jobsOf("queue")[0]).not.toHaveProperty("reserved");
  });

  it("reservations have columns of runs.csv and a section of the report", () => {
    const [head, first] = files["runs.csv"].split("\n").map((line) => line.split(","));
    const at = head.indexOf("reserving_fixed_mean_su");
    expect(at).toBeGreaterThan(head.indexOf("priority"));
    expect(first[at]).toBe("");
    expect(files["report.html"]).toContain("Jobs that reserve at west");
    expect(files["report.html"]).not.toMatch(/NaN|undefined/);
  });
});
