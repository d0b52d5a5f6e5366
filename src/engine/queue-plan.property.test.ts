import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../test/draws.ts";
import { steppedStart } from "../../test/plain/stepped-start.ts";
import { pastJobs, queuesWithPast } from "../../test/queues-with-past.ts";
import { slotsOf } from "../profile/index.ts";
import {
  copyQueue,
  leftByPlan,
  note,
  projectedProfiles,
  settle,
  startsOfPlan,
  startsOneMore,
} from "../queue/index.ts";
import { draftLeftFree, draftPlan, leftFree, plannedStart } from "./queue-plan.ts";

describe("the plan of a queue", () => {
  it("EN-11 gives each job the start that a simulation of the queue gives, also later", () => {
    fc.assert(
      fc.property(queuesWithPast, pastJobs, fc.array(fc.nat(6)), (past, { gapMs: _, ...one }, later) => {
        const { queue, jobs } = past;
        let { nowMs } = past;
        const agree = (): void => {
          for (let n = 0; n <= jobs; n++) {
            const job = `j${n}`;
            expect(plannedStart(queue, job, nowMs)).toBe(steppedStart(copyQueue(queue), job, nowMs));
          }
        };
        agree();
        later.forEach((laterMs, n) => {
          nowMs += laterMs;
          agree();
          if (n % 2 === 0) settle(queue, nowMs);
          if (n === 3) note(queue, { kind: "arrive", job: `j${jobs}`, ...one });
          if (n === 5) note(queue, { kind: "cancel", job: "j1" });
        });
      }),
      draws(200),
    );
  });

  it("EN-22 gives what the whole queue leaves free, as a settled and simulated copy does", () => {
    fc.assert(
      fc.property(queuesWithPast, fc.array(fc.nat(6)), ({ queue, nowMs }, later) => {
        let atMs = nowMs;
        for (const laterMs of [0, ...later]) {
          atMs += laterMs;
          const copy = copyQueue(queue);
          settle(copy, atMs);
          const [played] = projectedProfiles(copy.machine, atMs);
          expect(slotsOf(leftFree(queue, atMs).profile)).toEqual(slotsOf(played));
        }
      }),
      draws(300),
    );
  });

  it("EN-11 EN-22 made elsewhere it gives the same", () => {
    const runs = draws(300);
    let madeElsewhere = 0;
    fc.assert(
      fc.property(queuesWithPast, fc.boolean(), ({ queue, nowMs, jobs }, isLeftElsewhere) => {
        const plain = copyQueue(queue);
        settle(plain, nowMs);
        const [played] = projectedProfiles(plain.machine, nowMs);
        const draft = draftPlan(queue, nowMs, 0);
        if (draft === undefined) return;
        madeElsewhere++;
        draft.take(startsOfPlan(structuredClone(draft.task)));
        for (let n = 0; n <= jobs; n++) {
          const job = `j${n}`;
          expect(plannedStart(queue, job, nowMs)).toBe(steppedStart(copyQueue(queue), job, nowMs));
        }
        const left = isLeftElsewhere ? draftLeftFree(queue, nowMs) : undefined;
        expect(left !== undefined).toBe(isLeftElsewhere);
        if (left !== undefined) left.take(leftByPlan(structuredClone(left.task), left.startMs));
        expect(slotsOf(leftFree(queue, nowMs).profile)).toEqual(slotsOf(played));
        note(queue, { kind: "cancel", job: "j0" });
        expect(plannedStart(queue, "j1", nowMs)).toBe(steppedStart(copyQueue(queue), "j1", nowMs));
      }),
      runs,
    );
    expect(madeElsewhere).toBeGreaterThan(runs.numRuns / 3);
  });

  it("EN-11 gives whether one more job would start at once, as its arrival does", () => {
    fc.assert(
      fc.property(queuesWithPast, pastJobs, fc.nat(14), ({ queue, nowMs }, { need, estimateMs }, gone) => {
        const job = `j${gone}`;
        const plain = copyQueue(queue);
        note(plain, { kind: "cancel", job });
        note(plain, { kind: "arrive", job: "new", need, estimateMs });
        const starts = settle(plain, nowMs).includes("new");
        const copy = copyQueue(queue);
        note(copy, { kind: "cancel", job });
        settle(copy, nowMs);
        expect(startsOneMore(copy.machine)({ need, estimateMs })).toBe(starts);
      }),
      draws(400),
    );
  });
});
