/** Virtual reservations: requests and responses. */
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
      description:
        "Lowest acceptable probability of a start in time: the job is submitted as late as it " +
        "allows. Absent: the most probable plan",
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
    wallTimeSec: Type.Number({
      description: "Time limit of the job: from its earliest possible start to the end of the slot",
    }),
    probability: Type.Number({
      minimum: 0,
      maximum: 1,
      description: "Lower bound of the probability that the job has started by `startAt`",
    }),
    mostIdleSu: su,
    mostIdleProcMs: procMs,
    method: Type.Enum(["history"]),
    source: Type.Object({ level: Type.Enum(["class", "queue", "site"]), waits: count }, strict),
    score: scoreSchema,
    hasBeenWrong: Type.Boolean({
      description: "True if significantly fewer predictions came true than their probability promises",
    }),
  },
  { ...strict, description: "Plan of a virtual reservation" },
);

/** Possible virtual reservations, by site. */
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
        { ...strict, description: "Plan of a site, or the reason why there is none" },
      ),
    ),
    chosen: orNull(
      Type.Object(
        { site: Type.String() },
        { ...strict, description: "Site whose plan has the highest probability" },
      ),
    ),
  },
  { ...strict, description: "Possible virtual reservations, by site" },
);

/** A slot to plan in the queues. */
export type VirtualReservationQuoteRequest = Shape<typeof virtualReservationQuoteRequestSchema>;
/** A job that should start its program at an instant. */
export type VirtualReservationRequest = Shape<typeof virtualReservationRequestSchema>;
/** Possible virtual reservations, by site. */
export type VirtualReservationQuoteView = Shape<typeof virtualReservationQuoteSchema>;
/** Answer of a site; without a plan it has a refusal, hindrance, trouble or missing record. */
export type VirtualReservationSiteView = VirtualReservationQuoteView["items"][number];
/** Plan of a virtual reservation. */
export type VirtualReservationPlanView = Shape<typeof plan>;
