/**
 * What a look at a played cluster shows: the whole queue, everybody's jobs, in this site's words.
 *
 * Cost: one pass over the jobs and a sort of those that have started.
 */
import type { Survey, SurveyedJob, SurveyedState } from "../../engine/index.ts";
import { inQueueOrder, jobState } from "../../queue/index.ts";
import type { Cluster, ClusterJob } from "./cluster.ts";

/** The queue as it is, in the order of rule SS-9. */
export function surveyOf(cluster: Cluster): Survey {
  const { machine, jobs } = cluster;
  const running: ClusterJob[] = [];
  const starting: ClusterJob[] = [];
  const suspended: ClusterJob[] = [];
  const held: ClusterJob[] = [];
  const arriving: ClusterJob[] = [];
  for (const job of jobs.values()) {
    const state = standingOf(cluster, job);
    if (state === "running") running.push(job);
    else if (state === "starting") starting.push(job);
    else if (state === "suspended") suspended.push(job);
    else if (state === "held") held.push(job);
    else if (job.handle < 0) arriving.push(job);
  }
  running.sort((a, b) => (a.startedAtMs ?? 0) - (b.startedAtMs ?? 0));
  const { handles, count } = inQueueOrder(machine);
  const waiting = Array.from({ length: count }, (_, at) => cluster.byHandle[handles[at]]).filter(
    (job) => job !== undefined && job.turnAtMs === null,
  );
  const queued = [...waiting.filter((job) => job !== undefined), ...arriving];
  return {
    atMs: cluster.nowMs,
    jobs: [
      ...running.map((job) => shown(job, "running", null)),
      ...starting.map((job) => shown(job, "waiting", "Prolog")),
      ...queued.map((job, at) => shown(job, "waiting", at === 0 ? "Resources" : "Priority")),
      ...suspended.map((job) => shown(job, "suspended", null)),
      ...held.map((job) => shown(job, "held", "JobHeldUser")),
    ],
    ended: cluster.ended.map((end) => ({ ...end, siteJob: String(end.siteJob) })),
  };
}

/** `starting`: the queue let it start, its program has not begun. */
type Standing = "waiting" | "starting" | "running" | "suspended" | "held";

function standingOf({ machine }: Cluster, job: ClusterJob): Standing {
  if (job.outside === "held") return "held";
  if (job.outside === "arriving") return "waiting";
  const begun = job.startedAtMs === null ? "starting" : "running";
  if (job.outside === "lingering") return begun;
  switch (machine.jobs.state[job.handle]) {
    case jobState.running:
      return begun;
    case jobState.held:
      return "held";
    case jobState.suspended:
      return "suspended";
    default:
      // Resumed, it stays suspended until there is room for it again.
      return job.turnAtMs === null ? "waiting" : "suspended";
  }
}

function shown(job: ClusterJob, state: SurveyedState, reason: string | null): SurveyedJob {
  return {
    siteJob: String(job.siteJob),
    token: job.own?.token ?? null,
    state,
    procs: job.procs,
    memoryBytes: job.memoryBytes,
    limitMs: job.estimateMs,
    submittedAtMs: job.submittedAtMs,
    startedAtMs: job.startedAtMs,
    reason,
  };
}
