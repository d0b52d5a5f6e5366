/**
 * Advances a cluster: accepts inputs and settles every instant that has passed.
 *
 * An instant is settled after it has passed. So the machine receives everything of one instant together, in
 * the order of rule QU-8, and no instant is settled twice. Cost: O(log jobs) per instant beside the
 * machine's own.
 */
import { assert, peekHeap, popHeap, pushHeap, smallestKey } from "../../base/index.ts";
import { type AttemptEnd, columnsAt } from "../../model/index.ts";
import { advance, arrive, type Drive, drive, driveOf, end, jobState, wakeAt } from "../../queue/index.ts";
import type { Background } from "./background.ts";
import { type EnforcedChange, enforceOn } from "./enforce.ts";
import { executeVerb } from "./execute-verb.ts";
import { endLease } from "./lease.ts";
import { endOf, leave, recordEffect, recordEnd } from "./leaving.ts";
import { changeReservation, endReservations, isReservationChange, startsInside } from "./reservations.ts";
import {
  type Change,
  type Cluster,
  type ClusterInput,
  type ClusterJob,
  type EnforcedId,
  nextSiteJob,
  ownJob,
  queueOf,
} from "./simulated-cluster.ts";

/** Largest number of jobs at the site; more jobs of others are rejected, as batch systems do. */
const MOST_JOBS = 10_000;

/** Accepts an input. The cluster must have been advanced to its instant. */
export function accept(cluster: Cluster, input: ClusterInput): void {
  assert(cluster.nowMs === input.atMs, "what happens at an instant is told at that instant");
  switch (input.kind) {
    case "submitted":
      countSubmission(cluster, input.job.token);
      cluster.lastSiteJob = input.siteJob;
      if (input.effectMs <= cluster.nowMs) enter(cluster, input);
      else comeAt(cluster, input.effectMs, input);
      if (input.vanishAtMs !== null) {
        const { siteJob, job } = input;
        comeAt(cluster, input.vanishAtMs, { kind: "vanishes", siteJob, token: job.token });
      }
      return;
    case "ordered":
    case "enforced":
      comeAt(cluster, input.effectMs, input);
      return;
    case "reserved":
      cluster.lastReservation = input.id;
      comeAt(cluster, input.atMs, input);
      return;
    case "endMoved":
    case "unreserved":
    case "ended":
      comeAt(cluster, input.atMs, input);
      return;
    case "began": {
      const job = ownJob(cluster, input.siteJob, input.token);
      if (job !== undefined) job.startedAtMs = input.startedAtMs;
      return;
    }
    case "failed":
      countSubmission(cluster, input.token);
      return;
    case "acknowledged":
      cluster.ended = cluster.ended.filter(({ token }) => token !== input.token);
      cluster.submissions.delete(input.token);
      return;
    case "purged":
      cluster.ended = cluster.ended.filter(({ token }) => token !== input.token);
      cluster.submissions.delete(input.token);
      cluster.turns.delete(input.token);
  }
}

/** Settles every instant before `nowMs`, at most `most` of them. @returns true if all are settled */
export function advanceTo(
  cluster: Cluster,
  background: Background,
  nowMs: number,
  most = Number.POSITIVE_INFINITY,
): boolean {
  const isSettled = drive(driveOfCluster(cluster, background), nowMs, most);
  if (isSettled) cluster.nowMs = Math.max(cluster.nowMs, nowMs);
  return isSettled;
}

/** Next instant with an event that is not an input, or Infinity. */
export function nextInstant(cluster: Cluster, background: Background): number {
  dropStaleEnds(cluster);
  return Math.min(
    smallestKey(cluster.ends),
    cluster.coming[0]?.atMs ?? Number.POSITIVE_INFINITY,
    background.submittedAtMs(cluster.othersCome, cluster.openedAtMs),
    wakeAt(cluster.machine),
    ...[...cluster.reservations.values()].map(({ machine, endMs }) => Math.min(wakeAt(machine), endMs)),
  );
}

function countSubmission({ submissions }: Cluster, token: string): void {
  submissions.set(token, (submissions.get(token) ?? 0) + 1);
}

function comeAt({ coming }: Cluster, atMs: number, change: Change): void {
  let place = coming.length;
  while (place > 0 && coming[place - 1].atMs > atMs) place--;
  coming.splice(place, 0, { atMs, change });
}

function dropStaleEnds(cluster: Cluster): void {
  const { ends, jobs } = cluster;
  while (ends.size > 0 && jobs.get(peekHeap(ends))?.endMs !== smallestKey(ends)) popHeap(ends);
}

