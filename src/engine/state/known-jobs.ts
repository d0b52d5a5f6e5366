/**
 * Enforcement of jobs at a foreign site, by the site's ids (rule EN-59).
 *
 * The state follows from the recorded actions, but the site's survey takes precedence: an order that was lost
 * or undone is given again, and an id used again is an unknown job.
 */
import type { EnforcementAction, EnforcementVerb } from "../../model/index.ts";
import type { SurveyedJob } from "../survey.ts";

/** Enforcement state of a job of a foreign site. */
export interface KnownJob {
  /** True if the job may start when its turn comes. */
  readonly isLetIn: boolean;
  readonly isHeld: boolean;
  readonly isStopped: boolean;
  readonly nudged: "raised" | "lowered" | null;
  readonly stops: number;
  readonly stoppedFor: readonly string[];
  /** Time of the last action on the job. */
  readonly sinceMs: number;
  /** True if the last action was a requeue: some sites count a requeued job as submitted anew. */
  readonly isRequeued: boolean;
}

/** A job to which nothing was done. */
const UNTOUCHED: KnownJob = {
  isLetIn: false,
  isHeld: false,
  isStopped: false,
  nudged: null,
  stops: 0,
  stoppedFor: [],
  sinceMs: Number.NEGATIVE_INFINITY,
  isRequeued: false,
};

/** Takes note of what was done. */
export function noteAction(known: Map<string, KnownJob>, action: EnforcementAction, atMs: number): void {
  const before = known.get(action.job) ?? UNTOUCHED;
  known.set(action.job, { ...before, ...changeBy(action, before), ...doneNow(action, atMs) });
}

function doneNow({ verb }: EnforcementAction, sinceMs: number): Pick<KnownJob, "sinceMs" | "isRequeued"> {
  return { sinceMs, isRequeued: verb === "requeue" };
}

function changeBy({ verb, cause }: EnforcementAction, before: KnownJob): Partial<KnownJob> {
  const stoppedFor = cause.kind === "roomFor" ? [...before.stoppedFor, cause.job] : before.stoppedFor;
  switch (verb) {
    case "release":
      return { isLetIn: true, isHeld: false };
    case "hold":
      return { isLetIn: false, isHeld: true };
    case "suspend":
      return { isStopped: true, stops: before.stops + 1, stoppedFor };
    case "requeue":
      return { isLetIn: false, stops: before.stops + 1, stoppedFor };
    case "resume":
      return { isStopped: false };
    case "raise":
      return { nudged: "raised" };
    case "lower":
      return { nudged: "lowered" };
  }
}

/** Time after an order within which the site may not show its effect yet. */
const SETTLING_MS = 30_000;

/** Time after a requeue within which a site may count the job as submitted anew. */
const REQUEUING_MS = 300_000;

/** True if the site has given the id to another job. */
export function isAnother({ sinceMs, isRequeued }: KnownJob, { submittedAtMs }: SurveyedJob): boolean {
  return sinceMs + (isRequeued ? REQUEUING_MS : 0) < submittedAtMs;
}

/** True if an order is so recent that the site may not show its effect yet. */
export function isSettling({ sinceMs }: KnownJob, nowMs: number): boolean {
  return nowMs - sinceMs < SETTLING_MS;
}

/** True if a release is so recent that the site may not show the job's start yet. */
export function isJustLetIn(known: KnownJob, nowMs: number): boolean {
  return known.isLetIn && isSettling(known, nowMs);
}

/** State of a surveyed job: as the site shows it, except for recent orders. */
export function standingThere(before: KnownJob | undefined, seen: SurveyedJob, nowMs: number): KnownJob {
  if (before === undefined || isAnother(before, seen)) return UNTOUCHED;
  if (isSettling(before, nowMs)) return before;
  const isAhead = seen.state === "waiting" && (seen.eligibleAtMs ?? 0) > nowMs;
  return {
    ...before,
    isHeld: before.isHeld && isAhead,
    isStopped: before.isStopped && seen.state === "suspended",
  };
}

/** State of a job after an order that was not carried out. */
export function asItWas(known: KnownJob, verb: EnforcementVerb): KnownJob {
  switch (verb) {
    case "hold":
      return { ...known, isHeld: false };
    case "release":
      return { ...known, isLetIn: false, isHeld: true };
    case "suspend":
      return { ...known, isStopped: false, stops: Math.max(0, known.stops - 1) };
    case "resume":
      return { ...known, isStopped: true };
    case "requeue":
      return { ...known, stops: Math.max(0, known.stops - 1), isRequeued: false };
    case "raise":
    case "lower":
      return { ...known, nudged: null };
  }
}
