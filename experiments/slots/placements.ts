/**
 * How long each placement takes, timed singly: an instant at which a job is submitted, with all that ends
 * then, under conservative backfilling, and the slots made anew from what is left.
 */
import { performance } from "node:perf_hooks";
import { slotsOf } from "../../src/profile/index.ts";
import { createMachine, createReplay, projectedProfiles } from "../../src/queue/index.ts";
import type { WorkloadJob } from "../../src/sim/workload/workload.ts";

/** Times in ms. */
export interface Placements {
  readonly count: number;
  readonly medianMs: number;
  readonly p99Ms: number;
  readonly mostMs: number;
  /** The part that took longer than a millisecond. */
  readonly slowShare: number;
}

const SLOW_MS = 1;

/** Times every one of them. */
export function timePlacements(jobs: readonly WorkloadJob[], procs: number): Placements {
  const machine = createMachine([[procs]], { discipline: "conservative" });
  const { steps } = createReplay<WorkloadJob>(machine, { finished: () => undefined });
  const times: number[] = [];
  for (let next = 0; next < jobs.length; ) {
    const { submitMs } = jobs[next];
    for (let atMs = steps.nextInstantMs(); atMs < submitMs; atMs = steps.nextInstantMs()) {
      steps.happen(atMs);
      steps.settle(atMs);
    }
    while (jobs[next]?.submitMs === submitMs) steps.expect(jobs[next++]);
    const beganMs = performance.now();
    steps.happen(submitMs);
    steps.settle(submitMs);
    slotsOf(projectedProfiles(machine)[0]);
    times.push(performance.now() - beganMs);
  }
  return told(times.sort((one, other) => one - other));
}

function told(sorted: readonly number[]): Placements {
  const at = (part: number): number => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))];
  const slow = sorted.filter((ms) => ms > SLOW_MS).length;
  return {
    count: sorted.length,
    ...{ medianMs: at(0.5), p99Ms: at(0.99), mostMs: at(1) },
    slowShare: slow / sorted.length,
  };
}
