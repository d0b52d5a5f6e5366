/** The experiment on real clusters, in the parts that need none: what is played, planned, compared, told. */
import { describe, expect, it } from "vitest";
import { type Delay, delayOf, meanDelay, ratioOf } from "../experiments/truth/compare.ts";
import type { MeasuredTruth } from "../experiments/truth/measure.ts";
import { type MeasuredPair, measurePair } from "../experiments/truth/pair.ts";
import { planOf, priceOf, type SeenQueue } from "../experiments/truth/plan.ts";
import { seenQueue } from "../experiments/truth/play.ts";
import { truthOf } from "../experiments/truth/run-truth.ts";
import { simulatedDelay } from "../experiments/truth/simulate.ts";
import { CLUSTER_PROCS, drawWorkload, LIMIT_USES, QUOTE_AT_MS } from "../experiments/truth/workload.ts";
import { quoteOf } from "../src/market/index.ts";
import { DISCIPLINES } from "../src/model/index.ts";

const MINUTE = 60_000;

describe("a workload", () => {
  it.each(LIMIT_USES)("with %s limits is the same for its seed, fits, and ends within its limits", (use) => {
    const workload = drawWorkload(3, use);
    expect(drawWorkload(3, use)).toEqual(workload);
    expect(drawWorkload(4, use).jobs).not.toEqual(workload.jobs);
    const { jobs, slot } = workload;
    expect(jobs.map(({ atMs }) => atMs)).toEqual(jobs.map(({ atMs }) => atMs).sort((a, b) => a - b));
    for (const { procs, sleepSeconds, limitMinutes } of jobs) {
      expect(procs).toBeLessThanOrEqual(CLUSTER_PROCS);
      expect(sleepSeconds).toBeLessThan(limitMinutes * 60);
    }
    expect(jobs.filter(({ atMs }) => atMs < QUOTE_AT_MS)).toHaveLength(32);
    // No more than may be reserved by default.
    expect(slot.procs).toBeLessThanOrEqual(CLUSTER_PROCS / 2);
  });
});

/** Four processors are busy for two more minutes; two jobs wait for all of them, one after the other. */
const seen: SeenQueue = {
  atMs: 0,
  procs: 4,
  running: [{ name: "busy", procs: 4, endMs: 2 * MINUTE }],
  waiting: [
    { name: "first", procs: 4, limitMs: MINUTE },
    { name: "second", procs: 2, limitMs: MINUTE },
  ],
};
const slot = { procs: 2, startMs: 2 * MINUTE, durationMs: 3 * MINUTE };

describe("a plan", () => {
  it.each(DISCIPLINES)("names every waiting job, and costs what a quote costs (%s)", (discipline) => {
    const plan = planOf(seen, slot, discipline) ?? [];
    expect(plan.map(({ name, withoutMs }) => [name, withoutMs / MINUTE])).toEqual([
      ["first", 2],
      ["second", 3],
    ]);
    const snapshot = {
      ...{ nowMs: 0, procs: 4, discipline, reservations: [] },
      running: seen.running.map(({ name, ...job }) => ({ id: name, ...job })),
      queued: seen.waiting.map(({ name, procs, limitMs }) => ({ id: name, procs, estimateMs: limitMs })),
    };
    const [quoted] = quoteOf(snapshot, slot);
    expect(priceOf(plan)).toBe(quoted.fixedProcMs);
    expect(priceOf(plan)).toBeGreaterThan(0);
  });

  it("there is none where the slot conflicts with what runs", () => {
    expect(planOf(seen, { ...slot, startMs: MINUTE }, "easy")).toBeUndefined();
  });

  it("a look at a queue names jobs, and takes an overdue one to end within a minute", () => {
    const job = { token: null, memoryBytes: 0, submittedAtMs: 0, reason: null, limitMs: MINUTE };
    const jobs = [
      { ...job, siteJob: "1", state: "running", procs: 2, startedAtMs: 0 },
      { ...job, siteJob: "2", state: "running", procs: 1, startedAtMs: MINUTE },
      { ...job, siteJob: "3", state: "waiting", procs: 3, startedAtMs: null },
    ] as const;
    const survey = { atMs: 1.5 * MINUTE, jobs, ended: [], reservations: [] };
    const names = new Map([
      ["2", "b"],
      ["3", "c"],
    ]);
    expect(seenQueue(survey, names)).toMatchObject({
      running: [
        { name: "1", procs: 2, endMs: 2.5 * MINUTE },
        { name: "b", procs: 1, endMs: 2 * MINUTE },
      ],
      waiting: [{ name: "c", procs: 3, limitMs: MINUTE }],
    });
  });
});

