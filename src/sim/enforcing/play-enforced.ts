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
  createWaitingJobs,
  enforce,
  levelsNow,
  SITE_RESOURCES,
  type SiteResource,
  settleUse,
  shareTree,
  usesKept,
  type VerdictSite,
} from "../../policy/index.ts";
import { cancel, createMachine, end, wakeAt } from "../../queue/index.ts";
import type { EnforcedOutcome, EnforcingInput, EnforcingOutcome, OwnedJob } from "./enforced-input.ts";
import { change, comeBack, goAside, letIn, startAnew, startJobs } from "./job-changes.ts";
import type { Play, PlayedJob } from "./play.ts";
import { applySiteEvents, siteEventsOf } from "./site-events.ts";
import { siteSeen, waitAnew } from "./site-seen.ts";

/** A play that others stand beside: who sends jobs as they come, by how the site stands. */
export interface EnforcedSteps {
  /** Takes a job that is submitted no earlier than anything that was played. */
  offer(job: OwnedJob): void;
  /** Plays every instant before this one. */
  playUntil(untilMs: number): void;
  /** How the site stands at an instant up to which it was played. */
  standing(nowMs: number): EnforcedStanding;
  /** Plays to the end of the input. */
  finish(): EnforcingOutcome;
}

/** What a site recommender asks. */
interface EnforcedStanding extends VerdictSite {
  /** Processors of those that wait. */
  readonly waitingProcs: number;
}

/** Plays it to its end. */
export function playEnforced(input: EnforcingInput): EnforcingOutcome {
  return beginEnforced(input).finish();
}

/** The same step by step: with every job of the input, and those that are offered. */
export function beginEnforced(input: EnforcingInput): EnforcedSteps {
  const play = begin(input);
  let playedMs = Number.NEGATIVE_INFINITY;
  const playUntil = (untilMs: number): void => {
    for (let atMs = nextInstant(play, playedMs); atMs < untilMs; atMs = nextInstant(play, playedMs)) {
      input.checkStop?.();
      happen(play, atMs);
      playedMs = atMs;
    }
  };
  return {
    playUntil,
    offer(job) {
      assert(job.submitMs > playedMs, "a job comes after what was played");
      const played = notYet(job, play.jobs.length);
      play.jobs.push(played);
      play.byId.set(job.id, played);
    },
    standing: (nowMs) => standingOf(play, nowMs),
    finish() {
      playUntil(input.untilMs ?? Number.POSITIVE_INFINITY);
      return {
        jobs: play.jobs.map(outcomeOf),
        notes: play.notes,
        courses: play.courses,
        looks: play.looks,
        endMs: input.untilMs ?? play.machine.nowMs,
      };
    },
  };
}

function standingOf({ input, keeper, down, running, present }: Play, nowMs: number): EnforcedStanding {
  settleUse(keeper, nowMs);
  const taken = { cpu: 0, gpu: 0, memory: 0 };
  let waitingProcs = 0;
  for (const played of present) {
    if (!running.has(played)) waitingProcs += played.job.need.cpu;
    else for (const resource of SITE_RESOURCES) taken[resource] += played.job.need[resource];
  }
  const available = { ...input.capacity };
  for (const resource of SITE_RESOURCES)
    available[resource] = Math.max(0, available[resource] - down[resource]);
  return {
    ...{ capacity: input.capacity, available, taken, waitingProcs },
    ...{ shares: keeper.shares, uses: usesKept(keeper) },
  };
}

function outcomeOf({ job, startMs, endMs, stops, runs, firstRun, ...left }: PlayedJob): EnforcedOutcome {
  const { pool, gone, goneAtMs } = left;
  return { job, startMs, endMs, stops, runs, firstRun, pool, gone, goneAtMs };
}

function begin(input: EnforcingInput): Play {
  const { capacity, policies, site, discipline = "fcfs" } = input;
  const { pools = [capacity] } = input;
  const jobs = input.jobs.map(notYet);
  const resources = resourcesAt(input);
  const amounts = pools.map((pool) => resources.map((resource) => pool[resource]));
  return {
    input,
    resources,
    siteEvents: siteEventsOf(input),
    machine: createMachine(amounts, { discipline }, Math.min(0, jobs[0]?.job.submitMs ?? 0)),
    jobs,
    byId: new Map(jobs.map((played) => [played.job.id, played])),
    byHandle: new Map(),
    present: new Set(),
    running: new Set(),
    waiting: createWaitingJobs(),
    waitingCount: 0,
    keeper: createUseKeeper(shareTree(policies[0]?.policies ?? [], site), capacity),
    notes: [],
    courses: new Map(),
    acted: [],
    next: { job: 0, policies: 1, happening: 0 },
    down: { cpu: 0, gpu: 0, memory: 0 },
    lookAtMs: Number.POSITIVE_INFINITY,
    looks: 0,
    isLeaseOver: false,
  };
}

/** A job before it is submitted. */
function notYet(job: OwnedJob, order: number): PlayedJob {
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
    firstRun: 0,
    startMs: null,
    endMs: null,
    pool: null,
    gone: null,
    goneAtMs: null,
    seen: null,
  };
}

/** What the machine schedules: what there is, and what is asked for. */
function resourcesAt({ capacity, jobs }: EnforcingInput): readonly SiteResource[] {
  return SITE_RESOURCES.filter(
    (resource) => resource === "cpu" || capacity[resource] > 0 || jobs.some(({ need }) => need[resource] > 0),
  );
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
    play.siteEvents[next.happening]?.atMs,
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
  applySiteEvents(play, nowMs);
  changePolicies(play, nowMs);
  const isUnderWay = submitJobs(play, nowMs);
  settleUse(play.keeper, nowMs);
  // Who ran before anything was played was let in by nobody, and is first seen when he runs.
  if (isUnderWay) play.lookAtMs = nowMs + 1;
  else act(play, nowMs);
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

function changePolicies(play: Play, nowMs: number): void {
  const { input, next, keeper } = play;
  const change = input.policies[next.policies];
  if (change?.fromMs !== nowMs) return;
  next.policies++;
  play.keeper = createUseKeeper(shareTree(change.policies, input.site), input.capacity, keeper);
  waitAnew(play, nowMs);
  play.notes.push({ atMs: nowMs, kind: "applied" });
}

/** Lets jobs come; gives whether they run already. */
function submitJobs(play: Play, nowMs: number): boolean {
  const { jobs, next } = play;
  let isUnderWay = false;
  while (jobs[next.job]?.job.submitMs === nowMs) {
    const played = jobs[next.job++];
    play.notes.push({ atMs: nowMs, kind: "submitted", job: played.job.id });
    change(play, played, "waiting", nowMs);
    if (played.job.isUnderWay !== true) continue;
    letIn(play, played, nowMs);
    isUnderWay = true;
  }
  return isUnderWay;
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
  const seen = siteSeen(play, nowMs);
  if (seen === undefined) return;
  const { actions, wakeAtMs } = enforce(seen, nowMs, levelsNow(play.keeper));
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
