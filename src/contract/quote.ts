/**
 * What a slot costs: the question, and the answer, a site each.
 */
import { Type } from "typebox";
import {
  askFields,
  count,
  hindranceSchema,
  instant,
  orNull,
  priceFields,
  ref,
  type Shape,
  shownSec,
  siteName,
  slotFields,
  spanFields,
  strict,
  ticketFields,
} from "./fields.ts";

/** `POST /quotes` */
export const quoteRequestSchema = Type.Object(
  {
    ...slotFields,
    ...spanFields,
    ...askFields,
    ...ticketFields,
    sites: Type.Optional(Type.Array(siteName, { minItems: 1, maxItems: 1000 })),
  },
  strict,
);

/** A possible start with its price. */
export const pricedStartSchema = Type.Object(
  {
    startAt: instant,
    ...priceFields,
    delays: orNull(
      Type.Object(
        { jobs: count, totalSec: shownSec, worstSec: shownSec, ownJobs: count },
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
    starts: Type.Array(ref<PricedStartView>("PricedStart")),
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

/** A slot of which the price is asked. */
export type QuoteRequest = Shape<typeof quoteRequestSchema>;
/** A possible start with its price. */
export type PricedStartView = Shape<typeof pricedStartSchema>;
/** What a site answers. */
export type SiteQuoteView = Shape<typeof siteQuote>;
/** What a slot costs, a site each. */
export type QuoteView = Shape<typeof quoteSchema>;
/** How much of what a slot is. */
export type SlotSizeRequest = Pick<QuoteRequest, "procs" | "memoryBytes" | "resource">;
/** A price rule of a site, and for how much of a slot it counts. */
export type RuleUseView = PricedStartView["rules"][number];
