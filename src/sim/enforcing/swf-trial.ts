/**
 * A recorded trace in SWF, as it is ruled today and under a change: processors of one machine.
 */
import { MS_PER_SECOND } from "../../base/index.ts";
import { readSwfAccounting } from "../../formats/evidence/index.ts";
import { readSwf, swfField, traceBytes } from "../../formats/index.ts";
import type { PolicyTrial } from "../../model/index.ts";
import type { UseRecord } from "../../policy/index.ts";
import type { PlayedTrial, Starts, TrialPolicies } from "./played-trial.ts";
import { ownersOf } from "./read-trace-policies.ts";
import { sizeOf } from "./recorded-size.ts";
import { startsUnder } from "./starts-under.ts";
import type { TracePolicies } from "./trace-policies.ts";

/** A job of the record. */
interface RecordedJob {
  readonly consumer: string;
  readonly submitMs: number;
  readonly startMs: number;
  readonly runtimeMs: number;
  /** Assumed run time in planning; at least the true one. */
  readonly estimateMs: number;
  readonly procs: number;
}

/**
 * Simulates a trace under both sets of policies.
 *
 * @throws Fault and AggregateError as the files are read
 */
export async function playSwfTrial(
  trial: PolicyTrial,
  { present, after }: TrialPolicies,
): Promise<PlayedTrial> {
  const { trace, owners, discipline } = trial;
  const { records, procs } = await readSwfAccounting(trace, {
    owners: await ownersOf(owners),
    lenient: false,
  });
  const jobs = jobsOf(records, trial.estimates === "exact" ? NOBODY_ASKED : await requestedIn(trace));
  const size = sizeOf(trace, trial.procs ?? procs, jobs);
  const capacity = { cpu: size, gpu: 0, memory: 0 };
  const toStart = jobs.map((job) => ({ ...job, need: { cpu: job.procs, gpu: 0, memory: 0 } }));
  const startsIn = ({ site, policies, form }: TracePolicies): Starts =>
    startsUnder(policies, toStart, { site, capacity, form, discipline });
  return {
    jobs: jobs.map(({ consumer, submitMs, startMs }) => ({
      ...{ consumer, eligibleMs: submitMs, recordedStartMs: startMs },
    })),
    today: startsIn(present ?? { ...after, policies: [] }),
    changed: startsIn(after),
    site: { procs: size },
  };
}

/** Jobs that ran, in order of submission, with times from the first submission. */
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

const NOBODY_ASKED: ReadonlyMap<string, number> = new Map();

/** Requested times of the jobs of a trace, by job number. */
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
