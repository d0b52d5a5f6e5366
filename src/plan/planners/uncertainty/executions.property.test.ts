import fc from "fast-check";
import { describe, expect, it } from "vitest";
import "../../../../test/property-seed.ts";
import { draws } from "../../../../test/draws.ts";
import { createRandom, drawInteger } from "../../../base/index.ts";
import { type Instance, instanceOf } from "../../platform/index.ts";
import { layeredWorkflow, workflowOf } from "../../workflow/index.ts";
import { heft } from "../list-schedule.ts";
import { planOf } from "../plan.ts";
import { executed, executionsOf, lengthenedTo } from "./executions.ts";
import { drawnPart, SURETY_LEVELS, surePart } from "./runtime-spread.ts";

function drawn(seed: number, count: number, spread: number): Instance {
  const draft = layeredWorkflow(
    { tasks: count, meanProcs: 3, mostProcs: 4, meanRuntimeMs: 800, bytes: 500 },
    createRandom(seed),
  );
  const tasks = draft.tasks.map((task) => ({
    ...task,
    spreadMs: Math.round(spread * (task.runtimeMs ?? 0)),
  }));
  const workflow = workflowOf({ ...draft, tasks });
  const instance = workflow.ok
    ? instanceOf(workflow.value, {
        sites: [1, 2].map((speed) => ({ name: `s${speed}`, procs: 4, speed, price: speed })),
        ...{ link: { latencyMs: 20, bytesPerSec: 3000 }, pairs: [] },
      })
    : workflow;
  if (!instance.ok) throw new Error("the workflow fits");
  return instance.value;
}

describe("simulated executions", () => {
  it("PL-32 begin each task at the first instant from its planned start on with its data and room", () => {
    fc.assert(
      fc.property(fc.nat(1000), fc.integer({ min: 1, max: 12 }), (seed, count) => {
        const instance = drawn(seed, count, 0);
        const { workflow, siteCount, runtimeMs } = instance;
        const plan = heft(instance);
        const random = createRandom(seed);
        const lengths = Float64Array.from(plan.site, (site, task) =>
          Math.ceil((runtimeMs[task * siteCount + site] * drawInteger(random, 5, 20)) / 10),
        );
        const { startMs, endMs } = executed(instance, plan, lengths);
        const order = [...workflow.order].sort(
          (a, b) =>
            plan.startMs[a] - plan.startMs[b] || workflow.order.indexOf(a) - workflow.order.indexOf(b),
        );
        const procs = (task: number): number => workflow.tasks[task].procs;
        for (const [at, task] of order.entries()) {
          let fromMs = plan.startMs[task];
          for (let edge = workflow.parentStart[task]; edge < workflow.parentStart[task + 1]; edge++) {
            const parent = workflow.parentOf[edge];
            const isFar = plan.site[parent] !== plan.site[task];
            const travelsMs = isFar ? 20 + Math.ceil(workflow.parentBytes[edge] / 3) : 0;
            fromMs = Math.max(fromMs, endMs[parent] + travelsMs);
          }
          const before = order.slice(0, at).filter((other) => plan.site[other] === plan.site[task]);
          const isFree = (from: number): boolean => {
            for (let now = from; now < from + lengths[task]; now++) {
              const used = before.filter((it) => startMs[it] <= now && now < endMs[it]);
              if (used.reduce((sum, it) => sum + procs(it), procs(task)) > 4) return false;
            }
            return true;
          };
          const starts = [fromMs, ...before.map((it) => endMs[it])].filter((it) => it >= fromMs);
          expect(startMs[task]).toBe(starts.sort((a, b) => a - b).find(isFree));
        }
      }),
      draws(15),
    );
  });

  it("PL-32 of certain runtimes are the plan, at its cost", () => {
    const instance = drawn(3, 12, 0);
    const plan = planOf(instance, heft(instance));
    const seen = executionsOf(instance, plan, { seed: 1, deadlineMs: plan.makespanMs });
    expect(seen.deadlineProbability).toBe(1);
    expect(seen.meanMakespanMs).toBeCloseTo(plan.makespanMs, 6);
    expect(seen.meanCostSu).toBeCloseTo(plan.packedCostSu, 9);
  });

  it("PL-32 longer planned runtimes keep a deadline that is later more surely", () => {
    const instance = drawn(5, 12, 0.5);
    const plan = planOf(instance, heft(instance));
    const deadlineMs = 1.3 * plan.makespanMs;
    const seen = executionsOf(instance, plan, { seed: 1, deadlineMs });
    expect(seen.deadlineProbability).toBeGreaterThan(0);
    expect(seen.deadlineProbability).toBeLessThan(1);
    expect(seen.meanCostSu).toBeGreaterThan(plan.packedCostSu);
    const level = SURETY_LEVELS[3];
    const longer = planOf(instance, heft(lengthenedTo(instance, level)));
    expect(longer.packedCostSu).toBeGreaterThan(plan.packedCostSu);
  });

  it.each([
    ["a spread", { spreadMs: 400 }, 1],
    [
      "quantiles",
      {
        quantilesMs: [
          [0.5, 1000],
          [0.9, 3000],
        ] as const,
      },
      1.3,
    ],
  ])("PL-32 runtimes of %s have their mean, and stay within a level as often as it says", (_, of, mean) => {
    const task = { id: "a", procs: 1, runtimeMs: 1000, memoryBytes: 0, gpus: 0, amounts: {}, ...of };
    const random = createRandom(9);
    const parts = Array.from({ length: 20_000 }, () => drawnPart(task, random));
    expect(parts.reduce((sum, it) => sum + it, 0) / parts.length).toBeCloseTo(mean + (mean > 1 ? 0.3 : 0), 1);
    for (const level of SURETY_LEVELS.slice(0, 4)) {
      const within = parts.filter((it) => it <= surePart(task, level)).length / parts.length;
      expect(within).toBeGreaterThan(level.probability - 0.02);
      expect(within).toBeLessThan(level.probability + (level.probability < 0.9 ? 0.02 : 0.11));
    }
  });
});
