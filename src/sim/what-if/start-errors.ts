/**
 * Distance of simulated starts from recorded ones (rule SI-61).
 */
import { ExactSum, MS_PER_MINUTE, MS_PER_SECOND } from "../../base/index.ts";
import type { StartErrors, WaitSpread, WhatIfBaseline } from "../../model/index.ts";
import { Distribution } from "../distribution.ts";
import { grouped } from "./grouped.ts";
import type { StartedJob } from "./play-record.ts";

/** Distance that counts as close, beside a tenth of the wait. */
const CLOSE_MS = 15 * MS_PER_MINUTE;
const CLOSE_PART = 10;

/** A job whose start was recorded. */
export interface ComparedJob {
  readonly job: StartedJob;
  readonly recordedMs: number;
}

/** The jobs of a run whose start was recorded. */
export function comparedJobs(started: readonly StartedJob[]): readonly ComparedJob[] {
  return started.flatMap((job) =>
    job.recordedStartMs === undefined ? [] : [{ job, recordedMs: job.recordedStartMs }],
  );
}

const NO_WAITS: WaitSpread = { meanSec: 0, medianSec: 0, p95Sec: 0 };
const NOT_COMPARED: WhatIfBaseline = {
  ...{
    jobs: 0,
    medianSec: 0,
    p95Sec: 0,
    meanSec: 0,
    biasSec: 0,
    within15MinShare: 0,
    within10PercentShare: 0,
  },
  ...{ recordedWait: NO_WAITS, simulatedWait: NO_WAITS, groups: [] },
};

/** The baseline; without a job all zeros. */
export function baselineOf(compared: readonly ComparedJob[]): WhatIfBaseline {
  if (compared.length === 0) return NOT_COMPARED;
  const groups = (["queue", "size"] as const).flatMap((by) => grouped(compared, by));
  return {
    ...errorsOf(compared),
    recordedWait: waitsOf(compared.map(({ job, recordedMs }) => recordedMs - job.eligibleMs)),
    simulatedWait: waitsOf(compared.map(({ job }) => job.startMs - job.eligibleMs)),
    groups: groups.map(({ by, name, items }) => ({ by, name, ...errorsOf(items) })),
  };
}

function errorsOf(compared: readonly ComparedJob[]): StartErrors {
  const sizes = new Distribution();
  const size = new ExactSum();
  const signed = new ExactSum();
  let close = 0;
  let closeByPart = 0;
  for (const { job, recordedMs } of compared) {
    const errorMs = job.startMs - recordedMs;
    const offMs = Math.abs(errorMs);
    sizes.add(offMs);
    size.add(offMs);
    signed.add(errorMs);
    if (offMs <= CLOSE_MS) close++;
    if (offMs * CLOSE_PART <= recordedMs - job.eligibleMs) closeByPart++;
  }
  const jobs = compared.length;
  return {
    jobs,
    medianSec: sizes.quantile(0.5) / MS_PER_SECOND,
    p95Sec: sizes.quantile(0.95) / MS_PER_SECOND,
    meanSec: meanSec(size, jobs),
    biasSec: meanSec(signed, jobs),
    within15MinShare: close / jobs,
    within10PercentShare: closeByPart / jobs,
  };
}

/** Distribution of waits; at least one, in ms. */
export function waitsOf(waitsMs: readonly number[]): WaitSpread {
  const spread = new Distribution();
  const sum = new ExactSum();
  for (const waitMs of waitsMs) {
    spread.add(waitMs);
    sum.add(waitMs);
  }
  return {
    meanSec: meanSec(sum, waitsMs.length),
    medianSec: spread.quantile(0.5) / MS_PER_SECOND,
    p95Sec: spread.quantile(0.95) / MS_PER_SECOND,
  };
}

function meanSec(sum: ExactSum, count: number): number {
  return sum.dividedBy(count) / MS_PER_SECOND;
}
