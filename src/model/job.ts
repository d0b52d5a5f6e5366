/**
 * A job as the broker keeps it, computed from its events.
 */
import type { JobDescription } from "./job-description.ts";
import type { JobTicket } from "./ticket.ts";

/**
 * Where a job is in its life. WAITING: no site yet; READY: being handed over to a foreign site;
 * SCHEDULED: in a site's queue; HELD and SUSPENDED
 * stand beside the line; a program that ends, with whatever exit code, is DONE.
 */
export type JobState =
  | "WAITING"
  | "READY"
  | "SCHEDULED"
  | "RUNNING"
  | "DONE"
  | "ABORTED"
  | "CANCELLED"
  | "HELD"
  | "SUSPENDED";

/** Every state, in the order of a life. */
export const JOB_STATES: readonly JobState[] = [
  "WAITING",
  "READY",
  "SCHEDULED",
  "RUNNING",
  "SUSPENDED",
  "HELD",
  "DONE",
  "ABORTED",
  "CANCELLED",
];

/** Whether nothing can happen to a job in this state any more. */
export function isFinal(state: JobState): boolean {
  return state === "DONE" || state === "ABORTED" || state === "CANCELLED";
}

/** Why a job was ABORTED: it could not be run, through no exit code of its own. */
export type AbortReason =
  | { readonly kind: "launchFailed"; readonly detail: string }
  | { readonly kind: "lost"; readonly detail: string };

/** Why a job was cancelled that nobody asked to cancel. */
export type CancelCause =
  | "reservationEnded"
  /** It was not running when its program was to begin. */
  | "startMissed";

/** What the enforcer of a site has done to a job there. */
export interface EnforcedState {
  /** It is not let into the site's queue yet. */
  readonly isHeld: boolean;
  /** It was suspended by the enforcer, at nobody's request. */
  readonly isStopped: boolean;
  /** How often that happened. */
  readonly stops: number;
  /** The jobs that it made room for. */
  readonly stoppedFor: readonly string[];
  /** Somebody has undone what was done to it: it is left alone from then on. */
  readonly isExempt: boolean;
}

/** What no enforcer has touched. */
export const NOT_ENFORCED: EnforcedState = {
  isHeld: false,
  isStopped: false,
  stops: 0,
  stoppedFor: [],
  isExempt: false,
};

/** What was said of a site when it was chosen among several for a job, and what came of it. */
export interface RecommendedPlace {
  /** Whether the job would be honoured there at once, or later. */
  readonly honoured: "now" | "later";
  /** By when it is let in, or has started; Unix ms. */
  readonly byMs: number;
  /** It is enough that the site's enforcer lets it in. */
  readonly isByLetIn: boolean;
  /** `void`: somebody held or cancelled it, or called it back, before that could be told. */
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
  /** What each has paid for its delay, in processor-milliseconds. */
  readonly by: readonly { readonly reservation: string; readonly procMs: number }[];
}

/** A job, with what has become of it. Times are Unix ms. */
export interface JobRecord {
  readonly id: string;
  readonly state: JobState;
  readonly description: JobDescription;
  /** What the files that go with it have in all; nothing where absent. */
  readonly inputBytes?: number;
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
  /** A foreign site's own id for the present attempt, once it is in its queue. */
  readonly siteJob: string | null;
  /** When the present attempt was decided to start, and when its process ran. */
  readonly startDecidedAtMs: number | null;
  readonly startedAtMs: number | null;
  /** What was left of its planned time when it was last suspended; null if it never was. */
  readonly restMs: number | null;
  readonly endedAtMs: number | null;
  /** Of a job that is DONE: `imitated` where nothing ran, `ok` with exit code 0, else `failed`. */
  readonly result: "ok" | "failed" | "imitated" | null;
  readonly exitCode: number | null;
  /** The signal that ended it, where one did. */
  readonly signal: string | null;
  /** Whether it ran into its time limit. */
  readonly isTimeLimit: boolean;
  readonly cpuMs: number | null;
  /** It is to be cancelled while it runs; it ends as CANCELLED. */
  readonly isCancelRequested: boolean;
  /** Of one that is to be cancelled, where it was nobody who asked for it. */
  readonly cancelCause?: CancelCause;
  /** Its reservation ended before it began: it is called back from its site, to wait anew. */
  readonly isRecalled?: boolean;
  /** What the enforcer of its site has done to it, where it has done anything. */
  readonly enforced?: EnforcedState;
  /** When it ran before it was suspended, each time. */
  readonly earlierRuns?: readonly PastRun[];
  readonly abortReason: AbortReason | null;
  /** While it waits: whose reservations were priced to delay it. */
  readonly delayed?: PricedDelays;
  /** The ticket that it was taken under, where there is one. */
  readonly ticket?: JobTicket;
  /** Of the present attempt, where its site was chosen among several. */
  readonly recommended?: RecommendedPlace;
}

/** `job/attempt`: the name of one try at a site. */
export function attemptToken(job: string, attempt: number): string {
  return `${job}/${attempt}`;
}

/** What can be asked of a job that is there. */
export type JobVerb = "cancel" | "hold" | "release" | "suspend" | "resume";

/** How an attempt ended, as its site reported it. */
export interface AttemptEnd {
  readonly cause: "exited" | "signalled" | "timeLimit" | "cancelled" | "launchFailed" | "lost";
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly cpuMs: number | null;
  readonly detail: string | null;
  /** Nothing ran: its site imitates jobs. */
  readonly isImitated?: true;
}
