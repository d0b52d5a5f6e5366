/**
 * A job as the broker keeps it, computed from its events.
 */
import type { JobChange } from "./job-change.ts";
import type { JobDescription } from "./job-description.ts";
import type { JobState, RetiredJob } from "./job-state.ts";
import type { StepRange } from "./steps.ts";
import type { JobTicket } from "./ticket.ts";

/** Why a job was ABORTED: it could not be run, through no exit code of its own. */
export type AbortReason =
  | { readonly kind: "launchFailed"; readonly detail: string }
  | { readonly kind: "lost"; readonly detail: string }
  /** No site was found for it by its expiry time. */
  | { readonly kind: "expired"; readonly detail: string }
  /** The queue time was over before it had begun, and no retry was left. */
  | { readonly kind: "waitedTooLong"; readonly detail: string };

/** Attempts that failed through no fault of the job, and were repeated. */
interface RetriedAttempts {
  /** Failures after the program had started, and before. */
  readonly deep: number;
  readonly shallow: number;
  /** Sites of the failures; others are preferred. */
  readonly at: readonly string[];
  /** Amounts that were too small, and what it got instead, in their order; absent: none. */
  readonly larger?: readonly LargerAmount[];
  /** Attempts that saved their state and asked for a further one; absent: none. */
  readonly resumed?: number;
}

/** A larger amount of a job that died for lack of it: bytes of memory, or ms of its limit. */
export interface LargerAmount {
  readonly of: "memory" | "time";
  /** Null where it asked for none. */
  readonly from: number | null;
  readonly to: number;
}

/** Cause of a cancellation that nobody requested. */
export type CancelCause =
  | "reservationEnded"
  /** The job was not running when its program was to start. */
  | "startMissed"
  /** A job that it depends on has ended otherwise. */
  | "dependencyFailed"
  /** A node of its DAG has ended the whole. */
  | "dagAborted";

/** Effect of a site's enforcer on a job. */
export interface EnforcedState {
  /** True while it is not admitted to the site's queue. */
  readonly isHeld: boolean;
  /** True while it is suspended by the enforcer, not by a request. */
  readonly isStopped: boolean;
  /** Number of suspensions by the enforcer. */
  readonly stops: number;
  /** The jobs that it made room for. */
  readonly stoppedFor: readonly string[];
  /** True after a user has reverted the enforcement: the enforcer ignores the job from then on. */
  readonly isExempt: boolean;
}

/** State of a job without enforcement. */
export const NOT_ENFORCED: EnforcedState = {
  isHeld: false,
  isStopped: false,
  stops: 0,
  stoppedFor: [],
  isExempt: false,
};

/** Prediction for a site when it was chosen among several for a job, and its outcome. */
export interface RecommendedPlace {
  /** Admission there at once, or later. */
  readonly honoured: "now" | "later";
  /** By when it is let in, or has started; Unix ms. */
  readonly byMs: number;
  /** True where admission by the site's enforcer fulfils the prediction. */
  readonly isByLetIn: boolean;
  /** `void`: the job was held, cancelled or recalled before the outcome. */
  readonly outcome: "open" | "kept" | "missed" | "void";
}

