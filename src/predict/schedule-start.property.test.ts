import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../test/draws.ts";
import { scheduleStart, simulatedStart } from "./schedule-start.ts";
import type { SiteSnapshot, SnapshotJob } from "./snapshot.ts";

const PROCS = 16;

const drawn = fc.record({
  procs: fc.integer({ min: 1, max: PROCS }),
  estimateMs: fc.integer({ min: 1, max: 5000 }),
  elapsedMs: fc.integer({ min: 0, max: 6000 }),
});

/** Queues long enough for the fast way; some running jobs are beyond their estimate. */
const longQueues = fc.record({
  discipline: fc.constantFrom("fcfs", "easy", "conservative", "repack"),
  running: fc.array(drawn, { maxLength: 5 }),
  waiting: fc.array(drawn, { minLength: 200, maxLength: 260, size: "max" }),
  asked: drawn,
});

describe("PD-14 a start by schedule", () => {
  it("is in a long queue the same as by simulation until the job starts", () => {
    fc.assert(
      fc.property(longQueues, ({ discipline, running, waiting, asked }) => {
        const nowMs = 10_000;
        const jobOf = (it: typeof asked, startedAtMs?: number): SnapshotJob => ({
          ...{ user: "u", queue: "q", need: [it.procs, it.procs], estimateMs: it.estimateMs },
          ...{ arrivedAtMs: 0, startedAtMs },
        });
        const snapshot: SiteSnapshot = {
          ...{ nowMs, capacity: [PROCS, 2 * PROCS], discipline, reservations: [] },
          jobs: [...running.map((it) => jobOf(it, nowMs - it.elapsedMs)), ...waiting.map((it) => jobOf(it))],
        };
        const job = { need: [asked.procs, asked.procs], estimateMs: asked.estimateMs };
        expect(scheduleStart(snapshot, job).waitMs).toBe(simulatedStart(snapshot, job) - nowMs);
      }),
      draws(60),
    );
  });
});
