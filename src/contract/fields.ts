/**
 * Common fields of requests and responses, with their units: instants are ISO 8601 in UTC, `…Sec` seconds,
 * `…Bytes` bytes, `…Su` money for people beside `…ProcMs`, which is exact.
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

/** Type of a schema's values, read-only at every depth. */
export type Shape<Schema extends TSchema> = Frozen<Static<Schema>>;

type Frozen<Value> = Value extends readonly unknown[]
  ? { readonly [At in keyof Value]: Frozen<Value[At]> }
  : Value extends object
    ? { readonly [Name in keyof Value]: Frozen<Value[Name]> }
    : Value;

/** Option of object schemas: only the named fields. */
export const strict = { additionalProperties: false } as const;
/** Option of object schemas: further fields are facts. */
export const open = { additionalProperties: true } as const;

/** Reference to a schema by its name in the OpenAPI document. */
export function ref<Value>(name: string): TUnsafe<Value> {
  return Type.Unsafe<Value>({ $ref: `${name}#` });
}

/** A schema with a narrower type than it validates. */
export function as<Value>(schema: TSchema): TUnsafe<Value> {
  return Type.Unsafe<Value>(schema);
}

/** A value or null. */
export function orNull<Schema extends TSchema>(schema: Schema, options = {}): TUnion<[Schema, TNull]> {
  return Type.Union([schema, Type.Null()], options);
}

/** A name in a consumer path. */
const PATH_NAME = "[A-Za-z0-9_][A-Za-z0-9_.@+-]{0,63}";
/** A consumer path of up to eight names, as a regular expression. */
export const CONSUMER = `^${PATH_NAME}(/${PATH_NAME}){0,7}$`;

/** A whole number from zero. */
export const count = Type.Integer({ minimum: 0 });
/** An instant in a response. */
export const instant = Type.String({ format: "date-time", description: "ISO 8601, in UTC" });
/** Money for people, in SU. */
export const su = Type.Number({ description: "Amount in SU (one SU: one processor for one hour)" });
/** Exact money, in processor-milliseconds. */
export const procMs = Type.Integer({ description: "The same amount exactly, in processor-milliseconds" });

const MOST_PROCS = 1_000_000;
const SEC_PER_YEAR = 366 * 24 * 3600;
/** Shortest length of time other than zero: a millisecond. */
export const SHORTEST_SEC = 0.001;

/** A length of time from zero, by default up to a year. */
export function lengthSec(description: string, { least = 0, most = SEC_PER_YEAR } = {}): TNumber {
  return Type.Number({
    minimum: least,
    maximum: most,
    description: `${description} (seconds, to the millisecond)`,
  });
}

/** A length of time in a response. */
export const shownSec = Type.Number({ minimum: 0, description: "Seconds, to the millisecond" });

/** A length of time in a request. */
export const seconds = Type.Number({ minimum: SHORTEST_SEC, maximum: SEC_PER_YEAR });
/** An instant with its zone, as a regular expression. */
export const INSTANT_PATTERN =
  "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,3})?)?(Z|[+-]\\d\\d:\\d\\d)$";
/** An instant in a request. */
export const instantGiven = Type.String({
  pattern: INSTANT_PATTERN,
  description: "an instant as in 2026-11-20T08:30:00Z",
});
/** Text that reaches the operating system, where a NUL would end it. */
export const word = { pattern: "^[^\\u0000]*$", description: "text without NUL" };
/** A text without NUL in a request. */
export const text = Type.String(word);
/** Name of a site in a request. */
export const siteName = Type.String({ minLength: 1, maxLength: 64 });
/** Consumer of a request. */
export const consumerPath = Type.String({
  pattern: CONSUMER,
  description: "a consumer path as in vo/group/user",
});

/** Processors, memory and GPUs at a site. */
export const sizeFields = {
  procs: Type.Integer({ minimum: 1, maximum: MOST_PROCS }),
  memoryBytes: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: "Total for all processors together",
    }),
  ),
  gpus: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1, description: "Total for all processors together" }),
  ),
};

/** A part of a store or of a link. */
export const resource = Type.Object(
  {
    kind: Type.Enum([...RESOURCE_KINDS]),
    name: Type.String({ minLength: 1, maxLength: 63, description: "Name of the store or link at the site" }),
    amount: Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: "Bytes of a store, or bytes per second of a link",
    }),
  },
  { ...strict, description: "A part of a store or of a link of the site" },
);

/** Size of a slot: processors, or a part of a store or of a link. */
export const slotFields = {
  ...sizeFields,
  procs: Type.Optional(sizeFields.procs),
  resource: Type.Optional(resource),
};

/** Ticket of a request. */
export const ticketFields = {
  ticket: Type.Optional(Type.String({ maxLength: 5000, description: "Line of a ticket to reserve under" })),
};

/** Length and consumer of a slot. */
export const spanFields = { durationSec: seconds, consumer: Type.Optional(consumerPath) };

/** Start of a slot, and the choice among starts. */
export const askFields = {
  startAt: Type.Optional(instantGiven),
  fromAt: Type.Optional(instantGiven),
  alpha: Type.Optional(
    Type.Number({ minimum: 0, maximum: 1, description: "0: only time matters, 1: only cost" }),
  ),
  mostSu: Type.Optional(
    Type.Number({ minimum: 0, maximum: 1e9, description: "Limit on the price of the choice" }),
  ),
};

/** A price in its parts, and the consumer that it applies to. */
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

/** Price at one site, with unit price and price rules. */
export const priceFields = {
  ...sumFields,
  unitPrice: Type.Number({ description: "Price of a processor-hour at the start, in SU" }),
  transactionSu: su,
  transactionProcMs: procMs,
  rules: Type.Array(
    Type.Object(
      {
        rule: orNull(Type.String({ description: "Null: no price rule of the site applied" })),
        unitPrice: Type.Number(),
        durationSec: Type.Number({ minimum: 0 }),
      },
      strict,
    ),
    { description: "Price rules of the site that were applied, each with its time" },
  ),
};

/** Rule of a site that forbids a start. */
export const hindranceSchema = as<HindranceView>(
  Type.Object(
    { kind: Type.String(), text: Type.String() },
    { ...open, description: "Rule of the site that forbids it, with its limit" },
  ),
);

/** Rule of a site that forbids a start, with its limit and the requested amount. */
export type HindranceView = FactsView<ReservationHindrance> & { readonly text: string };
/** Idempotency key of a request. */
export interface Keyed {
  readonly idempotencyKey?: string;
}
/** Money and delays by their parts. */
export type PriceSumView = Shape<typeof sumSchema>;
/** Price rules behind a price. */
export type PriceRulesView = Pick<
  Shape<typeof priceSchema>,
  "unitPrice" | "transactionSu" | "transactionProcMs" | "rules"
>;

/** A fraction from 0 to 1. */
export const part = Type.Number({ minimum: 0, maximum: 1 });
/** A fraction in parts per million. */
export const ppm = Type.Integer({ minimum: 0, maximum: 1_000_000, description: "Parts per million" });
/** Cursor of a page, from the page before. */
export const cursor = Type.Optional(
  Type.String({ maxLength: 1024, description: "`next` of the previous page" }),
);
/** Length of a page. */
export const limit = Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 100 }));
/** The cursor of the next page in a response. */
export const next = orNull(Type.String({ description: "The cursor of the next page" }));
/** An id, possibly abbreviated. */
export const shortId = Type.String({
  minLength: 1,
  maxLength: 64,
  description: "The id, or as much of it as is unique",
});

const sumSchema = Type.Object(sumFields, strict);
const priceSchema = Type.Object(priceFields, strict);
