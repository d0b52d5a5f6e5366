import { describe, expect, it } from "vitest";
import type { PlanTextTask } from "../api/index.ts";
import { planText } from "./plan-text.ts";
import { workflowPlans } from "./workflow-plans.ts";

const HOUR_MS = 3_600_000;
const site = (name: string, procs: number, price: number) => ({
  ...{ name, procs, price, speed: 1, marginMs: 0 },
  slots: [
    { startMs: 0, durationMs: 24 * HOUR_MS, procs, price, fixedSu: 0, divisible: true, extensible: false },
  ],
});
const TASK: PlanTextTask = {
  text: `workflow: survey
tasks:
  - { id: fetch, runtime: 10m, executable: fetch }
  - { id: north, runtime: 1h, parents: [fetch], executable: fit }
  - { id: south, runtime: 1h, parents: [fetch], executable: fit }
`,
  platform: {
    sites: [site("cheap", 1, 1), site("dear", 8, 4)],
    link: { latencyMs: 0, bytesPerSec: 1e9 },
    pairs: [],
  },
  beginAt: "2026-11-28T08:00:00.000Z",
  ...{ planner: "search", alpha: 0.5, seed: 1, slack: 0, evaluations: 300 },
};

describe("plans of a text", () => {
  it("are those that no other one beats, the fastest first, each with what executes it", async () => {
    const { plans, name, findings, notExecutable } = await planText(TASK);
    expect({ name, findings, notExecutable }).toEqual({ name: "survey", findings: [], notExecutable: null });
    const [fast, slow] = [plans[0], plans.at(-1)];
    expect(fast?.makespanSec).toBeLessThan(slow?.makespanSec ?? 0);
    expect(fast?.costSu).toBeGreaterThan(slow?.costSu ?? 0);
    expect(slow?.tasks.map((task) => task.site)).toEqual(["cheap", "cheap", "cheap"]);
    expect(plans.filter(({ chosen }) => chosen)).toHaveLength(1);
    expect(slow?.execution).toMatchObject({
      ...{ name: "survey", beginAt: TASK.beginAt },
      reservations: [{ site: "cheap", procs: 1, startSec: 0 }],
      tasks: [{ id: "fetch", executable: "fetch", reservation: 0, startSec: 0 }, {}, {}],
    });
  });

  it("say which plans miss a deadline, and with which probability uncertain runtimes meet it", async () => {
    const text = TASK.text.replaceAll("runtime: 1h,", "runtime: 1h, spread: 15m,");
    const { plans } = await planText({ ...TASK, text, deadlineMs: 1.4 * HOUR_MS });
    expect(plans[0]).toMatchObject({ feasible: true });
    expect(plans.at(-1)).toMatchObject({ feasible: false, deadlineProbability: 0 });
    expect(plans[0]?.deadlineProbability).toBeGreaterThan(0.3);
    expect(plans[0]?.deadlineProbability).toBeLessThan(1);
  });

  it("request the memory and GPUs of their tasks, at sites that have them", async () => {
    const text = TASK.text.replace("runtime: 10m,", "runtime: 10m, memory: 2G, gpus: 1,");
    const [cheap, dear] = TASK.platform.sites;
    const sites = [cheap, { ...dear, memoryBytes: 4 * 2 ** 30, gpus: 2 }];
    const { plans, remarks } = await planText({ ...TASK, text, platform: { ...TASK.platform, sites } });
    const beside = { memoryBytes: 2 * 2 ** 30, gpus: 1 };
    const { execution, reservations } = plans[0] ?? {};
    expect(remarks).toEqual([]);
    expect(execution?.tasks[0]).toMatchObject({ id: "fetch", ...beside });
    expect(execution?.reservations?.[execution.tasks[0]?.reservation ?? -1]).toMatchObject({
      site: "dear",
      ...beside,
    });
    expect(reservations).toContainEqual(expect.objectContaining({ site: "dear", ...beside }));
  });

  it("are none where the text has errors, each with its line", async () => {
    const { findings, plans } = await planText({ ...TASK, text: "tasks:\n  - { id: a, runtime: -4s }\n" });
    expect(plans).toEqual([]);
    expect(findings).toMatchObject([{ line: 2, what: expect.stringContaining("-4s") }]);
  });

  it.each([
    ["a task has no executable", TASK.text.replace(", executable: fetch", ""), /1 of 3 tasks have no/],
    [
      "tasks read a file of the user",
      `${TASK.text}  - { id: sum, runtime: 1m, inputs: [in.dat], executable: x }\n`,
      /in\.dat, a file of yours/,
    ],
  ])("cannot be executed from a text where %s", async (_, text, why) => {
    const { plans, notExecutable } = await planText({ ...TASK, text });
    expect(notExecutable).toMatch(why);
    expect(plans.length).toBeGreaterThan(0);
    expect(plans.every(({ execution }) => execution === null)).toBe(true);
  });

  it("are the best so far where the time of the search is over", async () => {
    const { plans, stopped } = await planText({ ...TASK, evaluations: 20_000 }, -1);
    expect(stopped).toBe(true);
    expect(plans.length).toBeGreaterThan(0);
  });

  it.each([
    ["it is no workflow", "executable: x\n", "noWorkflow"],
    [
      "it has too many tasks",
      `tasks:\n${Array.from({ length: 2001 }, (_, id) => `  - { id: t${id}, runtime: 1m }\n`).join("")}`,
      "planTooLarge",
    ],
  ])("are refused where %s", async (_, text, code) => {
    await expect(planText({ ...TASK, text })).rejects.toMatchObject({ code });
  });
});

describe("the threads of plans", () => {
  it("answer as the function does, and pass on its faults", async () => {
    const planning = workflowPlans();
    expect(await planning.plan(TASK)).toEqual(await planText(TASK));
    await expect(planning.plan({ ...TASK, text: "x" })).rejects.toMatchObject({ code: "noWorkflow" });
  });

  it("end after their time, and refuse what would wait too long", async () => {
    const planning = workflowPlans({ longestMs: 1, mostMib: 512, mostAtOnce: 1 });
    const first = planning.plan(TASK);
    await expect(planning.plan(TASK)).rejects.toMatchObject({ code: "tooManyPlans" });
    await expect(first).rejects.toMatchObject({ code: "planTooLong" });
  });
});
