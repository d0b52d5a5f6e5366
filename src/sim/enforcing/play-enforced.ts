/**
 * A workload with owners at a site under an enforcer, in virtual time.
 *
 * Drives the site machine (first come first served) and calls the enforcer that runs live, on events and at
 * the instants that it names: nothing is polled. A held job is one that has not come to the machine yet; what
 * is requeued leaves it and starts anew. Shares are of the capacity, whatever is down. A job is made anew for
 * the enforcer only when it has changed: most of those that wait have not.
 */
import { assert } from "../../base/index.ts";
import type { EnforcementAction } from "../../model/index.ts";
import {
  COUNTED_VERBS,
  createUseKeeper,
  type EnforcedJobState,
  enforce,
  noteJob,
  settleUse,
  shareTree,
} from "../../policy/index.ts";
import {
  advance,
  arrive,
  cancel,
  createMachine,
  end,
  resume,
  suspend,
  takeDown,
  wakeAt,
} from "../../queue/index.ts";
import type { EnforcingInput, EnforcingOutcome } from "./enforced-input.ts";
import type { Play, PlayedJob } from "./play.ts";
import { siteSeen } from "./site-seen.ts";
import { noteUse } from "./use-courses.ts";

/** Plays it to its end. */
export function playEnforced(input: EnforcingInput): EnforcingOutcome {
  const play = begin(input);
  const lastMs = input.untilMs ?? Number.POSITIVE_INFINITY;
  let nowMs = nextInstant(play, Number.NEGATIVE_INFINITY);
  while (nowMs < lastMs) {
    happen(play, nowMs);
    nowMs = nextInstant(play, nowMs);
  }
  return {
    jobs: play.jobs.map(({ job, startMs, endMs, stops, runs }) => ({ job, startMs, endMs, stops, runs })),
    notes: play.notes,
    courses: play.courses,
    looks: play.looks,
    endMs: input.untilMs ?? play.machine.nowMs,
  };
}

function begin(input: EnforcingInput): Play {
  const { capacity, policies, site, discipline = "fcfs" } = input;
  const jobs = input.jobs.map((job, order): PlayedJob => {
    return {
      job,
      order,
      state: null,
      handle: -1,
      begunAtMs: null,
      restMs: job.runtimeMs,
      restEstimateMs: job.estimateMs,
      endsAtMs: Number.POSITIVE_INFINITY,
      stops: 0,
      stoppedFor: [],
      runs: [],
      startMs: null,
      endMs: null,
      seen: null,
    };
  });
  return {
    input,
    machine: createMachine([[capacity.cpu, capacity.gpu, capacity.memory]], { discipline }),
    jobs,
    byId: new Map(jobs.map((played) => [played.job.id, played])),
    byHandle: new Map(),
    present: new Set(),
    running: new Set(),
    keeper: createUseKeeper(shareTree(policies[0]?.policies ?? [], site), capacity),
    notes: [],
    courses: new Map(),
    acted: [],
    next: { job: 0, policies: 1 },
    downCpu: 0,
    lookAtMs: Number.POSITIVE_INFINITY,
    looks: 0,
    isLeaseOver: false,
  };
}

/** When something next happens, after an instant. */
function nextInstant(play: Play, afterMs: number): number {
  const { input, jobs, next, machine } = play;
  let atMs = Math.min(
    jobs[next.job]?.job.submitMs ?? Number.POSITIVE_INFINITY,
    play.lookAtMs,
    wakeAt(machine),
  );
  for (const { endsAtMs } of play.running) atMs = Math.min(atMs, endsAtMs);
  const others = [
    input.policies[next.policies]?.fromMs,
    ...(input.losses ?? []).flatMap(({ fromMs, untilMs }) => [fromMs, untilMs]),
    leaseEndMs(input),
  ];
  for (const otherMs of others)
    if (otherMs !== undefined && otherMs > afterMs) atMs = Math.min(atMs, otherMs);
  return atMs;
}

