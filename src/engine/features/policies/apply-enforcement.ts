/**
 * Effects of enforcement decisions on the state of a managed site (rule EN-52).
 *
 * A job that is held is outside the queue at its place; whether somebody holds it, too, is another matter.
 */
import { assert, unreachable } from "../../../base/index.ts";
import {
  type EnforcedState,
  type EnforcementAction,
  type JobRecord,
  NOT_ENFORCED,
  type StintEvent,
} from "../../../model/index.ts";
import { note } from "../../../queue/index.ts";
import { markUnsettled, queueOf, type ReservedState } from "../../state/reserved.ts";
import { suspendedPart } from "../../suspension.ts";

type Event<Kind> = Extract<StintEvent, { kind: Kind }>;

/** The records that the actions of an enforcer change. */
export function applyEnforced(state: ReservedState, event: Event<"enforced">): JobRecord[] {
  return event.actions.flatMap((action) => {
    const job = state.jobs.get(action.job);
    return job === undefined ? [] : [carriedOut(state, job, action, event.atMs)];
  });
}

/** Record of a job whose enforcement was undone: it is released or resumed, and exempt from then on. */
export function applyUndone(state: ReservedState, event: Event<"enforcementUndone">): JobRecord[] {
  const job = state.jobs.get(event.job);
  assert(job !== undefined, "what is undone is about a job that is not over");
  const { enforced = NOT_ENFORCED } = job;
  const free = { ...enforced, isHeld: false, isStopped: false, isExempt: true };
  if (enforced.isStopped) return [resumed(state, job, free)];
  return [enforced.isHeld ? letGo(state, job, free) : { ...job, enforced: free }];
}

/** Effect of undoing on a job, stored beside the enforcers' actions; computed before it is applied. */
export function undoingOf(
  { jobs }: Pick<ReservedState, "jobs">,
  { job, by }: Event<"enforcementUndone">,
): EnforcementAction {
  const isStopped = jobs.get(job)?.enforced?.isStopped === true;
  return { verb: isStopped ? "resume" : "release", job, cause: { kind: "undone", by } };
}

function carriedOut(
  state: ReservedState,
  job: JobRecord,
  { verb, cause }: EnforcementAction,
  atMs: number,
): JobRecord {
  const { enforced = NOT_ENFORCED } = job;
  switch (verb) {
    case "release":
      return letGo(state, job, { ...enforced, isHeld: false });
    case "hold":
      return heldBack(state, job, { ...enforced, isHeld: true });
    case "resume":
      return resumed(state, job, { ...enforced, isStopped: false });
    case "suspend": {
      const stoppedFor = cause.kind === "roomFor" ? [...enforced.stoppedFor, cause.job] : enforced.stoppedFor;
      const stopped = { ...enforced, isStopped: true, stops: enforced.stops + 1, stoppedFor };
      return suspended(state, job, stopped, atMs);
    }
    case "requeue":
    case "raise":
    case "lower":
      assert(false, `a managed site has no use for ${verb}`);
      return job;
    default:
      return unreachable(verb);
  }
}

function letGo(state: ReservedState, job: JobRecord, enforced: EnforcedState): JobRecord {
  if (job.state === "SCHEDULED") {
    note(queueOf(state, job), { kind: "release", job: job.id });
    markUnsettled(state, job);
  }
  return { ...job, enforced };
}

function heldBack(state: ReservedState, job: JobRecord, enforced: EnforcedState): JobRecord {
  if (job.state === "SCHEDULED") {
    note(queueOf(state, job), { kind: "hold", job: job.id });
    markUnsettled(state, job);
  }
  return { ...job, enforced };
}

function resumed(state: ReservedState, job: JobRecord, enforced: EnforcedState): JobRecord {
  note(queueOf(state, job), { kind: "resume", job: job.id });
  markUnsettled(state, job);
  return { ...job, state: "SCHEDULED", startDecidedAtMs: null, enforced };
}

function suspended(state: ReservedState, job: JobRecord, enforced: EnforcedState, atMs: number): JobRecord {
  const spec = state.sites.get(job.site ?? "")?.spec;
  assert(spec !== undefined, "what is suspended is at a site that is known");
  note(queueOf(state, job), { kind: "suspend", job: job.id });
  markUnsettled(state, job);
  return { ...job, ...suspendedPart(job, spec, atMs), enforced };
}
