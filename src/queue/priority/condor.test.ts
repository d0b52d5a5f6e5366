import { describe, expect, it } from "vitest";
import { condorScheme, negotiate, realPriorityAt } from "./condor.ts";
import type { OwnedJob, Owner } from "./scheme.ts";

const DAY_MS = 86_400_000;
const owner = (user: string): Owner => ({ user, group: "g", queue: "1", partition: "1" });
const ones = (count: number): number[] => new Array<number>(count).fill(1);

describe("user priorities in the manner of HTCondor", () => {
  it("the real priority halves in a day without jobs, and is never better than 0.5", () => {
    const real = { value: 10, procs: 0, asOfMs: 0 };
    const after = (days: number) => realPriorityAt(real, days * DAY_MS, DAY_MS);
    expect([0, 1, 2, 20].map(after)).toEqual([10, 5, 2.5, 0.5]);
  });

  it("it tends to the processors in use, and a query in between changes nothing", () => {
    const real = { value: 0.5, procs: 10, asOfMs: 0 };
    expect(realPriorityAt(real, DAY_MS, DAY_MS)).toBeCloseTo(0.5 * 0.5 + 0.5 * 10, 12);
    const halfway = { ...real, value: realPriorityAt(real, DAY_MS / 3, DAY_MS), asOfMs: DAY_MS / 3 };
    expect(realPriorityAt(halfway, DAY_MS, DAY_MS)).toBeCloseTo(realPriorityAt(real, DAY_MS, DAY_MS), 12);
    expect(realPriorityAt(real, 100 * DAY_MS, DAY_MS)).toBeCloseTo(10, 9);
  });

  it("effective priorities of 5, 10 and 20 are given shares of 4, 2 and 1", () => {
    const submitters = [20, 5, 10].map((effectivePriority) => ({ effectivePriority, jobs: ones(100) }));
    const order = negotiate(submitters, 70);
    expect(order).toHaveLength(300);
    const given = [0, 1, 2].map((one) => order.slice(0, 70).filter(({ submitter }) => submitter === one));
    expect(given.map(({ length }) => length)).toEqual([10, 40, 20]);
    expect(order[0]).toEqual({ submitter: 1, job: 0 });
  });

  it("the unused part of a user's slice is sliced again among the others", () => {
    const submitters = [
      { effectivePriority: 1, jobs: ones(2) },
      { effectivePriority: 2, jobs: ones(20) },
      { effectivePriority: 2, jobs: ones(20) },
    ];
    const first = negotiate(submitters, 12).slice(0, 12);
    const given = [0, 1, 2].map((one) => first.filter(({ submitter }) => submitter === one).length);
    expect(given).toEqual([2, 5, 5]);
  });

  it("a job wider than its user's slice is offered what is left, then waits in order of users", () => {
    const submitters = [
      { effectivePriority: 2, jobs: [9] },
      { effectivePriority: 1, jobs: [7, 4] },
    ];
    const order = negotiate(submitters, 8).map(({ submitter, job }) => `${submitter}.${job}`);
    expect(order).toEqual(["1.0", "1.1", "0.0"]);
  });

  it("the effective priority is the real one times the factor", () => {
    const scheme = condorScheme({
      kind: "condor",
      halfLifeMs: DAY_MS,
      factor: 1000,
      users: { b: { factor: 100 } },
    });
    const job = (user: string): OwnedJob => ({
      handle: 0,
      need: [1],
      estimateMs: 1,
      arrivedAtMs: 0,
      owner: owner(user),
    });
    const waiting = [job("a"), job("b"), job("a"), job("b")];
    const ranks = (nowMs: number) => scheme.order(waiting, { nowMs, freeProcs: 1 }).map((rank) => -rank);
    expect(ranks(0)).toEqual([2, 0, 3, 1]);
    // With 20 processors in use for a day b has 10.25 × 100, which is still twice a's 0.5 × 1000.
    scheme.started(owner("b"), 20, 0);
    expect(ranks(DAY_MS)).toEqual([0, 2, 1, 3]);
  });
});