function driveOfCluster(cluster: Cluster, background: Background): Drive {
  let changes: Change[] = [];
  let arriving: ClusterJob[] = [];
  const orders = {
    changes(atMs: number) {
      endReservations(cluster, atMs);
      for (const change of changes) apply(cluster, change, atMs, arriving);
    },
    arrivals(atMs: number) {
      letOthersCome(cluster, background, atMs);
      for (const job of arriving) if (job.outside === "arriving") arriveAt(cluster, job, atMs);
    },
  };
  const own = {
    nextOwnMs: () => nextInstant(cluster, background),
    end(atMs: number) {
      changes = changesAt(cluster, atMs);
      arriving = [];
      endDue(cluster, changes, atMs);
    },
    settle: (atMs: number) => startWaiting(cluster, atMs),
  };
  return driveOf(own, [orders]);
}

function endDue(cluster: Cluster, changes: readonly Change[], atMs: number): void {
  for (dropStaleEnds(cluster); smallestKey(cluster.ends) === atMs; dropStaleEnds(cluster)) {
    endInQueue(cluster, atMs);
  }
  for (const change of changes) if (change.kind === "ended") endRunning(cluster, change, atMs);
}

function startWaiting(cluster: Cluster, atMs: number): void {
  const starts = advance(cluster.machine, atMs);
  for (let i = 0; i < starts.count; i++) start(cluster, cluster.byHandle[starts.handles[i]], atMs);
  for (const [{ byHandle }, handle] of startsInside(cluster, atMs)) start(cluster, byHandle[handle], atMs);
}

function changesAt({ coming }: Cluster, atMs: number): Change[] {
  let count = 0;
  while (count < coming.length && coming[count].atMs <= atMs) count++;
  return coming.splice(0, count).map(({ change }) => change);
}

/** Ends in the queue: of an imitated job, of another user's job, or of a program at its limit. */
function endInQueue(cluster: Cluster, atMs: number): void {
  const job = cluster.jobs.get(popHeap(cluster.ends));
  assert(job !== undefined, "an end that counts has its job");
  const { machine, byHandle } = queueOf(cluster, job);
  end(machine, job.handle, atMs);
  byHandle[job.handle] = undefined;
  job.handle = -1;
  job.endMs = null;
  if (job.own !== null && job.own.imitatedMs === null) {
    job.outside = "lingering";
    return;
  }
  if (job.own !== null) {
    const isCut = (job.own.imitatedMs ?? 0) > job.estimateMs;
    const itsEnd = isCut ? endOf("timeLimit") : { ...endOf("exited"), exitCode: job.own.exitCode };
    recordEnd(cluster, job, atMs, { ...itsEnd, isImitated: true });
  }
  leave(cluster, job, atMs);
}

/** Ends programs that still run in the queue; these come first (rule QU-8). */
function endRunning(
  cluster: Cluster,
  { siteJob, token }: { readonly siteJob: number; readonly token: string },
  atMs: number,
): void {
  const job = ownJob(cluster, siteJob, token);
  if (job === undefined || job.handle < 0) return;
  const { machine, byHandle } = queueOf(cluster, job);
  if (machine.jobs.state[job.handle] !== jobState.running) return;
  end(machine, job.handle, atMs);
  byHandle[job.handle] = undefined;
  job.handle = -1;
  job.outside = "lingering";
}

function apply(cluster: Cluster, change: Change, atMs: number, arrivals: ClusterJob[]): void {
  if (change.kind === "submitted") {
    enter(cluster, change);
    return;
  }
  if (isReservationChange(change)) {
    changeReservation(cluster, change, atMs);
    return;
  }
  if (change.kind === "enforced") {
    for (const id of change.jobs) enforceAt(cluster, { change, id, atMs }, arrivals);
    return;
  }
  if (change.kind === "leaseOver") {
    const job = jobThere(cluster, change);
    // A lease that was renewed ends later.
    if (job?.leaseUntilMs === change.untilMs) endLease(cluster, job, atMs);
    letArrive(job, arrivals);
    return;
  }
  const job = ownJob(cluster, change.siteJob, change.token);
  if (job === undefined) return;
  switch (change.kind) {
    case "ordered":
      executeVerb(cluster, job, change.verb, atMs);
      letArrive(job, arrivals);
      return;
    case "ended":
      recordEnd(cluster, job, change.endedAtMs, endOfOverrun(job, change.end));
      leave(cluster, job, atMs);
      return;
    case "vanishes":
      if (job.turnAtMs !== null) recordEffect(cluster, job, "forget");
      leave(cluster, job, atMs);
  }
}

