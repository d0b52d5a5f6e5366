import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { workHere } from "../../../test/scenario-here.ts";
import { temporaryFolder } from "../../../test/stint.ts";
import type { Scenario, ScenarioSite, SimulationRequest, StoppedRule } from "../../model/index.ts";
import { runScenario } from "../scenario/run-scenario.ts";
import { playWorkload } from "./play.ts";
import { prepareWorkload } from "./prepare.ts";

const folder = temporaryFolder();
let files = 0;

type Line = Readonly<Record<string, unknown>>;

/** A job of [submit, runtime, procs]. */
const job = (name: string, [submit, runtime, procs]: readonly [number, number, number]): Line => ({
  ...{ job: name, submit, runtime, procs },
});

const written = (lines: readonly Line[]): string => {
  const path = join(folder, `${++files}.workload.jsonl`);
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return path;
};

/** All jobs reserve, as early as they can. */
const ALL = { rules: { sharePpm: 1_000_000, alphaPpm: 0 }, seed: 1 };

async function played(lines: readonly Line[], stoppedJobs: StoppedRule = "requeue") {
  const trace = written(lines);
  const rules = { discipline: "conservative", estimates: "exact", overrun: "extend" } as const;
  const request: SimulationRequest = { trace, ...rules, lenient: false };
  const workload = await prepareWorkload(request);
  const { discipline } = rules;
  const result = await playWorkload(workload, { discipline, stoppedJobs, file: trace, reserving: ALL });
  const starts = Object.fromEntries(result.done.map((one) => [one.job.name, one.startMs / 1000]));
  const reserved = result.done.filter((one) => one.reserved !== undefined).map((one) => one.job.name);
  return { starts, reserved: reserved.sort(), counts: result };
}

describe("jobs of a workload in JSON lines that reserve", () => {
  const pool = { pool: "all", procs: 4 };

  it("SI-71 hold reservations in any pool that they name", async () => {
    const lines = [{ ...pool, pool: "other" }, pool, { ...job("a", [0, 10, 4]), pools: ["all"] }];
    const { starts, reserved } = await played([...lines, { ...job("b", [0, 10, 4]), pools: ["all"] }]);
    expect(starts).toEqual({ a: 0, b: 10 });
    expect(reserved).toEqual(["a", "b"]);
  });

  it("SI-51 give the reservation back when they are cancelled, waiting or running", async () => {
    const lines = [pool, job("a", [0, 100, 4]), job("b", [1, 100, 4]), job("c", [20, 10, 4])];
    const { starts, counts } = await played([...lines, { cancel: "b", at: 5 }, { cancel: "a", at: 10 }]);
    expect(starts).toEqual({ c: 20 });
    expect(counts).toMatchObject({ cancelledWaiting: 1, cancelledRunning: 1, wastedProcMs: 40_000 });
    expect(counts.interrupted.map(({ name }) => name)).toEqual(["a"]);
  });

  it.each([
    ["requeue", { a: 20 }, { requeued: 1, lost: 0 }],
    ["lost", {}, { requeued: 0, lost: 1 }],
  ] as const)("QU-26 whose reservation an outage breaks is stopped: %s", async (rule, starts, counts) => {
    const lines = [pool, job("a", [0, 10, 4]), { down: "all", procs: 4, at: 5, until: 20 }];
    const result = await played(lines, rule);
    expect(result.starts).toEqual(starts);
    expect(result.reserved).toEqual([]);
    expect(result.counts).toMatchObject({
      stopped: 1,
      wastedProcMs: 20_000,
      brokenReservations: 1,
      ...counts,
    });
  });

  it("QU-26 whose reservation an outage breaks before it begins queues", async () => {
    const lines = [pool, job("a", [0, 10, 4]), job("b", [1, 10, 4])];
    const result = await played([...lines, { down: "all", procs: 4, at: 10, until: 20 }]);
    expect(result.starts).toEqual({ a: 0, b: 20 });
    expect(result.reserved).toEqual(["a"]);
    expect(result.counts).toMatchObject({ stopped: 0, wastedProcMs: 0, brokenReservations: 1 });
  });

  it("are told of in a scenario, with their rows; on nodes they are refused", async () => {
    const directory = join(folder, `${++files}`);
    const site: Omit<ScenarioSite, "workload"> = {
      ...{ name: "west", pools: [], reserving: ALL.rules },
      ...{ discipline: "conservative", estimates: "requested", overrun: "extend" },
    };
    const run = async (lines: readonly Line[]) => {
      const workload = { kind: "lines", trace: written(lines), lenient: false } as const;
      const cut = { kind: "jobs", count: 0 } as const;
      const scenario: Scenario = {
        ...{ name: "lines", folder, seed: 3, replicates: 1, warmUp: cut, coolDown: cut, compare: [] },
        ...{ runs: [{ name: "all", settings: {}, sites: [{ ...site, workload }] }], jobsOut: "first" },
        baseline: "all",
      };
      return runScenario({ scenario, directory, isOverwriting: true, workers: 1 }, "1.2.3", {}, workHere);
    };
    const jobs = [job("a", [0, 10, 4]), job("b", [0, 10, 4])];
    const { rows } = await run([pool, ...jobs, job("c", [0, 10, 4]), { cancel: "a", at: 5 }]);
    expect(rows[0].reserving).toMatchObject({ reservedJobs: 2, queuedJobs: 0 });
    const text = readFileSync(join(directory, "jobs-all.csv"), "utf8").trim().split("\n");
    expect(text.map((row) => row.split(",").slice(-3).join(","))).toEqual([
      "reserved,fixed_su,delayed_jobs",
      ...["1,0,0", "1,0,0"],
    ]);
    const onNodes = run([{ ...pool, nodes: 2 }, ...jobs]);
    await expect(onNodes).rejects.toMatchObject({ why: expect.stringContaining("without regard to nodes") });
  });
});
