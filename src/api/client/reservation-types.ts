/**
 * What a program sees of prices, reservations and accounts through the client.
 *
 * Money is in SU as a number, and beside it exactly, in whole processor-milliseconds (1 SU = 3,600,000).
 */
import type {
  DelayFacts,
  PostingEntry,
  PostingKind,
  ReservationHindrance,
  ReservationState,
  SlotResource,
} from "../../model/index.ts";

/** How much of what a slot is: processors and memory, or a part of a store or of a link. */
export interface SlotSizeRequest {
  readonly procs?: number;
  /** In all; none in particular where absent. */
  readonly memoryBytes?: number;
  /** Instead of the two. */
  readonly resource?: SlotResource;
}

/** A slot of which the price is asked. */
export interface QuoteRequest extends SlotSizeRequest {
  readonly durationSec: number;
  /** ISO 8601: exactly then. */
  readonly startAt?: string;
  /** ISO 8601: from then on. Whenever it can be had where neither is said. */
  readonly fromAt?: string;
  /** These alone; all where absent. */
  readonly sites?: readonly string[];
  /** Whose it would be; the caller's own where absent. */
  readonly consumer?: string;
  /** 0: only time matters, 1: only cost; then the answer says which start that chooses. */
  readonly alpha?: number;
  /** It chooses nothing that costs more. */
  readonly mostSu?: number;
  /** The line of the ticket that it is wanted under; at the ticket's site where none is said. */
  readonly ticket?: string;
}

/** The rule of a site that is in the way, with what it allows and what was asked for. */
export type HindranceView = ReservationHindrance & { readonly text: string };

/** A price rule of a site, and for how much of a slot it counts. */
export interface RuleUseView {
  /** Null: none of the site's rules fitted. */
  readonly rule: string | null;
  readonly unitPrice: number;
  readonly durationSec: number;
}

/** What a price was made by. */
export interface PriceRulesView {
  /** c at its start. */
  readonly unitPrice: number;
  /** f₀. */
  readonly transactionSu: number;
  readonly transactionProcMs: number;
  /** The site's price rules that it is priced by, each with its time, in the order of time. */
  readonly rules: readonly RuleUseView[];
}

/** A possible start with its price. */
export interface PricedStartView extends PriceRulesView {
  readonly startAt: string;
  readonly priceSu: number;
  readonly priceProcMs: number;
  /** Its parts: processors × hours × unit price, and what makes up for delays. */
  readonly baseSu: number;
  readonly baseProcMs: number;
  readonly fixedSu: number;
  readonly fixedProcMs: number;
  /** How many waiting jobs would start later, and what that is worth. */
  readonly delaysJobs: number;
  readonly delaySu: number;
  readonly delayProcMs: number;
  /** Null where the list is so long that nobody reads them. */
  readonly delays: DelayFacts | null;
  /** What it would do to those who wait, in words. */
  readonly effect: string;
  readonly hindrance: HindranceView | null;
}

/** What a site answers to the question what a slot costs. */
export interface SiteQuoteView {
  readonly site: string;
  /** What keeps it from being asked, in one sentence. */
  readonly trouble: string | null;
  /** In order of start; empty where it cannot be had. */
  readonly starts: readonly PricedStartView[];
  /** Beside a long queue: so many other instants at which it might begin were not priced. */
  readonly leftOut?: number;
}

/** The answer, a site each. */
export interface QuoteView {
  readonly items: readonly SiteQuoteView[];
  /** What α chooses of all that nothing hinders; null without α, or where there is none. */
  readonly chosen: { readonly site: string; readonly startAt: string } | null;
}

/** A slot that is to be kept aside. */
export interface OfferRequestView extends SlotSizeRequest {
  readonly site: string;
  readonly durationSec: number;
  /** ISO 8601. */
  readonly startAt: string;
  /** Whose it is; the caller's own where absent. */
  readonly consumer?: string;
  /** The line of the ticket that it is wanted under. */
  readonly ticket?: string;
}

/** One step of a reservation's life. */
export interface ReservationStepView {
  readonly state: ReservationState;
  readonly at: string;
  /** Null where time or the site did it. */
  readonly by: string | null;
  readonly why: string | null;
}

/** An offer or a reservation, with everything that became of it. */
export interface ReservationView extends PriceRulesView {
  readonly id: string;
  readonly state: ReservationState;
  readonly site: string;
  /** What a foreign site calls it. */
  readonly siteReservation: string | null;
  /** Of several at different sites that are had together or not at all: what they have in common. */
  readonly together: string | null;
  readonly consumer: string;
  readonly owner: string;
  readonly procs: number;
  /** Null: none in particular. */
  readonly memoryBytes: number | null;
  /** The part of a store or of a link that it is; null where it is of processors. */
  readonly resource: SlotResource | null;
  readonly startAt: string;
  readonly endAt: string;
  readonly durationSec: number;
  readonly priceSu: number;
  readonly priceProcMs: number;
  readonly baseSu: number;
  readonly baseProcMs: number;
  readonly fixedSu: number;
  readonly fixedProcMs: number;
  /** What cancelling costs: these parts of the fixed and of the base price, from 0 to 1. */
  readonly penalty: number;
  readonly basePenalty: number;
  readonly delaysJobs: number;
  readonly delaySu: number;
  readonly delayProcMs: number;
  /** Until then the offer stands, or stood. */
  readonly expiresAt: string;
  /** Whether a job ever ran in it. */
  readonly used: boolean;
  /** What the jobs in it that have ended used of its time; when it is over, all of them. */
  readonly usedSu: number;
  readonly usedProcMs: number;
  readonly penaltySu: number;
  readonly penaltyProcMs: number;
  readonly refundSu: number;
  readonly refundProcMs: number;
  /** The ticket that it is under, and what it holds of it in the ticket's unit times seconds. */
  readonly ticket?: { readonly name: string; readonly heldSec: number };
  readonly history: readonly ReservationStepView[];
}

