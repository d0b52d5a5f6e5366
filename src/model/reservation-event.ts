/** Events of offers and reservations (see `event.ts`). */
import type { DelayedByOffer, ReservationRecord, WantedSlot } from "./reservation.ts";
import type { PricedResource } from "./slot-resource.ts";
import type { PresentedTicket } from "./ticket.ts";

/** A price, and the rule that it was made by. */
export type OfferedPrice = Pick<
  ReservationRecord,
  | ("baseProcMs" | "fixedProcMs" | "delaysJobs" | "delayProcMs")
  | ("unitPriceThousandths" | "transactionProcMs" | "penaltyPpm" | "basePenaltyPpm")
  | ("rules" | "priceBook")
>;

/** A fact about one, without its time. */
export type ReservationFact =
  /** A slot is reserved until `expiresAtMs`, at this price. */
  | ({
      readonly kind: "slotOffered";
      readonly reservation: string;
      readonly site: string;
      readonly consumer: string;
      readonly owner: string;
      readonly expiresAtMs: number;
      /** Of several that are had together or not at all: what they have in common. */
      readonly together: string | null;
      /** Own jobs that it delays; absent: none. */
      readonly delayed?: readonly DelayedByOffer[];
      readonly resource?: PricedResource;
      /** The ticket that it is under, of which nothing is held yet; absent where under none. */
      readonly ticket?: PresentedTicket;
    } & WantedSlot &
      OfferedPrice)
  | {
      readonly kind: "offerAccepted";
      readonly reservation: string;
      readonly site: string;
      readonly by: string;
      /** Amount·ms of its ticket held from now on. */
      readonly ticketHeldMs?: number;
    }
  /** Nobody took it in time. */
  | { readonly kind: "offerLapsed"; readonly reservation: string; readonly site: string }
  | {
      readonly kind: "offerWithdrawn";
      readonly reservation: string;
      readonly site: string;
      readonly by: string;
    }
  /** It is at its foreign site, under the site's name for it. */
  | {
      readonly kind: "reservationMade";
      readonly reservation: string;
      readonly site: string;
      readonly siteReservation: string;
      /** End of the site's reservation; absent in old logs, which recorded the first one alone. */
      readonly endMs?: number;
    }
  /** A decision: its time has come. */
  | { readonly kind: "reservationBegan"; readonly reservation: string; readonly site: string }
  /** A decision: its time is over. */
  | { readonly kind: "reservationFulfilled"; readonly reservation: string; readonly site: string }
  | {
      readonly kind: "reservationCancelled";
      readonly reservation: string;
      readonly site: string;
      readonly by: string;
      readonly penaltyProcMs: number;
      readonly refundProcMs: number;
    }
  | {
      readonly kind: "reservationRelinquished";
      readonly reservation: string;
      readonly site: string;
      readonly by: string;
      readonly refundProcMs: number;
    }
  | {
      readonly kind: "reservationExtended";
      readonly reservation: string;
      readonly site: string;
      readonly by: string;
      readonly moreMs: number;
      readonly baseProcMs: number;
      readonly fixedProcMs: number;
      readonly delaysJobs: number;
      readonly delayProcMs: number;
      /** Own jobs that the extension delays; absent: none. */
      readonly delayed?: readonly DelayedByOffer[];
      /** The price rules that the more was priced by; absent where the site had none. */
      readonly rules?: ReservationRecord["rules"];
      /** Additional amount·ms of its ticket held from now on. */
      readonly ticketHeldMs?: number;
    }
  /** Its foreign site has refused more time: it is again what the site has made. */
  | {
      readonly kind: "extensionRefused";
      readonly reservation: string;
      readonly site: string;
      readonly lessMs: number;
      readonly refundProcMs: number;
      readonly why: string;
    }
  /** A reservation leaves its ticket, being over or given up; it has taken so much of it, in amount·ms. */
  | {
      readonly kind: "reservationDebited";
      readonly reservation: string;
      readonly site: string;
      readonly ticket: string;
      readonly amountMs: number;
      readonly why: "ended" | "relinquished";
    }
  /** The site did not honour it: which promise, and by how much, in words. */
  | {
      readonly kind: "reservationViolated";
      readonly reservation: string;
      readonly site: string;
      readonly why: string;
      readonly refundProcMs: number;
    }
  /** A decision: what waits in a reservation was looked at, and these jobs start. */
  | {
      readonly kind: "reservationSettled";
      readonly reservation: string;
      readonly site: string;
      readonly starts: readonly string[];
    };
