/**
 * Offers and reservations: promised capacity of a site, its consumer, and its price.
 *
 * Money is processor-milliseconds (1 SU = 3,600,000); parts are in millionths; instants are Unix ms.
 */
import type { AdmissionRefusal } from "./policy.ts";
import type { PriceBook, PriceRule, RuleUse } from "./price-rule.ts";
import type { PricedResource, SlotResource } from "./slot-resource.ts";
import type { SlotTicket, TicketHindrance } from "./ticket.ts";

/** A site's rules on reservations, and their prices. */
export interface ReservationRules {
  /** Consumer paths that may reserve; null: all; empty: none. */
  readonly consumers: readonly string[] | null;
  /** A reservation ends no later than this from now. */
  readonly aheadMs: number;
  /** And lasts no longer; null: as long as `aheadMs` allows. */
  readonly longestMs: number | null;
  /** And begins no sooner than this from now. */
  readonly noticeMs: number;
  /** The part of the pool that may be reserved at once, by all together and by one consumer. */
  readonly sharePpm: number;
  readonly consumerSharePpm: number;
  /** Beyond `farMs` from now no more than this part. */
  readonly farMs: number;
  readonly farSharePpm: number;
  /** Lifetime of an offer, and the part of the pool that one consumer's open offers may hold. */
  readonly offerMs: number;
  readonly offerSharePpm: number;
  /** c, in thousandths, ≥ 1000; and f₀. */
  readonly unitPriceThousandths: number;
  readonly transactionProcMs: number;
  /** By the clock, the consumer and the kind of slot instead of these two; the first that fits counts. */
  readonly prices?: readonly PriceRule[];
  /** Cost of a cancellation before the start: these parts of f and of the base price. */
  readonly penaltyPpm: number;
  readonly basePenaltyPpm: number;
  /** So many reservations without a price that were cancelled or never used a consumer may have in a week. */
  readonly freeWasted: number;
  /**
   * Highest delay cost, in SU per hour beyond their processors, that waiting jobs of these consumers may
   * declare.
   */
  readonly delayBudgets?: Readonly<Record<string, number>>;
  /** False where jobs may not occupy their processors idle until their time; absent: true. */
  readonly virtual?: boolean;
}

const MINUTE_MS = 60_000;
const DAY_MS = 1440 * MINUTE_MS;

/** The careful defaults: half of a pool, 14 days ahead, a tenth beyond two days; p = 0.1. */
export const RESERVATION_DEFAULTS: ReservationRules = {
  consumers: null,
  aheadMs: 14 * DAY_MS,
  longestMs: null,
  noticeMs: 0,
  sharePpm: 500_000,
  consumerSharePpm: 500_000,
  farMs: 2 * DAY_MS,
  farSharePpm: 100_000,
  offerMs: MINUTE_MS,
  offerSharePpm: 500_000,
  unitPriceThousandths: 1000,
  transactionProcMs: 0,
  penaltyPpm: 100_000,
  basePenaltyPpm: 0,
  freeWasted: 5,
};

/** Where an offer or a reservation is in its life. */
export const RESERVATION_STATES = [
  "OFFERED",
  "ACCEPTED",
  "ACTIVE",
  "FULFILLED",
  "LAPSED",
  "WITHDRAWN",
  "CANCELLED",
  "RELINQUISHED",
  "VIOLATED",
] as const;
/** See {@link RESERVATION_STATES}. */
export type ReservationState = (typeof RESERVATION_STATES)[number];

/** True for a reservation that holds capacity, now or later. */
export function isHolding(state: ReservationState): boolean {
  return state === "OFFERED" || state === "ACCEPTED" || state === "ACTIVE";
}

/** A requested rectangle of a site's capacity. */
export interface WantedSlot {
  readonly procs: number;
  /** Total of the slot; 0 if none is requested. */
  readonly memoryBytes: number;
  /** In all; absent: none. */
  readonly gpus?: number;
  readonly startMs: number;
  readonly durationMs: number;
  /** A part of a store or of a link, instead: then there are no processors, and no memory. */
  readonly resource?: SlotResource;
}

