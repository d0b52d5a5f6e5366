/**
 * What a program sees, through the client, of slots at several sites that are had together.
 */
import type { SlotResource } from "../../model/index.ts";
import type {
  HindranceView,
  Keyed,
  OfferWishView,
  PriceRulesView,
  QuoteWish,
  ReservationView,
  SlotSizeWish,
} from "./reservation-types.ts";

/** One of the slots. */
export type TogetherPartWish = Pick<OfferWishView, "site" | "ticket"> & SlotSizeWish;

/** 2 to 16 slots of different sites, stores and links, of which the price is asked. */
export interface TogetherQuoteWish extends Omit<QuoteWish, keyof SlotSizeWish | "sites" | "ticket"> {
  readonly parts: readonly TogetherPartWish[];
}

/** Such slots that are to be kept aside. */
export interface TogetherOfferWish extends Pick<OfferWishView, "durationSec" | "startAt" | "consumer"> {
  readonly parts: readonly TogetherPartWish[];
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
export interface TogetherPartView extends PriceSumView, PriceRulesView {
  readonly site: string;
  readonly procs: number;
  readonly resource: SlotResource | null;
  readonly hindrance: HindranceView | null;
}

/** A start at which all can be had, with what they cost in all. */
export interface TogetherStartView extends PriceSumView {
  readonly startAt: string;
  /** What it would do to those who wait, in words. */
  readonly effect: string;
  readonly parts: readonly TogetherPartView[];
}

/** The answer, a start each. */
export interface TogetherQuoteView {
  /** In order of start; empty where they cannot be had together. */
  readonly items: readonly TogetherStartView[];
  /** What α chooses of all that nothing hinders; null without α, or where there is none. */
  readonly chosen: { readonly startAt: string } | null;
}

/** Several offers or reservations: whatever is accepted or cancelled of them is so of all. */
export interface TogetherView {
  readonly together: string;
  /** In the order in which they were asked for. */
  readonly items: readonly ReservationView[];
}

/** The client's calls about them. */
export interface TogetherCalls {
  /** The starts at which all can be had, and their prices; nothing is kept aside and nothing recorded. */
  quoteTogether(wish: TogetherQuoteWish): Promise<TogetherQuoteView>;
  /** Keeps them aside for a moment, all or none. */
  offerTogether(wish: TogetherOfferWish, options?: Keyed): Promise<TogetherView>;
}
