/**
 * Queues with a past: jobs that came, ran, were held, suspended, and ended early.
 */
import fc from "fast-check";
import type { Discipline } from "../src/model/index.ts";
import { createNamedQueue, type NamedQueue, note, settle } from "../src/queue/index.ts";

const PROCS = 6;
const verbs = fc.constantFrom("hold", "suspend", "end", "cancel", "release", "resume");

/** A job, and when it comes after the one before. */
export const pastJobs = fc.record({
  need: fc.tuple(fc.integer({ min: 1, max: PROCS }), fc.integer({ min: 0, max: 4 })),
  estimateMs: fc.integer({ min: 1, max: 30 }),
  gapMs: fc.nat(8),
});

const pasts = fc.record({
  jobs: fc.array(pastJobs, { minLength: 1, maxLength: 14 }),
  deeds: fc.array(fc.tuple(fc.nat(20), verbs), { maxLength: 8 }),
  discipline: fc.constantFrom<Discipline>("fcfs", "easy", "conservative", "repack"),
  /** With the larger one processors alone can be short. */
  memory: fc.constantFrom(4, 24),
});

/** A queue, and the instant of what happened last; its jobs are j0, j1 … */
export interface QueueWithPast {
  readonly queue: NamedQueue;
  readonly nowMs: number;
  readonly jobs: number;
}

/** Draws them. */
export const queuesWithPast: fc.Arbitrary<QueueWithPast> = pasts.map(
  ({ jobs, deeds, discipline, memory }) => {
    const queue = createNamedQueue([PROCS, memory], discipline, 0);
    let nowMs = 0;
    jobs.forEach(({ gapMs, ...need }, n) => {
      nowMs += gapMs;
      note(queue, { kind: "arrive", job: `j${n}`, ...need });
      for (const [after, kind] of deeds)
        if (after % jobs.length === n) note(queue, { kind, job: `j${after % 5}` });
      if (n % 3 !== 2) settle(queue, nowMs);
    });
    return { queue, nowMs, jobs: jobs.length };
  },
);
