/**
 * The arrivals of a workload, which are handed over in order of submission as they are read, so that memory
 * grows with the jobs in the system and not with the workload.
 */
import { assert } from "../../base/index.ts";
import { type Actor, type Drive, drive } from "./drive.ts";
import type { ReplayJob } from "./replay-job.ts";

/** An actor that submits the jobs that it receives one by one. */
export interface Arrivals<Job extends ReplayJob> extends Actor {
  /** Takes the next job; every instant before its submission has been played. */
  expect(job: Job): void;
}

/** @param submit takes a job at its submission */
export function createArrivals<Job extends ReplayJob>(
  submit: (job: Job, atMs: number) => void,
): Arrivals<Job> {
  const arriving: Job[] = [];
  // The engine keeps fields of an object as doubles; a variable of a closure is made anew each time.
  const state = { count: 0, nextMs: Number.POSITIVE_INFINITY, latestMs: Number.NEGATIVE_INFINITY };
  return {
    expect(job) {
      assert(job.runtimeMs > 0 && job.runtimeMs <= job.estimateMs, "0 < runtime ≤ estimate");
      assert(job.submitMs >= state.latestMs, "jobs are offered in order of submission");
      assert(state.count === 0 || job.submitMs === state.nextMs, "instants before have been played");
      arriving[state.count++] = job;
      state.nextMs = job.submitMs;
      state.latestMs = job.submitMs;
    },
    nextMs: () => state.nextMs,
    arrivals(atMs) {
      if (state.nextMs !== atMs) return;
      for (let i = 0; i < state.count; i++) submit(arriving[i], atMs);
      // Emptied by counting: setting an array's length gives its memory back each time.
      state.count = 0;
      state.nextMs = Number.POSITIVE_INFINITY;
    },
  };
}

/** Input of a drive: jobs in order of submission, then the end of the workload. */
export interface Feed<Job extends ReplayJob> {
  /** Adds the next job; submissions must not go back in time. */
  offer(job: Job): void;
  /** Runs to the last end. Held and suspended jobs that no operation returns keep their state. */
  finish(): void;
}

/** Feeds a drive whose arrivals these are. */
export function feedOf<Job extends ReplayJob>(driven: Drive, arrivals: Arrivals<Job>): Feed<Job> {
  return {
    offer: (job) => {
      drive(driven, job.submitMs);
      arrivals.expect(job);
    },
    finish: () => drive(driven, Number.POSITIVE_INFINITY),
  };
}
