/** Co-reservations, slots at several sites that start together: requests and responses. */
import { Type } from "typebox";
import {
  askFields,
  hindranceSchema,
  instant,
  instantGiven,
  orNull,
  priceFields,
  ref,
  resource,
  type Shape,
  siteName,
  slotFields,
  spanFields,
  strict,
  sumFields,
  ticketFields,
} from "./fields.ts";
import type { ReservationView } from "./reservation.ts";

/** Limit on the number of sites; each multiplies the work. */
const MOST_PARTS = 16;

const parts = Type.Array(Type.Object({ site: siteName, ...slotFields, ...ticketFields }, strict), {
  minItems: 2,
  maxItems: MOST_PARTS,
  description: "Slots at different sites, or of different stores and links",
});

/** `POST /quotes/together` */
export const coReservationQuoteRequestSchema = Type.Object({ parts, ...spanFields, ...askFields }, strict);

/** `POST /reservations/together` */
export const coReservationOfferRequestSchema = Type.Object(
  { parts, ...spanFields, startAt: instantGiven },
  strict,
);

const part = Type.Object(
  {
    site: Type.String(),
    procs: Type.Integer({ minimum: 0, description: "Processors; 0 for a reservation of a store or a link" }),
    resource: orNull(resource),
    ...priceFields,
    hindrance: orNull(hindranceSchema),
  },
  { ...strict, description: "One of the slots with its price" },
);

/** Starts at which all of several slots are possible. */
export const coReservationQuoteSchema = Type.Object(
  {
    items: Type.Array(
      Type.Object(
        { startAt: instant, ...sumFields, effect: Type.String(), parts: Type.Array(part) },
        { ...strict, description: "A possible start with the total price and the price of each slot" },
      ),
    ),
    chosen: orNull(
      Type.Object(
        { startAt: instant },
        { ...strict, description: "Start chosen by `alpha` among those that no rule of the site forbids" },
      ),
    ),
  },
  { ...strict, description: "Starts at which all of several slots are possible" },
);

/** Slots that are accepted and cancelled together. */
export const coReservationSchema = Type.Object(
  {
    together: Type.String({ description: "Id that the slots share" }),
    items: Type.Array(ref<ReservationView>("Reservation")),
  },
  { ...strict, description: "Several slots that are accepted and cancelled together, or not at all" },
);

/** Slots at different sites, stores and links to price. */
export type CoReservationQuoteRequest = Shape<typeof coReservationQuoteRequestSchema>;
/** Slots at different sites, stores and links to hold as offers. */
export type CoReservationOfferRequest = Shape<typeof coReservationOfferRequestSchema>;
/** One slot of a co-reservation. */
export type CoReservationPartRequest = CoReservationQuoteRequest["parts"][number];
/** Starts at which all slots are possible. */
export type CoReservationQuoteView = Shape<typeof coReservationQuoteSchema>;
/** A start at which all slots are possible, with the total price. */
export type CoReservationStartView = CoReservationQuoteView["items"][number];
/** Price of one of the slots. */
export type CoReservationPartView = CoReservationStartView["parts"][number];
/** Offers or reservations that are accepted and cancelled together. */
export type CoReservationView = Shape<typeof coReservationSchema>;
