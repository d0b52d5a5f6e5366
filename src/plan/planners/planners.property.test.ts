import fc from "fast-check";
import { describe, expect, it } from "vitest";
import "../../../test/property-seed.ts";
import { draws } from "../../../test/draws.ts";
import { checkPlan } from "../../../test/plain/plan-checker.ts";
import { createRandom } from "../../base/index.ts";
import { type FreeBeside, instanceOf, type Platform } from "../platform/index.ts";
import { layeredWorkflow, type TaskDraft, workflowOf } from "../workflow/index.ts";
import { withLanes } from "./lanes.ts";
import { PLANNERS, type PlannerName, planningBy } from "./planners.ts";
import { choosePlan, type FoundPlans, type PlanningQuestion } from "./planning.ts";
import { statedPlan } from "./statement.ts";

const slot = fc.record({
  startMs: fc.integer({ min: 0, max: 6000 }),
  procs: fc.integer({ min: 1, max: 6 }),
  durationMs: fc.integer({ min: 500, max: 9000 }),
  price: fc.constantFrom(0.5, 1, 3),
  fixedSu: fc.constantFrom(0, 0.001),
  isOpen: fc.boolean(),
});
const site = fc.record({
  speed: fc.constantFrom(1, 2, 3),
  price: fc.constantFrom(1, 1.5),
  slots: fc.array(slot, { minLength: 1, maxLength: 6 }),
});
interface DrawnSite {
  readonly speed: number;
  readonly price: number;
  readonly slots: readonly {
    readonly startMs: number;
    readonly procs: number;
    readonly durationMs: number;
    readonly price: number;
    readonly fixedSu: number;
    readonly isOpen: boolean;
  }[];
}
interface Scene {
  readonly seed: number;
  readonly tasks: number;
  readonly sites: readonly DrawnSite[];
  readonly sellsSlots: boolean;
  readonly hasMemory: boolean;
  /** Input files, categories, priorities and limits on the tasks that run at once. */
  readonly hasRules: boolean;
}
const scene: fc.Arbitrary<Scene> = fc.record({
  seed: fc.nat(1000),
  tasks: fc.integer({ min: 1, max: 10 }),
  sites: fc.array(site, { minLength: 1, maxLength: 3 }),
  sellsSlots: fc.boolean(),
  hasMemory: fc.boolean(),
  hasRules: fc.boolean(),
});

/** Tasks and platform of a scene; slots never overlap the size of their site. */
function sceneOf({ seed, tasks: count, sites, sellsSlots, hasMemory, hasRules }: Scene) {
  const drawn = layeredWorkflow(
    { tasks: count, meanProcs: 3, mostProcs: 4, meanRuntimeMs: 800, bytes: 500 },
    createRandom(seed),
  );
  const tasks = drawn.tasks.map((task, at): TaskDraft => {
    return {
      ...task,
      ...(hasMemory ? { memoryBytes: (at * 7) % 5, gpus: at % 3 } : {}),
      ...(hasRules ? ruledTask(at) : {}),
    };
  });
  const limits = hasRules ? { maxRunning: 1 + (seed % 4), maxRunningOf: { io: 1 + (seed % 2) } } : {};
  const platform: Platform = {
    sites: sites.map(({ slots, ...of }, at) => ({
      ...{ ...of, name: `s${at}`, procs: sellsSlots ? 40 : 4, memoryBytes: 6, gpus: 2 },
      ...(sellsSlots && hasMemory ? { freeBeside: besideOf(seed + at) } : {}),
      ...(sellsSlots
        ? { slots: slots.map(({ isOpen, ...it }) => ({ ...it, divisible: isOpen, extensible: isOpen })) }
        : {}),
    })),
    link: { latencyMs: 20, bytesPerSec: 3000 },
    pairs: [],
  };
  return { tasks, platform, limits };
}

