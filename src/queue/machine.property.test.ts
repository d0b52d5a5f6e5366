import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../test/draws.ts";
import {
  commonPromises,
  plainWorkloads,
  replayFast,
  replayPlainly,
  type SmallWorkload,
  smallWorkloads,
} from "../../test/replay-both.ts";
import {
  advance,
  arrive,
  cancel,
  checkpoint,
  jobState,
  type Machine,
  machineFrom,
  reserve,
  rollback,
} from "./index.ts";

const RUNS = draws(1500);
/** For what is slower, or said in part by another test. */
const FEWER = { numRuns: Math.ceil(RUNS.numRuns / 3) };

describe("the site machine against the plain site", () => {
  it("QU-1 … QU-17 gives every start, end, refusal and promise of the rules", () => {
    fc.assert(fc.property(smallWorkloads, givesTheSame), RUNS);
  });

  it("QU-2 QU-4 gives the same on longer queues at one pool of processors, the tuned case", () => {
    fc.assert(fc.property(plainWorkloads, givesTheSame), FEWER);
  });

  it("anything tried between two instants and rolled back leaves no trace", () => {
    fc.assert(
      fc.property(smallWorkloads, (workload) => {
        expect(replayFast(workload, tryAndRollBack)).toEqual(replayFast(workload));
      }),
      FEWER,
    );
  });

  it("QU-13 running jobs and reservations never need more than the capacity", () => {
    fc.assert(
      fc.property(smallWorkloads, (workload) => {
        const peak = new Map<string, number>();
        replayFast(workload, (machine) => measure(machine, peak));
        for (const [key, used] of peak) {
          const [pool, column] = key.split("/").map(Number);
          expect(used).toBeLessThanOrEqual(workload.pools[pool][column]);
        }
      }),
      FEWER,
    );
  });

  it("QU-4 under conservative no promise moves later unless a reservation is made", () => {
    const withoutReservations = smallWorkloads.map((workload) => ({
      ...workload,
      discipline: "conservative" as const,
      operations: workload.operations.filter(({ kind }) => kind !== "reserve"),
    }));
    fc.assert(fc.property(withoutReservations, promisesOnlyImprove), FEWER);
  });
});

function givesTheSame(workload: SmallWorkload): void {
  const plain = replayPlainly(workload);
  const fast = replayFast(workload);
  expect(fast.starts).toEqual(plain.starts);
  expect(fast.ends).toEqual(plain.ends);
  expect(fast.tooWide).toEqual(plain.tooWide);
  expect(fast.refusals).toEqual(plain.refusals);
  expect(commonPromises(fast, plain)).toEqual(commonPromises(plain, fast));
}

/** Tries a good deal on the machine, on a copy in another machine too, and rolls back. */
function tryAndRollBack(machine: Machine): void {
  const saved = structuredClone(checkpoint(machine));
  disturb(machine);
  rollback(machine, saved);
  disturb(machineFrom(saved, machine.rules));
}

function disturb(machine: Machine): void {
  const now = machine.nowMs + 1;
  const columns = machine.jobs.need.length;
  const { state } = machine.jobs;
  const waiting = [...state.keys()].filter((handle) => state[handle] === jobState.waiting);
  for (const handle of waiting) cancel(machine, handle, machine.nowMs);
  const need = Array.from({ length: columns }, () => 1);
  reserve(machine, 1000, { pool: 0, need, startMs: now, durationMs: 7 }, machine.nowMs);
  arrive(machine, { need, estimateMs: 5 }, machine.nowMs);
  advance(machine, machine.nowMs);
}

function measure(machine: Machine, peak: Map<string, number>): void {
  const { jobs, pools, reservations, nowMs } = machine;
  pools.forEach((_, pool) => {
    jobs.need.forEach((need, column) => {
      let used = 0;
      for (let handle = 0; handle < jobs.size; handle++) {
        if (jobs.state[handle] === jobState.running && jobs.pool[handle] === pool) used += need[handle];
      }
      for (const fixed of reservations.values()) {
        const isActive = fixed.startMs <= nowMs && nowMs < fixed.startMs + fixed.durationMs;
        if (isActive && fixed.pool === pool) used += fixed.need[column];
      }
      const key = `${pool}/${column}`;
      peak.set(key, Math.max(used, peak.get(key) ?? 0));
    });
  });
}

function promisesOnlyImprove(workload: SmallWorkload): void {
  const last = new Map<number, { start: number; at: number }>();
  const held = new Set(
    workload.operations.flatMap((operation) => ("job" in operation ? [operation.job] : [])),
  );
  for (const { job, start, at } of replayFast(workload).promises) {
    const before = last.get(job);
    if (before !== undefined && !held.has(job)) expect(start).toBeLessThanOrEqual(before.start);
    last.set(job, { start, at });
  }
}
