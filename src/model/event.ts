/**
 * Everything that happens, as immutable facts in the past tense.
 *
 * Kinds are only ever added; a changed meaning is a new version. What an event does to the state is in
 * the engine's projection and nowhere else.
 */
import type { CancelCause, RecommendedPlace } from "./job.ts";
import type { JobDescription } from "./job-description.ts";
import type { MeasuredTransfers } from "./measured-transfers.ts";
import type { OrderedShareChange, ShareChangeOutcome } from "./native-shares.ts";
import type { DispatchedJob } from "./peer.ts";
import type { EnforcementAction, EnforcementReport, Policy } from "./policy.ts";
import type { PostingKind, PostingRecord } from "./reservation.ts";
import type { ReservationFact } from "./reservation-event.ts";
import type { SiteSpec } from "./site-spec.ts";
import type { PresentedTicket } from "./ticket.ts";
import type { Role, Scope } from "./token.ts";
import type { VoSettings } from "./vo.ts";

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
  | { readonly kind: "siteAdded" | "siteChanged"; readonly site: string; readonly spec: SiteSpec }
  /** No new job goes there; those that are there go on. */
  | { readonly kind: "siteDrained" | "siteReopened"; readonly site: string; readonly by: string }
  /** No job of ours is there, and none comes any more; its name is free. */
  | { readonly kind: "siteRemoved"; readonly site: string; readonly by: string }
  | {
      readonly kind: "jobAccepted";
      readonly job: string;
      readonly description: JobDescription;
      readonly consumer: string;
      readonly owner: string;
      /** What the files that go with it have in all; nothing where absent. */
      readonly inputBytes?: number;
      /** What it came with, and how much of it it holds in amount·ms; absent where with none. */
      readonly ticket?: PresentedTicket & { readonly heldMs: number };
    }
  /** A decision: no site takes these now; they wait until one opens. */
  | { readonly kind: "jobsParked"; readonly jobs: readonly string[] }
  /** A decision: into which site's queue a job goes. */
  | {
      readonly kind: "jobPlaced";
      readonly job: string;
      readonly attempt: number;
      readonly site: string;
      /** Where the site was chosen among several: what was said of it, to be scored. */
      readonly recommended?: RecommendedPlace;
    }
  /** A decision: the site's queue was looked at, and these attempts start. */
  | { readonly kind: "queueSettled"; readonly site: string; readonly starts: readonly string[] }
  | { readonly kind: "jobHeld" | "jobReleased" | "jobSuspended" | "jobResumed"; readonly job: string }
  /** `cause` where it was nobody who asked for it. */
  | {
      readonly kind: "jobCancelled" | "cancelRequested";
      readonly job: string;
      readonly cause?: CancelCause;
    }
  /** A decision: the job of a virtual reservation leaves its place, and runs in the priced one instead. */
  | { readonly kind: "virtualGivenUp"; readonly job: string; readonly instead: string }
  /** It is in the queue of a foreign site, held until this was recorded. */
  | {
      readonly kind: "attemptQueued";
      readonly job: string;
      readonly attempt: number;
      readonly siteJob: string;
    }
  | { readonly kind: "attemptRunning"; readonly job: string; readonly attempt: number }
  /** What a foreign site did of its own accord, or at last did of what it was asked for. */
  | {
      readonly kind:
        | ("attemptHeld" | "attemptReleased" | "attemptSuspended" | "attemptResumed")
        /** It was ended and put back into the queue; its program will be begun anew. */
        | "attemptRequeued";
      readonly job: string;
      readonly attempt: number;
    }
  /** A second job with the token of an attempt: it is not ours to keep, and is cancelled. */
  | {
      readonly kind: "strayFound";
      readonly job: string;
      readonly attempt: number;
      readonly site: string;
      readonly siteJob: string;
    }
  | {
      readonly kind: "attemptEnded";
      readonly job: string;
      readonly attempt: number;
      readonly end: AttemptEnd;
    }
  | ReservationFact
  /** These policies hold from an instant on, instead of all that held before. */
  | {
      readonly kind: "policiesApplied";
      /** 1, 2, 3 … */
      readonly version: number;
      readonly policies: readonly Policy[];
      readonly effectiveFromMs: number;
      readonly by: string;
      readonly note: string;
    }
  /** A broker elsewhere keeps the policies for these sites, and has taken over a version. */
  | {
      readonly kind: "policiesFollowed";
      readonly follower: string;
      readonly sites: readonly string[];
      readonly version: number | null;
      readonly by: string;
    }
  | { readonly kind: "policiesUnfollowed"; readonly follower: string; readonly by: string }
  /** Another broker has told what it has sent to clusters: what came since it told last, and what went. */
  | {
      readonly kind: "peerHeard";
      readonly peer: string;
      /** By its own clock. */
      readonly asOfMs: number;
      readonly came: readonly DispatchedJob[];
      /** Their ids. */
      readonly gone: readonly string[];
      /** How many more it has than it tells. */
      readonly leftOut: number;
      readonly by: string;
    }
  | { readonly kind: "peerForgotten"; readonly peer: string; readonly by: string }
  /** A decision: what a site's enforcer does to jobs, each with its cause. */
  | { readonly kind: "enforced"; readonly site: string; readonly actions: readonly EnforcementAction[] }
  /** What a foreign site's batch system was told, literally, and for which jobs it refused. */
  | ({ readonly kind: "enforcementAnswered" } & EnforcementReport)
  /** A decision: what it would do if it were allowed to; told once, as long as it stays so. */
  | {
      readonly kind: "enforcementAdvised";
      readonly site: string;
      readonly actions: readonly EnforcementAction[];
    }
  /** The enforcer lets go of all that it holds, and does nothing; it goes on. */
  | {
      readonly kind: "enforcementPaused" | "enforcementContinued";
      readonly site: string;
      readonly by: string;
    }
  /** What it did to a job is reversed, and the job is left alone. */
  | {
      readonly kind: "enforcementUndone";
      readonly site: string;
      readonly job: string;
      readonly by: string;
    }
  /** What an attempt that is over has left at its site was counted; `files` is its token. */
  | { readonly kind: "filesCounted"; readonly files: string; readonly site: string; readonly bytes: number }
  /** That was removed, since somebody asked for it. */
  | { readonly kind: "filesCleared"; readonly files: string; readonly site: string; readonly by: string }
  | ({ readonly kind: "transfersMeasured" } & MeasuredTransfers)
  /** What a virtual organisation wants done with its own jobs. */
  | ({ readonly kind: "voChanged"; readonly by: string } & VoSettings)
  /** A cluster's own shares are to be changed: with what takes each change back, before anything is run. */
  | {
      readonly kind: "sharesOrdered";
      readonly site: string;
      readonly by: string;
      readonly changes: readonly Pick<OrderedShareChange, "id" | "change">[];
    }
  /** They are to be taken back, in this order; `isForced`: whoever has changed them since. */
  | {
      readonly kind: "sharesTakeBackOrdered";
      readonly site: string;
      readonly by: string;
      readonly changes: readonly string[];
      readonly isForced: boolean;
    }
  /** What came of such changes, as the cluster then stood. */
  | {
      readonly kind: "sharesAnswered";
      readonly site: string;
      readonly outcomes: readonly ShareChangeOutcome[];
    }
  /** Money moved at a site. */
  | ({ readonly kind: "posted" } & Omit<PostingRecord, "atMs" | "kind"> & { readonly what: PostingKind })
  /** A job leaves its ticket, by its end or that of the window, having used so much of it, in amount·ms. */
  | {
      readonly kind: "ticketDebited";
      readonly ticket: string;
      readonly job: string;
      readonly site: string;
      readonly amountMs: number;
      readonly why: "ended" | "windowOver";
    }
  | {
      readonly kind: "ticketKeyTrusted";
      readonly key: string;
      readonly vo: string;
      readonly publicKey: string;
      readonly label: string;
      readonly by: string;
    }
  | { readonly kind: "ticketKeyRevoked"; readonly key: string; readonly by: string }
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
  /** `why` where nobody asked for this token: its site was removed. */
  | { readonly kind: "tokenRevoked"; readonly token: string; readonly by: string; readonly why?: string }
  | ({ readonly kind: "requestDenied" } & DeniedRequest)
);

