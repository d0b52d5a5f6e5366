import { describe, expect, it } from "vitest";
import { workflowOf } from "../workflow/index.ts";
import { usualPlanner } from "./planners.ts";

describe("the planner where none is asked for", () => {
  it.each([
    ["heft", {}],
    ["search", { capacities: { R1: 4 } }],
  ])("PL-31 is %s for %j", (planner, own) => {
    const tasks = [{ id: "a", procs: 0, runtimeMs: 1000, parents: [] }];
    const workflow = workflowOf({ name: "w", tasks, ...own });
    expect(workflow.ok && usualPlanner(workflow.value)).toBe(planner);
  });
});
