import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../../test/draws.ts";
import { plainWorkloads, replayFast, type SmallWorkload, smallWorkloads } from "../../../test/replay-both.ts";
import { adopt, checkpoint, createMachine, type Machine, machineFrom, reserve } from "../index.ts";
import { playForward } from "./lookahead.ts";
import { tryReservations } from "./try-reservations.ts";
import { prepareImpact, startsBeside } from "./waiting-starts.ts";

const RUNS = draws(150);

const shapes = fc.record({
  procs: fc.integer({ min: 1, max: 6 }),
  durationMs: fc.integer({ min: 1, max: 12 }),
});

interface Shape {
  readonly procs: number;
  readonly durationMs: number;
}

describe("reservations that are only tried", () => {
  it("QU-29 give for many starts at once the effect of each on a copy", () => {
    fc.assert(fc.property(smallWorkloads, shapes, trialsAgree), RUNS);
  });

  it("QU-29 likewise on longer queues at one pool of processors", () => {
    fc.assert(fc.property(plainWorkloads, shapes, trialsAgree), RUNS);
  });

  it("QU-29 likewise on a full pool of processors with a long queue and reservations", () => {
    fc.assert(
      fc.property(busyPools, shapes, (pool, shape) => {
        const machine = machineOf(pool);
        outcomesAgree(machine, { ...shape, procs: 2 * shape.procs });
        if (machine.rules.discipline !== "conservative") presentAgrees(machine);
      }),
      { numRuns: 4 * RUNS.numRuns },
    );
  });

  it.each(["fcfs", "easy", "conservative"] as const)(
    "QU-29 likewise under %s on a queue with more lengths than classes",
    (discipline) => {
      const drawn = Array.from({ length: 1100 }, (_, at) => ({
        procs: 1 + ((at * 5) % 11),
        durationMs: 1 + ((at * 389) % 1103),
        aheadMs: 300,
      }));
      const machine = machineOf({
        ...{ discipline, running: drawn.slice(7, 12), reserved: drawn.slice(0, 3), waiting: drawn },
      });
      const tried = prepareImpact(machine);
      const shape = { pool: 0, need: [7], durationMs: 900 };
      const startsMs = Float64Array.from([40_000, 41_000, 200_000, 350_000]);
      const weights = new Float64Array(drawn.length).fill(1);
      const { weightedDelayMs } = tryReservations(tried, shape, startsMs, weights);
      const plain = Array.from(startsMs, (startMs) => {
        const starts = startsBeside(tried, { ...shape, startMs });
        if (!(starts instanceof Float64Array)) throw new Error("it is possible");
        return starts.reduce((sum, it, i) => sum + Math.max(0, it - tried.present.startMs[i]), 0);
      });
      expect([...weightedDelayMs]).toEqual(plain);
      expect(Math.max(...plain)).toBeGreaterThan(0);
    },
  );

  it("QU-29 likewise with hundreds of jobs displaced to different instants", () => {
    fc.assert(
      fc.property(crowdedPools, (pool) => {
        const shape = { procs: 5, durationMs: 3000 };
        outcomesAgree(machineOf(pool), shape, [0, 1, 40, 700, 2500, 9000, 60_000]);
      }),
      { numRuns: Math.ceil(RUNS.numRuns / 10) },
    );
  });

  it("QU-29 likewise with a queue longer than a row of places and many equal jobs", () => {
    fc.assert(
      fc.property(
        longQueues,
        shapes,
        fc.array(fc.integer({ min: 0, max: 900 })),
        fc.constantFrom(1, 300),
        (pool, shape, drawn, each) => {
          const machine = machineOf(pool, each);
          presentAgrees(machine);
          const changes = drawn.map((at) => prepareImpact(machine).present.startMs[at % pool.waiting.length]);
          outcomesAgree(machine, { ...shape, procs: 2 * shape.procs * each }, [...drawn, ...changes]);
        },
      ),
      { numRuns: Math.ceil(RUNS.numRuns / 2) },
    );
  });

  it("QU-29 likewise with no waiting job, or one", () => {
    const short = busyPools.chain((pool) =>
      fc.integer({ min: 0, max: 1 }).map((count) => ({ ...pool, waiting: pool.waiting.slice(0, count) })),
    );
    fc.assert(
      fc.property(short, shapes, (pool, shape) => outcomesAgree(machineOf(pool), shape)),
      RUNS,
    );
  });

  it("QU-29 do not change the machine", () => {
    fc.assert(
      fc.property(smallWorkloads, shapes, (workload, shape) => {
        replayFast(workload, (machine) => {
          const before = structuredClone(stateOf(machine));
          tryAll(machine, shape);
          expect(stateOf(machine)).toEqual(before);
        });
      }),
      draws(100),
    );
  });
});

/** Without the guess from which a profile begins its next search. */
function stateOf(machine: Machine) {
  const saved = checkpoint(machine);
  return { ...saved, pools: saved.pools.map((profile) => ({ ...profile, near: 0 })) };
}

const BUSY_PROCS = 12;

const rectangles = fc.record({
  procs: fc.integer({ min: 1, max: BUSY_PROCS }),
  durationMs: fc.oneof(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 40 })),
  aheadMs: fc.integer({ min: 0, max: 60 }),
});