function leaseEndMs({ silentFromMs, rules }: EnforcingInput): number | undefined {
  return silentFromMs === undefined ? undefined : silentFromMs + rules.leaseMs;
}

function happen(play: Play, nowMs: number): void {
  endJobs(play, nowMs);
  changeCapacity(play, nowMs);
  changePolicies(play, nowMs);
  submitJobs(play, nowMs);
  settleUse(play.keeper, nowMs);
  act(play, nowMs);
  startJobs(play, nowMs);
  settleUse(play.keeper, nowMs);
}

function endJobs(play: Play, nowMs: number): void {
  for (const played of play.running) {
    if (played.endsAtMs !== nowMs) continue;
    end(play.machine, played.handle, nowMs);
    played.endMs = nowMs;
    change(play, played, null, nowMs);
    play.notes.push({ atMs: nowMs, kind: "ended", job: played.job.id });
  }
}

function changeCapacity(play: Play, nowMs: number): void {
  for (const [id, { fromMs, untilMs, cpu }] of (play.input.losses ?? []).entries()) {
    if (untilMs === nowMs) {
      play.downCpu -= cpu;
      play.notes.push({ atMs: nowMs, kind: "returned", cpu });
    }
    if (fromMs !== nowMs) continue;
    play.downCpu += cpu;
    play.notes.push({ atMs: nowMs, kind: "lost", cpu });
    const fixed = { pool: 0, need: [cpu, 0, 0], startMs: nowMs, durationMs: untilMs - nowMs };
    const { stopped } = takeDown(play.machine, { id, fixed, isOutage: () => true }, nowMs);
    for (const handle of stopped) {
      const played = playedAt(play, handle);
      cancel(play.machine, handle, nowMs);
      startAnew(play, played, nowMs);
      play.notes.push({ atMs: nowMs, kind: "failed", job: played.job.id });
    }
  }
}

function changePolicies(play: Play, nowMs: number): void {
  const { input, next, keeper } = play;
  const change = input.policies[next.policies];
  if (change?.fromMs !== nowMs) return;
  next.policies++;
  play.keeper = createUseKeeper(shareTree(change.policies, input.site), input.capacity, keeper);
  play.notes.push({ atMs: nowMs, kind: "applied" });
}

function submitJobs(play: Play, nowMs: number): void {
  const { jobs, next } = play;
  while (jobs[next.job]?.job.submitMs === nowMs) {
    const played = jobs[next.job++];
    play.notes.push({ atMs: nowMs, kind: "submitted", job: played.job.id });
    change(play, played, "waiting", nowMs);
  }
}

/** Asks the enforcer, or does without it. */
function act(play: Play, nowMs: number): void {
  const { input } = play;
  play.lookAtMs = Number.POSITIVE_INFINITY;
  if (input.silentFromMs !== undefined && nowMs >= input.silentFromMs) {
    actAlone(play, nowMs);
    return;
  }
  play.looks++;
  play.acted = play.acted.filter((atMs) => atMs > nowMs - HOUR_MS);
  const decision = enforce(siteSeen(play, nowMs), nowMs);
  const { actions, wakeAtMs } = decision;
  play.lookAtMs = wakeAtMs ?? Number.POSITIVE_INFINITY;
  // Changes come before arrivals at the machine: first who goes, then who comes.
  for (const action of actions) if (action.verb !== "release") carryOut(play, action, nowMs);
  for (const action of actions) if (action.verb === "release") carryOut(play, action, nowMs);
}

const HOUR_MS = 3_600_000;

/** The enforcer is silent: when its lease is over, what it held and stopped is let go, and all that comes. */
function actAlone(play: Play, nowMs: number): void {
  const overMs = leaseEndMs(play.input);
  if (overMs === undefined || nowMs < overMs) return;
  if (!play.isLeaseOver) play.notes.push({ atMs: nowMs, kind: "leaseOver" });
  play.isLeaseOver = true;
  for (const played of play.present) if (played.state === "suspended") comeBack(play, played, nowMs);
  for (const played of play.present) if (played.state === "waiting") letIn(play, played, nowMs);
}

