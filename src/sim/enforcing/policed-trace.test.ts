import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { PolicyTrial, SimulationRequest } from "../../model/index.ts";
import { simulateFile } from "../simulate.ts";
import { affectedBy } from "./affected.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "stint-enforced-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Jobs as `submit runtime procs user`, on a machine of four processors. */
function requested(
  jobs: readonly string[],
  policies: string,
  more: Partial<SimulationRequest> = {},
): SimulationRequest {
  const lines = jobs.map((job, at) => {
    const [submit, runtime, procs, user] = job.split(" ");
    const end = `${procs} ${runtime} -1 1 ${user} 1 -1 -1 -1 -1 -1`;
    return `${at + 1} ${submit} -1 ${runtime} ${procs} -1 -1 ${end}`;
  });
  const trace = join(folder, "trace.swf");
  writeFileSync(trace, `; MaxProcs: 4\n${lines.join("\n")}\n`);
  const file = join(folder, "p.policy.yaml");
  writeFileSync(file, policies);
  return {
    ...{ trace, discipline: "fcfs", estimates: "exact", overrun: "extend", lenient: false },
    policies: { files: [file], form: "ours" },
    ...more,
  };
}
const play = async (request: SimulationRequest) => (await simulateFile(request, { version: "0" })).report;
const HALVES = "- (1) CPU, here, u1, (3600,50), (5,50)\n- (2) CPU, here, u2, (3600,50), (5,100)\n";

describe("SI-84 a record under other policies", () => {
  /** A job as `submit wait runtime procs user requested`. */
  function trialOf(jobs: readonly string[], more: Partial<PolicyTrial>): PolicyTrial {
    const lines = jobs.map((job, at) => {
      const [submit, wait, runtime, procs, user, asked] = job.split(" ");
      const end = `${procs} ${asked} -1 1 ${user} 1 -1 -1 -1 -1 -1`;
      return `${at + 1} ${submit} ${wait} ${runtime} ${procs} -1 -1 ${end}`;
    });
    const trace = join(folder, "record.swf");
    writeFileSync(trace, `; MaxProcs: 4\n${lines.join("\n")}\n`);
    const file = join(folder, "p.policy.yaml");
    writeFileSync(file, HALVES);
    const how = { discipline: "fcfs", estimates: "exact", form: "ours" } as const;
    return { trace, files: [file], before: [], ...how, ...more };
  }
  // Backfilled: the third job began at once beside the first, before the second, which needs all.
  const record = ["0 0 100 2 1 100", "0 100 100 4 2 100", "0 0 50 2 1 200"];

  it("the requested discipline applies", async () => {
    const errors = async (more: Partial<PolicyTrial>) => (await affectedBy(trialOf(record, more))).baseline;
    expect(await errors({ discipline: "easy" })).toEqual({ medianErrorMs: 0, p95ErrorMs: 0 });
    expect((await errors({})).p95ErrorMs).toBe(200_000);
  });

  it("the requested estimates apply: by its request the third job would not fit", async () => {
    const requested = { discipline: "easy", estimates: "requested" } as const;
    expect((await affectedBy(trialOf(record, requested))).baseline.p95ErrorMs).toBe(200_000);
  });
});

describe("SI-83 a trace under policies", () => {
  it("a burst limit makes jobs wait on an idle machine", async () => {
    const request = requested(["0 100 2 1", "0 100 2 1"], HALVES);
    const { policies: _, ...without } = request;
    expect((await play(without)).waitMaxSec).toBe(0);
    const report = await play(request);
    expect(report.waitMaxSec).toBe(100);
    expect(report.enforcing).toMatchObject({ site: "here", form: "ours", stops: 0, neverStarted: 0 });
  });

  it("jobs wider than their policies permit are counted", async () => {
    const report = await play(requested(["0 100 3 1", "0 100 4 2"], HALVES));
    expect(report.enforcing?.neverStarted).toBe(1);
    expect(report.jobs).toBe(1);
  });

  it("rows after a job that never starts are written, too", async () => {
    const jobsOut = join(folder, "rows.csv");
    await play(requested(["0 100 3 1", "0 100 2 1"], HALVES, { jobsOut }));
    expect(readFileSync(jobsOut, "utf8").trimEnd().split("\n")).toHaveLength(2);
  });

  it("a file of owners assigns jobs to consumers", async () => {
    const owners = join(folder, "owners.yaml");
    writeFileSync(owners, "users: { 1: vo/ann }\n");
    const policies = "- (1) CPU, here, vo, (3600,50), (5,50)\n";
    const request = requested(["0 100 2 1", "0 100 2 1"], policies);
    const named = {
      ...request,
      policies: { files: request.policies?.files ?? [], form: "ours", owners } as const,
    };
    expect((await play(named)).waitMaxSec).toBe(100);
  });

  it("a priority orders admission, and reserved processors stay free", async () => {
    const jobsOut = join(folder, "ordered.csv");
    const jobs = ["0 100 4 1", "1 100 4 1", "2 100 1 1", "3 100 3 1"];
    const startsOf = async (more: Partial<SimulationRequest>) => {
      await play(requested(jobs, "- (1) CPU, here, u1, (3600,100), (5,100)\n", { jobsOut, ...more }));
      const [head = "", ...rows] = readFileSync(jobsOut, "utf8").trimEnd().split("\n");
      const start = head.split(",").indexOf("start");
      return rows.map((row) => Number(row.split(",")[start]));
    };
    expect(await startsOf({ discipline: "easy" })).toEqual([0, 100, 200, 200]);
    expect(await startsOf({ discipline: "conservative", priority: "size" })).toEqual([0, 200, 100, 100]);
    const reservations = join(folder, "reserved.csv");
    writeFileSync(reservations, "id,start,duration,procs\n1,100,150,2\n");
    expect(await startsOf({ discipline: "repack", reservations })).toEqual([0, 250, 100, 350]);
  });

  it("refuses policies of several sites, and what is wrong in them, with the place", async () => {
    const several = `${HALVES}- (3) CPU, there, u1, (3600,50), (5,50)\n`;
    await expect(play(requested(["0 1 1 1"], several))).rejects.toMatchObject({ code: "policiesOfSites" });
    const wrong = play(requested(["0 1 1 1"], "- (1) CPU, here, u1, (0,50)\n"));
    await expect(wrong).rejects.toMatchObject({
      errors: [{ message: expect.stringContaining("p.policy.yaml:1") }],
    });
  });
});
