/**
 * What is asked about prices, reservations and accounts, and what is answered.
 */
import { type TSchema, Type } from "@fastify/type-provider-typebox";
import { RESERVATION_STATES } from "../../model/index.ts";
import type {
  ExtensionRequestView,
  GrantRequest,
  OfferRequestView,
  QuoteRequest,
} from "../client/reservation-types.ts";
import {
  askFields,
  consumerPath,
  count,
  hindranceSchema,
  instant,
  instantGiven,
  orNull,
  priceFields,
  procMs,
  resource,
  seconds,
  siteName,
  slotFields,
  spanFields,
  strict,
  su,
  ticketFields,
} from "./slot-fields.ts";

const state = Type.Enum([...RESERVATION_STATES]);

/** `POST /quotes` */
export const quoteRequestSchema = Type.Unsafe<QuoteRequest>(
  Type.Object(
    {
      ...slotFields,
      ...spanFields,
      ...askFields,
      ...ticketFields,
      sites: Type.Optional(Type.Array(siteName, { minItems: 1, maxItems: 1000 })),
    },
    strict,
  ),
);

/** `POST /reservations` */
export const offerRequestSchema = Type.Unsafe<OfferRequestView>(
  Type.Object(
    { site: siteName, ...slotFields, ...spanFields, ...ticketFields, startAt: instantGiven },
    strict,
  ),
);

/** `/reservations/:id` */
export const reservationParameters = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 64, description: "The id, or as much of it as is unique" }),
});

/** `GET /reservations/:id/extension` */
export const extensionQuery = Type.Object({ moreSec: seconds }, strict);

/** `POST /reservations/:id/extend` */
export const extensionRequestSchema = Type.Unsafe<ExtensionRequestView>(
  Type.Object(
    {
      moreSec: seconds,
      mostFixedSu: Type.Number({ minimum: 0, maximum: 1e9, description: "It may cost this beside n·d·c" }),
    },
    strict,
  ),
);

/** `GET /reservations` */
export const reservationQuery = Type.Object(
  {
    state: Type.Optional(Type.Array(state, { maxItems: 20, description: "May be given several times" })),
    owner: Type.Optional(Type.String()),
    consumer: Type.Optional(Type.String({ description: "The consumer path or anything below it" })),
    site: Type.Optional(Type.String()),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 100 })),
    cursor: Type.Optional(Type.String({ maxLength: 1024, description: "`next` of the page before" })),
  },
  strict,
);

/** `GET /accounts` */
export const accountQuery = Type.Object(
  { consumer: Type.Optional(consumerPath), site: Type.Optional(siteName) },
  strict,
);

/** `POST /grants` */
export const grantRequestSchema = Type.Unsafe<GrantRequest>(
  Type.Object(
    {
      site: siteName,
      consumer: consumerPath,
      su: Type.Number({ minimum: -1e9, maximum: 1e9, description: "SU; below 0: takes back" }),
    },
    strict,
  ),
);

/** A possible start with its price. */
export const pricedStartSchema = Type.Object(
  {
    startAt: instant,
    ...priceFields,
    delays: orNull(
      Type.Object(
        { jobs: count, totalMs: count, worstMs: count, ownJobs: count },
        { ...strict, description: "Those who wait, and of these the asker's own department's jobs" },
      ),
    ),
    effect: Type.String({ description: "What it would do to those who wait, in words" }),
    hindrance: orNull(hindranceSchema),
  },
  { ...strict, description: "A possible start with its price" },
);

const siteQuote = Type.Object(
  {
    site: Type.String(),
    trouble: orNull(Type.String({ description: "What keeps it from being asked" })),
    starts: Type.Array(Type.Unsafe({ $ref: "PricedStart#" })),
    leftOut: Type.Optional(
      Type.Integer({
        description: "Beside a long queue: so many other instants at which it might begin were not priced",
      }),
    ),
  },
  strict,
);

/** What a slot costs, a site each. */
export const quoteSchema = Type.Object(
  {
    items: Type.Array(siteQuote),
    chosen: orNull(
      Type.Object(
        { site: Type.String(), startAt: instant },
        { ...strict, description: "What alpha chooses of all that nothing hinders" },
      ),
    ),
  },
  { ...strict, description: "What a slot costs, a site each" },
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

const income = (amount: TSchema) => Type.Object({ base: amount, delays: amount, penalties: amount }, strict);

/** How a consumer's accounts stand. */
export const accountsSchema = Type.Object(
  {
    consumer: Type.String(),
    levels: Type.Array(
      Type.Object(
        {
          site: Type.String(),
          consumer: Type.String(),
          balanceSu: orNull(su),
          balanceProcMs: orNull(procMs),
          granted: Type.Boolean({ description: "Whether anything was granted to it" }),
        },
        strict,
      ),
    ),
    sites: Type.Array(
      Type.Object(
        {
          site: Type.String(),
          hasGrants: Type.Boolean({ description: "Before that nothing is refused" }),
          incomeSu: income(su),
          incomeProcMs: income(procMs),
          reserved: Type.Object(
            { su, procMs, idleSu: su, idleProcMs: procMs },
            { ...strict, description: "The time of reservations that are over, and what was idle of it" },
          ),
          delays: Type.Object(
            { jobs: count, pricedSu: su, pricedProcMs: procMs, causedSu: su, causedProcMs: procMs },
            { ...strict, description: "Of jobs whose delay was priced and that have started since" },
          ),
        },
        strict,
      ),
    ),
    postings: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          site: Type.String(),
          consumer: Type.String(),
          at: instant,
          kind: Type.String(),
          about: Type.String({ description: "The job or the reservation, or who granted" }),
          su,
          procMs,
          entries: Type.Array(
            Type.Object({ book: count, account: Type.String(), procMs: Type.Integer() }, strict),
          ),
        },
        strict,
      ),
    ),
  },
  { ...strict, description: "How a consumer's accounts stand, each level of its path" },
);

/** A grant that was made. */
export const grantSchema = Type.Object(
  {
    id: Type.String(),
    site: Type.String(),
    consumer: Type.String(),
    su,
    procMs,
    balanceSu: su,
    balanceProcMs: procMs,
  },
  { ...strict, description: "A grant, and what the consumer has now" },
);