/** Rule of a site that forbids a reservation, with its limit and the requested value. */
export type ReservationHindrance =
  | { readonly kind: "mayNotReserve"; readonly consumer: string; readonly consumers: readonly string[] }
  | { readonly kind: "startsInPast"; readonly startMs: number; readonly nowMs: number }
  | { readonly kind: "tooSoon"; readonly startMs: number; readonly earliestMs: number }
  | { readonly kind: "tooFarAhead"; readonly endMs: number; readonly latestMs: number }
  | { readonly kind: "tooLong"; readonly durationMs: number; readonly longestMs: number }
  | {
      readonly kind: "tooMuchReserved" | "consumerTooMuchReserved" | "farTooMuchReserved" | "tooMuchOffered";
      /** The instant at which it would be too much, and how much there would be and may be. */
      readonly atMs: number;
      readonly procs: number;
      readonly mostProcs: number;
      /** Present for a store or a link: both amounts are in the unit of this resource. */
      readonly resource?: Pick<SlotResource, "kind" | "name">;
      /** Present if both amounts are numbers of GPUs. */
      readonly of?: "gpus";
    }
  | { readonly kind: "noVirtual" }
  /** The site's batch system sets no GPUs aside. */
  | { readonly kind: "gpusNotReservable"; readonly gpus: number }
  /** The price of the slot exceeds the integers that are exact. */
  | {
      readonly kind: "uncounted";
      readonly procs: number;
      readonly durationMs: number;
      readonly resource?: SlotResource;
    }
  /** Even submitted at the last moment, its job would need a longer limit than jobs may have there. */
  | { readonly kind: "limitTooLong"; readonly wallTimeMs: number; readonly mostMs: number }
  /** The usage policies of the site do not admit it. */
  | { readonly kind: "overPolicy"; readonly refusal: AdmissionRefusal }
  /** The ticket that it is wanted under, by its name, does not cover it. */
  | { readonly kind: "ticketRefused"; readonly ticket: string; readonly why: TicketHindrance }
  | { readonly kind: "tooManyWasted"; readonly wasted: number; readonly most: number };

/** One step of its life. */
interface ReservationStep {
  readonly state: ReservationState;
  readonly atMs: number;
  /** Author of the request; null for time or the site. */
  readonly by: string | null;
  readonly why: string | null;
}

/** An offer or a reservation, with everything that became of it. */
export interface ReservationRecord extends WantedSlot {
  readonly id: string;
  readonly site: string;
  readonly resource?: PricedResource;
  readonly consumer: string;
  readonly owner: string;
  readonly state: ReservationState;
  /** 1, 2 … as they were offered. */
  readonly order: number;
  /** Of several at different sites that are had together or not at all: what they have in common. */
  readonly together: string | null;
  /** The price in its parts, as it was offered (and extended): n·d·c, and f. */
  readonly baseProcMs: number;
  readonly fixedProcMs: number;
  /** c and f₀ at its start, and the penalties. */
  readonly unitPriceThousandths: number;
  readonly transactionProcMs: number;
  /** The price rules that it was priced by, each with its time; absent where the site had none. */
  readonly rules?: readonly RuleUse[];
  /** Prices at the time of the offer, which apply to extensions and refunds. */
  readonly priceBook?: PriceBook;
  readonly penaltyPpm: number;
  readonly basePenaltyPpm: number;
  /** Delayed jobs, by the offer. */
  readonly delaysJobs: number;
  readonly delayProcMs: number;
  /** Of an offer: own jobs that it delays; absent: none. */
  readonly delayed?: readonly DelayedByOffer[];
  /** End of the offer. */
  readonly expiresAtMs: number;
  /** Name at a foreign site; null before it is made there, and at a managed site. */
  readonly siteReservation: string | null;
  /** While a foreign site is asked for more time: what it was before. */
  readonly unextended?: UnextendedTerms;
  /** True once a job has run in it. */
  readonly isUsed: boolean;
  /** Time used by its ended jobs, and after its end by all of its jobs; 0 where absent. */
  readonly usedProcMs?: number;
  readonly penaltyProcMs: number;
  readonly refundProcMs: number;
  /** The ticket that it is under, where there is one. */
  readonly ticket?: SlotTicket;
  readonly history: readonly ReservationStep[];
}

/** Fields that an extension changes. */
export type UnextendedTerms = Pick<
  ReservationRecord,
  "durationMs" | "baseProcMs" | "fixedProcMs" | "delaysJobs" | "delayProcMs" | "rules" | "ticket"
>;

/** A waiting job that a slot delays. */
export interface DelayedByOffer {
  readonly job: string;
  /** Planned start without the slot. */
  readonly plannedMs: number;
  /** The job's part of f. */
  readonly procMs: number;
}

