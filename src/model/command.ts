/**
 * What people ask of the broker, and every "no" that it can answer, as data.
 */
import type { DeniedRequest, StintEvent } from "./event.ts";
import type { JobState } from "./job.ts";
import type { JobDescription } from "./job-description.ts";
import type { MeasuredTransfers } from "./measured-transfers.ts";
import type { ShareChange } from "./native-shares.ts";
import type { DispatchList } from "./peer.ts";
import type { Policy } from "./policy.ts";
import type { PolicyDenial } from "./policy-denial.ts";
import type { ReservationHindrance, ReservationState, WantedSlot } from "./reservation.ts";
import type { SiteSpec } from "./site-spec.ts";
import type { SlotResource } from "./slot-resource.ts";
import type { StoreLimit } from "./stored-files.ts";
import type { PresentedTicket, TicketHindrance } from "./ticket.ts";
import type { Role } from "./token.ts";
import type { VoSettings } from "./vo.ts";

/** A request. Ids are chosen by whoever brings it, so that asking twice can be told from two requests. */
export type Command =
  | { readonly kind: "addSite"; readonly site: string; readonly spec: SiteSpec }
  | { readonly kind: "changeSite"; readonly site: string; readonly spec: SiteSpec }
  | { readonly kind: "drainSite"; readonly site: string; readonly by: string }
  | { readonly kind: "reopenSite"; readonly site: string; readonly by: string }
  | { readonly kind: "removeSite"; readonly site: string; readonly by: string }
  | {
      readonly kind: "submit";
      readonly job: string;
      readonly description: JobDescription;
      readonly consumer: string;
      readonly owner: string;
      /** Whoever asks is known by a token, which opens no files but those below the root for tokens. */
      readonly isByToken?: boolean;
      /** What the files that go with it have in all; nothing where absent. */
      readonly inputBytes?: number;
      /** The description's ticket, whose signature was found right. */
      readonly ticket?: PresentedTicket;
    }
  | { readonly kind: JobVerb; readonly job: string }
  /** Keeps a slot aside for a moment, at its price of now. */
  | ({ readonly kind: "offerSlot" } & OfferRequest)
  /** The same at several sites at the same time: all of them, or none. */
  | { readonly kind: "offerTogether"; readonly together: string; readonly parts: readonly OfferRequest[] }
  | { readonly kind: "acceptOffer"; readonly reservation: string; readonly by: string }
  /** An offer is withdrawn; a reservation that has not begun is cancelled, with its penalty. */
  | { readonly kind: "cancelReservation"; readonly reservation: string; readonly by: string }
  /** An active reservation is given up; what is left of it is given back, less the penalty. */
  | { readonly kind: "relinquish"; readonly reservation: string; readonly by: string }
  | ({ readonly kind: "extendReservation" } & ExtensionRequest)
  /** Gives a consumer SU at a site, or (negative) takes back what was given. */
  | {
      readonly kind: "grant";
      readonly grant: string;
      readonly site: string;
      readonly consumer: string;
      readonly procMs: number;
      readonly by: string;
    }
  /** All policies from then on; at once where `effectiveFromMs` is null or has passed. */
  | {
      readonly kind: "applyPolicies";
      readonly policies: readonly Policy[];
      readonly effectiveFromMs: number | null;
      /** It is applied only on top of this version; null: on top of whichever. */
      readonly onVersion: number | null;
      readonly by: string;
      readonly note: string;
    }
  /** A broker elsewhere keeps the policies: its sites, and the version that it has taken over. */
  | {
      readonly kind: "followPolicies";
      readonly follower: string;
      readonly sites: readonly string[];
      readonly version: number | null;
      readonly by: string;
    }
  | { readonly kind: "unfollowPolicies"; readonly follower: string; readonly by: string }
  /** Another broker has told what it has sent to clusters; it is called so here. */
  | ({ readonly kind: "hearPeer"; readonly peer: string; readonly by: string } & DispatchList)
  | { readonly kind: "forgetPeer"; readonly peer: string; readonly by: string }
  | {
      readonly kind: "pauseEnforcement" | "continueEnforcement";
      readonly site: string;
      readonly by: string;
    }
  /** Records changes of a cluster's own shares before they are made; `order` is what their ids begin with. */
  | {
      readonly kind: "orderShares";
      readonly site: string;
      readonly order: string;
      readonly changes: readonly ShareChange[];
      readonly by: string;
    }
  | {
      readonly kind: "takeBackShares";
      readonly site: string;
      /** Their ids, in the order in which they are taken back. */
      readonly changes: readonly string[];
      readonly isForced: boolean;
      readonly by: string;
    }
  /** Reverses what the enforcer did to a job, and keeps it from doing more. */
  | { readonly kind: "undoEnforcement"; readonly enforcedJob: string; readonly by: string }
  /** Says what an attempt that is over has left at its site; `files` is its token. */
  | { readonly kind: "countFiles"; readonly files: string; readonly bytes: number }
  /** That has been removed. */
  | { readonly kind: "clearFiles"; readonly files: string; readonly site: string; readonly by: string }
  /** Says what passed over the links of a site between two instants, by consumer. */
  | ({ readonly kind: "noteTransfers" } & MeasuredTransfers)
  /** An organisation says how its jobs are placed, and whether whose turn it is. */
  | ({ readonly kind: "changeVo"; readonly by: string } & VoSettings)
  /** From now on tickets that this key has signed for a VO are taken. */
  | {
      readonly kind: "trustTicketKey";
      readonly key: string;
      readonly vo: string;
      readonly publicKey: string;
      readonly label: string;
      readonly by: string;
    }
  | { readonly kind: "revokeTicketKey"; readonly key: string; readonly by: string }
  | ({ readonly kind: "createToken" } & NewToken)
  | { readonly kind: "revokeToken"; readonly token: string; readonly by: string }
  /** Records that somebody was denied something. */
  | ({ readonly kind: "noteDenial" } & DeniedRequest);

