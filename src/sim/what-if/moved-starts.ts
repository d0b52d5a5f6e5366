/**
 * Effect of a change of rules: jobs that start earlier or later, and by how much (rule SI-61).
 */
import { lengthText, MS_PER_SECOND } from "../../base/index.ts";
import {
  type ChangedGroup,
  GROUPINGS,
  type MovedStarts,
  type Timing,
  type WhatIfBaseline,
  type WhatIfChange,
} from "../../model/index.ts";
import { Distribution } from "../distribution.ts";
import { grouped } from "./grouped.ts";
import type { PlayedRecord, StartedJob } from "./play-record.ts";
import { waitsOf } from "./start-errors.ts";

/** A job in both runs. */
export interface MovedJob {
  /** As today. */
  readonly job: StartedJob;
  readonly changedStartMs: number;
}

/** The jobs that both runs started, in the order of today's. */
export function movedJobs(
  today: Pick<PlayedRecord, "started">,
  changed: Pick<PlayedRecord, "started">,
): readonly MovedJob[] {
  const startOf = new Map(changed.started.map(({ name, startMs }) => [name, startMs]));
  return today.started.flatMap((job) => {
    const changedStartMs = startOf.get(job.name);
    return changedStartMs === undefined ? [] : [{ job, changedStartMs }];
  });
}

/** The two runs, and what their jobs have in common. */
export interface ChangeMatter {
  readonly today: PlayedRecord;
  readonly changed: PlayedRecord;
  /** Jobs that both runs started; at least one. */
  readonly moved: readonly MovedJob[];
  readonly changes: readonly string[];
  readonly baseline: WhatIfBaseline;
}

/** Effect of the change. */
export function changeOf({ today, changed, moved, changes, baseline }: ChangeMatter): WhatIfChange {
  const all = movesOf(moved);
  const isWithinError = baseline.meanSec > all.meanSec;
  return {
    ...all,
    changes,
    rules: changed.rules,
    waitToday: waitsOf(moved.map(({ job }) => job.startMs - job.eligibleMs)),
    waitChanged: waitsOf(moved.map(({ job, changedStartMs }) => changedStartMs - job.eligibleMs)),
    incomparable: today.started.length + changed.started.length - 2 * moved.length,
    onlyToday: today.started.length - moved.length,
    groups: GROUPINGS.flatMap((by) => grouped(moved, by)).map(
      ({ by, name, items }): ChangedGroup => ({ by, name, ...movesOf(items) }),
    ),
    isWithinError,
    verdict: verdictOf(all.meanSec, baseline),
  };
}

/** By how much these start earlier or later; at least one. */
export function movesOf(moved: readonly MovedJob[]): MovedStarts {
  const differences = moved.map(({ job, changedStartMs }) => changedStartMs - job.startMs);
  const total = differences.reduce((sum, ms) => sum + ms, 0);
  const size = differences.reduce((sum, ms) => sum + Math.abs(ms), 0);
  return {
    jobs: moved.length,
    earlier: timingOf(differences.filter((ms) => ms <= -MS_PER_SECOND).map((ms) => -ms)),
    later: timingOf(differences.filter((ms) => ms >= MS_PER_SECOND)),
    netSec: total / MS_PER_SECOND,
    meanSec: size / moved.length / MS_PER_SECOND,
  };
}

function timingOf(lengthsMs: readonly number[]): Timing {
  if (lengthsMs.length === 0) return { jobs: 0, medianSec: 0, p95Sec: 0, totalSec: 0 };
  const spread = new Distribution();
  for (const ms of lengthsMs) spread.add(ms);
  return {
    jobs: lengthsMs.length,
    medianSec: spread.quantile(0.5) / MS_PER_SECOND,
    p95Sec: spread.quantile(0.95) / MS_PER_SECOND,
    totalSec: lengthsMs.reduce((sum, ms) => sum + ms, 0) / MS_PER_SECOND,
  };
}

function verdictOf(movedSec: number, { jobs, meanSec: errorSec }: WhatIfBaseline): string {
  const [moved, error] = [lengthText(movedSec), lengthText(errorSec)];
  if (jobs === 0) {
    return `The change moves starts by ${moved} in the mean; how far off today's rules are is not known.`;
  }
  if (movedSec === 0) return `The change moves no start; the baseline is off by ${error} in the mean.`;
  if (errorSec > movedSec) {
    return (
      `The baseline is off by ${error} in the mean, more than the ${moved} by which the change moves ` +
      "starts: this answer is worth little for single jobs and groups."
    );
  }
  return `The change moves starts by ${moved} in the mean; the baseline is off by ${error}.`;
}
