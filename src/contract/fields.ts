/**
 * The fields of which the shapes of requests and responses are made, and their units: instants are ISO 8601
 * in UTC, `…Sec` seconds, `…Bytes` bytes, `…Su` money for people beside `…ProcMs`, which is exact.
 */
import {
  type Static,
  type TNull,
  type TNumber,
  type TSchema,
  type TUnion,
  type TUnsafe,
  Type,
} from "typebox";
import { RESOURCE_KINDS, type ReservationHindrance } from "../model/index.ts";
import type { FactsView } from "./facts.ts";

/** The type of what a schema describes, read-only at every depth. */
export type Shape<Schema extends TSchema> = Frozen<Static<Schema>>;

type Frozen<Value> = Value extends readonly unknown[]
  ? { readonly [At in keyof Value]: Frozen<Value[At]> }
  : Value extends object
    ? { readonly [Name in keyof Value]: Frozen<Value[Name]> }
    : Value;

/** No field but those that are named. */
export const strict = { additionalProperties: false } as const;
/** Further fields are facts. */
export const open = { additionalProperties: true } as const;

/** A schema of the document's own list, by its name there. */
export function ref<Value>(name: string): TUnsafe<Value> {
  return Type.Unsafe<Value>({ $ref: `${name}#` });
}

/** A schema whose type says more than it checks. */
export function as<Value>(schema: TSchema): TUnsafe<Value> {
  return Type.Unsafe<Value>(schema);
}

/** What may be nothing. */
export function orNull<Schema extends TSchema>(schema: Schema, options = {}): TUnion<[Schema, TNull]> {
  return Type.Union([schema, Type.Null()], options);
}

/** A name in a consumer path. */
const PATH_NAME = "[A-Za-z0-9_][A-Za-z0-9_.@+-]{0,63}";
/** A consumer path of up to eight names, as a regular expression. */
export const CONSUMER = `^${PATH_NAME}(/${PATH_NAME}){0,7}$`;

/** How many of something. */
export const count = Type.Integer({ minimum: 0 });
/** An instant in an answer. */
export const instant = Type.String({ format: "date-time", description: "ISO 8601, in UTC" });
/** Money as people say it. */
export const su = Type.Number({ description: "SU" });
/** And as it is. */
export const procMs = Type.Integer({ description: "The same exactly, in processor-milliseconds" });

const MOST_PROCS = 1_000_000;
const SEC_PER_YEAR = 366 * 24 * 3600;
/** A millisecond: what is shorter is nothing. */
export const SHORTEST_SEC = 0.001;

/** A length of time, from none to a year where nothing else is said. */
export function lengthSec(description: string, { least = 0, most = SEC_PER_YEAR } = {}): TNumber {
  const unit = "in seconds; fractions count to the millisecond";
  return Type.Number({ minimum: least, maximum: most, description: `${description}, ${unit}` });
}

/** A length of time in an answer. */
export const shownSec = Type.Number({ minimum: 0, description: "Seconds, to the millisecond" });

/** A length of time in a question. */
export const seconds = Type.Number({ minimum: SHORTEST_SEC, maximum: SEC_PER_YEAR });
/** An instant in a question. */
export const instantGiven = Type.String({
  pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,3})?)?(Z|[+-]\\d\\d:\\d\\d)$",
  description: "an instant as in 2026-11-20T08:30:00Z",
});
/** The name of a site in a question. */
export const siteName = Type.String({ minLength: 1, maxLength: 64 });
/** Whose it would be. */
export const consumerPath = Type.String({
  pattern: CONSUMER,
  description: "a consumer path as in vo/group/user",
});

/** How much of a site. */
export const sizeFields = {
  procs: Type.Integer({ minimum: 1, maximum: MOST_PROCS }),
  memoryBytes: Type.Optional(
    Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: "In all" }),
  ),
};

