/**
 * Whom a change of policies would have affected, on a workload that was recorded (rule SI-84).
 *
 * First the record is played as it is ruled today and compared with what really happened; only then under
 * the change, and both are told: an effect that is smaller than the error of the first says nothing.
 */
import { MS_PER_SECOND } from "../../base/index.ts";
import { readSwfAccounting } from "../../formats/evidence/index.ts";
import { readSwf, swfField, traceBytes } from "../../formats/index.ts";
import type { AffectedConsumer, Discipline, PolicyEffects, PolicyTrial } from "../../model/index.ts";
import type { UseRecord } from "../../policy/index.ts";
import { createMachine, createReplay } from "../../queue/index.ts";
import { enforcedStarts } from "./enforced-replay.ts";
import { ownersOf, readTracePolicies } from "./read-trace-policies.ts";
import { sizeOf } from "./recorded-size.ts";

/** A job of the record. */
export interface RecordedJob {
  readonly consumer: string;
  readonly submitMs: number;
  readonly startMs: number;
  readonly runtimeMs: number;
  /** What planning assumes; at least the run time. */
  readonly estimateMs: number;
  readonly procs: number;
}

/**
 * Plays the record under today's rules and under the policies.
 *
 * @throws Fault and AggregateError as the files are read
 */
export async function affectedBy(trial: PolicyTrial): Promise<PolicyEffects> {
  const { trace, owners, files, before, form, discipline } = trial;
  const nowMs = Date.now();
  const after = await readTracePolicies({ files, form }, nowMs);
  const present = before.length === 0 ? undefined : await readTracePolicies({ files: before, form }, nowMs);
  const { records, procs } = await readSwfAccounting(trace, {
    owners: await ownersOf(owners),
    lenient: false,
  });
  const jobs = jobsOf(records, trial.estimates === "exact" ? NOBODY_ASKED : await requestedIn(trace));
  const size = sizeOf(trace, trial.procs ?? procs, jobs);
  const today =
    present === undefined
      ? plainStarts(jobs, size, discipline)
      : enforcedStarts(present, jobs, { procs: size, discipline });
  const changed = enforcedStarts(after, jobs, { procs: size, discipline });
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
function jobsOf(
  records: readonly UseRecord[],
  requestedMs: ReadonlyMap<string, number>,
): readonly RecordedJob[] {
  const ran = records.filter(({ runs, need }) => runs.length > 0 && (need.cpu ?? 0) > 0);
  const originMs = ran.reduce(
    (first, { submittedAtMs }) => Math.min(first, submittedAtMs),
    Number.MAX_SAFE_INTEGER,
  );
  const jobs = ran.map(({ id, consumer, need, submittedAtMs, runs }) => {
    const runtimeMs = runs.reduce((sum, { fromMs, toMs }) => sum + ((toMs ?? fromMs) - fromMs), 0);
    return {
      consumer,
      submitMs: submittedAtMs - originMs,
      startMs: runs[0].fromMs - originMs,
      runtimeMs,
      estimateMs: Math.max(runtimeMs, requestedMs.get(id) ?? 0),
      procs: need.cpu ?? 0,
    };
  });
  return jobs.filter(({ runtimeMs }) => runtimeMs > 0).sort((a, b) => a.submitMs - b.submitMs);
}

type Starts = readonly (number | null)[];

const NOBODY_ASKED: ReadonlyMap<string, number> = new Map();

/** What the jobs of a trace asked for, by their numbers. */
async function requestedIn(trace: string): Promise<ReadonlyMap<string, number>> {
  const requested = new Map<string, number>();
  for await (const { count, fields } of readSwf(traceBytes(trace), { file: trace, lenient: false })) {
    for (let row = 0; row < count; row++) {
      const id = String(fields[swfField.jobNumber][row]);
      requested.set(id, Math.round(fields[swfField.requestedTime][row] * MS_PER_SECOND));
    }
  }
  return requested;
}

/** Without any policy. */
function plainStarts(jobs: readonly RecordedJob[], procs: number, discipline: Discipline): Starts {
  const starts: (number | null)[] = jobs.map(() => null);
  const machine = createMachine([[procs]], { discipline });
  const replay = createReplay(machine, {
    finished: ({ job, startMs }) => {
      starts[job.id] = startMs;
    },
  });
  for (const [id, { submitMs, runtimeMs, estimateMs, procs: wide }] of jobs.entries()) {
    if (wide <= procs) replay.offer({ id, submitMs, need: [wide], runtimeMs, estimateMs });
  }
  replay.finish();
  return starts;
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
