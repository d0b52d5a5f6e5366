/** Survey from the queue: jobs of all users, and which are ours. */
import type { SurveyedJob, SurveyedState } from "../../engine/index.ts";
import type { SlurmJob } from "../../formats/slurm/index.ts";
import type { ClusterJob, ClusterJobState } from "../../model/index.ts";
import type { Undecided } from "./end-search.ts";
import type { TokenOf } from "./own-jobs.ts";
import { queuedJobs } from "./queued-tasks.ts";

/** Largest number of waiting array tasks that are shown one by one. */
const MOST_TASKS = 20_000;

const STATES: Readonly<Record<ClusterJobState, SurveyedState>> = {
  waiting: "waiting",
  held: "held",
  running: "running",
  suspended: "suspended",
  // Its nodes are not free yet, and its end is not told before.
  ending: "running",
};

/** Jobs of a queue; `tokenOf` identifies ours. Tasks with unknown numbers are `7_[…]#0`, … */
export function surveyedJobs(jobs: readonly SlurmJob[], tokenOf: TokenOf): readonly SurveyedJob[] {
  const shown: SurveyedJob[] = [];
  let left = MOST_TASKS;
  for (const job of jobs) {
    const count = Math.min(job.count, Math.max(1, left));
    if (job.count > 1) left -= count;
    const one = surveyedJob(job, tokenOf);
    const tasks = queuedJobs(job, count);
    if (tasks.length === count) for (const { siteJob } of tasks) shown.push({ ...one, siteJob });
    else for (let at = 0; at < count; at++) shown.push({ ...one, siteJob: `${one.siteJob}#${at}` });
  }
  return shown;
}

/** One of our jobs that is in no list and may or may not be over. */
export function undecidedJob({ token, siteJob, submittedAtMs }: Undecided): SurveyedJob {
  const nothing = { procs: 0, memoryBytes: 0, limitMs: null, startedAtMs: null, reason: null };
  return { siteJob, token, state: "unknown", submittedAtMs, ...nothing };
}

function surveyedJob(job: SlurmJob, tokenOf: TokenOf): SurveyedJob {
  const state = job.state === null ? "unknown" : STATES[job.state];
  const isUp = state === "running" || state === "suspended";
  return {
    siteJob: job.siteJob,
    token: tokenOf(job),
    state,
    procs: job.procs,
    memoryBytes: isUp || isMemoryAsked(job) ? (job.memoryBytes ?? 0) : 0,
    limitMs: job.limitMs,
    submittedAtMs: job.submittedAtMs,
    startedAtMs: isUp ? job.startedAtMs : null,
    reason: isUp ? null : (job.reason ?? "None"),
    user: job.user,
    queue: job.partitions[0] ?? null,
    account: job.account,
    ...(job.gpus > 0 ? { gpus: job.gpus } : {}),
    ...(job.reservation === null ? {} : { setAside: job.reservation }),
    eligibleAtMs: job.eligibleAtMs,
  };
}

/** True if the job requested memory: without a request Slurm shows that of its nodes while it waits. */
function isMemoryAsked({ memoryPerNodeBytes, memoryPerProcBytes }: ClusterJob): boolean {
  return memoryPerNodeBytes !== null || memoryPerProcBytes !== null;
}
