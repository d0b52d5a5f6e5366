/**
 * Plays a workload with events through a site machine in virtual time.
 *
 * A driver of the one machine, as the replay of `queue` is; beside arrivals and ends it knows
 * cancellations and outages, and where the site has nodes it asks `queue/nodes` who starts and tells
 * the machine, whose discipline is `external` then. Order of one instant: rule QU-8.
 */
import { assert, createHeap, popHeap, pushHeap, smallestKey } from "../../base/index.ts";
import { isPlanning } from "../../model/index.ts";
import {
  advance,
  arrive,
  cancel,
  createMachine,
  createScheme,
  end,
  followScheme,
  inQueueOrder,
  start,
  wakeAt,
} from "../../queue/index.ts";
import type { WorkloadJob } from "./jobs.ts";
import { createNodeSide } from "./node-side.ts";
import { goDown } from "./outages.ts";
import {
  type DoneJob,
  forget,
  noteLeft,
  noteWaste,
  ownerOf,
  type Play,
  type Played,
  type PlayRules,
} from "./play-state.ts";
import type { PreparedWorkload } from "./prepare.ts";
import { makeReservations } from "./reservations.ts";

/**
 * Plays it to the last end.
 *
 * @throws Fault where reservations conflict, or more is down than there is
 */
export function playWorkload(workload: PreparedWorkload, rules: PlayRules): Played {
  const play = begin(workload, rules);
  const { jobs, events } = workload;
  let nextJob = 0;
  let nextEvent = 0;
  for (;;) {
    const submitMs = jobs[nextJob]?.submitMs ?? Number.POSITIVE_INFINITY;
    const eventMs = events[nextEvent]?.atMs ?? Number.POSITIVE_INFINITY;
    const wakeMs = Math.min(wakeAt(play.machine), play.nodes?.wakeAtMs() ?? Number.POSITIVE_INFINITY);
    const atMs = Math.min(submitMs, eventMs, smallestKey(play.ends), wakeMs);
    if (atMs === Number.POSITIVE_INFINITY) break;
    rules.checkStop?.();
    let ended = 0;
    while (smallestKey(play.ends) === atMs) if (endOne(play, popHeap(play.ends), atMs)) ended++;
    // Of a job that was stopped or cancelled nothing ends then, and nobody looks (rule QU-39).
    if (play.nodes !== undefined && ended === 0 && Math.min(submitMs, eventMs, wakeMs) > atMs) continue;
    play.nodes?.bringUp(atMs);
    if (atMs === 0 && nextEvent === 0 && nextJob === 0) makeReservations(play);
    for (; events[nextEvent]?.atMs === atMs; nextEvent++) {
      const event = events[nextEvent];
      if (event.kind === "cancel") cancelOne(play, event.job, atMs);
      else goDown(play, event, atMs);
    }
    const first = nextJob;
    while (jobs[nextJob]?.submitMs === atMs) letArrive(play, jobs[nextJob++], atMs);
    settle(play, jobs.slice(first, nextJob), atMs);
  }
  assert(play.handleOf.size === 0, "whoever came has ended or was taken away");
  return play.played;
}

function begin(workload: PreparedWorkload, rules: PlayRules): Play {
  const { site } = workload;
  const nodes = site.hasNodes ? createNodeSide(workload, rules) : undefined;
  const procs = site.capacity.reduce((sum, [count]) => sum + count, 0);
  const scheme = rules.priority && followScheme(createScheme(rules.priority, procs), procs);
  const machine = createMachine(site.capacity, {
    discipline: nodes === undefined ? rules.discipline : "external",
    ...(scheme === undefined ? {} : { priority: scheme.priority }),
  });
  scheme?.attach(machine);
  return {
    workload,
    rules,
    ...{ machine, nodes, scheme },
    played: {
      ...{
        done: [],
        interrupted: [],
        cancelledWaiting: workload.cancelledEarly,
        cancelledRunning: 0,
        cancelledEnded: 0,
      },
      ...{ outages: 0, stopped: 0, requeued: 0, lost: 0, brokenReservations: 0, startedLate: 0 },
      ...{ reservationChanges: [], reservedMissingProcMs: 0, wastedProcMs: 0, down: [] },
    },
    ends: createHeap(),
    ...{ jobs: [], endMs: [], startMs: [], promisedMs: [] },
    handleOf: new Map(),
  };
}

