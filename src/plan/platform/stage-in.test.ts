import { describe, expect, it } from "vitest";
import { choosePlan, planningBy, statedPlan } from "../planners/index.ts";
import { type TaskDraft, workflowOf } from "../workflow/index.ts";
import { instanceOf, type Platform } from "./index.ts";

const platform: Platform = {
  sites: ["near", "far"].map((name) => ({ name, procs: 4, speed: 1, price: 1 })),
  ...{ link: { latencyMs: 5, bytesPerSec: 1000 }, pairs: [] },
};

/** The plan of one task of ten seconds by HEFT. */
function planOf(inputs: TaskDraft["inputs"], on: Platform = platform) {
  const task = { id: "a", procs: 1, runtimeMs: 10_000, parents: [], ...(inputs ? { inputs } : {}) };
  const workflow = workflowOf({ name: "w", tasks: [task] });
  const instance = workflow.ok ? instanceOf(workflow.value, on) : undefined;
  if (instance?.ok !== true) throw new Error("one task fits");
  const step = planningBy("heft", instance.value, { alpha: 0, seed: 1 }).next();
  if (step.done !== true) throw new Error("heft has one step");
  const { plan } = choosePlan(step.value.front, { alpha: 0, seed: 1 });
  return statedPlan(instance.value, plan).tasks[0];
}

describe("PL-43 the stage-in of input files", () => {
  it("counts in the time of a task, and is stated", () => {
    expect(planOf([{ bytes: 2000 }, { bytes: 500 }])).toMatchObject({ endSec: 12.505, stageInSec: 2.505 });
  });

  it("is not needed where the files are, so that the task goes there", () => {
    const placed = planOf([{ bytes: 2000, at: ["far"] }]);
    expect([placed.site, placed.endSec, placed.stageInSec]).toEqual(["far", 10, undefined]);
  });

  it("is not known without a link", () => {
    const { link: _, ...unlinked } = platform;
    expect(planOf([{ bytes: 2000 }], unlinked).endSec).toBe(10);
  });
});
