/** A plan that holds, and one plan for each rule that a plan can break. */
import { describe, expect, it } from "vitest";
import { type ClaimedPlan, checkPlan, type StatedPlatform, type StatedTask } from "./plan-checker.ts";

const tasks: readonly StatedTask[] = [
  { id: "a", procs: 2, runtimeMs: 10_000, parents: [] },
  { id: "b", procs: 1, runtimeMs: 20_000, memoryBytes: 100, parents: [{ id: "a", bytes: 1000 }] },
];
const slot = { price: 2, fixedSu: 1, divisible: true, extensible: false };
const platform: StatedPlatform = {
  sites: [
    { name: "near", procs: 4, speed: 1, price: 1, memoryBytes: 100 },
    {
      name: "far",
      procs: 2,
      speed: 2,
      price: 1,
      slots: [{ startMs: 0, procs: 2, durationMs: 60_000, ...slot }],
    },
  ],
  link: { latencyMs: 500, bytesPerSec: 1000 },
  pairs: [],
};
const beside = (fromMs: number, memoryBytes: number, gpus: number) => ({ fromMs, memoryBytes, gpus });
const plan: ClaimedPlan = {
  makespanSec: 21.5,
  packedCostSu: 20 / 3600 + 20 / 3600 + 1,
  tasks: [
    { id: "a", site: "near", procs: 2, startSec: 0, endSec: 10 },
    { id: "b", site: "far", procs: 1, startSec: 11.5, endSec: 21.5 },
  ],
  reservations: [
    { site: "near", procs: 2, startSec: 0, endSec: 10 },
    { site: "far", slot: 0, procs: 1, startSec: 11.5, endSec: 21.5 },
  ],
};
type Task = ClaimedPlan["tasks"][number];
const [a, b] = plan.tasks;
const withTasks = (first: Partial<Task>, second: Partial<Task>): ClaimedPlan => ({
  makespanSec: 21.5,
  tasks: [
    { ...a, ...first },
    { ...b, ...second },
  ],
});
const withHeld = (held: Partial<NonNullable<ClaimedPlan["reservations"]>[number]>): ClaimedPlan => ({
  ...plan,
  reservations: (plan.reservations ?? []).map((one, at) => (at === 1 ? { ...one, ...held } : one)),
});