/** A token as it is requested: its id and its hash are chosen by whoever made the secret. */
export type NewToken = Omit<Extract<StintEvent, { kind: "tokenCreated" }>, "kind" | "atMs">;

/** A slot that somebody wants kept aside. */
export interface OfferRequest extends WantedSlot {
  readonly reservation: string;
  readonly site: string;
  readonly consumer: string;
  readonly owner: string;
  /** The ticket that it is wanted under, whose signature was found right. */
  readonly ticket?: PresentedTicket;
}

/** More time for a reservation that is not over. */
interface ExtensionRequest {
  readonly reservation: string;
  readonly moreMs: number;
  readonly by: string;
  /** It is made only if its f is no more than this. */
  readonly mostFixedProcMs: number;
}

/** What can be asked of a job that is there. */
export type JobVerb = "cancel" | "hold" | "release" | "suspend" | "resume";

/** What can be asked of an offer or a reservation that is there. */
export type ReservationVerb = "accept" | "cancel" | "relinquish" | "extend";

/** Why a job cannot be in a reservation. */
export type ReservationMisfit =
  | ("unknown" | "over" | "notYours" | "tooWide" | "otherSite")
  /** Of one that stands in for a virtual reservation: it is of another time, or had together with others. */
  | ("otherTime" | "together");

