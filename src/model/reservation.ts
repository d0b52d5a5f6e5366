/**
 * Offers and reservations: what a site promises of its capacity, to whom, and for which price.
 *
 * Money is processor-milliseconds (1 SU = 3,600,000); parts are in millionths; instants are Unix ms.
 */

/** What a site says about who may reserve, and what it costs. */
export interface ReservationRules {
  /** The consumer paths whose people may; null: everybody; none: nobody. */
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
  /** How long an offer is held, and the part of the pool that one consumer's open offers may hold. */
  readonly offerMs: number;
  readonly offerSharePpm: number;
  /** c, in thousandths, ≥ 1000; and f₀. */
  readonly unitPriceThousandths: number;
  readonly transactionProcMs: number;
  /** What cancelling before the start costs: these parts of f and of the base price. */
  readonly penaltyPpm: number;
  readonly basePenaltyPpm: number;
  /** So many reservations without a price that were cancelled or never used a consumer may have in a week. */
  readonly freeWasted: number;
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

/** Whether it still holds capacity, or will. */
export function isHolding(state: ReservationState): boolean {
  return state === "OFFERED" || state === "ACCEPTED" || state === "ACTIVE";
}

/** A rectangle of a site's capacity that somebody wants. */
export interface WantedSlot {
  readonly procs: number;
  /** In all; 0 where none is asked for. */
  readonly memoryBytes: number;
  readonly startMs: number;
  readonly durationMs: number;
}

/** Which rule of a site keeps somebody from reserving, with what it allows and what was asked for. */
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
    }
  | { readonly kind: "tooManyWasted"; readonly wasted: number; readonly most: number };
