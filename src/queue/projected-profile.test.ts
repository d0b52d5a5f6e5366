import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { come, rectangle, site } from "../../test/small-site.ts";
import { DISCIPLINES, type Discipline } from "../model/index.ts";
import { slotsOf } from "../profile/index.ts";
import {
  advance,
  checkpoint,
  createMachine,
  createReplay,
  jobsInSystem,
  type Machine,
  projectedProfiles,
  reserve,
} from "./index.ts";

const slotTexts = (machine: Machine, nowMs?: number) =>
  slotsOf(projectedProfiles(machine, nowMs)[0])
    .filter(({ extensible }) => !extensible)
    .map(({ startAt, procs, durationMs }) => `${startAt} ${procs} ${durationMs}`);

interface Given {
  readonly procs: number;
  readonly estimateMs: number;
}

/** When each of the jobs starts that come at once behind a reservation or none, by id. */
function startsOf(
  discipline: Discipline,
  jobs: readonly Given[],
  fixed?: readonly [number, number, number],
): Map<number, number> {
  const machine = createMachine([[6]], { discipline });
  const starts = new Map<number, number>();
  const operations =
    fixed === undefined
      ? []
      : [{ kind: "reserve" as const, atMs: 1, reservation: 1, fixed: rectangle(...fixed) }];
  const replay = createReplay(
    machine,
    { finished: ({ job, startMs }) => starts.set(job.id, startMs) },
    operations,
  );
  jobs.forEach(({ procs, estimateMs }, id) => {
    replay.offer({ id, submitMs: 0, need: [procs], estimateMs, runtimeMs: estimateMs });
  });
  replay.finish();
  return starts;
}

const someJobs = fc.array(
  fc.record({ procs: fc.integer({ min: 1, max: 6 }), estimateMs: fc.integer({ min: 2, max: 12 }) }),
  { minLength: 1, maxLength: 9 },
);

describe("the projection of a queue", () => {
  it("QU-22 the slots of the source's example are those of conservative, with nothing to simulate", () => {
    const machine = site("conservative", [[5]]);
    come(machine, 0, [2, 3], [4, 1], [1, 2], [3, 2]);
    expect(slotTexts(machine)).toEqual(["0 1 3", "2 1 1"]);
  });

  it("QU-22 under FCFS waiting jobs are served in order, and what they leave is free", () => {
    const machine = site("fcfs", [[5]]);
    come(machine, 0, [2, 3], [4, 1], [1, 2], [3, 2]);
    expect(slotTexts(machine)).toEqual(["0 3 3"]);
  });

  it("QU-22 between two instants the past is left out, and jobs are counted", () => {
    const machine = site("easy");
    come(machine, 0, [3, 10], [4, 5]);
    expect(slotTexts(machine, 4)).toEqual(["4 1 6"]);
    expect(jobsInSystem(machine)).toBe(2);
  });

  it.each(DISCIPLINES)(
    "QU-22 under %s a slot that is taken delays no job; the site does not change",
    (name) => {
      fc.assert(
        fc.property(someJobs, fc.nat(), (jobs, which) => {
          const machine = createMachine([[6]], { discipline: name });
          come(machine, 0, ...jobs.map(({ procs, estimateMs }) => [procs, estimateMs] as const));
          const before = checkpoint(machine);
          const slots = slotsOf(projectedProfiles(machine, 1)[0]);
          expect(checkpoint(machine)).toEqual(before);
          const { startAt, procs, durationMs } = slots[which % slots.length];
          const taken = [procs, startAt, durationMs] as const;
          expect(startsOf(name, jobs, taken)).toEqual(startsOf(name, jobs));
        }),
      );
    },
  );

  it("QU-22 priorities count as they are now", () => {
    const asked: number[] = [];
    const priority = ({ need }: { readonly need: readonly number[] }, nowMs: number): number => {
      asked.push(nowMs);
      return need[0];
    };
    const machine = createMachine([[4]], { discipline: "fcfs", priority });
    come(machine, 0, [4, 10], [1, 5], [3, 5], [4, 1]);
    expect(slotTexts(machine)).toEqual([]);
    expect(new Set(asked)).toEqual(new Set([0]));
  });

  it("QU-22 under external starts it counts running jobs and reservations", () => {
    const machine = createMachine([[4]], { discipline: "external" });
    come(machine, 0, [4, 10]);
    reserve(machine, 1, rectangle(3, 5, 5), 1);
    advance(machine, 1);
    expect(slotTexts(machine)).toEqual(["1 3 4"]);
  });
});
