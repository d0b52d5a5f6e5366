/**
 * Offers and reservations: what is asked about them, and what is answered.
 */
import { Type } from "typebox";
import { RESERVATION_STATES } from "../model/index.ts";
import {
  count,
  cursor,
  instant,
  instantGiven,
  limit,
  next,
  orNull,
  priceFields,
  procMs,
  ref,
  resource,
  type Shape,
  seconds,
  shortId,
  siteName,
  slotFields,
  spanFields,
  strict,
  su,
  ticketFields,
} from "./fields.ts";

const state = Type.Enum([...RESERVATION_STATES]);

/** `POST /reservations` */
export const offerRequestSchema = Type.Object(
  { site: siteName, ...slotFields, ...spanFields, ...ticketFields, startAt: instantGiven },
  strict,
);

/** `/reservations/:id` */
export const reservationParameters = Type.Object({ id: shortId });

/** `GET /reservations/:id/extension` */
export const extensionQuery = Type.Object({ moreSec: seconds }, strict);

/** `POST /reservations/:id/extend` */
export const extensionRequestSchema = Type.Object(
  {
    moreSec: seconds,
    mostFixedSu: Type.Number({ minimum: 0, maximum: 1e9, description: "It may cost this beside n·d·c" }),
  },
  strict,
);

/** `GET /reservations` */
export const reservationQuery = Type.Object(
  {
    state: Type.Optional(Type.Array(state, { maxItems: 20, description: "May be given several times" })),
    owner: Type.Optional(Type.String()),
    consumer: Type.Optional(Type.String({ description: "The consumer path or anything below it" })),
    site: Type.Optional(Type.String()),
    limit,
    cursor,
  },
  strict,
);

/** An offer or a reservation. */
export const reservationSchema = Type.Object(
  {
    id: Type.String(),
    state,
    site: Type.String(),
    siteReservation: orNull(Type.String({ description: "What a foreign site calls it" })),
    together: orNull(Type.String({ description: "Of several that are had together: what they share" })),
    consumer: Type.String(),
    owner: Type.String(),
    procs: Type.Integer({ minimum: 0, description: "0 of a store or of a link" }),
    memoryBytes: orNull(count),
    resource: orNull(resource),
    startAt: instant,
    endAt: instant,
    durationSec: Type.Number({ minimum: 0 }),
    ...priceFields,
    penalty: Type.Number({ description: "What cancelling costs: this part of the fixed price" }),
    basePenalty: Type.Number({ description: "And this part of the base price" }),
    expiresAt: instant,
    used: Type.Boolean({ description: "Whether a job ever ran in it" }),
    usedSu: su,
    usedProcMs: procMs,
    penaltySu: su,
    penaltyProcMs: procMs,
    refundSu: su,
    refundProcMs: procMs,
    ticket: Type.Optional(
      Type.Object(
        {
          name: Type.String({ description: "`vo/id`" }),
          heldSec: Type.Number({ description: "What it holds of it, in the ticket's unit times seconds" }),
        },
        { ...strict, description: "The ticket that it is under" },
      ),
    ),
    history: Type.Array(
      Type.Object(
        { state, at: instant, by: orNull(Type.String()), why: orNull(Type.String()) },
        { ...strict, description: "A step of its life; `by` is null where time or the site did it" },
      ),
    ),
  },
  { ...strict, description: "An offer or a reservation, with everything that became of it" },
);

/** One page of reservations, newest first. */
export const reservationListSchema = Type.Object(
  { items: Type.Array(ref<ReservationView>("Reservation")), next },
  { ...strict, description: "One page of reservations, newest first" },
);

/** A slot that is to be kept aside. */
export type OfferRequestView = Shape<typeof offerRequestSchema>;
/** More time for a reservation. */
export type ExtensionRequestView = Shape<typeof extensionRequestSchema>;
/** Which reservations to list; all conditions hold. */
export type ReservationFilter = Shape<typeof reservationQuery>;
/** An offer or a reservation, with everything that became of it. */
export type ReservationView = Shape<typeof reservationSchema>;
/** One step of a reservation's life. */
export type ReservationStepView = ReservationView["history"][number];
/** One page of reservations, newest first. */
export type ReservationList = Shape<typeof reservationListSchema>;
/** How much more time is asked for. */
export type ExtensionQuery = Shape<typeof extensionQuery>;
