/**
 * The records of jobs as they are at their beginning, and at their end.
 */
import {
  type AttemptEnd,
  asksToResume,
  type CancelCause,
  hasCheckpoints,
  type JobRecord,
  type StintEvent,
  ticketName,
} from "../model/index.ts";
import type { EventOf } from "./feature.ts";

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

/** Times that a job that says nothing of it is sent to another site after one that could not begin it. */
const USUAL_SHALLOW_RETRIES = 3;

/**
 * Whether an attempt that its site lost, or could not begin, is repeated (rules EN-183, EN-187).
 *
 * @param isElsewhere true if another site is left that could take it; absent: nobody knows if it has run
 */
export function retryOf(
  job: JobRecord,
  end: AttemptEnd,
  isElsewhere: () => boolean = () => false,
): { readonly retry?: "deep" | "shallow" | "resumed" } {
  const retry = retryKind(job, end, isElsewhere);
  return retry === undefined ? {} : { retry };
}

/** True if a job that did not begin at its site has used up its retries. */
export function isShallowOver({ retried, description: { shallowRetryCount } }: JobRecord): boolean {
  return (retried?.shallow ?? 0) >= Math.min(shallowRetryCount ?? USUAL_SHALLOW_RETRIES, MOST_RETRIES);
}

function retryKind(
  job: JobRecord,
  end: AttemptEnd,
  isElsewhere: () => boolean,
): "deep" | "shallow" | "resumed" | undefined {
  const { retryCount = 0, shallowRetryCount, reservation, virtual } = job.description;
  const isBound = [reservation, virtual, job.ticket].some((one) => one !== undefined);
  if (isBound || job.isCancelRequested) return undefined;
  const { deep = 0, shallow = 0, resumed = 0 } = job.retried ?? {};
  if (asksToResume(job, end)) return resumed < MOST_RESUMED ? "resumed" : undefined;
  const { cause, failedStage } = end;
  // The end of a pilot is not the payload's fault: it is queued again, whatever number of retries it allows.
  if (cause === "lost" && job.pilot !== undefined) {
    if (deep + shallow >= MOST_RETRIES) return undefined;
    return job.startedAtMs === null ? "shallow" : "deep";
  }
  if (cause !== "lost" && cause !== "launchFailed") return undefined;
  if (job.startedAtMs !== null) return deep < Math.min(retryCount, MOST_RETRIES) ? "deep" : undefined;
  if (isShallowOver(job)) return undefined;
  // A program that cannot be executed is more likely misspelt than to be found at another site.
  const isRecoverable = cause === "lost" || failedStage !== "program";
  return shallowRetryCount !== undefined || (isRecoverable && isElsewhere()) ? "shallow" : undefined;
}

/** So often a job may ask for a further attempt: one that saves nothing new would do so without end. */
const MOST_RESUMED = 1000;

/** A job whose attempt failed and is repeated, or that goes on in a further one. */
export function retriedJob(job: JobRecord, retry: "deep" | "shallow" | "resumed"): JobRecord {
  const before: NonNullable<JobRecord["retried"]> = job.retried ?? { deep: 0, shallow: 0, at: [] };
  if (retry === "resumed") return { ...job, retried: { ...before, resumed: (before.resumed ?? 0) + 1 } };
  const { deep, shallow, at, ...others } = before;
  const isDeep = retry === "deep";
  const sites = job.site === null || at.includes(job.site) ? at : [...at, job.site];
  const retried = { deep: deep + (isDeep ? 1 : 0), shallow: shallow + (isDeep ? 0 : 1), at: sites };
  return { ...job, retried: { ...others, ...retried } };
}

/** A job that saves states, with the attempt that ran as the one from whose last state the next begins. */
export function withRanBefore(job: JobRecord, retry: EventOf<"attemptEnded">["retry"]): JobRecord {
  const { attempt, site, startedAtMs, description } = job;
  if (retry === undefined || startedAtMs === null || site === null) return job;
  if (!hasCheckpoints(description)) return job;
  return { ...job, ranBefore: { attempt, site, ...(retry === "resumed" ? { hasAsked: true } : {}) } };
}

/** Called back from its site, and not wanted back by anybody else. */
export function cameBack(
  { isRecalled = false, isCancelRequested, startedAtMs }: JobRecord,
  { cause }: AttemptEnd,
) {
  return isRecalled && !isCancelRequested && startedAtMs === null && cause === "cancelled";
}
