import { describe, expect, it } from "vitest";
import { come, rectangle, site } from "../../test/small-site.ts";
import { DISCIPLINES } from "../model/index.ts";
import {
  advance,
  arrive,
  cancel,
  checkpoint,
  end,
  jobState,
  type Machine,
  reserve,
  restart,
  takeDown,
} from "./index.ts";

const OUTAGE = 99;

function down(machine: Machine, procs: number, nowMs: number, durationMs = 10) {
  const fixed = rectangle(procs, nowMs, durationMs);
  return takeDown(machine, { id: OUTAGE, fixed, isOutage: (id) => id === OUTAGE }, nowMs);
}

const startsOf = (machine: Machine, nowMs: number): number[] => {
  const { handles, count } = advance(machine, nowMs);
  return [...handles.subarray(0, count)];
};

describe("capacity that goes down", () => {
  it.each(DISCIPLINES)("QU-25 under %s the running job started last is stopped, and no more", (name) => {
    const machine = site(name);
    const [first] = come(machine, 0, [1, 20]);
    const [second, third] = come(machine, 1, [1, 20], [2, 20]);
    expect(down(machine, 1, 2).stopped).toEqual([third]);
    expect([first, second].map((handle) => machine.jobs.state[handle])).toEqual([
      jobState.running,
      jobState.running,
    ]);
    expect(machine.jobs.state[third]).toBe(jobState.suspended);
  });

  it("QU-25 free capacity goes down first: no job is stopped for it", () => {
    const machine = site("easy");
    come(machine, 0, [3, 20]);
    expect(down(machine, 1, 2)).toEqual({ stopped: [], broken: [], refusal: undefined });
  });

  it("QU-25 a job without a part of the missing capacity runs on", () => {
    const machine = site("easy", [[4, 2]]);
    const [gpuJob, procJob] = [
      [1, 2],
      [1, 0],
    ].map((need) => {
      const arrived = arrive(machine, { need, estimateMs: 9 }, 0);
      return arrived.ok ? arrived.value : -1;
    });
    advance(machine, 0);
    const fixed = { pool: 0, need: [1, 1], startMs: 1, durationMs: 5 };
    expect(takeDown(machine, { id: 1, fixed, isOutage: (id) => id === 1 }, 1).stopped).toEqual([gpuJob]);
    expect(machine.jobs.state[procJob]).toBe(jobState.running);
  });

  it("QU-25 a reservation that no longer fits is given up", () => {
    const machine = site("conservative");
    come(machine, 0, [2, 4]);
    reserve(machine, 1, rectangle(4, 6, 4), 1);
    expect(down(machine, 1, 2)).toMatchObject({ stopped: [], broken: [1] });
  });

  it("QU-25 no more can go down than other outages leave", () => {
    const machine = site("easy");
    expect(down(machine, 3, 1).refusal).toBeUndefined();
    const fixed = rectangle(2, 1, 5);
    const effect = takeDown(machine, { id: 100, fixed, isOutage: (id) => id >= OUTAGE }, 1);
    expect(effect.refusal?.kind).toBe("conflict");
  });

  it.each(["conservative", "repack"] as const)("QU-25 %s moves promises out of the way", (discipline) => {
    const machine = site(discipline);
    const [, waits] = come(machine, 0, [2, 5], [4, 3]);
    expect(machine.jobs.startMs[waits]).toBe(5);
    down(machine, 1, 2, 10);
    advance(machine, 2);
    expect(machine.jobs.startMs[waits]).toBe(12);
  });

  it.each(["fcfs", "easy", "repack"] as const)(
    "QU-26 under %s a stopped job re-enters at its arrival place, with its whole estimate",
    (discipline) => {
      const machine = site(discipline);
      const [first] = come(machine, 0, [4, 20]);
      const [later] = come(machine, 1, [4, 6]);
      expect(down(machine, 1, 5).stopped).toEqual([first]);
      restart(machine, first, 20, 5);
      expect(startsOf(machine, 5)).toEqual([]);
      expect(startsOf(machine, 15)).toEqual([first]);
      end(machine, first, 35);
      expect(startsOf(machine, 35)).toEqual([later]);
    },
  );

  it("QU-26 conservative gives a stopped job its earliest start that disturbs no promise", () => {
    const machine = site("conservative");
    const [first] = come(machine, 0, [4, 20]);
    const [later] = come(machine, 1, [4, 6]);
    down(machine, 1, 5);
    restart(machine, first, 20, 5);
    advance(machine, 5);
    expect([first, later].map((handle) => machine.jobs.startMs[handle])).toEqual([26, 15]);
  });

  it("QU-26 a stopped job that is lost leaves nothing behind", () => {
    const machine = site("conservative");
    const [only] = come(machine, 0, [4, 20]);
    down(machine, 1, 5);
    cancel(machine, only, 5);
    advance(machine, 15);
    expect(checkpoint(machine).waiting.count).toBe(0);
  });
});
