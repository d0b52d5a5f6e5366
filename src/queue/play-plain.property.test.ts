import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { plainWorkloads, type SmallWorkload } from "../../test/replay-both.ts";
import { DISCIPLINES } from "../model/index.ts";
import { createMachine, createReplay, type FinishedJob, type Machine, type ReplayJob } from "./index.ts";
import { isPlainReplay } from "./play-plain.ts";
import { createRun } from "./replay-run.ts";

const RUNS = { numRuns: Number(process.env.STINT_PROPERTY_RUNS ?? 1000) };

/** Arrivals and ends alone, on one pool of processors, under every discipline. */
const workloads = fc.tuple(plainWorkloads, fc.constantFrom(...DISCIPLINES)).map(([workload, discipline]) => ({
  ...workload,
  discipline,
  operations: [],
  priority: "none" as const,
}));

/** One told of a replay, at which somebody looks on or not, and the machine after each offer. */
function replayed({ pools, discipline, jobs }: SmallWorkload, looksOn: boolean) {
  const machine = createMachine(pools, { discipline });
  const finished: FinishedJob[] = [];
  const tooWide: ReplayJob[] = [];
  const replay = createReplay(machine, {
    finished: (job) => finished.push(job),
    tooWide: (job) => tooWide.push(job),
    ...(looksOn ? { settled: () => undefined } : {}),
  });
  const states: unknown[] = [];
  for (const { id, submit, need, estimate, runtime } of jobs) {
    replay.offer({ id, submitMs: submit, need, estimateMs: estimate, runtimeMs: runtime });
    states.push(stateOf(machine));
  }
  replay.finish();
  states.push(stateOf(machine));
  return { finished, tooWide, states };
}

/** All that can make a difference later. */
function stateOf({ jobs, waiting, plannedStarts, pools, freed, nowMs, phase, lastPass }: Machine) {
  const live = Array.from({ length: jobs.size }, (_, handle) => handle).filter(
    (handle) => jobs.state[handle] !== 0,
  );
  const { head, tail, times, free } = pools[0];
  return {
    nowMs,
    phase,
    rows: live.map((handle) => [
      handle,
      jobs.need[0][handle],
      jobs.estimateMs[handle],
      jobs.arrivedAtMs[handle],
      jobs.arrival[handle],
      jobs.state[handle],
      jobs.pool[handle],
      jobs.startMs[handle],
    ]),
    waiting: [...waiting.handles.subarray(0, waiting.count)],
    planned: [...plannedStarts.handles.subarray(0, plannedStarts.size)].sort((a, b) => a - b),
    profile: [...times.subarray(head, tail)].map((atMs, i) => [atMs, free[0][head + i]]),
    freed: structuredClone(freed),
    lastPass: { ...lastPass },
    nextHandles: [...jobs.freeHandles.subarray(0, jobs.freeCount)],
  };
}

describe("playing the plain case", () => {
  it("QU-1 … QU-5 QU-8 QU-17 QU-18 leaves jobs and machine as the verbs do, after each offer", () => {
    fc.assert(
      fc.property(workloads, (workload) => {
        expect(replayed(workload, false)).toEqual(replayed(workload, true));
      }),
      RUNS,
    );
  });

  it.each([
    ["one pool of processors", [[4]], {}, true],
    ["two pools", [[4], [4]], {}, false],
    ["memory too", [[4, 16]], {}, false],
    ["somebody who looks on", [[4]], { settled: () => undefined }, false],
  ])("is chosen, or not, for %s", (_, pools, more, expected) => {
    const machine = createMachine(pools, { discipline: "easy" });
    expect(isPlainReplay(createRun(machine, { finished: () => undefined, ...more }, []))).toBe(expected);
  });

  it("QU-21 QU-12 is not chosen where somebody else decides or orders", () => {
    const listener = { finished: () => undefined };
    const external = createMachine([[4]], { discipline: "external" });
    const ordered = createMachine([[4]], { discipline: "easy", priority: () => 0 });
    expect(isPlainReplay(createRun(external, listener, []))).toBe(false);
    expect(isPlainReplay(createRun(ordered, listener, []))).toBe(false);
  });
});
