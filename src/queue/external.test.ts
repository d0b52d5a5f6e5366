import { describe, expect, it } from "vitest";
import { advance, arrive, createMachine, end, jobState, type Machine, reserve, start } from "./index.ts";

function externalSite(pools: readonly (readonly number[])[] = [[4]]): Machine {
  return createMachine(pools, { discipline: "external" });
}

function comes(machine: Machine, atMs: number, procs: number, estimateMs: number): number {
  const arrived = arrive(machine, { need: [procs], estimateMs }, atMs);
  if (!arrived.ok) throw new Error("the test's job fits");
  return arrived.value;
}

const startsAt = (machine: Machine, atMs: number): number[] => {
  const { handles, count } = advance(machine, atMs);
  return [...handles.subarray(0, count)];
};

describe("starts decided outside", () => {
  it("QU-21 fitting jobs start in the order requested; advance lists starts in order of arrival", () => {
    const machine = externalSite();
    const [one, two] = [comes(machine, 0, 1, 10), comes(machine, 0, 3, 10)];
    expect(start(machine, two, 0)).toBeUndefined();
    expect(start(machine, one, 0)).toBeUndefined();
    expect(startsAt(machine, 0)).toEqual([one, two]);
  });

  it("QU-21 nothing starts without a request, and nobody holds a promise", () => {
    const machine = externalSite();
    const waiting = comes(machine, 0, 1, 10);
    expect(startsAt(machine, 0)).toEqual([]);
    expect(machine.jobs.startMs[waiting]).toBe(Number.POSITIVE_INFINITY);
    expect(start(machine, waiting, 5)).toBeUndefined();
    expect(startsAt(machine, 5)).toEqual([waiting]);
    end(machine, waiting, 15);
    expect(startsAt(machine, 15)).toEqual([]);
  });

  it("QU-21 a job that does not fit beside running jobs is refused with the shortage", () => {
    const machine = externalSite();
    const [running, wide] = [comes(machine, 0, 3, 10), comes(machine, 0, 2, 10)];
    start(machine, running, 0);
    expect(start(machine, wide, 0)).toEqual({
      kind: "doesNotFit",
      need: [2],
      shortage: { atMs: 0, missing: [1] },
    });
    expect(startsAt(machine, 0)).toEqual([running]);
    expect(machine.jobs.state[wide]).toBe(jobState.waiting);
  });

  it("QU-21 a rectangle that runs into a reservation is refused with the instant", () => {
    const machine = externalSite();
    reserve(machine, 1, { pool: 0, need: [4], startMs: 6, durationMs: 5 }, 0);
    const [long, short] = [comes(machine, 0, 1, 7), comes(machine, 0, 1, 6)];
    expect(start(machine, long, 0)).toMatchObject({ kind: "doesNotFit", shortage: { atMs: 6 } });
    expect(start(machine, short, 0)).toBeUndefined();
  });

  it("QU-21 only a waiting job starts", () => {
    const machine = externalSite();
    const running = comes(machine, 0, 1, 10);
    start(machine, running, 0);
    expect(start(machine, running, 0)).toEqual({
      kind: "wrongState",
      state: "running",
      allowedIn: ["waiting"],
    });
  });

  it("QU-21 of several pools the first into which it fits is used", () => {
    const machine = externalSite([[2], [4]]);
    const [one, two] = [comes(machine, 0, 2, 10), comes(machine, 0, 2, 10)];
    start(machine, one, 0);
    start(machine, two, 0);
    expect([machine.jobs.pool[one], machine.jobs.pool[two]]).toEqual([0, 1]);
  });
});
