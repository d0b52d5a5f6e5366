import fc from "fast-check";
import { describe, expect, it } from "vitest";
import "../../../test/property-seed.ts";
import { draws } from "../../../test/draws.ts";
import { instanceOf, type PlatformSite } from "../platform/index.ts";
import { type TaskDraft, workflowOf } from "../workflow/index.ts";
import type { Plan } from "./plan.ts";
import { PLANNERS, type PlannerName, planningBy } from "./planners.ts";

const site: PlatformSite = { name: "here", procs: 4, speed: 1, price: 1 };
const sold = { price: 1, fixedSu: 0, divisible: true, extensible: false };
const slots = [
  { startMs: 0, procs: 2, durationMs: 5000, ...sold },
  { startMs: 1000, procs: 2, durationMs: 9000, ...sold },
  { startMs: 10_000, procs: 4, durationMs: 1_000_000, ...sold },
];

const drawnTask = fc.record({
  ...{ procs: fc.integer({ min: 1, max: 2 }), sec: fc.integer({ min: 1, max: 3 }) },
  ...{ priority: fc.integer({ min: -1, max: 2 }), parent: fc.option(fc.nat(20)) },
});

/** Some tasks, of which most have no parent; the others follow an earlier one. */
const drawnTasks = fc.array(drawnTask, { minLength: 2, maxLength: 12 }).map((drawn) =>
  drawn.map(({ procs, sec, priority, parent }, at): TaskDraft => {
    const parents = parent === null || parent >= at ? [] : [{ id: `t${parent}`, bytes: 0 }];
    return { id: `t${at}`, procs, runtimeMs: 1000 * sec, rules: { priority }, parents };
  }),
);

function plansBy(planner: PlannerName, tasks: readonly TaskDraft[], sites: readonly PlatformSite[]) {
  const workflow = workflowOf({ name: "w", tasks });
  if (!workflow.ok) throw new Error(workflow.refusal[0].what);
  const instance = instanceOf(workflow.value, { sites, pairs: [] });
  if (!instance.ok) throw new Error(instance.refusal[0].what);
  const planning = planningBy(planner, instance.value, { alpha: 0, seed: 1, evaluations: 60 });
  let step = planning.next();
  while (step.done !== true) step = planning.next();
  return step.value.front;
}

/** Pairs of like tasks without parents of which the one with the smaller priority begins first. */
function inversions(tasks: readonly TaskDraft[], { placement: { startMs, site: at } }: Plan): string[] {
  return tasks.flatMap((one, a) =>
    tasks.flatMap((other, b) => {
      const isLike =
        one.parents.length + other.parents.length === 0 &&
        one.procs === other.procs &&
        one.runtimeMs === other.runtimeMs;
      const [priority = 0, lower = 0] = [one.rules?.priority, other.rules?.priority];
      const isInverted = isLike && priority > lower && at[a] === at[b] && startMs[a] > startMs[b];
      return isInverted ? [`${other.id} before ${one.id}`] : [];
    }),
  );
}

describe("priorities of tasks", () => {
  it.each(PLANNERS)("PL-42 of like tasks %s begins none of a smaller priority first", (planner) => {
    const scene = fc.record({ tasks: drawnTasks, sells: fc.boolean() });
    fc.assert(
      fc.property(scene, ({ tasks, sells }) => {
        for (const plan of plansBy(planner, tasks, [sells ? { ...site, slots } : site])) {
          expect(inversions(tasks, plan)).toEqual([]);
        }
      }),
      draws(40),
    );
  });
});
