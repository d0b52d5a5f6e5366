import { describe, expect, it } from "vitest";
import {
  choosePlan,
  executionsOf,
  type Instance,
  instanceOf,
  planningBy,
  workflowOf,
} from "../plan/index.ts";
import { type Planned, surePlan } from "./sure-plan.ts";

const tasks = ["a", "b", "c"].map((id, at) => ({
  ...{ id, procs: 1, runtimeMs: 100_000, spreadMs: 40_000, memoryBytes: 0, gpus: 0, amounts: {} },
  parents: at === 0 ? [] : [{ id: "abc"[at - 1], bytes: 0 }],
}));
const workflow = workflowOf({ name: "chain", tasks });
if (!workflow.ok) throw new Error(workflow.refusal[0].what);
const built = instanceOf(workflow.value, {
  ...{ sites: [{ name: "here", procs: 4, speed: 1, price: 1 }], pairs: [] },
});
if (!built.ok) throw new Error(built.refusal[0].what);
const instance = built.value;

async function planOn(on: Instance): Promise<Planned> {
  const planning = planningBy("heft", on, { alpha: 0, seed: 1 });
  const step = planning.next();
  if (step.done !== true) throw new Error("heft has one step");
  const { front, evaluations } = step.value;
  return { front, evaluations, isStopped: false, plan: front[0], shortfalls: [] };
}

const request = {
  ...{ files: ["chain.yaml"], alpha: 0, seed: 1 },
  deadlineMs: 420_000,
};

describe("a plan that is to keep its deadline surely", () => {
  it("PL-35 is judged by other executions than those by which it was chosen", async () => {
    const { planned, uncertainty } = await surePlan(instance, { ...request, surely: 0.9 }, planOn);
    const chosenBy = executionsOf(instance, planned.plan, request);
    expect(uncertainty?.choosingProbability).toBe(chosenBy.deadlineProbability);
    expect(uncertainty?.deadlineProbability).not.toBe(chosenBy.deadlineProbability);
    expect(uncertainty?.deadlineProbability).toBeCloseTo(chosenBy.deadlineProbability ?? 0, 1);
    expect(planned.shortfalls).toEqual([]);
  });

  it("PL-35 meets a deadline wanted with 0.95 in 0.93 of new executions, at a stated cost", async () => {
    // The cheapest plan that keeps the deadline by the stated runtimes, at a slow and a fast site.
    const sites = [1, 2].map((speed) => ({ name: `x${speed}`, procs: 4, speed, price: speed ** 2 }));
    const at = instanceOf(workflow.value, { sites, link: { latencyMs: 0, bytesPerSec: 1e9 }, pairs: [] });
    if (!at.ok) throw new Error(at.refusal[0].what);
    const asked = { ...request, alpha: 1, deadlineMs: 330_000, evaluations: 300 };
    const cheapest = async (on: Instance): Promise<Planned> => {
      const planning = planningBy("search", on, asked);
      let step = planning.next();
      while (step.done !== true) step = planning.next();
      return { ...step.value, isStopped: false, ...choosePlan(step.value.front, asked) };
    };
    const first = await cheapest(at.value);
    const { planned, uncertainty } = await surePlan(at.value, { ...asked, surely: 0.95 }, cheapest);
    expect(uncertainty?.suretyCostSu).toBe(planned.plan.packedCostSu - first.plan.packedCostSu);
    expect(uncertainty?.suretyCostSu).toBeGreaterThan(0);
    const met = (plan: Planned["plan"]) => {
      const seen = executionsOf(at.value, plan, { ...asked, seed: 11 });
      expect(seen.runs).toBeGreaterThanOrEqual(400);
      return seen.deadlineProbability;
    };
    expect(met(planned.plan)).toBeGreaterThanOrEqual(0.93);
    expect(met(first.plan)).toBeLessThan(0.93);
  });

  it("PL-35 misses its surety where the other executions say so", async () => {
    const seen = await surePlan(instance, { ...request, surely: 0.999 }, planOn);
    const probability = seen.uncertainty?.deadlineProbability;
    expect(probability).toBeLessThan(0.999);
    expect(seen.planned.shortfalls).toEqual([{ kind: "deadlineUnsure", probability, wanted: 0.999 }]);
  });
});