/** A stretch of time in which a job ran. Unix ms. */
export interface PastRun {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Reservations in front of a job that waits, and when it was to start before the first of them. */
interface PricedDelays {
  readonly plannedMs: number;
  /** Payments for its delay, in processor-milliseconds. */
  readonly by: readonly { readonly reservation: string; readonly procMs: number }[];
}

/** States of a replica of a waiting job. */
export const REPLICA_STATES = ["WAITING", "GRANTED", "NOT_BEGUN"] as const;

/** Why a replica did not begin. `lost`: it ended at its site without having got the grant. */
export const REPLICA_ENDS = ["otherBegins", "jobChanged", "jobOver", "denied", "lost"] as const;

/** A place in a site's queue of a job that waits at several sites. Unix ms. */
export interface WaitingReplica {
  /** Job that holds the place in a cluster's queue; null: the job itself, at a managed site. */
  readonly holder: string | null;
  readonly site: string;
  readonly state: (typeof REPLICA_STATES)[number];
  readonly queuedAtMs: number;
  /** Instant of the grant, or from which on it can no longer begin; null while it waits. */
  readonly endedAtMs: number | null;
  /** Of one that did not begin. */
  readonly why?: (typeof REPLICA_ENDS)[number];
}

/** A node of a DAG, by the DAG's id and the node's place and name. */
export interface JobPart {
  readonly id: string;
  readonly index: number;
  readonly name: string;
  /** Steps that it runs, as a part of a partitionable job. */
  readonly steps?: StepRange;
}

/** A job, with what has become of it. Times are Unix ms. */
export interface JobRecord {
  readonly id: string;
  readonly state: JobState;
  readonly description: JobDescription;
  /** Total size of its input files; absent: none. */
  readonly inputBytes?: number;
  readonly inputs?: InputHashes;
  /** The array that it is a job of. */
  readonly array?: { readonly id: string; readonly index: number };
  /** The node that it is a job of, of a DAG. */
  readonly part?: JobPart;
  /** The consumer path it counts against: `vo/group/user`. */
  readonly consumer: string;
  /** The stable id of who submitted it. */
  readonly owner: string;
  readonly submittedAtMs: number;
  /** 1, 2, 3 … in order of acceptance. */
  readonly order: number;
  /** 1, 2 … once it was put into a site's queue; 0 before. */
  readonly attempt: number;
  readonly site: string | null;
  /** The queue that it names at its site; absent: the site's choice. */
  readonly queue?: string;
  /** A foreign site's own id for the present attempt, once it is in its queue. */
  readonly siteJob: string | null;
  /** When the present attempt was decided to start, and when its process ran. */
  readonly startDecidedAtMs: number | null;
  readonly startedAtMs: number | null;
  /** Pilot to which the current attempt is assigned; absent: none. */
  readonly pilot?: string;
  /** Local account under which the pilot runs the job; absent: the pilot's own account. */
  readonly account?: string;
  /** Numbers of its GPUs at a managed site; absent: none. */
  readonly gpuDevices?: readonly number[];
  /** Rest of its planned time at its last suspension; null if it was never suspended. */
  readonly restMs: number | null;
  readonly endedAtMs: number | null;
  /** Of a job that is DONE: `imitated` where nothing ran, `ok` with exit code 0, else `failed`. */
  readonly result: "ok" | "failed" | "imitated" | null;
  readonly exitCode: number | null;
  /** The signal that ended it, where one did. */
  readonly signal: string | null;
  /** True where it reached its time limit. */
  readonly isTimeLimit: boolean;
  readonly cpuMs: number | null;
  /** Of the last run; absent while it is not over. */
  readonly runFacts?: RunFacts;
  /** True for a running job cancellation requested; it ends as CANCELLED. */
  readonly isCancelRequested: boolean;
  /** Cause of a cancellation that nobody requested. */
  readonly cancelCause?: CancelCause;
  /** True where its reservation ended before its start: it is recalled from its site, and waits again. */
  readonly isRecalled?: boolean;
  /** Instant at which it leaves the queue of its site, unless it has begun; absent: it stays. */
  readonly leaveAtMs?: number;
  /** True while it leaves that queue: a cluster holds it first, so that it cannot begin meanwhile. */
  readonly isLeaving?: boolean;
  /** Change that takes effect when it has left the queue of its site; dropped if it starts there. */
  readonly pendingChange?: JobChange;
  /** Effect of its site's enforcer; absent: none. */
  readonly enforced?: EnforcedState;
  /** Runs before each of its suspensions. */
  readonly earlierRuns?: readonly PastRun[];
  readonly abortReason: AbortReason | null;
  /** Clearing and purging of the job after its end; absent: neither has happened. */
  readonly retired?: RetiredJob;
  /** Of a job that saves states: its last attempt that ran before, and whether it asked for a further one. */
  readonly ranBefore?: { readonly attempt: number; readonly site: string; readonly hasAsked?: true };
  /** Attempts that were repeated; absent: none. */
  readonly retried?: RetriedAttempts;
  /** While it waits: whose reservations were priced to delay it. */
  readonly delayed?: PricedDelays;
  /** Dependencies that are not met yet; none where absent. */
  readonly waitsFor?: readonly string[];
  /** The dependency that can no longer be met, where there is one. */
  readonly neverAfter?: string;
  /** Replicas of its latest attempts, oldest first; absent: none. */
  readonly replicas?: readonly WaitingReplica[];
  /** The ticket that it was taken under, where there is one. */
  readonly ticket?: JobTicket;
  /** Of the present attempt, where its site was chosen among several. */
  readonly recommended?: RecommendedPlace;
}

/** `job/attempt`: the name of one try at a site. */
export function attemptToken(job: string, attempt: number): string {
  return `${job}/${attempt}`;
}

/** Operations on an existing job. */
export type JobVerb = "cancel" | "hold" | "release" | "suspend" | "resume";

/** SHA-256 of the input files of a job, as they were when it was submitted. */
export interface InputHashes {
  /** Of all of them: of the lines of `sha256sum`, sorted by name. */
  readonly digest: string;
  /** Of each one by its name in the job's directory; absent where there are many. */
  readonly files?: Readonly<Record<string, string>>;
}

/** Parts of a job's run, in their order. */
export const JOB_STAGES = ["prologue", "program", "epilogue", "output"] as const;

/** Measurements of a run by its site; those that the site did not take are absent. */
export interface RunFacts {
  /** The part that failed, or in which the job was ended. */
  readonly failedStage?: (typeof JOB_STAGES)[number];
  /** Greatest resident memory that was seen of its processes together. */
  readonly peakMemoryBytes?: number;
  /** Read from storage and written to it. */
  readonly readBytes?: number;
  readonly writtenBytes?: number;
}

/** End of an attempt, as reported by its site. */
export interface AttemptEnd extends RunFacts {
  readonly cause: "exited" | "signalled" | "timeLimit" | "cancelled" | "launchFailed" | "lost";
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly cpuMs: number | null;
  readonly detail: string | null;
  /** Nothing ran: its site imitates jobs. */
  readonly isImitated?: true;
  /** The site ended it for lack of this. */
  readonly shortOf?: "memory";
  /** The node of the site on which it was; absent: several, or the site names none. */
  readonly node?: string;
}

/** True for the end of a program that saved its state and asks for a further attempt (rule EN-186). */
export function asksToResume(
  { description: { checkpointExitCode } }: Pick<JobRecord, "description">,
  { cause, exitCode }: Pick<AttemptEnd, "cause" | "exitCode">,
): boolean {
  return cause === "exited" && checkpointExitCode !== undefined && exitCode === checkpointExitCode;
}
