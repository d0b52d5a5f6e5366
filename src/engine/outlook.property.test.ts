import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Discipline } from "../model/index.ts";
import {
  copyQueue,
  createNamedQueue,
  type NamedQueue,
  note,
  outlookOf,
  settle,
  startIn,
} from "../queue/index.ts";
import { predictedStart } from "./predicted-start.ts";

const disciplines = fc.constantFrom<Discipline>("fcfs", "easy", "conservative", "repack");
const aNeed = fc.tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 0, max: 4 }));
const aJob = fc.record({ need: aNeed, estimateMs: fc.integer({ min: 1, max: 30 }), gapMs: fc.nat(8) });
const verbs = fc.constantFrom("hold", "suspend", "end", "cancel", "release", "resume");

/** A queue with a past: jobs that came, ran, were held, suspended, and ended early. */
function queueWith(
  jobs: readonly { readonly need: [number, number]; readonly estimateMs: number; readonly gapMs: number }[],
  deeds: readonly (readonly [number, ReturnType<typeof verbOf>])[],
  discipline: Discipline,
): { readonly queue: NamedQueue; readonly nowMs: number } {
  const queue = createNamedQueue([6, 4], discipline, 0);
  let nowMs = 0;
  jobs.forEach(({ gapMs, ...need }, n) => {
    nowMs += gapMs;
    note(queue, { kind: "arrive", job: `j${n}`, ...need });
    for (const [after, kind] of deeds)
      if (after % jobs.length === n) note(queue, { kind, job: `j${after % 5}` });
    if (n % 3 !== 2) settle(queue, nowMs);
  });
  return { queue, nowMs };
}

const verbOf = (verb: "hold" | "suspend" | "end" | "cancel" | "release" | "resume") => verb;

describe("the outlook on a queue", () => {
  it("EN-5 says when one more job would start, as playing the queue with it does", () => {
    fc.assert(
      fc.property(
        fc.array(aJob, { minLength: 1, maxLength: 14 }),
        fc.array(fc.tuple(fc.nat(20), verbs), { maxLength: 8 }),
        disciplines,
        fc.record({ one: aJob, laterMs: fc.nat(40) }),
        (jobs, deeds, discipline, { one, laterMs }) => {
          const { queue, nowMs } = queueWith(jobs, deeds, discipline);
          const outlook = outlookOf(copyQueue(queue), nowMs);
          const atMs = nowMs + laterMs;
          const played = copyQueue(queue);
          settle(played, nowMs);
          note(played, { kind: "arrive", job: "new", need: one.need, estimateMs: one.estimateMs });
          expect(startIn(outlook, one, atMs)).toBe(predictedStart(played, "new", atMs));
        },
      ),
      { numRuns: 600 },
    );
  });
});