/** Outcome of the reservations that a site has sold. Sums, in processor-milliseconds. */
export interface ReservationUsage {
  /** Of those that are over: their processors for as long as they lasted, and what their jobs used. */
  readonly reservedProcMs: number;
  readonly usedProcMs: number;
  /** Jobs whose delay was priced and that have started since; what was priced, and what it came to. */
  readonly delayedJobs: number;
  readonly pricedDelayProcMs: number;
  readonly causedDelayProcMs: number;
}

/** Before anything was sold. */
export const NOTHING_SOLD: ReservationUsage = {
  reservedProcMs: 0,
  usedProcMs: 0,
  delayedJobs: 0,
  pricedDelayProcMs: 0,
  causedDelayProcMs: 0,
};

/** Effect of a slot at a site on waiting jobs, for people. */
export interface DelayFacts {
  readonly jobs: number;
  readonly totalMs: number;
  readonly worstMs: number;
  /** Of these jobs, those of the asker's own department: the consumer path without its last part. */
  readonly ownJobs: number;
}

/** A possible start at a live site, with its price. */
export interface LivePrice {
  readonly startMs: number;
  /** c and f₀ at its start. */
  readonly unitPriceThousandths: number;
  readonly transactionProcMs: number;
  /** The price rules that it is priced by, each with its time. */
  readonly rules: readonly RuleUse[];
  readonly baseProcMs: number;
  readonly fixedProcMs: number;
  readonly delaysJobs: number;
  readonly delayProcMs: number;
  /** Null in a list too long to be read in detail. */
  readonly delays: DelayFacts | null;
  /** The site's rule that keeps the asker from reserving it; null where none does. */
  readonly hindrance: ReservationHindrance | null;
}

/** When a slot is wanted. */
export type WantedWhen =
  | { readonly kind: "at"; readonly startMs: number }
  | { readonly kind: "whenever" }
  | { readonly kind: "from"; readonly fromMs: number };

/** A site's answer to a quote request. */
export interface SiteQuote {
  readonly site: string;
  /** Reason why it cannot be asked, in one sentence; null for none. */
  readonly trouble: string | null;
  /** In order of start; empty where it would never have such a slot, or not then. */
  readonly starts: readonly LivePrice[];
  /** Beside a long queue: so many other instants at which it might begin were not priced. */
  readonly leftOut?: number;
}

/** A start that is possible for several slots at once, with what they cost together and each. */
export interface PriceCoReservation {
  readonly startMs: number;
  readonly baseProcMs: number;
  readonly fixedProcMs: number;
  readonly delaysJobs: number;
  readonly delayProcMs: number;
  readonly parts: readonly (Pick<WantedSlot, "procs" | "resource"> & { readonly site: string } & Omit<
      LivePrice,
      "startMs" | "delays"
    >)[];
}

/** One posting at a site: a transaction whose entries sum to zero in each book. */
export interface PostingRecord {
  readonly id: string;
  readonly site: string;
  readonly consumer: string;
  readonly atMs: number;
  readonly kind: PostingKind;
  /** The job or the reservation it is about, or who granted. */
  readonly about: string;
  /** Amount that the consumer receives (> 0) or pays (< 0). */
  readonly procMs: number;
  readonly entries: readonly PostingEntry[];
}

/** Purpose of a posting. */
export type PostingKind =
  | "grant"
  | "job"
  | "reservation"
  | "extension"
  | "penalty"
  | "cancellation"
  | "relinquished"
  | "violated";

/** One side of a posting; see `market/ledger`. */
export interface PostingEntry {
  readonly book: number;
  readonly account: string;
  readonly procMs: number;
}

/** Account of a consumer at a site, at one level of its path. */
export interface AccountLevel {
  readonly site: string;
  readonly consumer: string;
  /** Null where nothing was posted. */
  readonly balanceProcMs: number | null;
  /** True after a grant: only then can the account be short. */
  readonly isGranted: boolean;
}

/** Accounts of a site. */
export interface SiteAccounts {
  readonly site: string;
  /** True after the first grant at the site: before that nothing is refused. */
  readonly hasGrants: boolean;
  readonly incomeProcMs: { readonly base: number; readonly delays: number; readonly penalties: number };
  /** Outcome of the sold reservations. */
  readonly sold: ReservationUsage;
}