/** Whether somebody ended. */
function endOne(play: Play, handle: number, atMs: number): boolean {
  if (play.endMs[handle] !== atMs) return false;
  const { machine, played, jobs, startMs, promisedMs } = play;
  const done: DoneJob = {
    job: jobs[handle],
    startMs: startMs[handle],
    endMs: atMs,
    promisedMs: promisedMs[handle],
    backfilled: machine.jobs.backfilled[handle] === 1,
    pool: machine.jobs.pool[handle],
  };
  end(machine, handle, atMs);
  noteLeft(play, handle, atMs);
  forget(play, handle, atMs);
  played.done.push(done);
  if (done.promisedMs !== undefined && done.startMs > done.promisedMs) played.startedLate++;
  return true;
}

function cancelOne(play: Play, job: number, atMs: number): void {
  const handle = play.handleOf.get(job);
  if (handle === undefined) {
    play.played.cancelledEnded++;
    return;
  }
  if (Number.isNaN(play.endMs[handle])) play.played.cancelledWaiting++;
  else {
    play.played.cancelledRunning++;
    play.played.interrupted.push(play.jobs[handle]);
    noteWaste(play, handle, atMs);
    noteLeft(play, handle, atMs);
  }
  cancel(play.machine, handle, atMs);
  forget(play, handle, atMs);
}

function letArrive(play: Play, job: WorkloadJob, atMs: number): void {
  const arrived = arrive(play.machine, job, atMs);
  assert(arrived.ok, "jobs that fit nowhere were left out");
  const handle = arrived.value;
  const { need, estimateMs, submitMs: arrivedAtMs } = job;
  play.scheme?.arrived(handle, { need, estimateMs, arrivedAtMs, owner: ownerOf(job) });
  play.jobs[handle] = job;
  play.endMs[handle] = Number.NaN;
  play.startMs[handle] = Number.NaN;
  play.promisedMs[handle] = undefined;
  play.handleOf.set(job.id, handle);
}

function settle(play: Play, arrived: readonly WorkloadJob[], atMs: number): void {
  const { machine, nodes, handleOf } = play;
  if (nodes !== undefined) {
    const { handles, count } = inQueueOrder(machine);
    // What arrives now is not in the queue yet; it comes last, in the order of arrival.
    const coming = arrived.map(({ id }) => handleOf.get(id) ?? -1);
    const waiting = [...handles.subarray(0, count), ...coming];
    const starting = nodes.choose(waiting, play.jobs, atMs);
    for (const handle of coming) play.promisedMs[handle] = nodes.promisedMs(handle);
    for (const handle of starting) {
      assert(start(machine, handle, atMs) === undefined, "what fits the nodes fits the pool");
    }
  }
  const starts = advance(machine, atMs);
  if (isPlanning(machine.rules.discipline)) {
    for (const { id } of arrived) {
      const handle = handleOf.get(id) ?? -1;
      play.promisedMs[handle] = machine.jobs.startMs[handle];
    }
  }
  for (let i = 0; i < starts.count; i++) startOne(play, starts.handles[i], atMs);
}

function startOne(play: Play, handle: number, atMs: number): void {
  play.startMs[handle] = atMs;
  play.scheme?.started(ownerOf(play.jobs[handle]), play.jobs[handle].need[0], atMs);
  play.endMs[handle] = atMs + play.jobs[handle].runtimeMs;
  pushHeap(play.ends, play.endMs[handle], handle);
}