function enforceAt(
  cluster: Cluster,
  { change, id, atMs }: { readonly change: EnforcedChange; readonly id: EnforcedId; readonly atMs: number },
  arrivals: ClusterJob[],
): void {
  const job = jobThere(cluster, id);
  if (job === undefined) return;
  const untilMs = enforceOn(cluster, job, change, atMs);
  if (untilMs !== undefined) comeAt(cluster, untilMs, { kind: "leaseOver", untilMs, ...id });
  letArrive(job, arrivals);
}

/** Job with this id, if it is the one that the order means. */
function jobThere({ jobs }: Cluster, { siteJob, submittedAtMs }: EnforcedId): ClusterJob | undefined {
  const job = jobs.get(siteJob);
  return job?.submittedAtMs === submittedAtMs ? job : undefined;
}

function letArrive(job: ClusterJob | undefined, arrivals: ClusterJob[]): void {
  if (job?.outside === "arriving" && !arrivals.includes(job)) arrivals.push(job);
}

/** Replaces the end of a job that was stopped at the end of its reservation by `timeLimit`. */
function endOfOverrun({ isOverrun }: ClusterJob, end: AttemptEnd): AttemptEnd {
  return isOverrun === true && end.cause === "cancelled" ? { ...end, cause: "timeLimit" } : end;
}

/** Adds a submitted job to the queue, held. */
function enter(cluster: Cluster, input: Extract<ClusterInput, { readonly kind: "submitted" }>): void {
  const { job: own, siteJob, atMs } = input;
  const { procs, memoryBytes, estimateMs, gpus } = own;
  const restMs = Math.min(estimateMs, own.imitatedMs ?? estimateMs);
  const size = { procs, memoryBytes, ...(gpus === undefined ? {} : { gpus }) };
  const need = { ...size, estimateMs, restMs, submittedAtMs: atMs };
  cluster.jobs.set(siteJob, { siteJob, own, ...need, ...justCome, outside: "held" });
}

const justCome = {
  handle: -1,
  endMs: null,
  startedAtMs: null,
  turnAtMs: null,
  isCancelling: false,
} as const;

function letOthersCome(cluster: Cluster, background: Background, atMs: number): void {
  while (background.submittedAtMs(cluster.othersCome, cluster.openedAtMs) <= atMs) {
    const { runtimeMs: restMs, ...others } = background.job(cluster.othersCome++, cluster.openedAtMs);
    const siteJob = cluster.jobs.size >= MOST_JOBS ? undefined : nextSiteJob(cluster);
    if (siteJob === undefined) continue;
    cluster.lastSiteJob = siteJob;
    const job: ClusterJob = { siteJob, own: null, ...others, restMs, ...justCome, outside: "arriving" };
    cluster.jobs.set(siteJob, job);
    arriveAt(cluster, job, atMs);
  }
}

function arriveAt(cluster: Cluster, job: ClusterJob, atMs: number): void {
  const need = columnsAt(cluster.rules, job);
  const { machine, byHandle } = queueOf(cluster, job);
  const arrived = arrive(machine, { need, estimateMs: job.estimateMs }, atMs);
  assert(arrived.ok, "a job that is wider than the site was refused");
  job.handle = arrived.value;
  job.outside = null;
  byHandle[job.handle] = job;
}

function start(cluster: Cluster, job: ClusterJob | undefined, atMs: number): void {
  assert(job !== undefined, "what starts is at the site");
  const hadTurn = job.turnAtMs !== null;
  job.turnAtMs = atMs;
  job.endMs = atMs + job.restMs;
  pushHeap(cluster.ends, job.endMs, job.siteJob);
  if (job.own === null || job.own.imitatedMs !== null) job.startedAtMs ??= atMs;
  if (job.own === null) return;
  const { token, order, imitatedMs } = job.own;
  const earlier = cluster.turns.get(token);
  if (imitatedMs === null && earlier !== undefined && earlier.siteJob !== job.siteJob) {
    // A program is begun once per token; it belongs to the job that had its turn first.
    const detail = `the site's job ${earlier.siteJob} of the same name had begun the program before`;
    comeAt(cluster, atMs + 1, {
      kind: "ended",
      atMs,
      siteJob: job.siteJob,
      token,
      endedAtMs: atMs,
      end: { ...endOf("launchFailed"), detail },
    });
    return;
  }
  cluster.turns.set(token, { siteJob: job.siteJob, files: [...new Set([order.stdOutput, order.stdError])] });
  recordEffect(cluster, job, hadTurn ? "resume" : "start");
}
