/**
 * Everything that happens, as immutable facts in the past tense.
 *
 * Kinds are only ever added; a changed meaning is a new version. What an event does to the state is in
 * the engine's projection and nowhere else.
 */
import type { Discipline } from "./discipline.ts";
import type { JobDescription } from "./job-description.ts";
import type { Role, Scope } from "./token.ts";

/** What a managed site offers: this machine. Amounts in the order of the site machine's columns. */
export interface ManagedSiteSpec {
  readonly type: "managed";
  readonly procs: number;
  readonly memoryBytes: number;
  readonly discipline: Discipline;
  /** The time limit of jobs that name none. */
  readonly defaultWallTimeMs: number;
}

/** How an attempt ended, as its site reported it. */
export interface AttemptEnd {
  readonly cause: "exited" | "signalled" | "timeLimit" | "cancelled" | "launchFailed" | "lost";
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly cpuMs: number | null;
  readonly detail: string | null;
}

/** A request that was not allowed. */
export interface DeniedRequest {
  /** The owner that the request made known; null where it made nobody known. */
  readonly who: string | null;
  readonly method: string;
  /** As the server knows it, `/jobs/:id`: nothing that a caller wrote. */
  readonly route: string;
  /** A code: `notAllowed`, `tokenExpired`, … */
  readonly why: string;
  /** How many were denied since the one recorded before, and only counted. */
  readonly unrecorded: number;
}

/** A fact. `atMs` is Unix time. */
export type StintEvent = { readonly atMs: number } & (
  | { readonly kind: "siteAdded"; readonly site: string; readonly spec: ManagedSiteSpec }
  | {
      readonly kind: "jobAccepted";
      readonly job: string;
      readonly description: JobDescription;
      readonly consumer: string;
      readonly owner: string;
    }
  /** A decision: into which site's queue a job goes. */
  | { readonly kind: "jobPlaced"; readonly job: string; readonly attempt: number; readonly site: string }
  /** A decision: the site's queue was looked at, and these attempts start. */
  | { readonly kind: "queueSettled"; readonly site: string; readonly starts: readonly string[] }
  | { readonly kind: "jobHeld" | "jobReleased" | "jobSuspended" | "jobResumed"; readonly job: string }
  | { readonly kind: "cancelRequested" | "jobCancelled"; readonly job: string }
  | { readonly kind: "attemptRunning"; readonly job: string; readonly attempt: number }
  | {
      readonly kind: "attemptEnded";
      readonly job: string;
      readonly attempt: number;
      readonly end: AttemptEnd;
    }
  /** The hash is of the secret, which is never recorded. `site` is of site admins only. */
  | {
      readonly kind: "tokenCreated";
      readonly token: string;
      readonly hash: string;
      readonly role: Role;
      readonly consumer: string;
      readonly site: string | null;
      readonly scopes: readonly Scope[];
      readonly label: string;
      readonly createdBy: string;
      readonly expiresAtMs: number;
    }
  | { readonly kind: "tokenRevoked"; readonly token: string; readonly by: string }
  | ({ readonly kind: "requestDenied" } & DeniedRequest)
);

/** The kinds of events, each with the version of its schema that is written today. */
export const EVENT_VERSIONS: Readonly<Record<StintEvent["kind"], number>> = {
  siteAdded: 1,
  jobAccepted: 1,
  jobPlaced: 1,
  queueSettled: 1,
  jobHeld: 1,
  jobReleased: 1,
  jobSuspended: 1,
  jobResumed: 1,
  cancelRequested: 1,
  jobCancelled: 1,
  attemptRunning: 1,
  attemptEnded: 1,
  tokenCreated: 1,
  tokenRevoked: 1,
  requestDenied: 1,
};
