import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../test/draws.ts";
import {
  adopt,
  checkpoint,
  createMachine,
  type Machine,
  prepareImpact,
  reserve,
  tryReservations,
} from "./index.ts";
import { withoutIdleColumns } from "./narrow.ts";

const RUNS = draws(150);
const PROCS = 12;

/** Most need no more of the second resource for a processor than there is (2, rounded down), some do. */
const rectangles = fc.record({
  procs: fc.integer({ min: 1, max: PROCS }),
  perProc: fc.constantFrom(0, 0, 1, 2, 2),
  extra: fc.oneof({ weight: 12, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 3 })),
  durationMs: fc.integer({ min: 1, max: 30 }),
  aheadMs: fc.integer({ min: 0, max: 60 }),
});

const scenes = fc.record({
  discipline: fc.constantFrom("fcfs", "easy", "conservative", "repack"),
  memory: fc.integer({ min: 24, max: 35 }),
  running: fc.array(rectangles, { maxLength: 6 }),
  reserved: fc.array(rectangles, { maxLength: 4 }),
  waiting: fc.array(rectangles, { maxLength: 20 }),
  asked: rectangles,
});

type Scene = typeof scenes extends fc.Arbitrary<infer Drawn> ? Drawn : never;
type Rectangle = Scene["asked"];

function needOf({ procs, perProc, extra }: Rectangle): [number, number] {
  return [procs, Math.min(24, procs * perProc + extra)];
}

/** What of the running jobs and the reservations has room, and the whole queue. */
function machineOf({ discipline, memory, running, reserved, waiting }: Scene): Machine {
  const machine = createMachine([[PROCS, memory]], { discipline });
  const left = [PROCS, memory];
  for (const job of running) {
    const need = needOf(job);
    if (need.some((amount, column) => amount > left[column])) continue;
    need.forEach((amount, column) => {
      left[column] -= amount;
    });
    const found = { state: "running", startMs: 0, pool: 0, arrivedAtMs: 0 } as const;
    adopt(machine, { ...found, need, estimateMs: job.durationMs });
  }
  reserved.forEach((slot, id) => {
    const { aheadMs: startMs, durationMs } = slot;
    reserve(machine, id, { pool: 0, need: needOf(slot), startMs, durationMs }, 0);
  });
  for (const job of waiting) {
    adopt(machine, { state: "waiting", need: needOf(job), estimateMs: job.durationMs, arrivedAtMs: 0 });
  }
  return machine;
}

function tried(machine: Machine, need: readonly number[], durationMs: number) {
  const up = prepareImpact(machine);
  const startsMs = Float64Array.from({ length: 70 }, (_, at) => at);
  const weights = Float64Array.from(up.present.handles, (_, at) => 1 + at);
  return {
    present: up.present,
    outcome: tryReservations(up, { pool: 0, need, durationMs }, startsMs, weights),
  };
}

/** Without the guess from which a profile begins its next search. */
function stateOf(machine: Machine) {
  const saved = checkpoint(machine);
  return { ...saved, pools: saved.pools.map((pool) => ({ ...pool, near: 0 })) };
}

describe("a machine without resources that are never short", () => {
  it("says of every slot what the machine itself says, and leaves that as it was", () => {
    const columns = new Set<number>();
    fc.assert(
      fc.property(scenes, (scene) => {
        const machine = machineOf(scene);
        const before = structuredClone(stateOf(machine));
        const need = needOf(scene.asked);
        const narrow = withoutIdleColumns(machine, need);
        columns.add(narrow.need.length);
        const { durationMs } = scene.asked;
        expect(tried(narrow.machine, narrow.need, durationMs)).toEqual(tried(machine, need, durationMs));
        expect(stateOf(machine)).toEqual(before);
      }),
      { numRuns: 4 * RUNS.numRuns },
    );
    expect(columns).toEqual(new Set([1, 2]));
  });

  it.each([
    ["the slot", { asked: 5 }],
    ["who runs", { running: 5 }],
    ["who waits", { waiting: 5 }],
    ["what is reserved", { reserved: 5 }],
  ])("keeps what %s asks more of than the pool has for each processor", (_, memory) => {
    const { asked, running, waiting, reserved } = {
      asked: 4,
      running: 4,
      waiting: 4,
      reserved: 4,
      ...memory,
    };
    // 4 processors, and 2 and a bit of memory for each.
    const machine = createMachine([[4, 11]], { discipline: "easy" });
    const found = { arrivedAtMs: 0, estimateMs: 10 };
    adopt(machine, { ...found, state: "running", startMs: 0, pool: 0, need: [2, running] });
    reserve(machine, 0, { pool: 0, need: [2, reserved], startMs: 50, durationMs: 5 }, 0);
    adopt(machine, { ...found, state: "waiting", need: [2, waiting] });
    const isGreedy = Object.values(memory).some((amount) => amount > 4);
    expect(withoutIdleColumns(machine, [2, asked]).need).toEqual(isGreedy ? [2, asked] : [2]);
    expect(withoutIdleColumns(machine, [2, 4]).need).toHaveLength("asked" in memory ? 1 : 2);
  });
});
