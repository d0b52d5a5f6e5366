import fc from "fast-check";
import { describe, expect, it } from "vitest";
import "../../../test/property-seed.ts";
import { draws } from "../../../test/draws.ts";
import { createRandom } from "../../base/index.ts";
import { instanceOf, type Platform } from "../platform/index.ts";
import { layeredWorkflow, type TaskDraft, type WorkflowDraft, workflowOf } from "../workflow/index.ts";
import { withLanes } from "./lanes.ts";
import { heft } from "./list-schedule.ts";
import { heftOrder } from "./ranks.ts";

const platform: Platform = {
  sites: ["near", "far"].map((name) => ({ name, procs: 1000, speed: 1, price: 1 })),
  ...{ link: { latencyMs: 5, bytesPerSec: 1000 }, pairs: [] },
};

const workflow = (draft: Omit<WorkflowDraft, "name">) => {
  const checked = workflowOf({ name: "w", ...draft });
  if (!checked.ok) throw new Error(checked.refusal[0].what);
  return checked.value;
};
const instance = (of: ReturnType<typeof workflow>) => {
  const built = instanceOf(of, platform);
  if (!built.ok) throw new Error(built.refusal[0].what);
  return built.value;
};

/** Most of some tasks that run at one instant. */
function peakOf(placement: ReturnType<typeof heft>, isCounted: (task: number) => boolean): number {
  const own = [...placement.startMs.keys()].filter(isCounted);
  const running = own.map((one) =>
    own.filter(
      (other) =>
        placement.startMs[other] <= placement.startMs[one] && placement.startMs[one] < placement.endMs[other],
    ),
  );
  return Math.max(0, ...running.map((some) => some.length));
}

describe("limits on the tasks that run at once", () => {
  it("PL-42 hold at every instant of a plan, of a category and of all", () => {
    const scene = fc.record({
      ...{ seed: fc.nat(1000), tasks: fc.integer({ min: 1, max: 30 }) },
      ...{ most: fc.integer({ min: 1, max: 4 }), maxRunning: fc.integer({ min: 1, max: 8 }) },
    });
    fc.assert(
      fc.property(scene, ({ seed, tasks: count, most, maxRunning }) => {
        const drawn = layeredWorkflow(
          { tasks: count, meanProcs: 2, mostProcs: 3, meanRuntimeMs: 800, bytes: 500 },
          createRandom(seed),
        );
        const tasks = drawn.tasks.map((task, at): TaskDraft => {
          return at % 2 === 0 ? { ...task, rules: { category: "io", priority: at % 3 } } : task;
        });
        const execution = { limits: { maxRunning, maxRunningOf: { io: most } } };
        const placement = heft(instance(withLanes(workflow({ tasks, execution }))));
        expect(peakOf(placement, (task) => task % 2 === 0)).toBeLessThanOrEqual(most);
        expect(peakOf(placement, () => true)).toBeLessThanOrEqual(maxRunning);
      }),
      draws(60),
    );
  });

  it("PL-42 leave a workflow without limits as it is", () => {
    const plain = workflow({ tasks: [{ id: "a", procs: 1, runtimeMs: 1, parents: [] }] });
    expect(withLanes(plain)).toBe(plain);
  });
});

describe("priorities of tasks", () => {
  it("PL-42 come before ranks, among tasks whose parents came before", () => {
    const parents = [{ id: "a", bytes: 0 }];
    const tasks: TaskDraft[] = [
      { id: "a", procs: 1, runtimeMs: 1, parents: [] },
      { id: "long", procs: 1, runtimeMs: 90, parents },
      { id: "urgent", procs: 1, runtimeMs: 5, parents, rules: { priority: 7 } },
    ];
    const of = workflow({ tasks });
    const names = [...heftOrder(instance(of))].map((task) => of.tasks[task].id);
    expect(names).toEqual(["a", "urgent", "long"]);
  });
});
