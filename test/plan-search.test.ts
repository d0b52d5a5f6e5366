/** The search for plans beside proven optima: projects of PSPLIB's set j30. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readWorkflowFile } from "../src/formats/workflow/index.ts";
import { instanceOf, ownPlatform, planningBy } from "../src/plan/index.ts";
import { j30Projects } from "./psplib.ts";
import { hasSharedData, withoutSharedData } from "./shared-data.ts";
import { temporaryFolder } from "./stint.ts";

const folder = temporaryFolder();

/** Makespan in periods of one second, after so many schedules. */
async function searched(text: string, evaluations: number): Promise<number> {
  const file = join(folder, "project.sm");
  writeFileSync(file, text);
  const { workflow } = await readWorkflowFile(file);
  const instance = instanceOf(workflow, ownPlatform(workflow.capacities ?? {}));
  if (!instance.ok) throw new Error("a project fits its own machine");
  const planning = planningBy("search", instance.value, { alpha: 0, seed: 1, evaluations });
  let step = planning.next();
  while (step.done !== true) step = planning.next();
  return step.value.front[0].makespanMs / 1000;
}

describe.skipIf(!hasSharedData)(`projects with proven optima${withoutSharedData}`, () => {
  it("PL-29 are on average within 0.5 % after 300 schedules, and none is below its optimum", async () => {
    const deviations: number[] = [];
    for (const { text, optimum } of j30Projects().filter((_, at) => at % 10 === 3)) {
      deviations.push((await searched(text, 300)) / optimum - 1);
    }
    expect(Math.min(...deviations)).toBe(0);
    expect(deviations.reduce((sum, it) => sum + it, 0) / deviations.length).toBeLessThan(0.005);
  });
});