const busyPools = fc.record({
  discipline: fc.constantFrom("fcfs", "easy", "conservative"),
  running: fc.array(rectangles, { maxLength: 8 }),
  reserved: fc.array(rectangles, { maxLength: 5 }),
  waiting: fc.array(rectangles, { minLength: 15, maxLength: 50 }),
});

/** Hardly two instants alike. */
const crowdedPools = fc.record({
  discipline: fc.constantFrom("fcfs", "easy", "conservative"),
  running: fc.array(rectangles, { maxLength: 8 }),
  reserved: fc.array(rectangles, { maxLength: 5 }),
  waiting: fc.array(
    fc.record({
      procs: fc.integer({ min: 1, max: BUSY_PROCS }),
      durationMs: fc.integer({ min: 1, max: 5000 }),
      aheadMs: fc.constant(0),
    }),
    { minLength: 150, maxLength: 250 },
  ),
});

const MANY_LENGTHS = Array.from({ length: 300 }, (_, at) => 1 + at * at);

/** Few widths and lengths, or many; 1 ms long, or very long; more than 128 and 256 jobs. */
const longQueues = fc
  .record({
    most: fc.constantFrom(2, 5, BUSY_PROCS),
    lengths: fc.constantFrom([1], MANY_LENGTHS, [1, 2], [1, 7, 60, 2 ** 30]),
  })
  .chain(({ most, lengths }) => {
    const procs = fc.integer({ min: 1, max: most });
    const durationMs = fc.constantFrom(...lengths);
    const aheadMs = fc.integer({ min: 0, max: 60 });
    return fc.record({
      discipline: fc.constantFrom("fcfs", "easy"),
      running: fc.array(fc.record({ procs, durationMs, aheadMs }), { maxLength: 8 }),
      reserved: fc.array(rectangles, { maxLength: 5 }),
      waiting: fc.array(fc.record({ procs, durationMs, aheadMs }), { minLength: 100, maxLength: 300 }),
    });
  });

type BusyPool = typeof busyPools extends fc.Arbitrary<infer Drawn> ? Drawn : never;

/** What of the running jobs and the reservations has room, and the whole queue; all so many times as wide. */
function machineOf({ discipline, running, reserved, waiting }: BusyPool, each = 1): Machine {
  const machine = createMachine([[BUSY_PROCS * each]], { discipline });
  let left = BUSY_PROCS;
  for (const { procs, durationMs } of running) {
    if (procs > left) continue;
    left -= procs;
    const found = { state: "running", startMs: 0, pool: 0, arrivedAtMs: 0 } as const;
    adopt(machine, { ...found, need: [procs * each], estimateMs: durationMs });
  }
  reserved.forEach(({ procs, durationMs, aheadMs }, id) => {
    reserve(machine, id, { pool: 0, need: [procs * each], startMs: aheadMs, durationMs }, 0);
  });
  for (const { procs, durationMs } of waiting) {
    adopt(machine, { state: "waiting", need: [procs * each], estimateMs: durationMs, arrivedAtMs: 0 });
  }
  return machine;
}

/** The present starts are those of a copy that is played. */
function presentAgrees(machine: Machine): void {
  const { present, saved, rules } = prepareImpact(machine);
  const started = new Map<number, number>();
  playForward(machineFrom(saved, rules), (handle, atMs) => started.set(handle, atMs));
  expect([...present.startMs]).toEqual(Array.from(present.handles, (handle) => started.get(handle)));
}

function trialsAgree(workload: SmallWorkload, shape: Shape): void {
  replayFast(workload, (machine) => {
    if (machine.pools.length === 1) outcomesAgree(machine, shape);
  });
}

function outcomesAgree(machine: Machine, shape: Shape, atMs?: readonly number[]): void {
  const { tried, outcome, startsMs, need } = tryAll(machine, shape, atMs);
  for (let at = 0; at < startsMs.length; at++) {
    const starts = startsBeside(tried, {
      pool: 0,
      need,
      durationMs: shape.durationMs,
      startMs: startsMs[at],
    });
    expect(outcome.isPossible[at] === 1).toBe(starts instanceof Float64Array);
    if (!(starts instanceof Float64Array)) continue;
    const later = Array.from(starts, (startMs, i) => Math.max(0, startMs - tried.present.startMs[i]));
    expect(outcome.delayedJobs[at]).toBe(later.filter((delayMs) => delayMs > 0).length);
    expect(outcome.weightedDelayMs[at]).toBe(later.reduce((sum, delayMs, i) => sum + (i + 1) * delayMs, 0));
  }
}

/** Tries it at these instants, else at each of the next 25. */
function tryAll(machine: Machine, { procs, durationMs }: Shape, atMs?: readonly number[]) {
  const tried = prepareImpact(machine);
  const need = machine.jobs.need.map((_, column) => (column === 0 ? procs : 1));
  const next = Array.from({ length: 25 }, (_, i) => machine.nowMs + i);
  const startsMs = Float64Array.from(new Set(atMs ?? next)).sort();
  const weights = Float64Array.from(tried.present.handles, (_, i) => i + 1);
  const outcome = tryReservations(tried, { pool: 0, need, durationMs }, startsMs, weights);
  return { tried, outcome, startsMs, need };
}
