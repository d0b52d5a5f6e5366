/**
 * A site machine by hand, for tests that say exactly what happens to it and when.
 */
import type { Discipline } from "../src/model/index.ts";
import { advance, arrive, createMachine, type Machine } from "../src/queue/index.ts";

/** One pool of four processors unless said otherwise. */
export function site(discipline: Discipline, pools: readonly (readonly number[])[] = [[4]]): Machine {
  return createMachine(pools, { discipline });
}

/** Processors of the first pool for a time. */
export function rectangle(count: number, startMs: number, durationMs: number) {
  return { pool: 0, need: [count], startMs, durationMs };
}

/** Lets jobs of [procs, estimate] arrive and settles the instant; gives their handles. */
export function come(
  machine: Machine,
  atMs: number,
  ...jobs: readonly (readonly [number, number])[]
): number[] {
  const handles = jobs.map(([count, estimateMs]) => {
    const arrived = arrive(machine, { need: [count], estimateMs }, atMs);
    if (!arrived.ok) throw new Error("the test's job fits");
    return arrived.value;
  });
  advance(machine, atMs);
  return handles;
}
