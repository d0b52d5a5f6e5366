/**
 * What is asked about slots at several sites that are had together, and what is answered.
 */
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

/** More sites than that nobody asks for; each of them multiplies the work. */
const MOST_PARTS = 16;

const parts = Type.Array(Type.Object({ site: siteName, ...slotFields, ...ticketFields }, strict), {
  minItems: 2,
  maxItems: MOST_PARTS,
  description: "A slot each, at different sites, or of different stores and links",
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
    procs: Type.Integer({ minimum: 0, description: "0 of a store or of a link" }),
    resource: orNull(resource),
    ...priceFields,
    hindrance: orNull(hindranceSchema),
  },
  { ...strict, description: "One of the slots with its price" },
);

/** The starts at which all of several slots can be had. */
export const coReservationQuoteSchema = Type.Object(
  {
    items: Type.Array(
      Type.Object(
        { startAt: instant, ...sumFields, effect: Type.String(), parts: Type.Array(part) },
        { ...strict, description: "A possible start with the price of all, and of each" },
      ),
    ),
    chosen: orNull(
      Type.Object(
        { startAt: instant },
        { ...strict, description: "What alpha chooses of all that nothing hinders" },
      ),
    ),
  },
  { ...strict, description: "The starts at which all of several slots can be had" },
);

/** Several slots that are had together. */
export const coReservationSchema = Type.Object(
  {
    together: Type.String({ description: "What they share" }),
    items: Type.Array(ref<ReservationView>("Reservation")),
  },
  { ...strict, description: "Several slots that are accepted and cancelled together, or not at all" },
);

/** Slots at different sites, stores and links, of which the price is asked. */
export type CoReservationQuoteRequest = Shape<typeof coReservationQuoteRequestSchema>;
/** Such slots that are to be kept aside. */
export type CoReservationOfferRequest = Shape<typeof coReservationOfferRequestSchema>;
/** One of them. */
export type CoReservationPartRequest = CoReservationQuoteRequest["parts"][number];
/** The starts at which all can be had. */
export type CoReservationQuoteView = Shape<typeof coReservationQuoteSchema>;
/** A start at which all can be had, with what they cost in all. */
export type CoReservationStartView = CoReservationQuoteView["items"][number];
/** What one of the slots costs. */
export type CoReservationPartView = CoReservationStartView["parts"][number];
/** Several offers or reservations: whatever is accepted or cancelled of them is so of all. */
export type CoReservationView = Shape<typeof coReservationSchema>;