/** One page of reservations, newest first. */
export interface ReservationList {
  readonly items: readonly ReservationView[];
  readonly next: string | null;
}

/** Which reservations to list; all conditions hold. */
export interface ReservationFilter {
  readonly states?: readonly ReservationState[];
  readonly owner?: string;
  /** The consumer path or anything below it. */
  readonly consumer?: string;
  readonly site?: string;
  /** 1 … 1000, default 100. */
  readonly limit?: number;
  readonly cursor?: string;
}

/** More time for a reservation. */
export interface ExtensionRequestView {
  readonly moreSec: number;
  /** It is made only if its fixed part costs no more than this. */
  readonly mostFixedSu: number;
}

/** What a consumer has at a site, at one level of its path. */
export interface AccountLevelView {
  readonly site: string;
  readonly consumer: string;
  /** Null where nothing was posted. */
  readonly balanceSu: number | null;
  readonly balanceProcMs: number | null;
  /** Whether anything was granted to it, so that it can be short. */
  readonly granted: boolean;
}

/** Amounts by what they were for. */
export interface IncomeView {
  readonly base: number;
  readonly delays: number;
  readonly penalties: number;
}

/** What a site has earned. */
export interface SiteAccountsView {
  readonly site: string;
  /** Whether anything was granted to anybody: before that nothing is refused. */
  readonly hasGrants: boolean;
  readonly incomeSu: IncomeView;
  readonly incomeProcMs: IncomeView;
  readonly reserved: ReservedTimeView;
  readonly delays: PricedDelaysView;
}

/** What became of the time of reservations that are over, those that nothing ran in included. */
export interface ReservedTimeView {
  readonly su: number;
  readonly procMs: number;
  /** The part of it in which no job of theirs had the processors. */
  readonly idleSu: number;
  readonly idleProcMs: number;
}

/** Jobs whose delay was priced and that have started since: what was priced, and what it came to. */
export interface PricedDelaysView {
  readonly jobs: number;
  readonly pricedSu: number;
  readonly pricedProcMs: number;
  readonly causedSu: number;
  readonly causedProcMs: number;
}

/** Money that moved. */
export interface PostingView {
  readonly id: string;
  readonly site: string;
  readonly consumer: string;
  readonly at: string;
  readonly kind: PostingKind;
  /** The job or the reservation it is about, or who granted. */
  readonly about: string;
  /** What the consumer got (> 0) or paid (< 0). */
  readonly su: number;
  readonly procMs: number;
  readonly entries: readonly PostingEntry[];
}

/** How a consumer's accounts stand. */
export interface AccountsView {
  readonly consumer: string;
  /** At each site, each level of the path, from the top. */
  readonly levels: readonly AccountLevelView[];
  /** Of those sites whose income the caller may see. */
  readonly sites: readonly SiteAccountsView[];
  /** The newest first, at most 100. */
  readonly postings: readonly PostingView[];
}

/** SU for a consumer at a site. */
export interface GrantRequest {
  readonly site: string;
  readonly consumer: string;
  /** Negative: takes back. */
  readonly su: number;
}

/** A grant that was made, and what the consumer has now. */
export interface GrantView extends GrantRequest {
  readonly id: string;
  readonly procMs: number;
  readonly balanceSu: number;
  readonly balanceProcMs: number;
}

/** How something is asked for once, however often it is sent. */
export interface Keyed {
  readonly idempotencyKey?: string;
}

/** The client's calls about prices, reservations and accounts. */
export interface ReservationCalls {
  /** What a slot costs; nothing is kept aside and nothing recorded. */
  quote(request: QuoteRequest): Promise<QuoteView>;
  /** Keeps a slot aside for a moment, at its price of now. */
  offer(request: OfferRequestView, options?: Keyed): Promise<ReservationView>;
  /** Makes an offer a reservation. */
  accept(id: string): Promise<ReservationView>;
  /** Withdraws an offer, or cancels a reservation that has not begun, with its penalty. */
  cancelReservation(id: string): Promise<ReservationView>;
  /** Gives back what is left of an active reservation. */
  relinquish(id: string): Promise<ReservationView>;
  /** What more time costs. */
  quoteExtension(id: string, moreSec: number): Promise<PricedStartView>;
  extend(id: string, request: ExtensionRequestView): Promise<ReservationView>;
  reservation(id: string): Promise<ReservationView>;
  reservations(filter?: ReservationFilter): Promise<ReservationList>;
  /** How the accounts of a consumer (the caller's own where absent) stand. */
  account(of?: { readonly consumer?: string; readonly site?: string }): Promise<AccountsView>;
  /** Gives a consumer SU at a site. */
  grant(request: GrantRequest, options?: Keyed): Promise<GrantView>;
}
