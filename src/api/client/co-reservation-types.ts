/**
 * What a program sees, through the client, of slots at several sites that are had together.
 */
import type { SlotResource } from "../../model/index.ts";
import type {
  HindranceView,
  Keyed,
  OfferRequestView,
  PriceRulesView,
  QuoteRequest,
  ReservationView,
  SlotSizeRequest,
} from "./reservation-types.ts";

/** One of the slots. */
export type CoReservationPartRequest = Pick<OfferRequestView, "site" | "ticket"> & SlotSizeRequest;

/** 2 to 16 slots of different sites, stores and links, of which the price is asked. */
export interface CoReservationQuoteRequest
  extends Omit<QuoteRequest, keyof SlotSizeRequest | "sites" | "ticket"> {
  readonly parts: readonly CoReservationPartRequest[];
}

/** Such slots that are to be kept aside. */
export interface CoReservationOfferRequest
  extends Pick<OfferRequestView, "durationSec" | "startAt" | "consumer"> {
  readonly parts: readonly CoReservationPartRequest[];
}

/** A price in its parts. */
export interface PriceSumView {
  readonly priceSu: number;
  readonly priceProcMs: number;
  readonly baseSu: number;
  readonly baseProcMs: number;
  readonly fixedSu: number;
  readonly fixedProcMs: number;
  /** How many waiting jobs would start later, and what that is worth. */
  readonly delaysJobs: number;
  readonly delaySu: number;
  readonly delayProcMs: number;
}

/** What one of the slots costs. */
export interface CoReservationPartView extends PriceSumView, PriceRulesView {
  readonly site: string;
  readonly procs: number;
  readonly resource: SlotResource | null;
  readonly hindrance: HindranceView | null;
}

/** A start at which all can be had, with what they cost in all. */
export interface CoReservationStartView extends PriceSumView {
  readonly startAt: string;
  /** What it would do to those who wait, in words. */
  readonly effect: string;
  readonly parts: readonly CoReservationPartView[];
}

/** The answer, a start each. */
export interface CoReservationQuoteView {
  /** In order of start; empty where they cannot be had together. */
  readonly items: readonly CoReservationStartView[];
  /** What α chooses of all that nothing hinders; null without α, or where there is none. */
  readonly chosen: { readonly startAt: string } | null;
}

/** Several offers or reservations: whatever is accepted or cancelled of them is so of all. */
export interface CoReservationView {
  readonly together: string;
  /** In the order in which they were asked for. */
  readonly items: readonly ReservationView[];
}

/** The client's calls about them. */
export interface CoReservationCalls {
  /** The starts at which all can be had, and their prices; nothing is kept aside and nothing recorded. */
  quoteCoReservation(request: CoReservationQuoteRequest): Promise<CoReservationQuoteView>;
  /** Keeps them aside for a moment, all or none. */
  offerCoReservation(request: CoReservationOfferRequest, options?: Keyed): Promise<CoReservationView>;
}
