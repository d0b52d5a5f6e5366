/**
 * A recorded trace in SWF, as it is ruled today and under a change: processors of one machine.
 */
import { MS_PER_SECOND } from "../../base/index.ts";
import { readSwfAccounting } from "../../formats/evidence/index.ts";
import { readSwf, swfField, traceBytes } from "../../formats/index.ts";
import type { Discipline, PolicyTrial } from "../../model/index.ts";
import type { UseRecord } from "../../policy/index.ts";
import { createMachine, createReplay } from "../../queue/index.ts";
import { UNBOUNDED_RULES } from "./enforced-workload.ts";
import { playEnforced } from "./play-enforced.ts";
import type { PlayedTrial, TrialPolicies } from "./played-trial.ts";
import { ownersOf } from "./read-trace-policies.ts";
import { sizeOf } from "./recorded-size.ts";
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
  return {
    jobs: jobs.map(({ consumer, submitMs, startMs }) => ({
      ...{ consumer, eligibleMs: submitMs, recordedStartMs: startMs },
    })),
    today:
      present === undefined
        ? plainStarts(jobs, size, discipline)
        : enforcedStarts(present, jobs, { procs: size, discipline }),
    changed: enforcedStarts(after, jobs, { procs: size, discipline }),
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

type Starts = readonly (number | null)[];

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

/** When each job would start under policies; null where it never does. */
function enforcedStarts(
  { site, policies, form }: TracePolicies,
  jobs: readonly RecordedJob[],
  { procs, discipline }: { readonly procs: number; readonly discipline: Discipline },
): Starts {
  const { jobs: played } = playEnforced({
    site,
    capacity: { cpu: procs, gpu: 0, memory: 0 },
    policies: [{ fromMs: 0, policies }],
    rules: { ...UNBOUNDED_RULES, form },
    discipline,
    jobs: jobs.map(({ consumer, submitMs, runtimeMs, estimateMs, procs: wide }, at) => ({
      ...{ id: String(at), consumer, submitMs, runtimeMs, estimateMs },
      need: { cpu: wide, gpu: 0, memory: 0 },
    })),
  });
  return played.map(({ startMs }) => startMs);
}
