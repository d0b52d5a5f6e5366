/** Prices of slots: requests and responses, by site. */
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
        {
          ...strict,
          description:
            "Waiting jobs that a reservation would delay; `ownJobs`: those whose consumer path has the " +
            "same parent as the caller's",
        },
      ),
    ),
    effect: Type.String({ description: "Effect on waiting jobs, in words" }),
    hindrance: orNull(hindranceSchema),
  },
  { ...strict, description: "A possible start with its price" },
);

const siteQuote = Type.Object(
  {
    site: Type.String(),
    trouble: orNull(Type.String({ description: "Reason why the site cannot be queried" })),
    starts: Type.Array(ref<PricedStartView>("PricedStart")),
    leftOut: Type.Optional(
      Type.Integer({
        description: "Number of possible starts that were not priced because the queue is long",
      }),
    ),
  },
  strict,
);

/** Prices of a slot, by site. */
export const quoteSchema = Type.Object(
  {
    items: Type.Array(siteQuote),
    chosen: orNull(
      Type.Object(
        { site: Type.String(), startAt: instant },
        { ...strict, description: "Start chosen by `alpha` among those that no rule of the site forbids" },
      ),
    ),
  },
  { ...strict, description: "Prices of a slot, by site" },
);

/** A slot to price. */
export type QuoteRequest = Shape<typeof quoteRequestSchema>;
/** A possible start with its price. */
export type PricedStartView = Shape<typeof pricedStartSchema>;
/** Quotes of one site. */
export type SiteQuoteView = Shape<typeof siteQuote>;
/** Prices of a slot, by site. */
export type QuoteView = Shape<typeof quoteSchema>;
/** Size of a slot. */
export type SlotSizeRequest = Pick<QuoteRequest, "procs" | "memoryBytes" | "gpus" | "resource">;
/** A price rule of a site, and the part of a slot that it applies to. */
export type RuleUseView = PricedStartView["rules"][number];
