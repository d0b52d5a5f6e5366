import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../test/stint.ts";
import { PRIORITY_NAMES, type SimulationRequest } from "../model/index.ts";
import { simulateFile } from "./index.ts";

const folder = temporaryFolder();
let files = 0;

function fileWith(text: string, ending: string): string {
  const path = join(folder, `${++files}${ending}`);
  writeFileSync(path, text);
  return path;
}

interface Job {
  readonly submit: number;
  readonly runtime: number;
  readonly procs: number;
  readonly user: number;
}

/** Starts as `job@second` under EASY on four processors, with the report. */
async function run(
  jobs: readonly Job[],
  more: Partial<SimulationRequest> & { readonly rules?: string } = {},
) {
  const { rules, ...asked } = more;
  const rows = jobs.map(
    ({ submit, runtime, procs, user }, i) =>
      `${i + 1} ${submit} -1 ${runtime} -1 -1 -1 ${procs} -1 -1 1 ${user} ${user > 5 ? 2 : 1} -1 1 1 -1 -1`,
  );
  const jobsOut = join(folder, `${++files}.csv`);
  const { report } = await simulateFile(
    {
      trace: fileWith(`; MaxProcs: 4\n${rows.join("\n")}\n`, ".swf"),
      discipline: "easy",
      estimates: "requested",
      overrun: "extend",
      lenient: false,
      jobsOut,
      ...(rules === undefined ? {} : { priorityConfig: fileWith(rules, ".yaml") }),
      ...asked,
    },
    { version: "test" },
  );
  const cells = readFileSync(jobsOut, "utf8").trimEnd().split("\n").slice(1);
  const starts = cells.map((row) => row.split(",")).map(([id, , start]) => `${id}@${start}`);
  return { report, starts: starts.join(" ") };
}

/** User 1 has had the machine for long; then he, somebody of his group and somebody else submit. */
const contended: readonly Job[] = [
  { submit: 0, runtime: 1000, procs: 4, user: 1 },
  { submit: 10, runtime: 100, procs: 4, user: 1 },
  { submit: 11, runtime: 100, procs: 4, user: 2 },
  { submit: 12, runtime: 100, procs: 4, user: 7 },
];

describe("a trace under a priority", () => {
  it("QU-12 users and accounts come from the trace, with equal shares", async () => {
    const { starts, report } = await run(contended, { priority: "slurm" });
    expect(starts).toBe("1@0 2@1200 3@1100 4@1000");
    expect(report.priority).toMatchObject({ kind: "slurm", fairShare: "fairTree" });
  });

  it.each([
    ["maui", "", "1@0 2@1200 3@1000 4@1100"],
    ["condor", "", "1@0 2@1200 3@1000 4@1100"],
    ["age", "", "1@0 2@1000 3@1100 4@1200"],
    ["slurm", "weights: { fairShare: 0 }", "1@0 2@1000 3@1100 4@1200"],
    ["slurm", 'weights: { fairShare: 0 }\nusers: { "2": { nice: -9 } }', "1@0 2@1100 3@1000 4@1200"],
    ["condor", 'users: { "1": { factor: 0.1 } }', "1@0 2@1000 3@1100 4@1200"],
  ] as const)("QU-12 %s %j: %s", async (priority, rules, starts) => {
    expect((await run(contended, { priority, rules })).starts).toBe(starts);
  });

  it("PF-7 a user's limit keeps jobs out, and their waiting counts nevertheless", async () => {
    const jobs = [1, 2, 3].map((submit) => ({ submit, runtime: 10, procs: 2, user: 3 }));
    const other = { submit: 4, runtime: 10, procs: 2, user: 4 };
    const rules = 'users: { "3": { maxProcs: 2 } }';
    const { starts, report } = await run([...jobs, other], { priority: "maui", rules });
    expect(starts).toBe("1@0 2@10 3@20 4@3");
    expect(report.waitMaxSec).toBe(18);
  });

  it("PF-9 a report states the rules, completed, and is the same twice", async () => {
    for (const priority of PRIORITY_NAMES) {
      const [one, other] = [await run(contended, { priority }), await run(contended, { priority })];
      expect(one.report.priority?.kind).toBe(priority);
      expect(one.starts).toBe(other.starts);
    }
    expect((await run(contended)).report).not.toHaveProperty("priority");
  });

  it("rules without a priority, and a priority over a program, are refused", async () => {
    await expect(run(contended, { rules: "{}" })).rejects.toThrow("priority");
    await expect(run(contended, { priority: "age", discipline: "exec:true" })).rejects.toThrow("priority");
  });
});
