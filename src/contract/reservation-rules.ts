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
const unitPriceThousandths = Type.Integer({ minimum: 1000, maximum: 1_000_000, description: "c" });
const transactionProcMs = Type.Integer({ minimum: 0, maximum: 3_600_000_000_000, description: "f₀" });

const priceRule = Type.Object(
  {
    name: Type.String({ pattern: "^[A-Za-z0-9_][A-Za-z0-9_. -]{0,63}$", description: "Unique at the site" }),
    clockSec: lengthSec("How far its clock is ahead of UTC", {
      least: -MOST_CLOCK_SEC,
      most: MOST_CLOCK_SEC,
    }),
    fromSec: lengthSec("From then on in the day", { most: DAY_SEC - SHORTEST_SEC }),
    untilSec: lengthSec("Until then; where that is not later, on the next day", {
      least: SHORTEST_SEC,
      most: DAY_SEC,
    }),
    days: orAll(Type.Enum([...WEEKDAYS]), "The days on which its time begins; null: all"),
    consumers: orAll(path, "For these and all below them; null: all"),
    slots: orAll(Type.Enum([...SLOT_KINDS]), "For these kinds of slots; null: all"),
    unitPriceThousandths,
    transactionProcMs,
  },
  { ...strict, description: "Condition and price of a price rule" },
);

const fields = {
  consumers: Type.Union([Type.Array(path, { maxItems: 1000 }), Type.Null()], {
    description: "The consumer paths whose people may reserve; null: everybody; none: nobody",
  }),
  aheadSec: lengthSec("A reservation ends no later than this from now"),
  longestSec: Type.Union([lengthSec("And lasts no longer"), Type.Null()]),
  noticeSec: lengthSec("And begins no sooner than this from now"),
  sharePpm: partPpm("The part of the pool that may be reserved at once, by all together"),
  consumerSharePpm: partPpm("And by one consumer"),
  farSec: lengthSec("Beyond this from now"),
  farSharePpm: partPpm("No more than this part"),
  offerSec: lengthSec("How long an offer is held", { least: SHORTEST_SEC }),
  offerSharePpm: partPpm("The part of the pool that one consumer's open offers may hold"),
  unitPriceThousandths,
  transactionProcMs,
  prices: Type.Optional(
    Type.Array(priceRule, {
      maxItems: 100,
      description: "The first rule that applies replaces these two prices",
    }),
  ),
  penaltyPpm: partPpm("What cancelling before the start costs: this part of f"),
  basePenaltyPpm: partPpm("And this part of the base price"),
  freeWasted: Type.Integer({
    minimum: 0,
    maximum: 1_000_000,
    description: "So many free ones that were cancelled or never used a consumer may have in a week",
  }),
  delayBudgets: Type.Optional(
    Type.Record(path, Type.Integer({ minimum: 0, maximum: MOST_DELAY_COST }), {
      description: "What waiting jobs of these consumers may declare beyond their processors, in SU an hour",
    }),
  ),
  virtual: Type.Optional(
    Type.Boolean({ description: "True where jobs may wait idle for their start; true where absent" }),
  ),
} as const satisfies Record<keyof RulesView, TSchema>;

/** Reservation rules of a site, at a border. */
type RulesView = InSeconds<ReservationRules>;

/** Reservation rules in a response. */
export const rulesSchema = as<RulesView>(
  Type.Object(fields, {
    ...strict,
    description: "Limits and prices of reservations; careful defaults where absent",
  }),
);

/** Reservation rules in a request: all optional. */
export const rulesRequestSchema = as<Partial<RulesView>>(
  Type.Object(
    Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, Type.Optional(schema)])),
    strict,
  ),
);
