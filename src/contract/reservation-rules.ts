/** Reservation rules of a site: requests and responses. */
import { type TSchema, Type } from "typebox";
import { type InSeconds, type ReservationRules, SLOT_KINDS, WEEKDAYS } from "../model/index.ts";
import { as, lengthSec, SHORTEST_SEC, strict } from "./fields.ts";

const partPpm = (description: string) => Type.Integer({ minimum: 0, maximum: 1_000_000, description });

const DAY_SEC = 86_400;
/** 14 h 59 min. */
const MOST_CLOCK_SEC = 899 * 60;
const MOST_DELAY_COST = 1_000_000_000;
const path = Type.String({ pattern: "^[^\\s\\p{Cc}]+$", maxLength: 600, description: "a consumer path" });
const orAll = (item: TSchema, description: string) =>
  Type.Union([Type.Array(item, { minItems: 1, maxItems: 1000 }), Type.Null()], { description });
const unitPriceThousandths = Type.Integer({
  minimum: 1000,
  maximum: 1_000_000,
  description: "Price of a processor-hour, in thousandths of an SU",
});
const transactionProcMs = Type.Integer({
  minimum: 0,
  maximum: 3_600_000_000_000,
  description: "Additional price of each reservation, in processor-milliseconds",
});

const priceRule = Type.Object(
  {
    name: Type.String({ pattern: "^[A-Za-z0-9_][A-Za-z0-9_. -]{0,63}$", description: "Unique at the site" }),
    clockSec: lengthSec("How far the rule's clock is ahead of UTC", {
      least: -MOST_CLOCK_SEC,
      most: MOST_CLOCK_SEC,
    }),
    fromSec: lengthSec("Start of the rule's period, as a time of day", { most: DAY_SEC - SHORTEST_SEC }),
    untilSec: lengthSec(
      "End of the rule's period, as a time of day; on the next day if not later than its start",
      {
        least: SHORTEST_SEC,
        most: DAY_SEC,
      },
    ),
    days: orAll(Type.Enum([...WEEKDAYS]), "Days on which the period begins; null: all"),
    consumers: orAll(path, "Consumers to whom the rule applies, with all below them; null: all"),
    slots: orAll(Type.Enum([...SLOT_KINDS]), "Kinds of slots to which the rule applies; null: all"),
    unitPriceThousandths,
    transactionProcMs,
  },
  { ...strict, description: "Condition and price of a price rule" },
);

const fields = {
  consumers: Type.Union([Type.Array(path, { maxItems: 1000 }), Type.Null()], {
    description: "Consumer paths that may reserve; null: everybody; an empty list: nobody",
  }),
  aheadSec: lengthSec("Latest end of a reservation, from now"),
  longestSec: Type.Union([lengthSec("Longest duration of a reservation"), Type.Null()]),
  noticeSec: lengthSec("Earliest start of a reservation, from now"),
  sharePpm: partPpm("Part of the pool that may be reserved at the same time, by all consumers together"),
  consumerSharePpm: partPpm("Part of the pool that one consumer may have reserved at the same time"),
  farSec: lengthSec("From now; further ahead than this, only `farSharePpm` may be reserved"),
  farSharePpm: partPpm("Part of the pool that may be reserved further ahead than `farSec`"),
  offerSec: lengthSec("How long an offer is held", { least: SHORTEST_SEC }),
  offerSharePpm: partPpm("Part of the pool that the open offers of one consumer may hold"),
  unitPriceThousandths,
  transactionProcMs,
  prices: Type.Optional(
    Type.Array(priceRule, {
      maxItems: 100,
      description:
        "Price rules; the first one that applies replaces unitPriceThousandths and transactionProcMs",
    }),
  ),
  penaltyPpm: partPpm("Part of the fixed price that a cancellation before the start costs"),
  basePenaltyPpm: partPpm("Part of the base price that a cancellation costs in addition"),
  freeWasted: Type.Integer({
    minimum: 0,
    maximum: 1_000_000,
    description:
      "Maximum number of reservations without a fixed price that a consumer may cancel or leave unused in " +
      "a week",
  }),
  delayBudgets: Type.Optional(
    Type.Record(path, Type.Integer({ minimum: 0, maximum: MOST_DELAY_COST }), {
      description:
        "SU per hour that the waiting jobs of each consumer may declare as delay cost in addition to " +
        "one SU per processor",
    }),
  ),
  virtual: Type.Optional(
    Type.Boolean({
      description:
        "Whether virtual reservations are allowed, whose jobs may hold processors idle until their " +
        "start; absent: true",
    }),
  ),
} as const satisfies Record<keyof RulesView, TSchema>;

/** Reservation rules of a site, at a border. */
type RulesView = InSeconds<ReservationRules>;

/** Reservation rules in a response. */
export const rulesSchema = as<RulesView>(
  Type.Object(fields, {
    ...strict,
    description: "Limits and prices of reservations; a rule that is absent has its default",
  }),
);

/** Reservation rules in a request: all optional. */
export const rulesRequestSchema = as<Partial<RulesView>>(
  Type.Object(
    Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, Type.Optional(schema)])),
    strict,
  ),
);
