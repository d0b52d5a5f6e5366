/**
 * The programs of examples/external as people run them. They need Python 3 and skip visibly without.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { hasSharedData, tracePath, withoutSharedData } from "./shared-data.ts";
import { stint, temporaryFolder } from "./stint.ts";

const root = resolve(import.meta.dirname, "..");
const folder = temporaryFolder();
const FIRST_JOBS = 10_000;
const poisson = "examples/poisson.swf";
const hasPython = spawnSync("python3", ["-c", "pass"]).status === 0;
const withoutPython = hasPython ? "" : " (skipped: no python3)";

/** The rows per job of a run, and its report. */
function run(trace: string, discipline: string) {
  const jobsOut = join(folder, `${discipline.replace(/\W+/g, "-")}.csv`);
  const words = ["sim", trace, "--discipline", discipline, "--jobs-out", jobsOut, "-o", "json"];
  const { code, out, err } = stint(words, root);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return { rows: readFileSync(jobsOut, "utf8"), report: JSON.parse(out) };
}

/** The first jobs of a packed trace as a file: a program of Python takes a millisecond for each. */
function beginningOf(trace: string): string {
  const file = join(folder, "beginning.swf");
  const lines = gunzipSync(readFileSync(trace)).toString("latin1").split("\n");
  const isHead = (line: string) => line.startsWith(";");
  const jobs = lines.filter((line) => !isHead(line)).slice(0, FIRST_JOBS);
  writeFileSync(file, `${[...lines.filter(isHead), ...jobs].join("\n")}\n`);
  return file;
}

const shortestFirst = (patience: string): string =>
  `exec:python3 examples/external/shortest_first.py ${patience}`.trim();

describe.skipIf(!hasPython)(`programs that are the discipline${withoutPython}`, () => {
  it("SI-20 FCFS in Python equals ours, job for job", () => {
    const theirs = run(poisson, "exec:./examples/external/fcfs.py");
    const ours = run(poisson, "fcfs");
    expect(theirs.rows).toBe(ours.rows);
    expect(theirs.report.discipline).toBe("exec:./examples/external/fcfs.py");
  });

  it("SI-20 shortest first has a lower mean wait; without patience it is FCFS", () => {
    const [fcfs, none, some] = [
      run(poisson, "fcfs"),
      run(poisson, shortestFirst("0")),
      run(poisson, shortestFirst("")),
    ];
    expect(none.rows).toBe(fcfs.rows);
    expect(some.report.jobs).toBe(fcfs.report.jobs);
    expect(some.report.waitMeanSec).toBeLessThan(fcfs.report.waitMeanSec / 2);
  });

  it.skipIf(!hasSharedData)(`SI-20 on a recorded workload too${withoutSharedData}`, () => {
    const trace = beginningOf(tracePath("SDSC-SP2"));
    expect(run(trace, "exec:./examples/external/fcfs.py").rows).toBe(run(trace, "fcfs").rows);
  });
});
