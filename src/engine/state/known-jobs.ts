/**
 * What the enforcer of a foreign site has done to jobs there, by the site's ids (rule EN-59).
 *
 * It follows from the recorded actions. What the site shows is believed before it: an order that was lost,
 * or undone by somebody, is given again, and an id that is used again is nobody we know.
 */
import type { EnforcementAction, EnforcementVerb } from "../../model/index.ts";
import type { SurveyedJob } from "../survey.ts";

/** What was done to a job of a foreign site. */
export interface KnownJob {
  /** It may start when its turn comes. */
  readonly isLetIn: boolean;
  readonly isHeld: boolean;
  readonly isStopped: boolean;
  readonly nudged: "raised" | "lowered" | null;
  readonly stops: number;
  readonly stoppedFor: readonly string[];
  /** When something was last done to it. */
  readonly sinceMs: number;
  /** That was that it was put back into the queue: some sites count it as submitted anew. */
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

/** So long it takes until what was ordered can be seen. */
const SETTLING_MS = 30_000;

/** So long after being put back into the queue a job may count as submitted. */
const REQUEUING_MS = 300_000;

/** Whether the site has given the id to another job. */
export function isAnother({ sinceMs, isRequeued }: KnownJob, { submittedAtMs }: SurveyedJob): boolean {
  return sinceMs + (isRequeued ? REQUEUING_MS : 0) < submittedAtMs;
}

/** Whether something was ordered so short a time ago that it may not be seen yet. */
export function isSettling({ sinceMs }: KnownJob, nowMs: number): boolean {
  return nowMs - sinceMs < SETTLING_MS;
}

/** Whether a job was let go so short a time ago that it may not be seen to start yet. */
export function isJustLetIn(known: KnownJob, nowMs: number): boolean {
  return known.isLetIn && isSettling(known, nowMs);
}

/** How a job stands that was seen: as the site shows it, but for what was ordered a moment ago. */
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

/** What was ordered was not done. */
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
