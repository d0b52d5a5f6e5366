/**
 * What is asked about slots at several sites that are had together, and what is answered.
 */
import { Type } from "@fastify/type-provider-typebox";
import type { CoReservationOfferRequest, CoReservationQuoteRequest } from "../client/co-reservation-types.ts";
import {
  askFields,
  hindranceSchema,
  instant,
  instantGiven,
  orNull,
  priceFields,
  resource,
  siteName,
  slotFields,
  spanFields,
  strict,
  sumFields,
  ticketFields,
} from "./slot-fields.ts";

/** More sites than that nobody asks for; each of them multiplies the work. */
const MOST_PARTS = 16;

const parts = Type.Array(Type.Object({ site: siteName, ...slotFields, ...ticketFields }, strict), {
  minItems: 2,
  maxItems: MOST_PARTS,
  description: "A slot each, at different sites, or of different stores and links",
});

/** `POST /quotes/together` */
export const coReservationQuoteRequestSchema = Type.Unsafe<CoReservationQuoteRequest>(
  Type.Object({ parts, ...spanFields, ...askFields }, strict),
);

/** `POST /reservations/together` */
export const coReservationOfferRequestSchema = Type.Unsafe<CoReservationOfferRequest>(
  Type.Object({ parts, ...spanFields, startAt: instantGiven }, strict),
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
    items: Type.Array(Type.Unsafe({ $ref: "Reservation#" })),
  },
  { ...strict, description: "Several slots that are accepted and cancelled together, or not at all" },
);
