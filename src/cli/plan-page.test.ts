import { describe, expect, it } from "vitest";
import { planPage } from "./plan-page.ts";
import type { PlanAnswer } from "./plan-tools.ts";

const answer: PlanAnswer = {
  workflow: {
    ...{ name: "<survey>", form: "Stint workflow", tasks: 2, edges: 1, levels: 2, width: 1 },
    ...{ criticalPathMs: 20_000, bytes: 0, workProcMs: 60_000 },
  },
  ...{ planner: "search", alpha: 0.5, seed: 1, evaluations: 10, isStopped: false },
  ...{ feasible: false, shortfalls: [{ kind: "deadlineMissed", byMs: 5000 }] },
  ...{ makespanSec: 20, allocationCostSu: 0.02, planningCostSu: 0.02, packedCostSu: 0.02 },
  tasks: [
    { id: "a & b", site: "near", procs: 2, startSec: 0, endSec: 10 },
    { id: "c", site: "near", procs: 1, startSec: 10, endSec: 20 },
  ],
  reservations: [{ site: "near", procs: 2, startSec: 0, endSec: 20, costSu: 0.02 }],
  front: [
    { makespanSec: 20, planningCostSu: 0.02, packedCostSu: 0.02, isChosen: true },
    { makespanSec: 30, planningCostSu: 0.01, packedCostSu: 0.01, isChosen: false },
  ],
  frontSize: { hypervolume: 1, reference: { makespanMs: 33_000, costSu: 0.022 } },
  sites: [{ name: "near", procs: 4 }],
};

describe("the page of a plan", () => {
  const page = planPage(answer);

  it("has its figures, a bar for each task, and the front, all as text of the input", () => {
    expect(page).toContain("<h1>Plan of &lt;survey&gt;</h1>");
    expect(page).toContain("misses the deadline by 5s");
    expect(page).toContain("<title>a &amp; b: 2 procs, 0s to 10s</title>");
    expect(page.match(/<figure>/g)).toHaveLength(3);
    expect(page).toContain("chosen");
    expect(page).not.toMatch(/<script|https?:\/\/(?!www\.w3\.org)/);
  });

  it("says what was assumed of the files", () => {
    expect(page).not.toContain("Note:");
    const remarks = ["the time limit of <a> is taken as its runtime"];
    expect(planPage({ ...answer, remarks })).toContain("Note: the time limit of &lt;a&gt; is taken");
  });

  it("leaves out the front of one plan, and says where nothing is reserved", () => {
    const single = planPage({ ...answer, front: [answer.front[0]], reservations: [] });
    expect(single.match(/<figure>/g)).toHaveLength(2);
    expect(single).toContain("The plan reserves nothing.");
  });
});
