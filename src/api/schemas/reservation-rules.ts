/**
 * What a site says of reservations, as it is wished for and as the API writes it.
 */
import { type TProperties, type TSchema, Type } from "@fastify/type-provider-typebox";
import { RESERVATION_DEFAULTS, type ReservationRules } from "../../model/index.ts";

const MS_PER_YEAR = 366 * 24 * 3_600_000;
const strict = { additionalProperties: false };
const timeMs = (description: string) => Type.Integer({ minimum: 0, maximum: MS_PER_YEAR, description });
const partPpm = (description: string) => Type.Integer({ minimum: 0, maximum: 1_000_000, description });

const fields = {
  consumers: Type.Union(
    [
      Type.Array(
        Type.String({ pattern: "^[^\\s\\p{Cc}]+$", maxLength: 600, description: "a consumer path" }),
        {
          maxItems: 1000,
        },
      ),
      Type.Null(),
    ],
    { description: "The consumer paths whose people may reserve; null: everybody; none: nobody" },
  ),
  aheadMs: timeMs("A reservation ends no later than this from now"),
  longestMs: Type.Union([timeMs("And lasts no longer"), Type.Null()]),
  noticeMs: timeMs("And begins no sooner than this from now"),
  sharePpm: partPpm("The part of the pool that may be reserved at once, by all together"),
  consumerSharePpm: partPpm("And by one consumer"),
  farMs: timeMs("Beyond this from now"),
  farSharePpm: partPpm("No more than this part"),
  offerMs: Type.Integer({ minimum: 1, maximum: MS_PER_YEAR, description: "How long an offer is held" }),
  offerSharePpm: partPpm("The part of the pool that one consumer's open offers may hold"),
  unitPriceThousandths: Type.Integer({ minimum: 1000, maximum: 1_000_000, description: "c" }),
  transactionProcMs: Type.Integer({ minimum: 0, maximum: 3_600_000_000_000, description: "f₀" }),
  penaltyPpm: partPpm("What cancelling before the start costs: this part of f"),
  basePenaltyPpm: partPpm("And this part of the base price"),
  freeWasted: Type.Integer({
    minimum: 0,
    maximum: 1_000_000,
    description: "So many free ones that were cancelled or never used a consumer may have in a week",
  }),
  virtual: Type.Optional(
    Type.Boolean({ description: "Whether jobs may wait idle there for their time; they may where absent" }),
  ),
} as const satisfies Record<keyof ReservationRules, TSchema>;

/** As the API writes them. */
export const rulesSchema = Type.Object(fields, {
  ...strict,
  description: "Who may reserve how much, and what it costs; the careful defaults where absent",
});

/** As they are wished for: everything may be left out. */
export const rulesWishSchema = Type.Object(
  Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => [name, Type.Optional(schema)]),
  ) as TProperties,
  strict,
);

/** The rules with everything said that was left out; nothing where nothing was said. */
export function completeRules(wish: Partial<ReservationRules> | undefined): {
  readonly reservations?: ReservationRules;
} {
  return wish === undefined ? {} : { reservations: { ...RESERVATION_DEFAULTS, ...wish } };
}
