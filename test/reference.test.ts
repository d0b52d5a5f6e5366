import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import {
  compileReference,
  hasCompiler,
  type ReferenceRun,
  referenceWords,
} from "../bench/reference/compile.ts";
import { hasSharedData, oracles, tracePath, withoutSharedData } from "./shared-data.ts";
import { stint, temporaryFolder } from "./stint.ts";

const folder = temporaryFolder();
const withoutCompiler = hasCompiler ? "" : " (skipped: no C++ compiler)";
let program = "";

describe.skipIf(!hasCompiler)(`the plain C++ simulator of bench/reference${withoutCompiler}`, () => {
  beforeAll(() => {
    program = compileReference(folder);
  });

  describe(`gives every job the start that an independent program gave it${withoutSharedData}`, () => {
    // It knows no repack, which no figure is promised for.
    const known = oracles().filter(({ discipline }) => discipline !== "repack");

    it.skipIf(!hasSharedData)("there are results to compare with", () => {
      expect(known).toHaveLength(8);
    });

    it.skipIf(!hasSharedData).each(known)("$file", ({ path, ...oracle }) => {
      const trace = join(folder, `${oracle.trace}.swf`);
      writeFileSync(trace, gunzipSync(readFileSync(tracePath(oracle.trace))));
      expect(reference({ ...oracle, trace }).split("\n")).toEqual(
        gunzipSync(readFileSync(path)).toString().split("\n"),
      );
    });
  });

  describe("agrees with the program on the shipped synthetic workload", () => {
    const trace = resolve(import.meta.dirname, "../examples/poisson.swf");
    const disciplines = ["fcfs", "easy", "conservative"];
    const rules = disciplines.flatMap((discipline) => [
      { discipline, estimates: "exact" },
      { discipline, estimates: "requested" },
    ]);

    it.each(rules)("$discipline, $estimates estimates", (rule) => {
      const run = { trace, procs: 128, ...rule };
      const jobsOut = join(folder, "jobs.csv");
      expect(stint(["sim", ...referenceWords(run), "--jobs-out", jobsOut]).code).toBe(0);
      const rows = readFileSync(jobsOut, "utf8").split("\n");
      expect(rows.map((row) => row.split(",").slice(0, 5).join(","))).toEqual(reference(run).split("\n"));
    });
  });
});

/** The schedule that the reference prints. */
function reference(run: ReferenceRun): string {
  const { status, stdout, stderr } = spawnSync(program, referenceWords(run), {
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  expect(stderr).toMatch(/^jobs \d+ read_ms [\d.]+ simulation_ms [\d.]+\n$/);
  expect(status).toBe(0);
  return stdout;
}
