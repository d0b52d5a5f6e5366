import { describe, expect, it } from "vitest";
import { type Instance, instanceOf, type Platform, type SlotForSale } from "../../platform/index.ts";
import { type TaskDraft, workflowOf } from "../../workflow/index.ts";
import { type PlannerName, planningBy } from "../planners.ts";
import type { PlanningQuestion } from "../planning.ts";

const open = (price: number, startMs = 0): SlotForSale => ({
  ...{ startMs, procs: 4, durationMs: 10_000, price, fixedSu: 0, divisible: true, extensible: true },
});
const site = { name: "s", procs: 8, speed: 1, price: 1, memoryBytes: 6, gpus: 1 };

function instanceFor(tasks: readonly Partial<TaskDraft>[], slots: readonly SlotForSale[]): Instance {
  const drafts = tasks.map((task, at) => ({
    ...{ id: `t${at}`, procs: 1, runtimeMs: 1000, parents: [] },
    ...task,
  }));
  const workflow = workflowOf({ name: "w", tasks: drafts });
  const platform: Platform = { sites: [{ ...site, slots }], pairs: [] };
  const instance = workflow.ok ? instanceOf(workflow.value, platform) : workflow;
  if (!instance.ok) throw new Error(instance.refusal[0].what);
  return instance.value;
}

function planned(name: PlannerName, instance: Instance, question: Partial<PlanningQuestion> = {}) {
  const planning = planningBy(name, instance, { alpha: 0.5, seed: 1, evaluations: 300, ...question });
  let step = planning.next();
  while (step.done !== true) step = planning.next();
  return step.value.front[0];
}

describe("tasks that need more than processors, on slots", () => {
  it.each(["heft", "greedy", "moga", "nsga2", "search", "weighted", "per-task"] as const)(
    "PL-36 %s lets them wait for memory and GPUs of the site",
    (name) => {
      const sharing = instanceFor([{ memoryBytes: 4 }, { memoryBytes: 2 }, { memoryBytes: 4 }], [open(1)]);
      expect(planned(name, sharing, { alpha: 0 }).makespanMs).toBe(2000);
      const onGpu = instanceFor([{ gpus: 1 }, { gpus: 1, procs: 0 }, { gpus: 1 }], [open(1)]);
      expect(planned(name, onGpu, { alpha: 0 }).makespanMs).toBe(3000);
    },
  );
});

describe("the planner of one weighted objective", () => {
  it("PL-37 takes dear slots for time, and waits for cheap ones for cost", () => {
    const instance = instanceFor([{ procs: 4 }], [open(9), open(1, 5000)]);
    expect(planned("weighted", instance, { alpha: 0 }).makespanMs).toBe(1000);
    expect(planned("weighted", instance, { alpha: 1 }).makespanMs).toBe(6000);
  });
});

describe("the planner of a reservation for each task", () => {
  const chain = instanceFor([{}, { parents: [{ id: "t0", bytes: 0 }] }], [open(3600)]);

  it("PL-38 gives all tasks the same slack, as much as the deadline leaves", () => {
    const plan = planned("per-task", chain, { deadlineMs: 3000 });
    const spans = plan.reservations.map(({ startMs, endMs }) => [startMs, endMs]);
    expect(spans).toEqual([
      [0, 1500],
      [1500, 3000],
    ]);
    expect([...plan.placement.endMs]).toEqual([1000, 2500]);
    expect(plan.packedCostSu).toBe(3);
  });

  it("PL-38 gives none without a deadline, or where the deadline is missed", () => {
    for (const question of [{}, { deadlineMs: 1500 }]) {
      expect(planned("per-task", chain, question).reservations.map(({ endMs }) => endMs)).toEqual([
        1000, 2000,
      ]);
    }
  });
});
