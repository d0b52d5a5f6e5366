import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { plainWorkloads, type SmallWorkload } from "../../test/replay-both.ts";
import { DISCIPLINES } from "../model/index.ts";
import {
  type ComingJobs,
  createComingJobs,
  createMachine,
  createPlainReplay,
  createReplay,
  type FinishedJob,
  finishedOf,
  isPlainSite,
  type Machine,
  type ReplayJob,
  replayPlainly,
  reserve,
} from "./index.ts";

const RUNS = { numRuns: Number(process.env.STINT_PROPERTY_RUNS ?? 1000) };

/** Arrivals and ends alone, on one pool of processors, under every discipline. */
const workloads = fc.tuple(plainWorkloads, fc.constantFrom(...DISCIPLINES)).map(([workload, discipline]) => ({
  ...workload,
  discipline,
  operations: [],
  priority: "none" as const,
}));

/** What came of a replay by the verbs or of a plain one, and the machine after each offer. */
function replayed(
  { pools, discipline, jobs }: SmallWorkload,
  begin: typeof createReplay | typeof replayPlainly,
) {
  const machine = createMachine(pools, { discipline });
  const finished: FinishedJob[] = [];
  const tooWide: ReplayJob[] = [];
  const replay = begin(machine, {
    finished: (job) => finished.push(job),
    tooWide: (job) => tooWide.push(job),
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

/** The same in columns, so many jobs at once as the sizes say, again and again. */
function replayedInColumns({ pools, discipline, jobs }: SmallWorkload, sizes: readonly number[]) {
  const machine = createMachine(pools, { discipline });
  const replay = createPlainReplay(machine);
  const finished: FinishedJob[] = [];
  const tooWide: ReplayJob[] = [];
  const all = jobs.map(({ id, submit, need, estimate, runtime }) => {
    return { id, submitMs: submit, need, estimateMs: estimate, runtimeMs: runtime };
  });
  const take = () => {
    const { ended } = replay;
    for (let at = 0; at < ended.count; at++) finished.push(finishedOf(all[ended.order[at]], ended, at));
    for (const order of replay.tooWide) tooWide.push(all[order]);
  };
  for (let from = 0, turn = 0; from < all.length; turn++) {
    const size = sizes[turn % sizes.length];
    replay.offer(columnsOf(all.slice(from, from + size)));
    take();
    from += size;
  }
  replay.finish();
  take();
  return { finished, tooWide, state: stateOf(machine) };
}

function columnsOf(jobs: readonly ReplayJob[]): ComingJobs {
  const columns = createComingJobs(jobs.length + 1);
  for (const { submitMs, need, runtimeMs, estimateMs } of jobs) {
    const at = columns.count++;
    columns.submitMs[at] = submitMs;
    columns.procs[at] = need[0];
    columns.runtimeMs[at] = runtimeMs;
    columns.estimateMs[at] = estimateMs;
  }
  return columns;
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

const sizesOfOffers = fc
  .array(fc.nat(7), { minLength: 1, maxLength: 5 })
  .filter((sizes) => sizes.some((size) => size > 0));

describe("playing the plain case", () => {
  it("QU-1 … QU-5 QU-8 QU-17 QU-18 leaves jobs and machine as the verbs do, after each offer", () => {
    fc.assert(
      fc.property(workloads, (workload) => {
        expect(replayed(workload, replayPlainly)).toEqual(replayed(workload, createReplay));
      }),
      RUNS,
    );
  });

  it("QU-33 is the same however the columns are divided among offers", () => {
    fc.assert(
      fc.property(workloads, sizesOfOffers, (workload, sizes) => {
        const { finished, tooWide, states } = replayed(workload, createReplay);
        expect(replayedInColumns(workload, sizes)).toEqual({ finished, tooWide, state: states.at(-1) });
      }),
      RUNS,
    );
  });

  it.each([
    ["one pool of processors", [[4]], true],
    ["two pools", [[4], [4]], false],
    ["memory too", [[4, 16]], false],
  ])("QU-33 is for one pool of processors: %s", (_, pools, expected) => {
    expect(isPlainSite(createMachine(pools, { discipline: "easy" }))).toBe(expected);
  });

  it("QU-21 QU-12 QU-7 is not for a site where somebody else decides, orders or has reserved", () => {
    const external = createMachine([[4]], { discipline: "external" });
    const ordered = createMachine([[4]], { discipline: "easy", priority: () => 0 });
    const reserved = createMachine([[4]], { discipline: "easy" });
    reserve(reserved, 1, { pool: 0, need: [1], startMs: 5, durationMs: 5 }, 0);
    expect([external, ordered, reserved].map(isPlainSite)).toEqual([false, false, false]);
    expect(() => createPlainReplay(reserved)).toThrow("a plain replay has one pool");
  });
});
