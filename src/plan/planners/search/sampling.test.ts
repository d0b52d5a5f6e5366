import { describe, expect, it } from "vitest";
import { createRandom, drawFraction } from "../../../base/index.ts";
import { instanceOf, ownPlatform } from "../../platform/index.ts";
import { type WorkflowDraft, workflowOf } from "../../workflow/index.ts";
import { emptyPlacement } from "../placement.ts";
import { tailsOf } from "./bounds.ts";
import { createPasses, serialPass } from "./passes.ts";
import { leastChanceOf, sampledPass } from "./sampling.ts";

/** a, b and c share R, d follows a, e follows all. */
const draft: WorkflowDraft = {
  name: "five",
  capacities: { R: 3 },
  tasks: [
    ...[1, 2, 3].map((need) => task("abc"[need - 1], need, 1000 * need)),
    task("d", 2, 4000, "a"),
    task("e", 1, 1000, "a", "b", "c", "d"),
  ],
};

function task(id: string, need: number, runtimeMs: number, ...parents: readonly string[]) {
  const waitsFor = parents.map((parent) => ({ id: parent, bytes: 0 }));
  return { id, procs: 0, runtimeMs, amounts: { R: need }, parents: waitsFor };
}

describe("sampled schedules", () => {
  const workflow = workflowOf(draft);
  const instance = workflow.ok ? instanceOf(workflow.value, ownPlatform({ R: 3 })) : workflow;
  if (!instance.ok) throw new Error("the project fits its machine");
  const { forward: before, backward: after } = createPasses(instance.value);
  const tails = tailsOf(instance.value);
  const from = { instance: instance.value, before, after, tails, leastChance: leastChanceOf(instance.value) };

  it("PL-29 start every task when its parents have ended and it fits, none later than in their order", () => {
    const random = createRandom(3);
    const schedules = new Set<string>();
    for (let drawn = 0; drawn < 200; drawn++) {
      const sampled = emptyPlacement(5);
      const length = sampledPass(from, sampled, () => drawFraction(random));
      expect(length).toBe(Math.max(...sampled.endMs));
      // The serial scheme in the order of the starts finds the same schedule.
      const list = Int32Array.from([0, 1, 2, 3, 4]).sort(
        (one, other) => sampled.startMs[one] - sampled.startMs[other] || one - other,
      );
      const again = emptyPlacement(5);
      serialPass(createPasses(instance.value), before, list, again);
      expect(again.startMs).toEqual(sampled.startMs);
      schedules.add(sampled.startMs.join(" "));
    }
    expect(schedules.size).toBe(3);
  });
});
