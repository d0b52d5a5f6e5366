/**
 * What is asked about virtual reservations, and what is answered.
 */
import { Type } from "typebox";
import { descriptionFields } from "./description.ts";
import {
  as,
  count,
  hindranceSchema,
  instant,
  instantGiven,
  open,
  orNull,
  procMs,
  type Shape,
  seconds,
  siteName,
  sizeFields,
  strict,
  su,
} from "./fields.ts";
import { type RefusalThere, scoreSchema } from "./prospect.ts";

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
export const virtualReservationQuoteRequestSchema = Type.Object({ ...sizeFields, ...whenFields }, strict);

const { wallTimeSec: _limit, site: _site, reservation, gpus: _gpus, ...jobFields } = descriptionFields;

/** `POST /reservations/virtual` */
export const virtualReservationRequestSchema = Type.Object(
  { ...jobFields, ...whenFields, besides: reservation },
  strict,
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
          refusal: orNull(as<RefusalThere>(Type.Object({ kind: Type.String(), text: Type.String() }, open))),
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

/** A slot that is wanted of the queues themselves. */
export type VirtualReservationQuoteRequest = Shape<typeof virtualReservationQuoteRequestSchema>;
/** A job that is to begin its program at an instant. */
export type VirtualReservationRequest = Shape<typeof virtualReservationRequestSchema>;
/** What sites could do, a site each. */
export type VirtualReservationQuoteView = Shape<typeof virtualReservationQuoteSchema>;
/** What a site could do; where there is no plan, one of the others says why. */
export type VirtualReservationSiteView = VirtualReservationQuoteView["items"][number];
/** When its job would be submitted, and what comes of it. */
export type VirtualReservationPlanView = Shape<typeof plan>;
