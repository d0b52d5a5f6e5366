/**
 * The experiments that reproduce the sources, in a small version; and in full where the traces are.
 */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { lookAlikes, recordedClusters } from "../experiments/slots/clusters.ts";
import { runSlots } from "../experiments/slots/run-slots.ts";
import { hasSharedData, tracePath, withoutSharedData } from "./shared-data.ts";
import { temporaryFolder } from "./stint.ts";

const folder = temporaryFolder();
const HOUR = 3_600_000;

describe("slots, [PROV] figures 4 to 8", () => {
  it("run on workloads that look alike, and the report says that they do", async () => {
    const out = join(folder, "small.html");
    const clusters = await lookAlikes(folder, 300);
    const told: string[] = [];
    const verdicts = await runSlots({ clusters, everyMs: HOUR, out }, (text) => told.push(text));
    expect(told).toHaveLength(8);
    expect(new Set(verdicts.map(({ figure }) => figure))).toEqual(
      new Set(["3.1", "Fig. 4", "Fig. 5", "Fig. 6", "Fig. 7", "Fig. 8"]),
    );
    // What holds of slots whatever the workload.
    const certain = verdicts.filter(({ figure }) => figure === "Fig. 5");
    expect(certain.map(({ isReproduced }) => isReproduced)).toEqual([true, true]);
    const report = readFileSync(out, "utf8");
    expect(report.match(/<svg viewBox="0 0 (720|460)/g)).toHaveLength(8);
    expect(report.match(/to look alike/g)).toHaveLength(2);
    expect(report).not.toMatch(/<script|NaN|undefined|src=/);
  });

  it("a folder without the logs is refused", async () => {
    await expect(recordedClusters(folder)).rejects.toThrow("no log of CTC is here");
  });

  it.skipIf(!hasSharedData)(`on the recorded logs${withoutSharedData}`, async () => {
    const clusters = await recordedClusters(dirname(tracePath("CTC-SP2")));
    const out = join(folder, "full.html");
    // Every tenth hour is enough for the verdicts; the full version is for people.
    const verdicts = await runSlots({ clusters, everyMs: 10 * HOUR, out }, () => undefined);
    const failing = verdicts.filter(({ isReproduced }) => !isReproduced).map(({ claim }) => claim);
    expect(failing).toEqual(["CTC: 27 slots are advertised on average"]);
  });
});
