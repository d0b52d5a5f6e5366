import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { hasSharedData, type Oracle, oracles, tracePath, withoutSharedData } from "./shared-data.ts";
import { stint, temporaryFolder } from "./stint.ts";

/** The means an independent program printed beside its schedules, to the digits that it gave. */
const PRINTED: Readonly<Record<string, { wait: string; slowdown: string; utilisation: string }>> = {
  "SDSC-SP2_128_fcfs_requested": { wait: "1551989.434", slowdown: "13993.2603", utilisation: "0.76795" },
  "SDSC-SP2_128_easy_requested": { wait: "21183.671", slowdown: "92.6288", utilisation: "0.83393" },
  "SDSC-SP2_128_easy_exact": { wait: "17967.936", slowdown: "74.5243", utilisation: "0.83397" },
  "SDSC-SP2_128_conservative_requested": {
    wait: "23453.439",
    slowdown: "93.4769",
    utilisation: "0.83379",
  },
  "SDSC-SP2_128_conservative_exact": {
    wait: "19419.261",
    slowdown: "71.6782",
    utilisation: "0.83397",
  },
  "SDSC-SP2_128_repack_requested": { wait: "25147.164", slowdown: "102.4356", utilisation: "0.83372" },
  "CTC-SP2_430_easy_requested": { wait: "3325.271", slowdown: "10.7246", utilisation: "0.66140" },
  "CTC-SP2_430_conservative_requested": {
    wait: "4210.860",
    slowdown: "13.9199",
    utilisation: "0.66140",
  },
  "CTC-SP2_430_conservative_exact": { wait: "4340.445", slowdown: "8.1795", utilisation: "0.66140" },
};

const folder = temporaryFolder();

describe(`every job starts when an independent program says${withoutSharedData}`, () => {
  it.skipIf(!hasSharedData)("there are results to compare with", () => {
    expect(
      oracles()
        .map(({ file }) => file.replace(".csv.gz", ""))
        .sort(),
    ).toEqual(Object.keys(PRINTED).sort());
  });

  it.skipIf(!hasSharedData).each(oracles())("QU-1 … QU-17 SI-1 SI-6 $file", (oracle) => {
    const written = join(folder, `${oracle.file}.out.csv`);
    const report = simulate(oracle, written);
    expect(firstFiveColumns(readFileSync(written, "utf8"))).toEqual(
      gunzipSync(readFileSync(oracle.path)).toString().trimEnd().split("\n"),
    );
    const printed = PRINTED[oracle.file.replace(".csv.gz", "")];
    expect(report.waitMeanSec.toFixed(3)).toBe(printed.wait);
    expect(report.boundedSlowdownMean.toFixed(4)).toBe(printed.slowdown);
    expect(report.utilisation.toFixed(5)).toBe(printed.utilisation);
  });
});

function simulate({ trace, procs, discipline, estimates }: Oracle, jobsOut: string) {
  const words = ["sim", tracePath(trace), "--procs", String(procs), "-o", "json"];
  const rules = ["--discipline", discipline, "--estimates", estimates, "--jobs-out", jobsOut];
  const { code, out, err } = stint([...words, ...rules]);
  expect(err).toBe("");
  expect(code).toBe(0);
  return JSON.parse(out) as { waitMeanSec: number; boundedSlowdownMean: number; utilisation: number };
}

function firstFiveColumns(csv: string): string[] {
  return csv
    .trimEnd()
    .split("\n")
    .map((line) => line.split(",").slice(0, 5).join(","));
}
