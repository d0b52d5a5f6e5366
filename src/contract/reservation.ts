/** Offers and reservations: requests and responses. */
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
    mostFixedSu: Type.Number({
      minimum: 0,
      maximum: 1e9,
      description:
        "Limit on the fixed price of the extension; the base price (processors × time × unit price) " +
        "is not limited",
    }),
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
    siteReservation: orNull(
      Type.String({ description: "Id of the reservation in the site's own batch system" }),
    ),
    together: orNull(Type.String({ description: "Id that the parts of a co-reservation share" })),
    consumer: Type.String(),
    owner: Type.String(),
    procs: Type.Integer({ minimum: 0, description: "Processors; 0 for a reservation of a store or a link" }),
    memoryBytes: orNull(count),
    gpus: orNull(count),
    resource: orNull(resource),
    startAt: instant,
    endAt: instant,
    durationSec: Type.Number({ minimum: 0 }),
    ...priceFields,
    penalty: Type.Number({ description: "Penalty for cancelling, as a fraction of the fixed price" }),
    basePenalty: Type.Number({ description: "Penalty for cancelling, as a fraction of the base price" }),
    expiresAt: instant,
    used: Type.Boolean({ description: "True if a job has run in it" }),
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
          heldSec: Type.Number({ description: "Amount held, in the ticket's unit times seconds" }),
        },
        { ...strict, description: "Ticket that covers it" },
      ),
    ),
    history: Type.Array(
      Type.Object(
        { state, at: instant, by: orNull(Type.String()), why: orNull(Type.String()) },
        { ...strict, description: "A change of its state; `by` is null if time or the site caused it" },
      ),
    ),
  },
  { ...strict, description: "An offer or a reservation with its history" },
);

/** One page of reservations, newest first. */
export const reservationListSchema = Type.Object(
  { items: Type.Array(ref<ReservationView>("Reservation")), next },
  { ...strict, description: "One page of reservations, newest first" },
);

/** A slot to hold as an offer. */
export type OfferRequestView = Shape<typeof offerRequestSchema>;
/** Extension of a reservation. */
export type ExtensionRequestView = Shape<typeof extensionRequestSchema>;
/** Filter of a list of reservations; all conditions must hold. */
export type ReservationFilter = Shape<typeof reservationQuery>;
/** An offer or a reservation with its history. */
export type ReservationView = Shape<typeof reservationSchema>;
/** One step of a reservation's life. */
export type ReservationStepView = ReservationView["history"][number];
/** One page of reservations, newest first. */
export type ReservationList = Shape<typeof reservationListSchema>;
/** Length of an extension. */
export type ExtensionQuery = Shape<typeof extensionQuery>;
