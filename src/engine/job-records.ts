/**
 * The records of jobs as they are at their beginning, and at their end.
 */
import {
  type AttemptEnd,
  type CancelCause,
  type JobRecord,
  type StintEvent,
  ticketName,
} from "../model/index.ts";

/** A job that has not started, or whose start counts for nothing any more. */
export const NOT_STARTED = { startedAtMs: null, startDecidedAtMs: null, restMs: null } as const;

/** A job that was just accepted. @param order 1, 2, 3 … */
export function acceptedJob(event: Extract<StintEvent, { kind: "jobAccepted" }>, order: number): JobRecord {
  return {
    id: event.job,
    state: "WAITING",
    description: event.description,
    ...(event.inputBytes === undefined ? {} : { inputBytes: event.inputBytes }),
    consumer: event.consumer,
    owner: event.owner,
    submittedAtMs: event.atMs,
    order,
    attempt: 0,
    site: null,
    siteJob: null,
    startDecidedAtMs: null,
    startedAtMs: null,
    restMs: null,
    endedAtMs: null,
    result: null,
    exitCode: null,
    signal: null,
    isTimeLimit: false,
    cpuMs: null,
    isCancelRequested: false,
    abortReason: null,
    ...ticketOf(event),
  };
}

function ticketOf({ ticket: held }: Extract<StintEvent, { kind: "jobAccepted" }>): Pick<JobRecord, "ticket"> {
  if (held === undefined) return {};
  const { ticket, heldMs } = held;
  const { vo, site, resource, untilMs } = ticket;
  return { ticket: { name: ticketName(ticket), vo, site, resource, untilMs, heldMs } };
}

/** Record changes at the end of an attempt. */
export function outcomeOf(end: AttemptEnd): Partial<JobRecord> {
  const { cause, exitCode, signal, cpuMs, isImitated = false } = end;
  if (cause === "cancelled") return { state: "CANCELLED", exitCode, signal, cpuMs };
  if (cause === "launchFailed" || cause === "lost") {
    return { state: "ABORTED", cpuMs, abortReason: { kind: cause, detail: end.detail ?? "" } };
  }
  const told = cause === "exited" && exitCode === 0 ? "ok" : "failed";
  const result = isImitated ? "imitated" : told;
  return { state: "DONE", result, exitCode, signal, cpuMs, isTimeLimit: cause === "timeLimit" };
}

/** Cause of a cancellation that nobody requested. */
export function causeOf({ cause }: { readonly cause?: CancelCause }) {
  return cause === undefined ? {} : { cancelCause: cause };
}

/** Called back from its site, and not wanted back by anybody else. */
export function cameBack(
  { isRecalled = false, isCancelRequested, startedAtMs }: JobRecord,
  { cause }: AttemptEnd,
) {
  return isRecalled && !isCancelRequested && startedAtMs === null && cause === "cancelled";
}
