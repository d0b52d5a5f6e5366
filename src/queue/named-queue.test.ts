import { describe, expect, it } from "vitest";
import { createNamedQueue, keepFree, note, settle } from "./named-queue.ts";

const arrive = (job: string, estimateMs: number) => ({ kind: "arrive", job, need: [4], estimateMs }) as const;

/** A queue in which `a` runs until 100 by its estimate, and `b` and `c` wait. */
function waitingBehind(discipline: "fcfs" | "easy" | "conservative") {
  const queue = createNamedQueue([4], discipline, 0);
  for (const operation of [arrive("a", 100), arrive("b", 50), arrive("c", 50)]) note(queue, operation);
  expect(settle(queue, 1)).toEqual(["a"]);
  return queue;
}

describe.each(["fcfs", "easy", "conservative"] as const)(
  "a queue that is settled late, under %s",
  (discipline) => {
    it.each(["cancel", "hold"] as const)(
      "QU-19 a job taken away (%s) does not start at an earlier instant",
      (kind) => {
        const queue = waitingBehind(discipline);
        note(queue, { kind, job: "b" });
        // `a` was over, by its estimate, before anybody looked.
        expect(settle(queue, 120)).toEqual(["c"]);
        expect(settle(queue, 10_000)).toEqual([]);
      },
    );

    it("QU-19 contradicting orders are applied in sequence", () => {
      const queue = waitingBehind(discipline);
      note(queue, { kind: "hold", job: "b" });
      note(queue, { kind: "release", job: "b" });
      note(queue, { kind: "cancel", job: "b" });
      expect(settle(queue, 120)).toEqual(["c"]);
      note(queue, { kind: "hold", job: "c" });
      expect(() => settle(queue, 1000)).not.toThrow();
    });

    it("QU-8 a job that ends at the instant of a new reservation still ends", () => {
      const queue = waitingBehind(discipline);
      expect(settle(queue, 60)).toEqual([]);
      const slot = { pool: 0, need: [4], startMs: 200, durationMs: 50 };
      expect(keepFree(queue, "slot", slot, 60)).toBeUndefined();
      note(queue, { kind: "end", job: "a" });
      expect(settle(queue, 60)).toEqual(["b"]);
      expect(settle(queue, 110)).toEqual(["c"]);
    });
  },
);
