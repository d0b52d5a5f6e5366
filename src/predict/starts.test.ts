/** Starts by schedule, by simulation and by similarity, at sites small enough to follow by hand. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../test/draws.ts";
import { MS_PER_HOUR } from "../base/index.ts";
import { createMachine, createReplay, type ReplayJob } from "../queue/index.ts";
import {
  createHabits,
  createPastStates,
  forecastBySimilarity,
  forecastBySimulation,
  type JobFacts,
  recordArrival,
  recordRuntime,
  recordState,
  recordStateWait,
  responseTimes,
  type SiteSnapshot,
  type SnapshotJob,
  scheduleStart,
  similarWaits,
  simulatedMean,
  simulatedQuantile,
  simulateStarts,
} from "./index.ts";

const HOUR = MS_PER_HOUR;
const DISCIPLINES = ["fcfs", "easy", "conservative", "repack"] as const;

const jobAt = (procs: number, hours: number, startedAtMs?: number, user = "ada"): SnapshotJob => ({
  user,
  queue: "batch",
  need: [procs],
  estimateMs: hours * HOUR,
  arrivedAtMs: -10 * HOUR,
  startedAtMs,
});

const siteWith = (jobs: readonly SnapshotJob[], more: Partial<SiteSnapshot> = {}): SiteSnapshot => ({
  nowMs: 0,
  capacity: [4],
  discipline: "easy",
  jobs,
  reservations: [],
  ...more,
});

const startHours = (snapshot: SiteSnapshot, procs: number, hours: number): number =>
  scheduleStart(snapshot, { need: [procs], estimateMs: hours * HOUR }).waitMs / HOUR;

describe("PD-14 a start by schedule", () => {
  const busy = [jobAt(3, 2, -HOUR), jobAt(4, 3)];

  it.each([
    ["an empty site", siteWith([]), 4, 1, 0],
    ["behind what runs", siteWith([jobAt(3, 2, -HOUR)]), 2, 1, 1],
    ["beside what runs, before who waits, where it fits", siteWith(busy), 1, 1, 0],
    ["behind who waits, where it would delay him", siteWith(busy), 1, 2, 4],
    ["strictly in order", siteWith(busy, { discipline: "fcfs" }), 1, 1, 4],
    ["by promises", siteWith(busy, { discipline: "conservative" }), 1, 2, 4],
    ["who is beyond his limit stays a minute", siteWith([jobAt(4, 1, -2 * HOUR)]), 4, 1, 1 / 60],
    ["in more use than there is", siteWith([jobAt(3, 2, 0), jobAt(3, 1, 0)]), 4, 1, 2],
    ["who waits and never fits does not count", siteWith([jobAt(5, 1)]), 4, 1, 0],
    ["wider than the site", siteWith([]), 5, 1, Number.POSITIVE_INFINITY],
  ] as const)("%s", (...[, snapshot, procs, hours, expected]) => {
    expect(startHours(snapshot, procs, hours)).toBeCloseTo(expected, 9);
  });

  it("avoids reservations, and states its assumptions", () => {
    const reservations = [{ pool: 0, need: [4], startMs: HOUR, durationMs: HOUR }];
    for (const discipline of DISCIPLINES) {
      const snapshot = siteWith([], { reservations, discipline });
      expect(startHours(snapshot, 1, 1)).toBe(0);
      expect(startHours(snapshot, 1, 2)).toBe(2);
    }
    expect(scheduleStart(siteWith([]), { need: [1], estimateMs: 1 }).assumptions).toEqual([
      "everyEstimateIsUsed",
      "nobodyElseComes",
    ]);
  });

  it("considers memory where the site has it as a resource", () => {
    const memory = { capacity: [4, 8], jobs: [{ ...jobAt(1, 2, 0), need: [1, 8] }] };
    expect(startHours(siteWith([], memory), 1, 1)).toBe(0);
    const wanting = scheduleStart(siteWith([], memory), { need: [1, 1], estimateMs: HOUR });
    expect(wanting.waitMs).toBe(2 * HOUR);
  });

  it("is the start that a replay gives when the assumptions hold", () => {
    const jobs = fc.array(
      fc.tuple(
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 0, max: 3 }),
      ),
      { minLength: 1, maxLength: 12 },
    );
    // A snapshot does not contain the promised starts; the new promises of its machine may differ.
    fc.assert(
      fc.property(jobs, fc.constantFrom("fcfs", "easy"), (rows, discipline) => {
        let submitMs = 0;
        const workload = rows.map(([procs, hours, gap], id): ReplayJob => {
          submitMs += gap * HOUR;
          return { id, submitMs, need: [procs], estimateMs: hours * HOUR, runtimeMs: hours * HOUR };
        });
        const starts = new Map<number, number>();
        const listener = {
          finished: () => undefined,
          started: ({ id }: ReplayJob, _: number, atMs: number) => starts.set(id, atMs),
        };
        const replay = createReplay(createMachine([[4]], { discipline }), listener);
        for (const job of workload) replay.offer(job);
        replay.finish();
        const last = workload.length - 1;
        const nowMs = workload[last].submitMs;
        const seen = workload.slice(0, last).flatMap((job): SnapshotJob[] => {
          const startMs = starts.get(job.id) ?? 0;
          // A job that starts at this instant still waits when the last one arrives.
          const startedAtMs = startMs < nowMs ? startMs : undefined;
          if (startMs + job.runtimeMs <= nowMs) return [];
          const { need, estimateMs } = job;
          return [{ user: "", queue: "", need, estimateMs, arrivedAtMs: job.submitMs, startedAtMs }];
        });
        const { waitMs } = scheduleStart(siteWith(seen, { nowMs, discipline }), workload[last]);
        expect(nowMs + waitMs).toBe(starts.get(last));
      }),
      draws(200),
    );
  });
});

describe("a start by simulation", () => {
  const busy = siteWith([jobAt(4, 10, 0), jobAt(4, 10)]);
  const job = { need: [4], estimateMs: HOUR };
  const question = { snapshot: busy, habits: createHabits(), job, runs: 50, seed: 7 };

  it("is the start by schedule without past runtimes and arrivals", () => {
    expect(new Set(simulateStarts(question).waitsMs)).toEqual(new Set([20 * HOUR]));
  });

  it("draws runtimes from the user's past, else from the queue's", () => {
    const habits = createHabits();
    for (let i = 0; i < 20; i++) {
      recordRuntime(habits, { user: "ada", queue: "batch" }, { runtimeMs: HOUR, estimateMs: 10 * HOUR });
      recordRuntime(habits, { user: "bob", queue: "batch" }, { runtimeMs: 5 * HOUR, estimateMs: 10 * HOUR });
    }
    expect(new Set(simulateStarts({ ...question, habits }).waitsMs)).toEqual(new Set([2 * HOUR]));
    const bobs = siteWith([jobAt(4, 10, 0, "bob"), jobAt(4, 10, undefined, "bob")]);
    expect(new Set(simulateStarts({ ...question, habits, snapshot: bobs }).waitsMs)).toEqual(
      new Set([10 * HOUR]),
    );
    const stranger = siteWith([jobAt(4, 10, 0, "eve")]);
    const waits = simulateStarts({ ...question, habits, snapshot: stranger, runs: 200 }).waitsMs;
    expect(new Set(waits)).toEqual(new Set([HOUR, 5 * HOUR]));
  });

  it("gives a job that already runs longer than usual some of its remaining limit", () => {
    const habits = createHabits();
    for (let i = 0; i < 20; i++) {
      recordRuntime(habits, { user: "ada", queue: "batch" }, { runtimeMs: HOUR, estimateMs: 10 * HOUR });
    }
    const long = siteWith([jobAt(4, 10, -5 * HOUR)]);
    const { waitsMs } = simulateStarts({ ...question, habits, snapshot: long });
    expect(waitsMs[0]).toBeGreaterThan(0);
    expect(waitsMs[49]).toBeLessThanOrEqual(5 * HOUR);
    expect(new Set(waitsMs).size).toBeGreaterThan(25);
  });

  it("repeats recent arrivals, which may overtake the predicted job", () => {
    const habits = createHabits();
    for (let i = 0; i < 50; i++) {
      recordArrival(habits, { user: "bob", queue: "batch", need: [1], estimateMs: 3 * HOUR }, i * HOUR);
    }
    // Two of four are free for ten hours; by order of arrival the wide job waits for all of them.
    const half = siteWith([jobAt(2, 10, 0)], { discipline: "easy" });
    const { waitsMs } = simulateStarts({ ...question, habits, snapshot: half });
    expect(waitsMs[0]).toBe(10 * HOUR);
  });

  it("gives the same answer for the same input and seed, also when cloned for another thread", () => {
    const habits = createHabits();
    for (let i = 0; i < 30; i++) {
      recordRuntime(habits, { user: "ada", queue: "batch" }, { runtimeMs: i * HOUR, estimateMs: 30 * HOUR });
      recordArrival(
        habits,
        { user: "bob", queue: "b", need: [1 + (i % 4)], estimateMs: HOUR },
        i * i * 60_000,
      );
    }
    for (const discipline of DISCIPLINES) {
      const asked = { ...question, habits, snapshot: { ...busy, discipline } };
      const answer = simulateStarts(asked);
      expect(simulateStarts(structuredClone(asked))).toEqual(answer);
      expect(simulateStarts({ ...asked, seed: 8 }).waitsMs).not.toEqual(answer.waitsMs);
      expect(new Set(answer.waitsMs).size).toBeGreaterThan(10);
      const forecast = forecastBySimulation(answer);
      expect(forecast?.promises.map(({ probability }) => probability)).toEqual([0.5, 0.8, 0.95]);
    }
  });

  it("response times: simulated mean and 0.95-quantile, else the schedule and the bound", () => {
    const simulated = { waitsMs: [0, 10, 20, 30], seed: 1 };
    expect(simulatedMean(simulated)).toBe(15);
    expect(simulatedQuantile(simulated, 0.5)).toBe(10);
    const scheduled = scheduleStart(siteWith([]), job);
    expect(responseTimes({ simulated, scheduled, boundMs: 99 })).toEqual({
      estimated: { waitMs: 15, method: "simulation" },
      worst: { waitMs: 30, method: "simulation" },
    });
    const others = {
      estimated: { waitMs: 0, method: "schedule" },
      worst: { waitMs: 99, method: "history" },
    };
    expect(responseTimes({ scheduled, boundMs: 99 })).toEqual(others);
    expect(responseTimes({})).toEqual({ estimated: undefined, worst: undefined });
    // Some runs never start it: there is no mean, and no quantile beyond those that did.
    const never = { waitsMs: [0, 10, Number.POSITIVE_INFINITY], seed: 1 };
    expect(responseTimes({ simulated: never, scheduled, boundMs: 99 })).toEqual(others);
  });
});

describe("a start by similarity", () => {
  const facts = (id: number, procs = 1): JobFacts => {
    return { id: String(id), queue: "batch", user: "ada", procs, wallTimeMs: HOUR };
  };
  const full = siteWith([jobAt(4, 10, 0), jobAt(4, 10)]);
  const empty = siteWith([]);

  it("is the wait in past states that equal the present one", () => {
    const past = createPastStates();
    for (let i = 0; i < 200; i++) {
      const isFull = i % 2 === 0;
      recordState(past, facts(i), { ...(isFull ? full : empty), nowMs: i });
      recordStateWait(past, String(i), isFull ? 20 * HOUR + i : i);
    }
    const wide = { ...full, nowMs: 300 };
    expect(similarWaits(past, facts(300), wide)?.every((waitMs) => waitMs >= 20 * HOUR)).toBe(true);
    expect(similarWaits(past, facts(300), { ...empty, nowMs: 300 })?.at(-1)).toBeLessThan(200);
    const forecast = forecastBySimilarity(past, facts(300), wide);
    expect(forecast?.promises.at(-1)).toMatchObject({ probability: 0.95 });
  });

  it("is undefined before 59 waits are known; withdrawn and waiting jobs do not count", () => {
    const past = createPastStates();
    for (let i = 0; i < 100; i++) recordState(past, facts(i), empty);
    for (let i = 0; i < 58; i++) recordStateWait(past, String(i), i);
    recordStateWait(past, "58", undefined);
    recordStateWait(past, "never seen", 5);
    expect(similarWaits(past, facts(100), empty)).toBeUndefined();
    recordStateWait(past, "59", 7);
    expect(similarWaits(past, facts(100), empty)).toHaveLength(59);
  });

  it("drops the oldest of many states", () => {
    const past = createPastStates();
    recordState(past, facts(-1), empty);
    for (let i = 0; i < 4096; i++) {
      recordState(past, facts(i), empty);
      recordStateWait(past, String(i), 1);
    }
    recordStateWait(past, "-1", 1_000_000);
    expect(new Set(similarWaits(past, facts(5000), empty))).toEqual(new Set([1]));
  });
});
