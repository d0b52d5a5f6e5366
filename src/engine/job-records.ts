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
    ...(event.part === undefined ? {} : { part: event.part }),
    ...(event.inputs === undefined ? {} : { inputs: event.inputs }),
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
  const facts = runFactsOf(end);
  if (cause === "cancelled") return { state: "CANCELLED", exitCode, signal, cpuMs, ...facts };
  if (cause === "launchFailed" || cause === "lost") {
    return { state: "ABORTED", cpuMs, abortReason: { kind: cause, detail: end.detail ?? "" } };
  }
  const told = cause === "exited" && exitCode === 0 ? "ok" : "failed";
  const result = isImitated ? "imitated" : told;
  return { state: "DONE", result, exitCode, signal, cpuMs, isTimeLimit: cause === "timeLimit", ...facts };
}

function runFactsOf(end: AttemptEnd): Pick<JobRecord, "runFacts"> {
  const { failedStage, peakMemoryBytes, readBytes, writtenBytes } = end;
  const runFacts = {
    ...(failedStage === undefined ? {} : { failedStage }),
    ...(peakMemoryBytes === undefined ? {} : { peakMemoryBytes }),
    ...(readBytes === undefined ? {} : { readBytes }),
    ...(writtenBytes === undefined ? {} : { writtenBytes }),
  };
  return Object.keys(runFacts).length === 0 ? {} : { runFacts };
}

/** Cause of a cancellation that nobody requested. */
export function causeOf({ cause }: { readonly cause?: CancelCause }) {
  return cause === undefined ? {} : { cancelCause: cause };
}

/** The system's limit on retries of either kind; a site sets none. */
export const MOST_RETRIES = 10;

/** Whether an attempt that its site lost, or could not begin, is repeated (rule EN-183). */
export function retryOf(job: JobRecord, end: AttemptEnd): { readonly retry?: "deep" | "shallow" } {
  const retry = retryKind(job, end);
  return retry === undefined ? {} : { retry };
}

function retryKind(job: JobRecord, { cause }: AttemptEnd): "deep" | "shallow" | undefined {
  if ((cause !== "lost" && cause !== "launchFailed") || job.isCancelRequested || job.ticket !== undefined) {
    return undefined;
  }
  const { retryCount = 0, shallowRetryCount = 0, reservation, virtual } = job.description;
  if (reservation !== undefined || virtual !== undefined) return undefined;
  const { deep = 0, shallow = 0 } = job.retried ?? {};
  if (job.startedAtMs !== null) return deep < Math.min(retryCount, MOST_RETRIES) ? "deep" : undefined;
  return shallow < Math.min(shallowRetryCount, MOST_RETRIES) ? "shallow" : undefined;
}

/** A job whose attempt failed and is repeated. */
export function retriedJob(job: JobRecord, retry: "deep" | "shallow"): JobRecord {
  const { deep = 0, shallow = 0, at = [], ...others } = job.retried ?? {};
  const isDeep = retry === "deep";
  const sites = job.site === null || at.includes(job.site) ? at : [...at, job.site];
  const retried = { deep: deep + (isDeep ? 1 : 0), shallow: shallow + (isDeep ? 0 : 1), at: sites };
  return { ...job, retried: { ...others, ...retried } };
}

/** Called back from its site, and not wanted back by anybody else. */
export function cameBack(
  { isRecalled = false, isCancelRequested, startedAtMs }: JobRecord,
  { cause }: AttemptEnd,
) {
  return isRecalled && !isCancelRequested && startedAtMs === null && cause === "cancelled";
}
