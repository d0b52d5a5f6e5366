/**
 * Survey of a simulated cluster: the whole queue with jobs of all users.
 *
 * Cost: one pass over the jobs and a sort of those that have started.
 */
import type { Survey, SurveyedJob, SurveyedReservation, SurveyedState } from "../../engine/index.ts";
import { inQueueOrder, jobState } from "../../queue/index.ts";
import { isLeased } from "./lease.ts";
import { isStranded } from "./reservations.ts";
import {
  type Cluster,
  type ClusterJob,
  type ClusterReservation,
  nameOfReservation,
  type QueueOfJobs,
  queueOf,
} from "./simulated-cluster.ts";

/** The whole queue, running jobs first. */
export function surveyOf(cluster: Cluster): Survey {
  const { jobs, reservations } = cluster;
  const running: ClusterJob[] = [];
  const starting: ClusterJob[] = [];
  const suspended: ClusterJob[] = [];
  const held: ClusterJob[] = [];
  const leased: ClusterJob[] = [];
  const arriving: ClusterJob[] = [];
  for (const job of jobs.values()) {
    const state = standingOf(cluster, job);
    if (state === "running") running.push(job);
    else if (state === "starting") starting.push(job);
    else if (state === "suspended") suspended.push(job);
    else if (state === "held") held.push(job);
    else if (state === "leased") leased.push(job);
    else if (job.handle < 0) arriving.push(job);
  }
  running.sort((a, b) => (a.startedAtMs ?? 0) - (b.startedAtMs ?? 0));
  const inside = [...reservations.values()].flatMap(waitingIn);
  const queued = [...waitingIn(cluster), ...arriving.filter(({ own }) => !own?.reservation)];
  return {
    atMs: cluster.nowMs,
    jobs: [
      ...running.map((job) => shown(job, "running", null)),
      ...starting.map((job) => shown(job, "waiting", "Prolog")),
      ...queued.map((job, at) => shown(job, "waiting", at === 0 ? "Resources" : "Priority")),
      ...inside.map((job) => shown(job, "waiting", "Reservation")),
      ...arriving.filter(({ own }) => own?.reservation).map((job) => shown(job, "waiting", "Reservation")),
      ...leased.map((job) => shown(job, "waiting", "BeginTime")),
      ...suspended.map((job) => shown(job, "suspended", null)),
      ...held.map((job) => shown(job, "held", isStranded(cluster, job) ? "ReservationOver" : "JobHeldUser")),
    ],
    ended: cluster.ended.map((end) => ({ ...end, siteJob: String(end.siteJob) })),
    reservations: [...reservations.values()].map(shownReservation),
  };
}

/** Jobs that wait for their first start, in order. */
function waitingIn({ machine, byHandle }: QueueOfJobs): readonly ClusterJob[] {
  const { handles, count } = inQueueOrder(machine);
  const jobs: ClusterJob[] = [];
  for (let at = 0; at < count; at++) {
    const job = byHandle[handles[at]];
    if (job !== undefined && job.turnAtMs === null) jobs.push(job);
  }
  return jobs;
}

function shownReservation(reservation: ClusterReservation): SurveyedReservation {
  const { token, procs, startMs, endMs } = reservation;
  return { token, siteReservation: nameOfReservation(reservation), procs, startMs, endMs };
}

/**
 * State in a survey. `starting`: started in the queue, its program has not begun; `leased`: held by an
 * enforcer.
 */
type Standing = "waiting" | "leased" | "starting" | "running" | "suspended" | "held";

function standingOf(cluster: Cluster, job: ClusterJob): Standing {
  const heldHow = isLeased(job) && job.isHeldByOwner !== true ? "leased" : "held";
  if (job.outside === "held") return heldHow;
  if (job.outside === "arriving") return "waiting";
  const begun = job.startedAtMs === null ? "starting" : "running";
  if (job.outside === "lingering") return begun;
  switch (queueOf(cluster, job).machine.jobs.state[job.handle]) {
    case jobState.running:
      return begun;
    case jobState.held:
      return heldHow;
    case jobState.suspended:
      return "suspended";
    default:
      // Resumed, it stays suspended until there is room for it again.
      return job.turnAtMs === null ? "waiting" : "suspended";
  }
}

function shown(job: ClusterJob, state: SurveyedState, reason: string | null): SurveyedJob {
  const seen = {
    siteJob: String(job.siteJob),
    token: job.own?.token ?? null,
    state,
    procs: job.procs,
    memoryBytes: job.memoryBytes,
    ...(job.gpus === undefined ? {} : { gpus: job.gpus }),
    limitMs: job.estimateMs,
    submittedAtMs: job.submittedAtMs,
    startedAtMs: job.startedAtMs,
    reason,
    user: job.user ?? null,
    account: job.account ?? null,
  };
  return isLeased(job) ? { ...seen, eligibleAtMs: job.leaseUntilMs ?? null } : seen;
}
