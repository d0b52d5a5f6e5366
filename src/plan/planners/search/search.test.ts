import { describe, expect, it } from "vitest";
import { instanceOf, ownPlatform } from "../../platform/index.ts";
import { type WorkflowDraft, workflowOf } from "../../workflow/index.ts";
import { searchPlans } from "./search.ts";

/** Makespan in periods of one second, and how many schedules it took. */
function searched(draft: WorkflowDraft, evaluations: number) {
  const workflow = workflowOf(draft);
  if (!workflow.ok) throw new Error("a project is a workflow");
  const instance = instanceOf(workflow.value, ownPlatform(draft.capacities ?? {}));
  if (!instance.ok) throw new Error("a project fits its own machine");
  const planning = searchPlans(instance.value, { alpha: 0, seed: 1, evaluations });
  let step = planning.next();
  while (step.done !== true) step = planning.next();
  return { periods: step.value.front[0].makespanMs / 1000, schedules: step.value.evaluations };
}

const chain: WorkflowDraft = {
  name: "three that share one",
  capacities: { R1: 2 },
  tasks: ["a", "b", "c"].map((id, at) => ({
    ...{ id, procs: 0, runtimeMs: at === 2 ? 3000 : 2000, amounts: { R1: at === 2 ? 2 : 1 }, parents: [] },
  })),
};

describe("the search over orders of tasks", () => {
  it("PL-29 stops as soon as a lower bound proves the plan", () => {
    expect(searched(chain, 500)).toEqual({ periods: 5, schedules: 0 });
  });
});
