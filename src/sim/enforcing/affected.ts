/**
 * Whom a change of policies would have affected, on a workload that was recorded (rule SI-84).
 *
 * First the record is played as it is ruled today and compared with what really happened; only then under
 * the change, and both are told: an effect that is smaller than the error of the first says nothing.
 */
import { readSwfAccounting } from "../../formats/evidence/index.ts";
import type { AffectedConsumer, PolicyEffects, PolicyTrial } from "../../model/index.ts";
import type { UseRecord } from "../../policy/index.ts";
import { createMachine, createReplay } from "../../queue/index.ts";
import { enforcedStarts } from "./enforced-replay.ts";
import { ownersOf, readTracePolicies } from "./read-trace-policies.ts";
import { sizeOf } from "./recorded-size.ts";
import type { TracePolicies } from "./trace-policies.ts";

/** A job of the record. */
export interface RecordedJob {
  readonly consumer: string;
  readonly submitMs: number;
  readonly startMs: number;
  readonly runtimeMs: number;
  readonly procs: number;
}

/**
 * Plays the record under today's rules and under the policies.
 *
 * @throws Fault and AggregateError as the files are read
 */
export async function affectedBy(trial: PolicyTrial): Promise<PolicyEffects> {
  const { trace, owners, files, before, form } = trial;
  const nowMs = Date.now();
  const after = await readTracePolicies({ files, form }, nowMs);
  const present = before.length === 0 ? undefined : await readTracePolicies({ files: before, form }, nowMs);
  const { records, procs } = await readSwfAccounting(trace, {
    owners: await ownersOf(owners),
    lenient: false,
  });
  const jobs = jobsOf(records);
  const size = sizeOf(trace, trial.procs ?? procs, jobs);
  const today = present === undefined ? plainStarts(jobs, size) : startsUnder(present, jobs, size);
  const changed = startsUnder(after, jobs, size);
  const errors = jobs.flatMap((job, at) => {
    const startMs = today[at];
    return startMs === null ? [] : [Math.abs(startMs - job.startMs)];
  });
  return {
    ...{ site: after.site, jobs: jobs.length, procs: size },
    baseline: { medianErrorMs: quantile(errors, 0.5), p95ErrorMs: quantile(errors, 0.95) },
    consumers: affected(jobs, today, changed),
  };
}

/** Who ran, in order of submission, from the first submission on. */
function jobsOf(records: readonly UseRecord[]): readonly RecordedJob[] {
  const ran = records.filter(({ runs, need }) => runs.length > 0 && (need.cpu ?? 0) > 0);
  const originMs = ran.reduce(
    (first, { submittedAtMs }) => Math.min(first, submittedAtMs),
    Number.MAX_SAFE_INTEGER,
  );
  const jobs = ran.map(({ consumer, need, submittedAtMs, runs }) => ({
    consumer,
    submitMs: submittedAtMs - originMs,
    startMs: runs[0].fromMs - originMs,
    runtimeMs: runs.reduce((sum, { fromMs, toMs }) => sum + ((toMs ?? fromMs) - fromMs), 0),
    procs: need.cpu ?? 0,
  }));
  return jobs.filter(({ runtimeMs }) => runtimeMs > 0).sort((a, b) => a.submitMs - b.submitMs);
}

type Starts = readonly (number | null)[];

/** First come, first served, without any policy. */
function plainStarts(jobs: readonly RecordedJob[], procs: number): Starts {
  const starts: (number | null)[] = jobs.map(() => null);
  const machine = createMachine([[procs]], { discipline: "fcfs" });
  const replay = createReplay(machine, {
    finished: ({ job, startMs }) => {
      starts[job.id] = startMs;
    },
  });
  for (const [id, { submitMs, runtimeMs, procs: wide }] of jobs.entries()) {
    if (wide <= procs) replay.offer({ id, submitMs, need: [wide], runtimeMs, estimateMs: runtimeMs });
  }
  replay.finish();
  return starts;
}

function startsUnder(policies: TracePolicies, jobs: readonly RecordedJob[], procs: number): Starts {
  return enforcedStarts(policies, jobs, procs);
}

/** By organisation, who waits longer and who less; those who lose most first. */
function affected(jobs: readonly RecordedJob[], today: Starts, changed: Starts): readonly AffectedConsumer[] {
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
    tally.recorded += job.startMs - job.submitMs;
    tally.today += was - job.submitMs;
    tally.changed += is - job.submitMs;
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
