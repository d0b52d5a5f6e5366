import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../test/draws.ts";
import { plainWorkloads, type SmallWorkload } from "../../test/replay-both.ts";
import {
  batchOf,
  type ComingJobs,
  createComingJobs,
  createMachine,
  createPlainReplay,
  createReplay,
  createWorkloadDrive,
  type FinishedJob,
  type PlainDiscipline,
  type PlainOutcome,
  type ReplayJob,
} from "./index.ts";
import { finishedOf } from "./plain-replay.ts";

const RUNS = draws(1000);

type PlainWorkload = Omit<SmallWorkload, "discipline"> & { readonly discipline: PlainDiscipline };

/** Arrivals and ends alone, on one pool of processors, under every discipline of ours. */
const workloads: fc.Arbitrary<PlainWorkload> = fc
  .tuple(plainWorkloads, fc.constantFrom<PlainDiscipline>("fcfs", "easy", "conservative", "repack"))
  .map(([workload, discipline]) => ({ ...workload, discipline, operations: [], priority: "none" as const }));

/** What came of a replay, in the order in which it was told. */
interface Told {
  readonly finished: readonly FinishedJob[];
  readonly tooWide: readonly ReplayJob[];
}

function jobsOf({ jobs }: PlainWorkload): readonly ReplayJob[] {
  return jobs.map(({ id, submit, need, estimate, runtime }) => {
    return { id, submitMs: submit, need, estimateMs: estimate, runtimeMs: runtime };
  });
}

/** By the verbs of a site, or as the plain case. */
function replayed(workload: PlainWorkload, how: "verbs" | "plain"): Told {
  const { pools, discipline } = workload;
  const finished: FinishedJob[] = [];
  const tooWide: ReplayJob[] = [];
  const listener = {
    finished: (job: FinishedJob) => finished.push(job),
    tooWide: (job: ReplayJob) => tooWide.push(job),
  };
  if (how === "verbs") {
    const replay = createReplay(createMachine(pools, { discipline }), listener);
    for (const job of jobsOf(workload)) replay.offer(job);
    replay.finish();
    return { finished, tooWide };
  }
  const fits = ({ need }: ReplayJob): boolean => need[0] <= pools[0][0];
  const driven = createWorkloadDrive({ capacity: pools, discipline, finished: listener.finished });
  driven.offer(batchOf(jobsOf(workload).filter(fits)));
  driven.finish();
  return { finished, tooWide: jobsOf(workload).filter((job) => !fits(job)) };
}

/** A workload in columns, with as many jobs at once as the sizes say, in turn. */
function replayedInColumns(workload: PlainWorkload, sizes: readonly number[]): Told {
  const replay = createPlainReplay(workload.pools[0][0], workload.discipline);
  const finished: FinishedJob[] = [];
  const tooWide: ReplayJob[] = [];
  const all = jobsOf(workload);
  const take = ({ ended, tooWide: numbers }: PlainOutcome) => {
    for (let at = 0; at < ended.count; at++) finished.push(finishedOf(all[ended.order[at]], ended, at));
    for (const order of numbers) tooWide.push(all[order]);
  };
  for (let from = 0, turn = 0; from < all.length; turn++) {
    const size = sizes[turn % sizes.length];
    take(replay.offer(columnsOf(all.slice(from, from + size))));
    from += size;
  }
  take(replay.finish());
  return { finished, tooWide };
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

/** More jobs, closer together and wider: long queues, in which a compression has something to move. */
const crowds: fc.Arbitrary<PlainWorkload> = fc
  .record({
    discipline: fc.constantFrom<PlainDiscipline>("fcfs", "easy", "conservative", "repack"),
    procs: fc.integer({ min: 1, max: 64 }),
    rows: fc.array(
      fc.record({
        later: fc.nat(3),
        width: fc.integer({ min: 1, max: 70 }),
        runtime: fc.integer({ min: 1, max: 60 }),
        beyond: fc.oneof(fc.constant(0), fc.nat(200)),
      }),
      { minLength: 50, maxLength: 300 },
    ),
  })
  .map(({ discipline, procs, rows }) => {
    let submit = 0;
    const jobs = rows.map(({ later, width, runtime, beyond }, id) => {
      submit += later;
      return { id, submit, need: [width], pools: [0], runtime, estimate: runtime + beyond };
    });
    return { pools: [[procs]], discipline, jobs, operations: [], priority: "none" as const };
  });

const sizesOfOffers = fc
  .array(fc.nat(7), { minLength: 1, maxLength: 5 })
  .filter((sizes) => sizes.some((size) => size > 0));

describe("replaying the plain case", () => {
  it("QU-1 … QU-5 QU-8 QU-17 gives the results of the operations", () => {
    fc.assert(
      fc.property(workloads, (workload) => {
        expect(replayed(workload, "plain")).toEqual(replayed(workload, "verbs"));
      }),
      RUNS,
    );
  });

  it("is the same however the columns are divided", () => {
    fc.assert(
      fc.property(workloads, sizesOfOffers, (workload, sizes) => {
        expect(replayedInColumns(workload, sizes)).toEqual(replayed(workload, "verbs"));
      }),
      RUNS,
    );
  });

  it("QU-1 … QU-5 gives the results of the operations with hundreds of waiting jobs", {
    timeout: 400_000,
  }, () => {
    fc.assert(
      fc.property(crowds, (workload) => {
        expect(replayed(workload, "plain")).toEqual(replayed(workload, "verbs"));
      }),
      { numRuns: RUNS.numRuns / 5 },
    );
  });
});
