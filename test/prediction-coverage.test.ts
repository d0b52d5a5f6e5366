/** Promised starts on recorded traces: how many were kept. Of whole traces: `npx tsx bench/prediction.ts`. */
import { describe, expect, it } from "vitest";
import { coverageOf, isEnough, recordedJobs } from "./prediction-replay.ts";
import { hasSharedData, tracePath, withoutSharedData } from "./shared-data.ts";

const JOBS = 30_000;

describe(`promises from past waits are kept${withoutSharedData}`, () => {
  it.skipIf(!hasSharedData).each(["CTC-SP2", "SDSC-SP2", "HPC2N"])(
    "PD-21 on the first jobs of %s",
    async (trace) => {
      const { whole, classes } = coverageOf(await recordedJobs(tracePath(trace), JOBS));
      const judged = classes.filter(isEnough);
      expect(judged.length).toBeGreaterThan(3);
      expect(judged.filter(({ kept }) => kept < 0.95)).toEqual([]);
      expect(whole.promises).toBeGreaterThan(0.99 * JOBS);
      expect(whole.kept).toBeGreaterThanOrEqual(0.95);
      // A bound that is always kept and far away would say nothing.
      expect(whole.kept).toBeLessThan(0.99);
      expect(whole.medianRatioOfWaiting).toBeGreaterThan(0.001);
    },
  );
});