/** The kinds of events, each with the version of its schema that is written today. */
export const EVENT_VERSIONS: Readonly<Record<StintEvent["kind"], number>> = {
  siteAdded: 1,
  siteChanged: 1,
  siteDrained: 1,
  siteReopened: 1,
  siteRemoved: 1,
  jobAccepted: 2,
  jobsParked: 1,
  jobPlaced: 1,
  queueSettled: 1,
  jobHeld: 1,
  jobReleased: 1,
  jobSuspended: 1,
  jobResumed: 1,
  cancelRequested: 1,
  virtualGivenUp: 1,
  jobCancelled: 1,
  attemptQueued: 1,
  attemptRunning: 1,
  attemptHeld: 1,
  attemptReleased: 1,
  attemptSuspended: 1,
  attemptResumed: 1,
  attemptRequeued: 1,
  strayFound: 1,
  attemptEnded: 1,
  slotOffered: 1,
  offerAccepted: 1,
  offerLapsed: 1,
  offerWithdrawn: 1,
  reservationMade: 1,
  reservationBegan: 1,
  reservationFulfilled: 1,
  reservationCancelled: 1,
  reservationRelinquished: 1,
  reservationExtended: 1,
  extensionRefused: 1,
  reservationDebited: 1,
  reservationViolated: 1,
  reservationSettled: 1,
  policiesApplied: 1,
  policiesFollowed: 1,
  policiesUnfollowed: 1,
  peerHeard: 1,
  peerForgotten: 1,
  enforced: 1,
  enforcementAnswered: 1,
  enforcementAdvised: 1,
  enforcementPaused: 1,
  enforcementContinued: 1,
  enforcementUndone: 1,
  sharesOrdered: 1,
  sharesTakeBackOrdered: 1,
  sharesAnswered: 1,
  filesCounted: 1,
  filesCleared: 1,
  transfersMeasured: 1,
  voChanged: 1,
  posted: 1,
  ticketDebited: 1,
  ticketKeyTrusted: 1,
  ticketKeyRevoked: 1,
  tokenCreated: 1,
  tokenRevoked: 1,
  requestDenied: 1,
};
