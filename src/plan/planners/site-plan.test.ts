import { describe, expect, it } from "vitest";
import { checkPlan } from "../../../test/plain/plan-checker.ts";
import { createRandom } from "../../base/index.ts";
import { instanceOf, type Platform } from "../platform/index.ts";
import { layeredWorkflow, workflowOf } from "../workflow/index.ts";
import { sitePlan } from "./plan.ts";
import { planOnAllSlots } from "./slots/evolve.ts";
import { statedPlan } from "./statement.ts";

const slot = (startMs: number, procs: number) => ({
  ...{ startMs, procs, durationMs: 10_000_000, price: 2, fixedSu: 0 },
  ...{ divisible: true, extensible: false },
});
/** One of two GPUs is taken for three seconds, and half of the memory for one. */
const beside = {
  ...{ memoryBytes: 8, gpus: 2 },
  freeBeside: [
    { fromMs: 0, memoryBytes: 4, gpus: 1 },
    { fromMs: 1000, memoryBytes: 8, gpus: 1 },
    { fromMs: 3000, memoryBytes: 8, gpus: 2 },
  ],
};
/** Two processors at once and three more a second later; the margin fits only where both slots are. */
const platform = (marginMs: number): Platform => ({
  sites: [
    { name: "one", procs: 5, speed: 1, price: 2, slots: [slot(0, 2), slot(1000, 3)], marginMs },
    { name: "two", procs: 4, speed: 1, price: 2, slots: [slot(500, 4)], marginMs, ...beside },
  ],
  link: { latencyMs: 10, bytesPerSec: 1e6 },
  pairs: [],
});

describe("a plan whose reservations are parts of sites", () => {
  it("PL-25 passes the checker, and has each task in one reservation", () => {
    for (let seed = 0; seed < 50; seed++) {
      const sizes = { tasks: 12, meanProcs: 2, mostProcs: 4, meanRuntimeMs: 900, bytes: 100 };
      const drawn = layeredWorkflow(sizes, createRandom(seed));
      const tasks = drawn.tasks.map((task, at) =>
        at % 3 === 0 ? { ...task, memoryBytes: 1 + (at % 4), gpus: at % 2 } : task,
      );
      const draft = { ...drawn, tasks };
      const workflow = workflowOf(draft);
      if (!workflow.ok) throw new Error("the workflow is in order");
      const instance = instanceOf(workflow.value, platform(0));
      if (!instance.ok) throw new Error("the workflow fits");
      const plan = statedPlan(instance.value, sitePlan(instance.value, planOnAllSlots(instance.value)));
      const whole = { ...platform(0), sites: platform(0).sites.map(({ slots: _, ...site }) => site) };
      expect(checkPlan(draft.tasks, whole, plan)).toEqual([]);
      for (const { reservation, procs, startSec, endSec, site } of plan.tasks) {
        if (procs === 0 || startSec === endSec) continue;
        const around = plan.reservations[reservation ?? -1];
        expect(around.site).toBe(site);
        expect(around.startSec).toBeLessThanOrEqual(startSec);
        expect(around.endSec).toBeGreaterThanOrEqual(endSec);
      }
      const margined = instanceOf(workflow.value, platform(5000));
      if (!margined.ok) throw new Error("the workflow fits");
      const longer = statedPlan(margined.value, sitePlan(margined.value, planOnAllSlots(margined.value)));
      expect(longer.makespanSec).toBe(plan.makespanSec);
      expect(checkPlan(draft.tasks, whole, longer).filter((one) => one.includes("reserved"))).toEqual([]);
    }
  });

  it("PL-23 has at most 1,000 reservations in all, on however many sites", () => {
    const names = Array.from({ length: 50 }, (_, at) => `s${at}`);
    const tasks = names.flatMap((name) =>
      Array.from({ length: 24 }, (_, at) => ({
        ...{ id: `${name}.${at}`, procs: 3 + (at % 2), parents: [] },
        runtimesMs: { [name]: 1000 },
      })),
    );
    const sites = names.map((name) => ({ name, procs: 4, speed: 1, price: 1, slots: [slot(0, 4)] }));
    const workflow = workflowOf({ name: "w", tasks });
    const instance = workflow.ok ? instanceOf(workflow.value, { sites, pairs: [] }) : undefined;
    if (instance?.ok !== true) throw new Error("the workflow fits");
    const { reservations } = sitePlan(instance.value, planOnAllSlots(instance.value));
    expect(reservations.length).toBeLessThanOrEqual(1000);
    expect(reservations.flatMap((one) => one.tasks ?? [])).toHaveLength(tasks.length);
  });
});