/** A part of a store or of a link. */
export const resource = Type.Object(
  {
    kind: Type.Enum([...RESOURCE_KINDS]),
    name: Type.String({ minLength: 1, maxLength: 63, description: "as the site calls it" }),
    amount: Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: "of a store bytes, of a link bytes per second",
    }),
  },
  { ...strict, description: "A part of a store or of a link of the site" },
);

/** How much of what a slot is: processors, or a part of a store or of a link. */
export const slotFields = {
  ...sizeFields,
  procs: Type.Optional(sizeFields.procs),
  resource: Type.Optional(resource),
};

/** The ticket that it is wanted under. */
export const ticketFields = {
  ticket: Type.Optional(
    Type.String({ maxLength: 5000, description: "The line of the ticket that it is wanted under" }),
  ),
};

/** For how long, and whose. */
export const spanFields = { durationSec: seconds, consumer: Type.Optional(consumerPath) };

/** When a price is asked for, and what is to be chosen. */
export const askFields = {
  startAt: Type.Optional(instantGiven),
  fromAt: Type.Optional(instantGiven),
  alpha: Type.Optional(
    Type.Number({ minimum: 0, maximum: 1, description: "0: only time matters, 1: only cost" }),
  ),
  mostSu: Type.Optional(Type.Number({ minimum: 0, maximum: 1e9, description: "Nothing dearer is chosen" })),
};

/** A price in its parts, and whom it is for. */
export const sumFields = {
  priceSu: su,
  priceProcMs: procMs,
  baseSu: su,
  baseProcMs: procMs,
  fixedSu: su,
  fixedProcMs: procMs,
  delaysJobs: count,
  delaySu: su,
  delayProcMs: procMs,
};

/** The same at one site. */
export const priceFields = {
  ...sumFields,
  unitPrice: Type.Number({ description: "c at its start: of a processor for an hour, in SU" }),
  transactionSu: su,
  transactionProcMs: procMs,
  rules: Type.Array(
    Type.Object(
      {
        rule: orNull(Type.String({ description: "Null: none of the site's price rules fitted" })),
        unitPrice: Type.Number(),
        durationSec: Type.Number({ minimum: 0 }),
      },
      strict,
    ),
    { description: "The site's price rules that it is priced by, each with its time" },
  ),
};

/** Which rule of a site is in the way. */
export const hindranceSchema = as<HindranceView>(
  Type.Object(
    { kind: Type.String(), text: Type.String() },
    { ...open, description: "The site's rule in the way, with what it allows" },
  ),
);

/** The rule of a site that is in the way, with what it allows and what was asked for. */
export type HindranceView = FactsView<ReservationHindrance> & { readonly text: string };
/** Under which key something is asked for once, however often it is sent. */
export interface Keyed {
  readonly idempotencyKey?: string;
}
/** Money and delays in their parts. */
export type PriceSumView = Shape<typeof sumSchema>;
/** What a price was made by. */
export type PriceRulesView = Pick<
  Shape<typeof priceSchema>,
  "unitPrice" | "transactionSu" | "transactionProcMs" | "rules"
>;

/** From 0 to 1. */
export const part = Type.Number({ minimum: 0, maximum: 1 });
/** In parts per million. */
export const ppm = Type.Integer({ minimum: 0, maximum: 1_000_000, description: "Parts per million" });
/** What a list gives to have its next page. */
export const cursor = Type.Optional(
  Type.String({ maxLength: 1024, description: "`next` of the page before" }),
);
/** How long a page is. */
export const limit = Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 100 }));
/** The cursor of the next page in a response. */
export const next = orNull(Type.String({ description: "The cursor of the next page" }));
/** An id that a person may have shortened. */
export const shortId = Type.String({
  minLength: 1,
  maxLength: 64,
  description: "The id, or as much of it as is unique",
});

const sumSchema = Type.Object(sumFields, strict);
const priceSchema = Type.Object(priceFields, strict);
