/**
 * What is asked about virtual reservations, and what is answered.
 */
import { Type } from "@fastify/type-provider-typebox";
import type {
  VirtualReservationQuoteRequest,
  VirtualReservationRequest,
} from "../client/virtual-reservation-types.ts";
import { scoreSchema } from "./prospects.ts";
import {
  count,
  hindranceSchema,
  instant,
  instantGiven,
  orNull,
  procMs,
  seconds,
  siteName,
  sizeFields,
  strict,
  su,
} from "./slot-fields.ts";
import { descriptionFields } from "./submission.ts";

const part = Type.Number({ minimum: 0, maximum: 1 });

const whenFields = {
  durationSec: seconds,
  startAt: instantGiven,
  sites: Type.Optional(Type.Array(siteName, { minItems: 1, maxItems: 1000 })),
  enough: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description: "At the last moment that is so sure; else the surest",
    }),
  ),
};

/** `POST /quotes/virtual` */
export const virtualReservationQuoteRequestSchema = Type.Unsafe<VirtualReservationQuoteRequest>(
  Type.Object({ ...sizeFields, ...whenFields }, strict),
);

const { wallTimeMs: _limit, site: _site, reservation, gpus: _gpus, ...jobFields } = descriptionFields;

/** `POST /reservations/virtual` */
export const virtualReservationRequestSchema = Type.Unsafe<VirtualReservationRequest>(
  Type.Object({ ...jobFields, ...whenFields, besides: reservation }, strict),
);

const plan = Type.Object(
  {
    submitAt: instant,
    wallTimeSec: Type.Number({ description: "It lasts until the slot's end, however early it starts" }),
    probability: Type.Number({
      minimum: 0,
      maximum: 1,
      description: "That it has started by then, at least",
    }),
    mostIdleSu: su,
    mostIdleProcMs: procMs,
    method: Type.Enum(["history"]),
    source: Type.Object({ level: Type.Enum(["class", "queue", "site"]), waits: count }, strict),
    score: scoreSchema,
    hasBeenWrong: Type.Boolean({ description: "Fewer were kept than promised, beyond chance" }),
  },
  { ...strict, description: "When its job would be submitted, and what comes of it" },
);

/** What sites could do for a virtual reservation. */
export const virtualReservationQuoteSchema = Type.Object(
  {
    items: Type.Array(
      Type.Object(
        {
          site: Type.String(),
          partition: orNull(Type.String()),
          takesJobs: Type.Boolean(),
          refusal: orNull(
            Type.Object({ kind: Type.String(), text: Type.String() }, { additionalProperties: true }),
          ),
          trouble: orNull(Type.String()),
          hindrance: orNull(hindranceSchema),
          noRecord: orNull(Type.Object({ settled: count, needed: count }, strict)),
          plan: orNull(plan),
        },
        { ...strict, description: "Where there is no plan, one of the others says why" },
      ),
    ),
    chosen: orNull(Type.Object({ site: Type.String() }, { ...strict, description: "The surest" })),
  },
  { ...strict, description: "Virtual reservations that could be made, a site each" },
);

/** What a job keeps of its virtual reservation. */
export const virtualReservationJobSchema = Type.Object(
  {
    startAt: instant,
    durationSec: Type.Number(),
    submitAt: instant,
    probability: part,
    besides: orNull(Type.String({ description: "The priced reservation that stands in" })),
    idleSu: su,
    idleProcMs: procMs,
  },
  { ...strict, description: "Of a virtual reservation: it is submitted, and begins, at these instants" },
);
