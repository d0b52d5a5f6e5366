/** Sums of jobs, one group at a time: exact, in memory that grows by eight bytes a started job. */
import { ExactSum } from "../../base/index.ts";
import { isFinal, type JobRecord, jobRunTime, runStateOf } from "../../model/index.ts";
import type { JobSums, WaitSums } from "../../runtime/index.ts";

/** A group to which jobs are added. */
export interface OpenSums {
  /** @param costProcMs what the job was charged; @param nowMs the end of what still runs */
  add(job: JobRecord, costProcMs: number, nowMs: number): void;
  total(): JobSums;
}

type Counts = { -readonly [Name in CountName]: number };
type CountName = "jobs" | "ok" | "failed" | "timeLimit" | "cancelled" | "aborted" | "unfinished";

/** A group without jobs. */
export function openSums(keys: readonly (string | null)[]): OpenSums {
  const counts: Counts = {
    ...{ jobs: 0, ok: 0, failed: 0, timeLimit: 0, cancelled: 0, aborted: 0, unfinished: 0 },
  };
  // A job of a million processors over a year is beyond 2^53 processor-milliseconds.
  const sums = { used: 0n, asked: 0n, usedOfAsked: 0n, cpu: 0n, measured: 0n, cost: 0n };
  const waits: number[] = [];
  return {
    add(job, costProcMs, nowMs) {
      const { description, startedAtMs, submittedAtMs, cpuMs } = job;
      const { procs, wallTimeMs } = description;
      count(counts, job);
      const { ranMs, runningSinceMs } = jobRunTime(job);
      const underWayMs = runningSinceMs === null ? 0 : Math.max(0, nowMs - runningSinceMs);
      const used = BigInt(ranMs + underWayMs) * BigInt(procs);
      sums.used += used;
      sums.cost += BigInt(costProcMs);
      if (startedAtMs === null) return;
      waits.push(Math.max(0, startedAtMs - submittedAtMs));
      if (wallTimeMs !== undefined) {
        sums.asked += BigInt(wallTimeMs) * BigInt(procs);
        sums.usedOfAsked += used;
      }
      if (cpuMs !== null) {
        sums.cpu += BigInt(Math.round(cpuMs));
        sums.measured += used;
      }
    },
    total: () => ({
      ...{ keys, ...counts },
      usedProcMs: Number(sums.used),
      askedProcMs: Number(sums.asked),
      usedOfAskedProcMs: Number(sums.usedOfAsked),
      cpuMs: Number(sums.cpu),
      measuredProcMs: Number(sums.measured),
      costProcMs: Number(sums.cost),
      wait: waitSums(waits),
    }),
  };
}

function count(counts: Counts, job: JobRecord): void {
  const { result, isTimeLimit } = job;
  const state = runStateOf(job);
  counts.jobs++;
  if (!isFinal(state)) counts.unfinished++;
  else if (state === "CANCELLED") counts.cancelled++;
  else if (state === "ABORTED") counts.aborted++;
  else if (result === "failed") counts.failed++;
  else counts.ok++;
  if (isTimeLimit) counts.timeLimit++;
}

function waitSums(waits: readonly number[]): WaitSums | null {
  if (waits.length === 0) return null;
  const sorted = Float64Array.from(waits).sort();
  const sum = new ExactSum();
  for (const wait of sorted) sum.add(wait);
  const middle = sorted.length >> 1;
  const [below = 0, at = 0] = [sorted[middle - 1], sorted[middle]];
  return {
    meanMs: sum.dividedBy(sorted.length),
    medianMs: sorted.length % 2 === 1 ? at : (below + at) / 2,
    maxMs: sorted.at(-1) ?? 0,
  };
}
