/** Effects of a change of policies by consumer, from a record that was played under both (rule SI-84). */
import type { AffectedConsumer, PolicyEffects } from "../../model/index.ts";
import type { PlayedTrial } from "./played-trial.ts";

/** Effects of the change at a site, and the error of today's simulation. */
export function effectsOf(name: string, played: PlayedTrial): PolicyEffects {
  const { jobs, today, site } = played;
  const errors = jobs.flatMap(({ recordedStartMs }, at) => {
    const startMs = today[at];
    return startMs === null ? [] : [Math.abs(startMs - recordedStartMs)];
  });
  return {
    ...{ site: name, jobs: jobs.length, ...site },
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
