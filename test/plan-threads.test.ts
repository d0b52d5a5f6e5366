/** The search in threads: the same plans however many there are, and the best so far when it is stopped. */
import { describe, expect, it } from "vitest";
import { createRandom } from "../src/base/index.ts";
import { planInThreads } from "../src/main/plan-in-threads.ts";
import {
  instanceOf,
  islandsOf,
  layeredWorkflow,
  type PlanningProgress,
  statedPlan,
  workflowOf,
} from "../src/plan/index.ts";
import { checkPlan } from "./plain/plan-checker.ts";

const draft = layeredWorkflow({ tasks: 40, meanProcs: 3, mostProcs: 5 }, createRandom(8));
const sites = [1, 2].map((speed) => ({ name: `s${speed}`, procs: 8, speed, price: speed }));
const platform = { sites, link: { latencyMs: 10, bytesPerSec: 1e6 }, pairs: [] };
const workflow = workflowOf(draft);
const built = workflow.ok ? instanceOf(workflow.value, platform) : workflow;
if (!built.ok) throw new Error(built.refusal[0].what);
const instance = built.value;
const question = { alpha: 0.5, seed: 1 };
const few = islandsOf(instance, { ...question, evaluations: 15_000 }).map((one) => ({
  ...one,
  evaluations: 200,
}));

describe("the search in threads", () => {
  it("PL-40 finds the same plans with one thread, two and four", async () => {
    const hooks = { onProgress: () => undefined, isStopped: () => false };
    const [one, two, four] = [
      await planInThreads(instance, few, hooks, 1),
      await planInThreads(instance, few, hooks, 2),
      await planInThreads(instance, few, hooks, 4),
    ];
    expect(one.isStopped).toBe(false);
    expect(one.found.evaluations).toBe(600);
    expect(two).toEqual(one);
    expect(four).toEqual(one);
    for (const plan of one.found.front) {
      expect(checkPlan(draft.tasks, platform, statedPlan(instance, plan))).toEqual([]);
    }
  });

  it("PL-40 ends with the best so far when it is stopped, and tells how far it is", async () => {
    const told: PlanningProgress[] = [];
    const long = few.map((one) => ({ ...one, evaluations: 100_000_000 }));
    const stopped = await planInThreads(
      instance,
      long,
      { onProgress: (at) => told.push(at), isStopped: () => told.length > 0 },
      2,
    );
    expect(stopped.isStopped).toBe(true);
    expect(stopped.found.front.length).toBeGreaterThan(0);
    expect(told[0].evaluations).toBeGreaterThan(0);
    expect(told[0].mostEvaluations).toBe(300_000_000);
    for (const plan of stopped.found.front) {
      expect(checkPlan(draft.tasks, platform, statedPlan(instance, plan))).toEqual([]);
    }
  });
});
