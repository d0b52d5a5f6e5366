import { describe, expect, it } from "vitest";
import { instanceOf, type Platform } from "../platform/index.ts";
import { workflowOf } from "../workflow/index.ts";
import { heft } from "./list-schedule.ts";
import { makespanOf } from "./placement.ts";
import { upwardRanks } from "./ranks.ts";

/** Runtimes on three processors, and the amounts that each task gets from its parents [THW02]. */
const RUNTIMES = [
  ...[
    [14, 16, 9],
    [13, 19, 18],
    [11, 13, 19],
    [13, 8, 17],
    [12, 13, 10],
  ],
  ...[
    [13, 16, 9],
    [7, 15, 11],
    [5, 11, 14],
    [18, 12, 20],
    [21, 7, 16],
  ],
];
const PARENTS: readonly Readonly<Record<number, number>>[] = [
  ...[{}, { 1: 18 }, { 1: 12 }, { 1: 9 }, { 1: 11 }, { 1: 14 }, { 3: 23 }],
  ...[
    { 2: 19, 4: 27, 6: 15 },
    { 2: 16, 4: 23, 5: 13 },
    { 7: 17, 8: 11, 9: 13 },
  ],
];

const NAMES = ["p1", "p2", "p3"];
const platform: Platform = {
  sites: NAMES.map((name) => ({ name, procs: 1, speed: 1, price: 1 })),
  ...{ link: { latencyMs: 0, bytesPerSec: 1 }, pairs: [] },
};

function tenTasks() {
  const workflow = workflowOf({
    name: "ten tasks",
    tasks: RUNTIMES.map((seconds, at) => ({
      ...{ id: `t${at + 1}`, procs: 1 },
      runtimesMs: Object.fromEntries(NAMES.map((name, site) => [name, 1000 * seconds[site]])),
      parents: Object.entries(PARENTS[at]).map(([parent, bytes]) => ({ id: `t${parent}`, bytes })),
    })),
  });
  if (!workflow.ok) throw new Error("ten tasks are a workflow");
  const instance = instanceOf(workflow.value, platform);
  if (!instance.ok) throw new Error("ten tasks fit three processors");
  return instance.value;
}

describe("the ten tasks of Topcuoglu, Hariri and Wu", () => {
  it("PL-21 have a makespan of 80 by HEFT", () => {
    expect(makespanOf(heft(tenTasks()))).toBe(80_000);
  });

  it("PL-21 have the published ranks, as exact fractions of 6", () => {
    const { scaled, scale } = upwardRanks(tenTasks());
    expect(scale).toBe(6);
    // 108, 77, 80, 80, 69, 63⅓, 42⅔, 35⅔, 44⅓, 14⅔ seconds.
    const sixths = [648, 462, 480, 480, 414, 380, 256, 214, 266, 88];
    expect([...scaled]).toEqual(sixths.map((rank) => 1000 * rank));
  });
});
