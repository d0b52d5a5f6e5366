import { describe, expect, it } from "vitest";
import { checkPlan } from "../../../test/plain/plan-checker.ts";
import { createRandom } from "../../base/index.ts";
import { choosePlan, endOfPart, type PlannerName, planningBy, statedPlan } from "../planners/index.ts";
import { instanceOf } from "../platform/index.ts";
import { areSame, joinedWorkflow, layeredWorkflow, measuresOf, workflowOf } from "./index.ts";

const drawn = (seed: number, tasks: number) =>
  layeredWorkflow({ tasks, meanProcs: 2, mostProcs: 4, meanRuntimeMs: 900, bytes: 100 }, createRandom(seed));
const drafts = [drawn(1, 9), { ...drawn(2, 6), name: "other name" }, drawn(3, 4)];
const workflows = drafts.map((draft) => {
  const workflow = workflowOf(draft);
  if (!workflow.ok) throw new Error(workflow.refusal[0].what);
  return workflow.value;
});
const { workflow, parts } = joinedWorkflow(workflows);
const [first, second, third] = parts.map(({ name }) => name);
/** Tasks of all drafts under their joined names, for the checker. */
const tasks = drafts.flatMap((draft, at) =>
  draft.tasks.map((task) => ({
    ...{ ...task, id: `${parts[at].name}/${task.id}` },
    parents: task.parents.map(({ id, bytes }) => ({ id: `${parts[at].name}/${id}`, bytes })),
  })),
);
const platform = {
  sites: [1, 2].map((speed) => ({ name: `s${speed}`, procs: 5, speed, price: speed })),
  ...{ link: { latencyMs: 10, bytesPerSec: 1000 }, pairs: [] },
};
const joined = instanceOf(workflow, platform);
if (!joined.ok) throw new Error(joined.refusal[0].what);
const instance = joined.value;

function planned(name: PlannerName, question: object = {}) {
  const asked = { alpha: 0, seed: 1, evaluations: 200, parts, ...question };
  const planning = planningBy(name, instance, asked);
  let step = planning.next();
  while (step.done !== true) step = planning.next();
  return { ...step.value, ...choosePlan(step.value.front, asked) };
}

describe("several workflows as one", () => {
  it("PL-39 have all tasks and edges of each, under names that differ", () => {
    expect(new Set([first, second, third]).size).toBe(3);
    expect(second).toBe("other-name");
    const again = workflowOf({ name: workflow.name, tasks });
    if (!again.ok) throw new Error(again.refusal[0].what);
    expect(measuresOf(workflow)).toEqual(measuresOf(again.value));
    for (const key of ["parentStart", "parentOf", "parentBytes", "childStart", "childOf"] as const) {
      expect([...workflow[key]]).toEqual([...again.value[key]]);
    }
  });

  it.each(["heft", "search", "nsga2", "greedy"] as const)("PL-39 %s shares the sites among them", (name) => {
    const { plan } = planned(name);
    expect(checkPlan(tasks, platform, statedPlan(instance, plan))).toEqual([]);
    const ends = parts.map((part) => endOfPart(plan.placement, part));
    expect(Math.max(...ends)).toBe(plan.makespanMs);
    expect(Math.min(...ends)).toBeGreaterThan(0);
  });

  it("PL-39 have deadlines of their own, each told by how much it is missed", () => {
    const { plan } = planned("heft");
    const ends = parts.map((part) => endOfPart(plan.placement, part));
    const withDeadlines = parts.map((part, at) => ({ ...part, deadlineMs: ends[at] - (at === 1 ? 70 : 0) }));
    expect(planned("heft", { parts: withDeadlines }).shortfalls).toEqual([
      { kind: "deadlineMissed", byMs: 70, workflow: "other-name" },
    ]);
  });

  it("PL-39 choose the plan of a front that keeps the deadline of each", () => {
    const { front } = planned("search", { evaluations: 600 });
    const ends = front.map(({ placement }) => endOfPart(placement, parts[2]));
    const least = Math.min(...ends);
    const own = parts.map((part, at) => (at === 2 ? { ...part, deadlineMs: least } : part));
    const { plan } = choosePlan(front, { alpha: 1, seed: 1, parts: own });
    expect(endOfPart(plan.placement, parts[2])).toBe(least);
  });

  it("PL-39 share a machine of their own only where it is the same", () => {
    const own = workflows.map((of) => ({ ...of, capacities: { R1: 4 } }));
    expect(joinedWorkflow(own).workflow.capacities).toEqual({ R1: 4 });
    expect(areSame([...own, workflows[0]], "capacities")).toBe(false);
    expect(joinedWorkflow([...own, workflows[0]]).workflow.capacities).toBeUndefined();
  });
});