/** Why not, with the facts. */
export type Refusal =
  | { readonly kind: "unknownJob"; readonly job: string }
  | { readonly kind: "idInUse"; readonly id: string }
  | { readonly kind: "unknownSite"; readonly site: string; readonly known: readonly string[] }
  | { readonly kind: "noSite" }
  | { readonly kind: "siteNameInvalid"; readonly site: string }
  /** A site of another type, or one too small for jobs that it has: it cannot become that. */
  | {
      readonly kind: "siteTypeFixed";
      readonly site: string;
      readonly present: string;
      readonly asked: string;
    }
  | { readonly kind: "siteInUse"; readonly site: string; readonly job: string }
  /** Jobs that are not over are there or wait for it by name; the first of them, and how many in all. */
  | {
      readonly kind: "siteHasJobs";
      readonly site: string;
      readonly jobs: readonly string[];
      readonly count: number;
      readonly isDraining: boolean;
    }
  /** The cluster's own shares were changed for us, and not taken back: so many changes. */
  | { readonly kind: "siteHasShares"; readonly site: string; readonly count: number }
  /** More than any site it may use has in all. */
  | {
      readonly kind: "widerThanAnySite";
      readonly procs: number;
      readonly memoryBytes: number;
      readonly sites: readonly {
        readonly site: string;
        readonly procs: number;
        readonly memoryBytes: number;
      }[];
    }
  /** Every site that is large enough imitates jobs, and the job names none of them. */
  | { readonly kind: "onlyImitated"; readonly sites: readonly string[] }
  | { readonly kind: "gpusNotOffered"; readonly gpus: number }
  /** The files that go with it would never be taken at any site that it may use. */
  | { readonly kind: "filesOverQuota"; readonly limits: readonly StoreLimit[] }
  /** What a job has left is removed when it is over. */
  | { readonly kind: "jobNotOver"; readonly job: string; readonly state: JobState }
  /** Wherever the job may go, the policies that are enforced there would never let it. */
  | { readonly kind: "policyDenied"; readonly consumer: string; readonly denials: readonly PolicyDenial[] }
  /** The verb does not apply to a job in this state. */
  | {
      readonly kind: "wrongState";
      readonly job: string;
      readonly verb: JobVerb;
      readonly state: JobState;
      readonly allowedIn: readonly JobState[];
    }
  | { readonly kind: "unknownReservation"; readonly reservation: string }
  /** The verb does not apply to an offer or a reservation in this state. */
  | {
      readonly kind: "wrongReservationState";
      readonly reservation: string;
      readonly verb: ReservationVerb;
      readonly state: ReservationState;
      readonly allowedIn: readonly ReservationState[];
    }
  /** A number that can be none: of processors, of time, of money. */
  | { readonly kind: "slotInvalid"; readonly field: string; readonly value: number }
  /** What so many processors would cost for so long passes what can be counted exactly. */
  | {
      readonly kind: "priceUncounted";
      readonly site: string;
      readonly procs: number;
      readonly durationMs: number;
      readonly resource?: SlotResource;
    }
  /** The site has no store, or link, of this name. */
  | {
      readonly kind: "unknownResource";
      readonly site: string;
      readonly resource: Pick<SlotResource, "kind" | "name">;
      readonly stores: readonly string[];
      readonly links: readonly string[];
    }
  | {
      readonly kind: "resourceTooLarge";
      readonly site: string;
      readonly resource: SlotResource;
      readonly most: number;
    }
  | { readonly kind: "slotTooWide"; readonly site: string; readonly procs: number; readonly most: number }
  /** Running jobs or other reservations are in the way; the earliest start from there on, if there is one. */
  | { readonly kind: "slotTaken"; readonly site: string; readonly earliestMs: number | null }
  | { readonly kind: "mayNotReserveSlot"; readonly site: string; readonly hindrance: ReservationHindrance }
  /** A site that is not open, or that cannot keep anything free for us. */
  | { readonly kind: "siteReservesNothing"; readonly site: string; readonly why: string }
  | { readonly kind: "offerLapsed"; readonly reservation: string; readonly expiredAtMs: number }
  | {
      readonly kind: "accountShort";
      readonly site: string;
      readonly consumer: string;
      readonly balanceProcMs: number;
      readonly neededProcMs: number;
    }
  /** More than waiting jobs of a consumer may declare beyond their processors; null: none may. SU an hour. */
  | {
      readonly kind: "delayCostOverBudget";
      readonly site: string;
      readonly consumer: string;
      readonly declaredSuPerHour: number;
      readonly procs: number;
      readonly usedSuPerHour: number;
      readonly budgetSuPerHour: number | null;
    }
  /** Parts of one that are not at different sites at the same time. */
  | { readonly kind: "partsUnfit"; readonly why: "sameSite" | "otherTime" | "none" }
  | { readonly kind: "extensionDearer"; readonly fixedProcMs: number; readonly mostFixedProcMs: number }
  /** A job that cannot be in the reservation that it names. */
  | { readonly kind: "notInReservation"; readonly reservation: string; readonly why: ReservationMisfit }
  /** Somebody else has applied policies meanwhile. */
  | { readonly kind: "policiesChanged"; readonly onVersion: number; readonly isVersion: number }
  /** A policy of a provider that is neither a site nor a consumer of another policy. */
  | {
      readonly kind: "unknownProvider";
      readonly provider: string;
      readonly consumer: string;
      readonly known: readonly string[];
    }
  /** A broker that wants to follow the policies names a site that is somebody else's. */
  | { readonly kind: "siteOfAnother"; readonly site: string; readonly of: string }
  /** There is one of that name already, of somebody else. */
  | { readonly kind: "followerOfAnother"; readonly follower: string; readonly by: string }
  | { readonly kind: "unknownVersion"; readonly version: number; readonly last: number }
  | { readonly kind: "unknownFollower"; readonly follower: string; readonly known: readonly string[] }
  | { readonly kind: "unknownPeer"; readonly peer: string; readonly known: readonly string[] }
  /** The enforcer has done nothing to it; or, at this cluster, what it did is not undone job by job. */
  | {
      readonly kind: "notEnforced";
      readonly job: string;
      readonly isOver: boolean;
      readonly cluster?: string;
    }
  /** It was suspended by the enforcer: it resumes when its consumer may, or when that is undone. */
  | { readonly kind: "stoppedByPolicy"; readonly job: string; readonly site: string | null }
  /** By its name, or "" where it cannot be read. */
  | { readonly kind: "ticketRefused"; readonly ticket: string; readonly why: TicketHindrance }
  | { readonly kind: "unknownTicketKey" | "ticketKeyRevoked"; readonly key: string }
  | { readonly kind: "unknownToken"; readonly token: string }
  | { readonly kind: "tokenRevoked"; readonly token: string }
  | { readonly kind: "expiryPast"; readonly expiresAtMs: number; readonly nowMs: number }
  | { readonly kind: "consumerInvalid"; readonly consumer: string }
  /** A site admin has a site, and nobody else has. */
  | { readonly kind: "siteUnfit"; readonly role: Role; readonly site: string | null };
