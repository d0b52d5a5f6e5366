/** The experiments on plans: best effort and greedy plans on small sites, and what verdicts make of them. */
import { describe, expect, it } from "vitest";
import { bestEffortMs } from "../experiments/plans/best-effort.ts";
import { greedyOnPrices, instanceAt, plansByMoga } from "../experiments/plans/plans.ts";
import { playerOf } from "../experiments/plans/states.ts";
import { isBelow, ratioOf } from "../experiments/plans/verdicts.ts";
import type { TaskDraft, WorkflowDraft } from "../src/plan/index.ts";
import type { WorkloadJob } from "../src/sim/workload/workload.ts";

const job = (id: number, submitSec: number, procs: number, sec: number) =>
  ({
    ...{ id, submitMs: 1000 * submitSec, need: [procs], estimateMs: 1000 * sec, runtimeMs: 1000 * sec },
    ...{ user: 0, group: 0 },
  }) as unknown as WorkloadJob;
const site = {
  ...{ name: "here", procs: 4 },
  // Half of the site is taken until 1,000 s, all that waits until 1,500 s, and one comes later.
  jobs: [job(0, 0, 2, 1000), job(1, 0, 4, 500), job(2, 20, 4, 100)],
};
const task = (id: string, procs: number, sec: number, ...parents: readonly string[]): TaskDraft => ({
  ...{ id, procs, runtimeMs: 1000 * sec },
  parents: parents.map((parent) => ({ id: parent, bytes: 0 })),
});
const draft: WorkflowDraft = { name: "two", tasks: [task("a", 2, 600), task("b", 4, 100, "a")] };
const stateAt10 = () => [playerOf(site)(10_000)];

describe("plans on recorded workloads", () => {
  it("best effort queues behind what is there and what comes while its tasks run", () => {
    const states = stateAt10();
    // a runs beside job 0 from 10 s to 610 s; b joins behind jobs 1 and 2, which end at 1,500 s and 1,600 s.
    expect(bestEffortMs(states, instanceAt(draft, states, false))).toBe(1_690_000);
    expect(bestEffortMs(states, instanceAt(draft, states, false))).toBe(1_690_000);
  });

  it("MOGA plans on what is free beside the queue, greedily on prices before it", () => {
    const states = stateAt10();
    const [byMoga] = plansByMoga(draft, states, { alphas: [0], seed: 1, evaluations: 200 });
    expect(byMoga.hours).toBeCloseTo(1590 / 3600, 6);
    const fast = greedyOnPrices(draft, states, 0);
    const cheap = greedyOnPrices(draft, states, 1);
    // b at once when job 0 ends delays job 1 by 100 s on 4 processors.
    expect(fast.hours).toBeCloseTo(1090 / 3600, 6);
    expect(fast.su - cheap.su).toBeCloseTo(400 / 3600, 6);
    expect(cheap.hours).toBeCloseTo(1590 / 3600, 6);
  });

  it("ratios have an interval, which one submission has not", () => {
    const point = {
      ...({ figures: ["13"], place: "CTC", x: 1, planner: "MOGA", alpha: 0 } as const),
      planned: [1, 1, 2].map((hours) => ({ hours, su: 1 })),
      queued: [2, 2, 2].map((hours) => ({ hours, su: 1 })),
    };
    expect(ratioOf(point, "hours").mean).toBeCloseTo(2 / 3, 9);
    expect(ratioOf(point, "hours").half).toBeCloseTo((4.3 * Math.sqrt(1 / 12)) / Math.sqrt(3), 9);
    expect(ratioOf({ ...point, planned: [{ hours: 1, su: 1 }] }, "hours").half).toBe(
      Number.POSITIVE_INFINITY,
    );
  });

  it("what rounding makes less is no gain, and a gain that varies is not measured", () => {
    const ratio = (...values: readonly number[]) =>
      isBelow(
        ratioOf(
          {
            ...({ figures: ["13"], place: "CTC", x: 1, planner: "MOGA", alpha: 0 } as const),
            planned: values.map((hours) => ({ hours, su: 1 })),
            queued: values.map(() => ({ hours: 1, su: 1 })),
          },
          "hours",
        ),
      );
    expect(ratio(1 - 1e-12, 1 - 1e-12, 1 - 1e-12)).toBe(false);
    expect(ratio(0.9, 0.91, 0.9)).toBe(true);
    expect(ratio(0.1, 1.5, 0.9)).toBeUndefined();
  });
});
