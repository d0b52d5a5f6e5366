/** Bids of sites on one job: requests and responses. */
import { Type } from "typebox";
import { count, instant, orNull, part, procMs, ref, type Shape, seconds, strict, su } from "./fields.ts";
import { thoughtOfSchema } from "./prospect.ts";

const { condition: _, select: _s, deadline: _d, partition: _p, ...asked } = thoughtOfSchema.properties;

/** Reasons why a site makes no bid. */
export const BID_REFUSALS = ["doesNotFit", "noMatch", "policy", "closed", "unknownStart"] as const;

/** `POST /bids` */
export const bidCallSchema = Type.Object(
  {
    ...asked,
    alpha: Type.Optional(
      Type.Number({
        ...{ minimum: 0, maximum: 1 },
        description: "Weight of the cost in the order of the bids: 0 by time alone (the default), 1 by cost",
      }),
    ),
    answerWithinSec: Type.Optional(
      Type.Number({
        ...{ minimum: 0.05, maximum: 30 },
        description: "Deadline for answers of sites, in seconds; later bids are left out. Absent: 2",
      }),
    ),
  },
  strict,
);
/** Request for bids: a hypothetical job, and the order of the bids. */
export type BidCall = Shape<typeof bidCallSchema>;

const bid = Type.Object(
  {
    id: Type.String({ description: "Id by which a job accepts the bid (`bid` of a submission)" }),
    site: Type.String(),
    kind: Type.Enum(["estimate"], { description: "`estimate`: no capacity is held for it" }),
    starts: Type.Array(
      Type.Object(
        { probability: part, startAt: instant },
        { ...strict, description: "The job starts by then with this probability" },
      ),
    ),
    endAt: Type.String({
      format: "date-time",
      description: "End of the job if it starts at its likely start and uses its whole time limit",
    }),
    costSu: su,
    costProcMs: procMs,
    validUntil: instant,
    reserved: orNull(
      Type.Object(
        { startAt: instant, priceSu: su, priceProcMs: procMs, baseSu: su, fixedSu: su },
        {
          ...strict,
          description: "Price of a reservation at a fixed start; not held. null: not offered",
        },
      ),
    ),
    conditions: Type.Array(Type.String({ description: "Condition of the bid, as a sentence" })),
  },
  strict,
);
/** Bid of one site; an estimate without held capacity. */
export type BidView = Shape<typeof bid>;

/** Response to a call. */
export const bidListSchema = Type.Object(
  {
    items: Type.Array(bid, { description: "Bids, best first" }),
    refusals: Type.Array(
      Type.Object(
        { site: Type.String(), why: Type.Enum([...BID_REFUSALS]), text: Type.String() },
        { ...strict, description: "Site that makes no bid" },
      ),
    ),
    late: Type.Array(Type.String({ description: "Site that did not answer by the deadline" })),
  },
  { ...strict, description: "Bids on a job, and the sites that make none" },
);
/** Response to a request for bids. */
export type BidListView = Shape<typeof bidListSchema>;

export const bidScoreSchema = Type.Object(
  {
    site: Type.String(),
    scored: count,
    notBegun: Type.Integer({ minimum: 0, description: "Jobs that accepted a bid and did not start there" }),
    promises: Type.Array(Type.Object({ probability: part, promised: count, kept: count }, strict), {
      description: "For each probability, starts predicted with it, and those that were kept",
    }),
    meanStartErrorSec: orNull(seconds),
    meanEndErrorSec: orNull(seconds),
    bidSu: su,
    dueSu: su,
  },
  { ...strict, description: "Accepted bids, compared with the actual start, end and cost" },
);
/** Accuracy of the bids of one site. */
export type BidScoreView = Shape<typeof bidScoreSchema>;

export const bidScoreListSchema = Type.Object(
  { items: Type.Array(ref<BidScoreView>("BidScore")) },
  { ...strict, description: "Accuracy of the bids of each site" },
);