/** Free memory and GPUs that change with time; in the end all of them. */
function besideOf(seed: number): readonly FreeBeside[] {
  const step = (at: number) => ({ memoryBytes: (seed * 5 + at * 3) % 7, gpus: (seed + at) % 3 });
  const steps = [0, 700, 1500].map((fromMs, at) => ({ fromMs, ...step(at) }));
  return [...steps, { fromMs: 2500, memoryBytes: 6, gpus: 2 }];
}

function ruledTask(at: number): Pick<TaskDraft, "inputs" | "rules"> {
  return {
    ...(at % 3 === 0 ? { inputs: [{ bytes: 400 * at }, { bytes: 900, at: ["s1"] }] } : {}),
    rules: { priority: at % 4, ...(at % 2 === 0 ? { category: "io" } : {}) },
  };
}

function finished(
  name: PlannerName,
  question: PlanningQuestion,
  of: ReturnType<typeof sceneOf>,
): FoundPlans | undefined {
  const { tasks, limits } = of;
  const workflow = workflowOf({ name: "w", tasks, execution: { limits } });
  const instance = workflow.ok ? instanceOf(withLanes(workflow.value), of.platform) : workflow;
  if (!instance.ok) return undefined;
  const begun = planningBy(name, instance.value, question);
  let step = begun.next();
  while (step.done !== true) step = begun.next();
  for (const plan of step.value.front) {
    const stated = statedPlan(instance.value, plan);
    if (stated.tasks.length < tasks.length) continue;
    const { reservations: _, ...unreserved } = stated;
    const claimed = name === "best-effort" ? unreserved : stated;
    // Best effort reserves nothing, and takes sites as they are when nothing else runs there.
    const sites = of.platform.sites.map(({ freeBeside: _, ...site }) => site);
    const platform = name === "best-effort" ? { ...of.platform, sites } : of.platform;
    expect(checkPlan(tasks, platform, claimed, limits)).toEqual([]);
  }
  return step.value;
}

describe("all planners", () => {
  it.each(PLANNERS)(
    "PL-25 every plan of %s passes the independent checker",
    (name) => {
      fc.assert(
        fc.property(scene, (drawn) => {
          finished(name, { alpha: 0.5, seed: drawn.seed, evaluations: 120 }, sceneOf(drawn));
        }),
        draws(20),
      );
    },
    60_000,
  );

  it.each(["search", "moga", "nsga2"] as const)(
    "PL-25 %s finds the same for a seed",
    (name) => {
      const of = sceneOf({
        ...{ seed: 4, tasks: 12, sellsSlots: name !== "search", hasMemory: false, hasRules: false },
        sites: [1, 2].map((speed) => ({
          ...{ speed, price: speed },
          slots: [0, 1, 2].map((at) => ({
            ...{ startMs: 1000 * at, procs: 4, durationMs: 4000, price: 1, fixedSu: 0, isOpen: at === 1 },
          })),
        })),
      });
      const found = () => finished(name, { alpha: 0.5, seed: 7, evaluations: 300 }, of);
      expect(found()).toEqual(found());
    },
    60_000,
  );

  it("PL-28 a deadline or a budget that cannot be met is told by how much", () => {
    const of = sceneOf({
      ...{ seed: 1, tasks: 9, sellsSlots: false, hasMemory: false, hasRules: false },
      sites: [{ speed: 1, price: 1, slots: [] }],
    });
    const front = finished("heft", { alpha: 0.5, seed: 1 }, of)?.front ?? [];
    const [{ makespanMs, packedCostSu }] = front;
    const said = choosePlan(front, {
      ...{ alpha: 0.5, seed: 1, deadlineMs: makespanMs - 300, budgetSu: packedCostSu / 2 },
    });
    expect(said.shortfalls).toEqual([
      { kind: "deadlineMissed", byMs: 300 },
      { kind: "budgetExceeded", bySu: packedCostSu / 2 },
    ]);
    expect(choosePlan(front, { alpha: 0.5, seed: 1, deadlineMs: makespanMs }).shortfalls).toEqual([]);
  });
});
