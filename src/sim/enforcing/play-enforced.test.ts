import { describe, expect, it } from "vitest";
import { policy, SITE } from "../../../test/enforced-scene.ts";
import { ENFORCEMENT_DEFAULTS } from "../../model/index.ts";
import type { EnforcingInput, OwnedJob } from "./enforced-input.ts";
import { beginEnforced, playEnforced } from "./play-enforced.ts";
import { usedBetween } from "./use-courses.ts";

const HOUR = 3_600_000;

const job = (name: string, submitMs: number, cpu: number, runtimeMs = HOUR): OwnedJob => {
  const [consumer, id] = name.split(" ");
  return { id, consumer, submitMs, need: { cpu, gpu: 0, memory: 0 }, runtimeMs, estimateMs: runtimeMs };
};

function inputOf(jobs: readonly OwnedJob[], more: Partial<EnforcingInput> = {}): EnforcingInput {
  const policies = [policy("a", 50, { mode: "preempting" }), policy("b", 50, { mode: "preempting" })];
  return {
    site: SITE,
    capacity: { cpu: 8, gpu: 0, memory: 0 },
    policies: [{ fromMs: 0, policies }],
    rules: { ...ENFORCEMENT_DEFAULTS, granted: ["hold", "suspend"] },
    jobs,
    ...more,
  };
}

describe("a workload under an enforcer", () => {
  it("SI-80 passes are at events and at instants the enforcer names, without polling", () => {
    const { looks } = playEnforced(inputOf([job("a 1", 0, 4), job("b 2", 10, 4, 2 * HOUR)]));
    expect(looks).toBe(4);
  });

  it("SI-80 a suspended job completes its work, and a requeued one restarts", () => {
    const jobs = [job("a 1", 0, 4), job("a 2", 1, 4), job("b 3", HOUR / 2, 4, HOUR / 4)];
    const [, suspended] = playEnforced(inputOf(jobs)).jobs;
    expect(suspended).toMatchObject({ startMs: 1, endMs: 1 + HOUR + HOUR / 4, stops: 1 });
    expect(suspended.runs).toHaveLength(2);
    const rules = { ...ENFORCEMENT_DEFAULTS, granted: ["hold", "requeue"] as const };
    const [, requeued] = playEnforced(inputOf(jobs, { rules })).jobs;
    expect(requeued.endMs).toBe(HOUR / 2 + HOUR / 4 + HOUR);
  });

  it("SI-80 jobs added one by one give the same results, and its state between them is known", () => {
    const jobs = [job("a 1", 0, 4), job("a 2", 1, 4), job("b 3", HOUR / 2, 4, HOUR / 4)];
    const whole = playEnforced(inputOf(jobs, { untilMs: 3 * HOUR }));
    const steps = beginEnforced(inputOf([], { untilMs: 3 * HOUR }));
    const busy: number[] = [];
    for (const it of jobs) {
      steps.playUntil(it.submitMs);
      const { taken, waitingProcs } = steps.standing(it.submitMs);
      busy.push(taken.cpu + waitingProcs);
      steps.offer(it);
    }
    expect(steps.finish().jobs).toEqual(whole.jobs);
    expect(busy).toEqual([0, 4, 8]);
  });

  it("use over time of each level is that of its jobs", () => {
    const { courses } = playEnforced(inputOf([job("a/x 1", 0, 3), job("b 2", HOUR / 2, 2)]));
    expect(usedBetween(courses.get("a") ?? [], 0, HOUR)).toBe(3 * HOUR);
    expect(usedBetween(courses.get("") ?? [], 0, HOUR)).toBe(3 * HOUR + HOUR);
  });

  it("PO-14 a cap over a sliding hour holds however often it stops one job, and costs few looks", () => {
    const policies = [policy("a", 25, { rule: "cap" })];
    const input = inputOf([job("a 1", 0, 4, 5 * HOUR)], { policies: [{ fromMs: 0, policies }] });
    const { jobs, courses, looks } = playEnforced(input);
    const [{ endMs, stops }] = jobs;
    expect(stops).toBeGreaterThan(ENFORCEMENT_DEFAULTS.maxSuspensions);
    const course = courses.get("a") ?? [];
    for (let atMs = HOUR; atMs <= (endMs ?? 0); atMs += HOUR / 60)
      expect(usedBetween(course, atMs - HOUR, atMs)).toBeLessThanOrEqual(2 * HOUR);
    expect(endMs).toBeGreaterThan(9 * HOUR);
    expect(looks).toBeLessThan(100);
  });

  it("SI-80 a silent enforcer stops no job for longer than its lease", () => {
    const jobs = [job("b 1", 0, 8), job("a 2", 1, 8)];
    const { jobs: played, notes } = playEnforced(inputOf(jobs, { silentFromMs: 2 }));
    expect(played[1].startMs).toBe(HOUR);
    expect(notes.find(({ kind }) => kind === "leaseOver")?.atMs).toBe(2 + ENFORCEMENT_DEFAULTS.leaseMs);
  });
});