function carryOut(play: Play, action: EnforcementAction, nowMs: number): void {
  const { verb, job: id, cause } = action;
  const played = play.byId.get(id);
  assert(played !== undefined, "an enforcer acts on jobs that it was shown");
  play.notes.push({ atMs: nowMs, kind: "acted", action });
  if (COUNTED_VERBS.includes(verb)) play.acted.push(nowMs);
  if (verb === "suspend" || verb === "requeue") {
    played.stops++;
    if (cause.kind === "roomFor") played.stoppedFor.push(cause.job);
  }
  if (verb === "release") letIn(play, played, nowMs);
  if (verb === "resume") comeBack(play, played, nowMs);
  if (verb === "suspend") goAside(play, played, nowMs);
  if (verb === "requeue" || verb === "hold") {
    cancel(play.machine, played.handle, nowMs);
    startAnew(play, played, nowMs);
  }
}

function letIn(play: Play, played: PlayedJob, nowMs: number): void {
  const { cpu, gpu, memory } = played.job.need;
  const arrived = arrive(
    play.machine,
    { need: [cpu, gpu, memory], estimateMs: played.restEstimateMs },
    nowMs,
  );
  if (!arrived.ok) return;
  played.handle = arrived.value;
  play.byHandle.set(played.handle, played);
  change(play, played, "queued", nowMs);
}

function comeBack(play: Play, played: PlayedJob, nowMs: number): void {
  resume(play.machine, played.handle, nowMs);
  change(play, played, "queued", nowMs);
}

function goAside(play: Play, played: PlayedJob, nowMs: number): void {
  suspend(play.machine, played.handle, nowMs);
  const ranMs = nowMs - (played.begunAtMs ?? nowMs);
  played.restMs -= ranMs;
  played.restEstimateMs -= ranMs;
  change(play, played, "suspended", nowMs);
}

function startAnew(play: Play, played: PlayedJob, nowMs: number): void {
  played.restMs = played.job.runtimeMs;
  played.restEstimateMs = played.job.estimateMs;
  played.begunAtMs = null;
  change(play, played, "waiting", nowMs);
}

function startJobs(play: Play, nowMs: number): void {
  const { handles, count } = advance(play.machine, nowMs);
  for (let i = 0; i < count; i++) {
    const played = playedAt(play, handles[i]);
    if (played.startMs === null) played.startMs = nowMs;
    played.begunAtMs = nowMs;
    change(play, played, "running", nowMs);
    play.notes.push({ atMs: nowMs, kind: "started", job: played.job.id });
  }
}

/** Changes the state of a job everywhere. */
function change(play: Play, played: PlayedJob, to: EnforcedJobState | null, nowMs: number): void {
  const { job, state: from } = played;
  noteJob(play.keeper, job, from, to);
  if (from === "running") {
    noteUse(play.courses, job.consumer, -job.need.cpu, nowMs);
    const run = played.runs.at(-1);
    if (run !== undefined) run.toMs = nowMs;
  }
  if (to === "running") {
    noteUse(play.courses, job.consumer, job.need.cpu, nowMs);
    played.runs.push({ fromMs: nowMs, toMs: null });
  }
  if (to === "running") play.running.add(played);
  else play.running.delete(played);
  if (to === null) play.present.delete(played);
  else play.present.add(played);
  played.state = to;
  played.seen = null;
  played.endsAtMs = to === "running" ? nowMs + played.restMs : Number.POSITIVE_INFINITY;
}

function playedAt({ byHandle }: Play, handle: number): PlayedJob {
  const played = byHandle.get(handle);
  assert(played !== undefined, "the machine knows the jobs that were let in");
  return played;
}
