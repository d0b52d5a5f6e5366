import { describe, expect, it } from "vitest";
import { createRandom } from "../../base/index.ts";
import { instanceOf } from "../platform/index.ts";
import { layeredWorkflow, workflowOf } from "../workflow/index.ts";
import { islandsOf, mergedIslands, planningBy } from "./index.ts";

function instanceFor(tasks: number) {
  const draft = layeredWorkflow({ tasks, meanProcs: 2, mostProcs: 4 }, createRandom(2));
  const workflow = workflowOf(draft);
  const instance = workflow.ok
    ? instanceOf(workflow.value, { sites: [{ name: "s", procs: 6, speed: 1, price: 1 }], pairs: [] })
    : workflow;
  if (!instance.ok) throw new Error(instance.refusal[0].what);
  return instance.value;
}
const small = instanceFor(12);
const question = { alpha: 0, seed: 3 };

describe("islands of the search", () => {
  it("PL-40 are one for small workflows and few schedules, several beyond, with seeds of their own", () => {
    expect(islandsOf(small, question)).toEqual([question]);
    expect(islandsOf(small, { ...question, evaluations: 9_999 })).toHaveLength(1);
    const islands = islandsOf(small, { ...question, evaluations: 20_003 });
    expect(islands.map(({ evaluations }) => evaluations)).toEqual([5001, 5001, 5001, 5000]);
    expect(new Set(islands.map(({ seed }) => seed)).size).toBe(4);
    expect(islandsOf(small, { ...question, evaluations: 1e6 })).toHaveLength(16);
    expect(islandsOf(instanceFor(90), question)).toHaveLength(4);
  });

  it("PL-40 can be sent to threads, whatever else the question has", () => {
    const asked = { ...question, evaluations: 10_000, livePlatform: () => undefined };
    expect(structuredClone(islandsOf(small, asked))).toHaveLength(2);
  });

  it("PL-40 merge to the plans that none beats, in their order", () => {
    const found = [1, 2].map((seed) => {
      const planning = planningBy("search", small, { ...question, seed, evaluations: 60 });
      let step = planning.next();
      while (step.done !== true) step = planning.next();
      return step.value;
    });
    const merged = mergedIslands(found);
    expect(merged.evaluations).toBe(found[0].evaluations + found[1].evaluations);
    const best = Math.min(...found.map(({ front }) => front[0].makespanMs));
    expect(merged.front[0].makespanMs).toBe(best);
    expect(merged.front[0]).toBe(found.find(({ front }) => front[0].makespanMs === best)?.front[0]);
  });
});