describe("the checker of plans", () => {
  it("finds nothing in a plan that holds", () => {
    expect(checkPlan(tasks, platform, plan)).toEqual([]);
  });

  it.each<[string, ClaimedPlan, RegExp]>([
    ["a task that is missing", { ...plan, tasks: [a] }, /b: not planned/],
    ["a task twice", { ...plan, tasks: [a, b, b] }, /planned twice/],
    ["an unknown task", { ...plan, tasks: [a, b, { ...b, id: "c" }] }, /no task/],
    ["an unknown site", withTasks({}, { site: "moon" }), /no site moon/],
    ["a wrong length", withTasks({}, { endSec: 21 }), /lasts 9500 ms/],
    ["too few processors", withTasks({ procs: 1 }, {}), /1 processors, not 2/],
    ["data that have not arrived", withTasks({}, { startSec: 11, endSec: 21 }), /arrive at 11500 ms/],
    ["a start before the beginning", withTasks({ startSec: -1, endSec: 9 }, {}), /before the plan begins/],
    ["a wrong makespan", { ...plan, makespanSec: 20 }, /makespan/],
    ["a wrong cost", { ...plan, packedCostSu: 1 }, /packed cost/],
    ["a reservation that is too short", withHeld({ endSec: 20 }), /b: reservations around it have 0/],
    ["a reservation beyond its slot", withHeld({ endSec: 61 }), /beyond slot 0/],
    ["a reservation of no slot", withHeld({ slot: 7 }), /of no slot/],
    ["more than a slot has", withHeld({ procs: 3 }), /sold twice/],
  ])("finds %s", (_, wrong, expected) => {
    expect(checkPlan(tasks, platform, wrong).join("\n")).toMatch(expected);
  });

  it("finds memory and GPUs that a reservation lacks, or that are not free at an instant", () => {
    const [near] = platform.sites;
    const gpuSite = {
      ...near,
      gpus: 2,
      freeBeside: [beside(0, 100, 2), beside(5000, 40, 1), beside(10_000, 100, 2)],
    };
    const one: StatedTask = { ...tasks[0], id: "g", memoryBytes: 40, gpus: 1 };
    const claimed = (memoryBytes: number, gpus: number): ClaimedPlan => ({
      makespanSec: 10,
      tasks: [{ ...a, id: "g", reservation: 0 }],
      reservations: [{ site: "near", procs: 2, memoryBytes, gpus, startSec: 0, endSec: 10 }],
    });
    const found = (plan: ClaimedPlan, task = one) => checkPlan([task], { sites: [gpuSite], pairs: [] }, plan);
    expect(found(claimed(40, 1))).toEqual([]);
    expect(found(claimed(39, 1))).toEqual([
      "reservation 0: its tasks need 40 bytes of memory at 0 ms, of 39",
    ]);
    expect(found(claimed(40, 2))).toEqual(["near: 2 GPUs reserved at 5000 ms, 1 free"]);
    expect(found(claimed(50, 1))).toEqual(["near: 50 bytes of memory reserved at 5000 ms, 40 free"]);
    expect(found(claimed(40, 2), { ...one, gpus: 2 }).join()).toContain("2 GPUs in use at 5000 ms, 1 free");
    const late = claimed(40, 1);
    const reservations = (late.reservations ?? []).map((it) => ({ ...it, startSec: 1 }));
    const elsewhere = { ...late, reservations };
    expect(found(elsewhere).join()).toContain("g: not within reservation 0");
  });

  it("finds resources in use beyond what there is, at any instant", () => {
    const alone = (id: string, memoryBytes: number): StatedTask => ({ ...tasks[0], id, memoryBytes });
    const three = [alone("a", 50), alone("b", 60), alone("c", 0)];
    const at = (id: string, startSec: number): Task => ({ ...a, id, startSec, endSec: startSec + 10 });
    const claimed = { makespanSec: 15, tasks: [at("a", 0), at("b", 5), at("c", 5)] };
    expect(checkPlan(three, platform, claimed)).toEqual([
      "near: 6 processors in use at 5000 ms of 4",
      "near: 110 bytes of memory in use at 5000 ms of 100",
    ]);
    const inTurn = { makespanSec: 20, tasks: [at("a", 0), at("b", 10), at("c", 10)] };
    expect(checkPlan(three, platform, inTurn)).toEqual([]);
  });

  it.each([
    [30 / 3600, []],
    [29 / 3600, [/planning cost: .* the tasks use/]],
    [31 / 3600, [/planning cost: .* more than the packed/]],
  ])("finds a planning cost of %s SU below the use of tasks or above the packed cost", (su, expected) => {
    const claimed: ClaimedPlan = {
      ...{ makespanSec: 10, planningCostSu: su, packedCostSu: 30 / 3600 },
      tasks: [{ ...a, procs: 3 }],
      reservations: [{ site: "near", procs: 3, startSec: 0, endSec: 10 }],
    };
    const broken = checkPlan([{ ...tasks[0], procs: 3 }], platform, claimed);
    expect(broken).toEqual(expected.map((one) => expect.stringMatching(one)));
  });

  it("counts the time for files that are not at the site of their task, and finds it missing", () => {
    const inputs = [{ bytes: 1500 }, { bytes: 700, at: ["near"] }];
    const staged = [{ ...tasks[0], inputs }];
    const claim = (site: string, endSec: number, stageInSec?: number): ClaimedPlan => ({
      makespanSec: endSec,
      tasks: [{ ...a, site, endSec, ...(stageInSec === undefined ? {} : { stageInSec }) }],
    });
    expect(checkPlan(staged, platform, claim("near", 12, 2))).toEqual([]);
    expect(checkPlan(staged, platform, claim("far", 7.7, 2.7))).toEqual([]);
    expect(checkPlan(staged, platform, claim("near", 10))).toEqual([
      "a: lasts 10000 ms, runs 10000 ms at near, after 2000 ms for its files",
      "a: 0 s of stage-in claimed, not 2000 ms",
    ]);
    const { link: _, ...unlinked } = platform;
    expect(checkPlan(staged, unlinked, claim("near", 10))).toEqual([]);
  });

  it("finds more tasks at once than all, or those of a category, may be", () => {
    const of = (id: string, category?: string): StatedTask => ({
      ...{ ...tasks[0], id, procs: 1 },
      ...(category === undefined ? {} : { rules: { category } }),
    });
    const three = [of("a", "io"), of("b", "io"), of("c")];
    const at = (id: string, startSec: number): Task => ({
      ...a,
      id,
      procs: 1,
      startSec,
      endSec: startSec + 10,
    });
    const claimed = { makespanSec: 15, tasks: [at("a", 0), at("b", 5), at("c", 5)] };
    expect(checkPlan(three, platform, claimed, { maxRunning: 3, maxRunningOf: { io: 2 } })).toEqual([]);
    expect(checkPlan(three, platform, claimed, { maxRunning: 2, maxRunningOf: { io: 1 } })).toEqual([
      "all: 3 tasks run at 5000 ms, of 2 at once",
      "io: 2 tasks run at 5000 ms, of 1 at once",
    ]);
  });

  it("sells a slot that is not divisible as a whole", () => {
    const [near, far] = platform.sites;
    const whole = { ...far, slots: (far.slots ?? []).map((one) => ({ ...one, divisible: false })) };
    expect(checkPlan(tasks, { ...platform, sites: [near, whole] }, plan)).toContain(
      "far: slot 0 is sold as a whole",
    );
  });
});
