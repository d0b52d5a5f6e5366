/**
 * The jobs of a site with usage policies, as they are measured against them: whose each is, and when it ran
 * (rule SI-83).
 */
import type { UseRecord } from "../../policy/index.ts";
import type { EnforcedOutcome } from "../enforcing/enforced-input.ts";
import { readTracePolicies } from "../enforcing/read-trace-policies.ts";
import type { TracePolicies } from "../enforcing/trace-policies.ts";
import type { DoneJob } from "../workload/play-state.ts";
import type { SiteTask } from "./site-task.ts";

/** Policies, and all jobs under them, those that never started too. */
export interface PolicedJobs {
  readonly policies: TracePolicies;
  /** In order of submission. */
  readonly records: readonly UseRecord[];
  /** Number of suspensions of each job. */
  readonly stops: readonly number[];
}

/**
 * The policies of a task's site; undefined where it has none.
 *
 * @throws Fault, the first of what is wrong about the files
 */
export async function policiesOfTask({ site }: SiteTask): Promise<TracePolicies | undefined> {
  if (site.policies === undefined) return undefined;
  const { pep, ...written } = site.policies;
  const form = pep === "literal" ? "literal" : "ours";
  try {
    return await readTracePolicies({ ...written, form, site: site.name }, Date.now());
  } catch (error) {
    // A run fails with one fault: the first of those that the files have.
    throw error instanceof AggregateError ? error.errors[0] : error;
  }
}

/** Jobs under policies, from the outcomes of a simulation with an enforcer. */
export function policedBy(policies: TracePolicies, outcomes: readonly EnforcedOutcome[]): PolicedJobs {
  const records = outcomes.map(({ job, runs, endMs, goneAtMs }): UseRecord => {
    const about = { id: job.id, consumer: job.consumer, cpu: job.need.cpu, submitMs: job.submitMs };
    const record = recordOf(about, runs, endMs ?? goneAtMs);
    return goneAtMs === null ? record : { ...record, outcome: "cancelled" };
  });
  return { policies, records, stops: outcomes.map(({ stops }) => stops) };
}

/** Jobs under policies, from the ends of a simulation without an enforcer. */
export function policedEnded(
  policies: TracePolicies,
  done: readonly DoneJob[],
  isTrace: boolean,
): PolicedJobs {
  const records = done.map(({ job, startMs, endMs }) => {
    const consumer = policies.consumerOf(job, isTrace);
    const about = { id: String(job.id), consumer, cpu: job.need[0], submitMs: job.submitMs };
    return recordOf(about, [{ fromMs: startMs, toMs: endMs }], endMs);
  });
  return { policies, records, stops: done.map(() => 0) };
}

interface JobFacts {
  readonly id: string;
  readonly consumer: string;
  readonly cpu: number;
  readonly submitMs: number;
}

/** Record of a job, which waits whenever it does not run, until its end. */
function recordOf(
  { id, consumer, cpu, submitMs }: JobFacts,
  runs: UseRecord["runs"],
  endMs: number | null,
): UseRecord {
  const begins = [submitMs, ...runs.flatMap(({ toMs }) => (toMs === null || toMs === endMs ? [] : [toMs]))];
  const waits = begins.flatMap((fromMs, at) => {
    const toMs = runs[at]?.fromMs ?? null;
    return toMs === fromMs ? [] : [{ fromMs, toMs }];
  });
  return {
    ...{ id, consumer, need: { cpu }, submittedAtMs: submitMs, waits, runs, endedAtMs: endMs },
    outcome: endMs === null ? "unfinished" : "completed",
  };
}
