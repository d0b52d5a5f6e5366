/**
 * The enforcer as an actor of a drive: admits, stops and resumes jobs.
 *
 * It is the live enforcer, called on events and at the instants that it names, without polling. A held job
 * has not come to the machine yet; a requeued one leaves it and starts anew. The enforcer's view of a job is
 * computed only after a change: most waiting jobs have none.
 */
import { assert } from "../../base/index.ts";
import type { EnforcementAction } from "../../model/index.ts";
import {
  COUNTED_VERBS,
  createUseKeeper,
  enforce,
  levelsNow,
  settleUse,
  shareTree,
} from "../../policy/index.ts";
import { type Actor, cancelAt } from "../../queue/index.ts";
import type { EnforcingInput } from "./enforced-input.ts";
import { change, comeBack, goAside, letIn, startAnew } from "./job-changes.ts";
import type { Play } from "./play.ts";
import { applySiteEvents } from "./site-events.ts";
import { siteSeen, waitAnew } from "./site-seen.ts";

/** An actor that receives submissions and carries out the events of the site. */
export function createEnforcer(play: Play): Actor {
  return {
    nextMs: () => nextOf(play),
    changes(atMs) {
      applySiteEvents(play, atMs);
      changePolicies(play, atMs);
    },
    arrivals: (atMs) => submitJobs(play, atMs),
    admissions(atMs) {
      for (const played of play.admission?.entering() ?? []) change(play, played, "waiting", atMs);
      settleUse(play.keeper, atMs);
      // Who ran before anything was played was let in by nobody, and is first seen when he runs.
      if (play.isUnderWayComing) play.lookAtMs = atMs + 1;
      else act(play, atMs);
    },
    settled(atMs) {
      settleUse(play.keeper, atMs);
      play.isUnderWayComing = false;
      play.playedMs = atMs;
    },
  };
}

/** Next instant at which anything but the machine acts. */
function nextOf({ input, jobs, next, siteEvents, lookAtMs, playedMs }: Play): number {
  let atMs = Math.min(jobs[next.job]?.submitMs ?? Number.POSITIVE_INFINITY, lookAtMs);
  const others = [
    input.policies[next.policies]?.fromMs,
    siteEvents[next.happening]?.atMs,
    leaseEndMs(input),
    ...reservedEnds(input),
  ];
  for (const otherMs of others) {
    if (otherMs !== undefined && otherMs > playedMs) atMs = Math.min(atMs, otherMs);
  }
  return atMs;
}

/** Ends of reservations on nodes, which the machine, unlike those of pools, does not know. */
function reservedEnds({ nodes, reservations = [] }: EnforcingInput): readonly number[] {
  return nodes === undefined ? [] : reservations.map(({ startMs, durationMs }) => startMs + durationMs);
}

function leaseEndMs({ silentFromMs, rules }: EnforcingInput): number | undefined {
  return silentFromMs === undefined ? undefined : silentFromMs + rules.leaseMs;
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

function submitJobs(play: Play, nowMs: number): void {
  const { jobs, next, admission } = play;
  while (jobs[next.job]?.submitMs === nowMs) {
    const played = jobs[next.job++];
    play.notes.push({ atMs: nowMs, kind: "submitted", job: played.job.id });
    if (played.job.isUnderWay === true) {
      admission?.entered(played);
      change(play, played, "waiting", nowMs);
      letIn(play, played, nowMs);
      play.isUnderWayComing = true;
    } else if (admission === undefined) change(play, played, "waiting", nowMs);
    else admission.submit(played);
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
  const seen = siteSeen(play, nowMs);
  if (seen === undefined) return;
  const { actions, wakeAtMs } = enforce(seen, nowMs, levelsNow(play.keeper));
  play.lookAtMs = wakeAtMs ?? Number.POSITIVE_INFINITY;
  // Changes come before arrivals at the machine: first who goes, then who comes.
  for (const action of actions) if (action.verb !== "release") carryOut(play, action, nowMs);
  for (const action of actions) if (action.verb === "release") carryOut(play, action, nowMs);
}

const HOUR_MS = 3_600_000;

/** Release of all held, stopped and new jobs once the lease of a silent enforcer is over. */
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
    cancelAt(play.site, played.handle, nowMs);
    startAnew(play, played, nowMs);
  }
}
