/** Starts by schedule, by simulation and by similarity, at sites small enough to follow by hand. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MS_PER_HOUR } from "../base/index.ts";
import { createMachine, createReplay, type ReplayJob } from "../queue/index.ts";
import {
  createHabits,
  createPastStates,
  forecastBySimilarity,
  forecastBySimulation,
  type JobFacts,
  noteArrival,
  noteRuntime,
  rememberState,
  responseTimes,
  type SiteSnapshot,
  type SnapshotJob,
  scheduleStart,
  settleState,
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

  it("keeps clear of reservations, and says what it assumes", () => {
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

  it("counts memory where the site does", () => {
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
    // Under promises a snapshot forgets who was promised what; what it makes afresh may differ.
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
          // What starts at this very instant still waits when the last one comes.
          const startedAtMs = startMs < nowMs ? startMs : undefined;
          if (startMs + job.runtimeMs <= nowMs) return [];
          const { need, estimateMs } = job;
          return [{ user: "", queue: "", need, estimateMs, arrivedAtMs: job.submitMs, startedAtMs }];
        });
        const { waitMs } = scheduleStart(siteWith(seen, { nowMs, discipline }), workload[last]);
        expect(nowMs + waitMs).toBe(starts.get(last));
      }),
      { numRuns: 200 },
    );
  });
});

describe("PD-15 a start by simulation", () => {
  const busy = siteWith([jobAt(4, 10, 0), jobAt(4, 10)]);
  const job = { need: [4], estimateMs: HOUR };
  const question = { snapshot: busy, habits: createHabits(), job, runs: 50, seed: 7 };

  it("is the start by schedule where nothing is known of runtimes and arrivals", () => {
    expect(new Set(simulateStarts(question).waitsMs)).toEqual(new Set([20 * HOUR]));
  });

  it("draws runtimes from the user's past, else from his queue's", () => {
    const habits = createHabits();
    for (let i = 0; i < 20; i++) {
      noteRuntime(habits, { user: "ada", queue: "batch" }, { runtimeMs: HOUR, estimateMs: 10 * HOUR });
      noteRuntime(habits, { user: "bob", queue: "batch" }, { runtimeMs: 5 * HOUR, estimateMs: 10 * HOUR });
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

  it("gives what already runs longer than usual some time that is left of its limit", () => {
    const habits = createHabits();
    for (let i = 0; i < 20; i++) {
      noteRuntime(habits, { user: "ada", queue: "batch" }, { runtimeMs: HOUR, estimateMs: 10 * HOUR });
    }
    const long = siteWith([jobAt(4, 10, -5 * HOUR)]);
    const { waitsMs } = simulateStarts({ ...question, habits, snapshot: long });
    expect(waitsMs[0]).toBeGreaterThan(0);
    expect(waitsMs[49]).toBeLessThanOrEqual(5 * HOUR);
    expect(new Set(waitsMs).size).toBeGreaterThan(25);
  });

  it("lets jobs come as they came of late, which may pass the one asked about", () => {
    const habits = createHabits();
    for (let i = 0; i < 50; i++) {
      noteArrival(habits, { user: "bob", queue: "batch", need: [1], estimateMs: 3 * HOUR }, i * HOUR);
    }
    // Two of four are free for ten hours; by priority of order the wide one waits for all of them.
    const half = siteWith([jobAt(2, 10, 0)], { discipline: "easy" });
    const { waitsMs } = simulateStarts({ ...question, habits, snapshot: half });
    expect(waitsMs[0]).toBe(10 * HOUR);
  });

  it("gives the same answer to the same question, also after it was sent to another thread", () => {
    const habits = createHabits();
    for (let i = 0; i < 30; i++) {
      noteRuntime(habits, { user: "ada", queue: "batch" }, { runtimeMs: i * HOUR, estimateMs: 30 * HOUR });
      noteArrival(habits, { user: "bob", queue: "b", need: [1 + (i % 4)], estimateMs: HOUR }, i * i * 60_000);
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

  it("PD-20 response times: simulated mean and 0.95-quantile, else the schedule and the bound", () => {
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
    // Some futures never start it: there is no mean, and no quantile that many of them reach.
    const never = { waitsMs: [0, 10, Number.POSITIVE_INFINITY], seed: 1 };
    expect(responseTimes({ simulated: never, scheduled, boundMs: 99 })).toEqual(others);
  });
});

describe("PD-13 a start by similarity", () => {
  const facts = (id: number, procs = 1): JobFacts => {
    return { id: String(id), queue: "batch", user: "ada", procs, wallTimeMs: HOUR };
  };
  const full = siteWith([jobAt(4, 10, 0), jobAt(4, 10)]);
  const empty = siteWith([]);

  it("is what was waited when the site looked the same", () => {
    const past = createPastStates();
    for (let i = 0; i < 200; i++) {
      const isFull = i % 2 === 0;
      rememberState(past, facts(i), { ...(isFull ? full : empty), nowMs: i });
      settleState(past, String(i), isFull ? 20 * HOUR + i : i);
    }
    const wide = { ...full, nowMs: 300 };
    expect(similarWaits(past, facts(300), wide)?.every((waitMs) => waitMs >= 20 * HOUR)).toBe(true);
    expect(similarWaits(past, facts(300), { ...empty, nowMs: 300 })?.at(-1)).toBeLessThan(200);
    const forecast = forecastBySimilarity(past, facts(300), wide);
    expect(forecast?.promises.at(-1)).toMatchObject({ probability: 0.95 });
  });

  it("says nothing before 59 waits are known; who was withdrawn or still waits is not one", () => {
    const past = createPastStates();
    for (let i = 0; i < 100; i++) rememberState(past, facts(i), empty);
    for (let i = 0; i < 58; i++) settleState(past, String(i), i);
    settleState(past, "58", undefined);
    settleState(past, "never seen", 5);
    expect(similarWaits(past, facts(100), empty)).toBeUndefined();
    settleState(past, "59", 7);
    expect(similarWaits(past, facts(100), empty)).toHaveLength(59);
  });

  it("forgets the oldest of many states", () => {
    const past = createPastStates();
    rememberState(past, facts(-1), empty);
    for (let i = 0; i < 4096; i++) {
      rememberState(past, facts(i), empty);
      settleState(past, String(i), 1);
    }
    settleState(past, "-1", 1_000_000);
    expect(new Set(similarWaits(past, facts(5000), empty))).toEqual(new Set([1]));
  });
});