describe("starts compared", () => {
  const jobs = [
    { name: "a", procs: 2 },
    { name: "b", procs: 3 },
    { name: "gone", procs: 5 },
  ];
  const starts = (a: number, b: number) => new Map(Object.entries({ a, b }));

  it("who starts later counts by its processors, who starts earlier in the net alone", () => {
    expect(delayOf(jobs, starts(10, 20), starts(40, 15))).toEqual({ laterProcMs: 60, netProcMs: 45 });
    const both: Delay[] = [
      { laterProcMs: 60, netProcMs: 45 },
      { laterProcMs: 20, netProcMs: 5 },
    ];
    expect(meanDelay(both)).toEqual({ laterProcMs: 40, netProcMs: 25 });
  });

  it("a ratio that holds in every pair has no width; one that varies has Student's", () => {
    const exact = ratioOf([
      [10, 5],
      [20, 10],
      [30, 15],
    ]);
    expect(exact).toEqual({ mean: 0.5, low: 0.5, high: 0.5, count: 3 });
    // Residuals ±1 around 1: s = √2, two pairs, mean base 10, t(95 %, 1) = 12.706.
    const varied = ratioOf([
      [10, 9],
      [10, 11],
    ]);
    expect(varied?.mean).toBe(1);
    expect(varied?.high).toBeCloseTo(1 + 12.706 / 10, 3);
    expect(ratioOf([[0, 1]])).toBeUndefined();
    expect(ratioOf([[2, 1]])).toMatchObject({ mean: 0.5, low: null });
  });

  it("a pair is measured against both plays without, and they against each other", () => {
    const workload = drawWorkload(1, "exact");
    const played = (first: number, second: number) => ({
      starts: new Map([
        ["first", first * MINUTE],
        ["second", second * MINUTE],
      ]),
      seen,
    });
    const pair = measurePair({
      workload,
      without: played(2, 3),
      again: played(2, 4),
      with: played(5, 2),
      bought: { id: "x", slot, fixedProcMs: 12 * MINUTE, delaysJobs: 1, refusals: [] },
      beginsAtMs: 0,
    });
    expect(pair.measured).toEqual({ laterProcMs: 12 * MINUTE, netProcMs: 9 * MINUTE });
    expect(pair.control).toEqual({ laterProcMs: MINUTE, netProcMs: 2 * MINUTE });
    // Both are three minutes later: 4 and 2 processors.
    expect(pair.planned.fcfs).toBe(18 * MINUTE);
    // Of the jobs of the workload, which are others than those that were seen.
    expect(pair.simulated.easy).toBeGreaterThan(0);
    expect(pair.elsewhere).toEqual([pair.planned.easy, pair.planned.easy]);
    expect(pair.lateWithoutMs).toBe(MINUTE / 4);
  });
});

describe("the same work in the site machine", () => {
  it("a slot in the middle delays who waits, one after all nobody, none in the way of what runs", () => {
    const workload = drawWorkload(2, "exact");
    const at = (startMs: number) =>
      simulatedDelay(workload, { procs: 16, startMs, durationMs: 2 * MINUTE }, "easy");
    expect(at(3.5 * MINUTE)?.laterProcMs).toBeGreaterThan(0);
    expect(at(60 * MINUTE)).toEqual({ laterProcMs: 0, netProcMs: 0 });
    expect(at(QUOTE_AT_MS)).toBeNull();
  });
});

describe("the report", () => {
  const delay = (laterProcMs: number): Delay => ({ laterProcMs, netProcMs: laterProcMs });
  const pairOf = (seed: number, priced: number, measured: number): MeasuredPair => ({
    ...{ seed, use: "exact", slotProcs: 8, slotMs: MINUTE, slotAfterMs: 30_000, waiting: 20 },
    ...{ pricedProcMs: priced * MINUTE, delaysJobs: 9, refusals: [], elsewhere: [] },
    planned: { fcfs: null, easy: priced * MINUTE, conservative: priced * MINUTE, repack: priced * MINUTE },
    simulated: { fcfs: null, easy: null, conservative: MINUTE, repack: MINUTE },
    measured: delay(measured * MINUTE),
    control: delay(seed % 2 === 0 ? MINUTE : -MINUTE),
    afterwards: delay(0),
    lateWithoutMs: 1000,
    lateWithMs: 2000,
  });
  const measured = (pairs: readonly MeasuredPair[]): MeasuredTruth => ({
    ...{ pairs, failures: ["seed 9, exact: no slot"], loads: [1, 2], date: "2026-01-01" },
    slurmVersion: "slurm-wlm 22.05.8",
  });

  it.each([
    [
      [95, 110, 100, 98],
      ["reproduced", "reproduced", "reproduced", "reproduced"],
    ],
    [
      [50, 60, 40, 50],
      ["not reproduced", "not reproduced", "reproduced", "reproduced"],
    ],
    [
      [-80, 90, 2, 1],
      ["not reproduced", "not reproduced", "not reproduced", "reproduced"],
    ],
  ])("of delays %j where 100 was priced says %j", (delays, outcomes) => {
    const { html, verdicts } = truthOf(measured(delays.map((one, at) => pairOf(at + 1, 100, one))));
    expect(verdicts.map(({ outcome }) => outcome)).toEqual(outcomes);
    expect(html).toContain("no slot");
    // A filled and an empty circle for each pair.
    expect(html.match(/<path d="M1 0A1 1[^>]*transform="matrix\(2\.5,/g)).toHaveLength(8);
    expect(html).not.toMatch(/<script|NaN|undefined|src=/);
  });

  it("of one pair has no interval", () => {
    const { verdicts } = truthOf(measured([pairOf(1, 100, 100)]));
    expect(verdicts[0].numbers).toBe("measured ÷ priced 1.00; bound: 1 ± 0.2");
  });
});
