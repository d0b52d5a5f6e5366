/**
 * Jobs and consumers that a change of policies would have affected, on a recorded workload (rule SI-84).
 *
 * The record is simulated under today's rules and compared with the recorded starts, then under the change.
 * Both are reported: an effect smaller than the error of the first is not significant.
 */
import type { AffectedConsumer, PolicyEffects, PolicyTrial } from "../../model/index.ts";
import { recordIn } from "./find-record.ts";
import type { PlayedTrial } from "./played-trial.ts";
import { readTracePolicies } from "./read-trace-policies.ts";
import { playRecordTrial } from "./record-trial.ts";
import { playSwfTrial } from "./swf-trial.ts";

/**
 * Plays the record under today's rules and under the policies.
 *
 * @throws Fault and AggregateError as the files are read
 */
export async function affectedBy(trial: PolicyTrial): Promise<PolicyEffects> {
  const { files, before, form, owners: named } = trial;
  const nowMs = Date.now();
  const owners = named === undefined ? {} : { owners: named };
  const after = await readTracePolicies({ files, form, ...owners }, nowMs);
  const present =
    before.length === 0 ? undefined : await readTracePolicies({ files: before, form, ...owners }, nowMs);
  const record = await recordIn(trial);
  const played =
    record === undefined
      ? await playSwfTrial(trial, { present, after })
      : await playRecordTrial(trial, record, { present, after });
  const { jobs, today, site } = played;
  const errors = jobs.flatMap(({ recordedStartMs }, at) => {
    const startMs = today[at];
    return startMs === null ? [] : [Math.abs(startMs - recordedStartMs)];
  });
  return {
    ...{ site: after.site, jobs: jobs.length, ...site },
    baseline: { medianErrorMs: quantile(errors, 0.5), p95ErrorMs: quantile(errors, 0.95) },
    consumers: affected(played),
  };
}

/** By organisation, who waits longer and who less; those who lose most first. */
function affected({ jobs, today, changed }: PlayedTrial): readonly AffectedConsumer[] {
  const tallies = new Map<
    string,
    { jobs: number; recorded: number; today: number; changed: number; never: number }
  >();
  for (const [at, job] of jobs.entries()) {
    const consumer = job.consumer.split("/")[0];
    const tally = tallies.get(consumer) ?? { jobs: 0, recorded: 0, today: 0, changed: 0, never: 0 };
    tallies.set(consumer, tally);
    const [was, is] = [today[at], changed[at]];
    if (was === null || is === null) {
      tally.never++;
      continue;
    }
    tally.jobs++;
    tally.recorded += job.recordedStartMs - job.eligibleMs;
    tally.today += was - job.eligibleMs;
    tally.changed += is - job.eligibleMs;
  }
  const rows = [...tallies].map(([consumer, { jobs: count, never, ...sums }]) => ({
    ...{ consumer, jobs: count, neverStarted: never },
    waitRecordedMs: meanOf(sums.recorded, count),
    waitTodayMs: meanOf(sums.today, count),
    waitChangedMs: meanOf(sums.changed, count),
  }));
  const lost = (row: AffectedConsumer): number => row.waitChangedMs - row.waitTodayMs;
  return rows.sort((a, b) => lost(b) - lost(a) || (a.consumer < b.consumer ? -1 : 1));
}

function meanOf(sum: number, count: number): number {
  return count === 0 ? 0 : Math.round(sum / count);
}

function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted.length === 0 ? 0 : sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))];
}
