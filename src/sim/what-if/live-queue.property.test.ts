import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../../test/draws.ts";
import { plainLiveStarts } from "../../../test/plain/plain-live-queue.ts";
import { temporaryFolder } from "../../../test/stint.ts";
import { liveLines } from "../../formats/workload-jsonl/index.ts";
import type { LiveAmounts, LiveQueue, LiveRectangle } from "../../model/index.ts";
import { whatIf } from "../index.ts";

const { numRuns: RUNS } = draws(60);
const SECOND_MS = 1000;
const AT_MS = Date.UTC(2026, 4, 31, 12);
const MEBI = 2 ** 20;
const CAPACITIES: readonly LiveAmounts[] = [
  [6, 8 * MEBI, 2],
  [4, 4 * MEBI, 0],
];

const places = fc.array(
  fc.record({
    pool: fc.nat(1),
    procs: fc.integer({ min: 1, max: 4 }),
    mebi: fc.integer({ min: 0, max: 3 }),
    gpus: fc.nat(1),
    fromSec: fc.integer({ min: 1, max: 20 }),
    lengthSec: fc.integer({ min: 1, max: 15 }),
  }),
  { maxLength: 4 },
);
const waiting = fc.array(
  fc.record({
    procs: fc.integer({ min: 1, max: 6 }),
    mebi: fc.integer({ min: 0, max: 4 }),
    gpus: fc.constantFrom(0, 0, 0, 1),
    limitSec: fc.integer({ min: 1, max: 12 }),
    pools: fc.constantFrom<readonly number[]>([0], [1], [0, 1], [1, 0]),
    expectedSec: fc.constantFrom(null, 1, 10),
  }),
  { minLength: 1, maxLength: 7 },
);

/** What there is for that keeps within its pool, beside what came before it. */
function within(drawn: typeof places extends fc.Arbitrary<infer All> ? All : never, isRunning: boolean) {
  const used = CAPACITIES.map(() => [0, 0, 0]);
  return drawn.flatMap(({ pool, procs, mebi, gpus, fromSec, lengthSec }): readonly LiveRectangle[] => {
    const need: LiveAmounts = [procs, mebi * MEBI, pool === 0 ? gpus : 0];
    // At most half for each kind, so that what runs and what is reserved fit beside each other.
    const all = need.map((amount, column) => used[pool][column] + amount);
    if (all.some((amount, column) => amount * 2 > CAPACITIES[pool][column])) return [];
    used[pool] = all;
    const startAtMs = AT_MS + (isRunning ? 0 : fromSec * SECOND_MS);
    return [{ pool, need, startAtMs, endAtMs: startAtMs + lengthSec * SECOND_MS }];
  });
}

function queueOf(
  running: readonly LiveRectangle[],
  reserved: readonly LiveRectangle[],
  drawn: typeof waiting extends fc.Arbitrary<infer All> ? All : never,
  countsMemory: boolean,
): LiveQueue {
  const jobs = drawn.flatMap(({ procs, mebi, gpus, limitSec, pools: named, expectedSec }, at) => {
    const need: LiveAmounts = [procs, mebi * MEBI, gpus];
    const pools = named.filter((pool) => need.every((amount, column) => amount <= CAPACITIES[pool][column]));
    if (pools.length === 0) return [];
    const expectedStartAtMs = expectedSec === null ? null : AT_MS + expectedSec * SECOND_MS;
    const whose = { siteJob: `w${at}`, queue: "", user: "anna", account: null };
    return [{ ...whose, need, limitMs: limitSec * SECOND_MS, pools, expectedStartAtMs }];
  });
  return {
    ...{ atMs: AT_MS, discipline: "fcfs", countsMemory, running, reserved, waiting: jobs },
    pools: CAPACITIES.map((capacity, at) => ({ name: `pool${at}`, capacity })),
    leftOut: { forTheirOwn: 0, tooWide: 0, inReservations: 0 },
  };
}

describe("a queue as it is now", () => {
  const folder = temporaryFolder();
  let files = 0;

  it("FO-114 simulated from its lines, the same jobs start as in a simulation second by second", async () => {
    await fc.assert(
      fc.asyncProperty(places, places, waiting, fc.boolean(), async (runs, kept, waits, countsMemory) => {
        const queue = queueOf(within(runs, true), within(kept, false), waits, countsMemory);
        fc.pre(queue.waiting.length > 0);
        const trace = join(folder, `${++files}.workload.jsonl`);
        const jobsOut = join(folder, `${files}.csv`);
        writeFileSync(trace, `${liveLines(queue).join("\n")}\n`);
        const rules = {
          discipline: "fcfs",
          estimates: "requested",
          overrun: "extend",
          lenient: false,
        } as const;
        const simulation = { trace, ...rules, jobsOut };
        const report = await whatIf({ simulation, changes: [], live: "the queue" }, "test");
        const rows = readFileSync(jobsOut, "utf8").trim().split("\n").slice(1);
        const starts = rows.map((row) => [row.split(",")[0], Number(row.split(",")[7])]);
        expect(Object.fromEntries(starts)).toEqual(plainLiveStarts(queue));
        const expected = queue.waiting.filter(({ expectedStartAtMs }) => expectedStartAtMs !== null);
        expect(report.baseline.jobs).toBe(expected.length);
        expect(report.beginning).toMatchObject({
          ...{ running: queue.running.length, runningWithoutRoom: 0, waiting: queue.waiting.length },
        });
      }),
      { numRuns: RUNS },
    );
  });
});
