/** Bids and their scores, as the API writes them. */
import { MS_PER_HOUR } from "../base/index.ts";
import type { BidListView, BidScoreView, BidView } from "../contract/index.ts";
import type { BidScore } from "../model/index.ts";
import { bidRefusalText } from "./bid-of-prospect.ts";
import type { CallResult } from "./call-for-bids.ts";
import { isoInstant } from "./iso-instant.ts";

/** Response to a call for bids, with a sentence for each refusal. */
export function bidListView({ bids, refusals, late }: CallResult): BidListView {
  return {
    items: bids.map(bidView),
    refusals: refusals.map(({ site, why }) => ({ site, why, text: bidRefusalText(why) })),
    late,
  };
}

function bidView({ bid, reserved, conditions }: CallResult["bids"][number]): BidView {
  const { id, site, starts, endMs, costProcMs, validUntilMs } = bid;
  return {
    ...{ id, site, kind: "estimate" },
    starts: starts.map(({ probability, startMs }) => ({ probability, startAt: isoInstant(startMs) })),
    ...{ endAt: isoInstant(endMs), costSu: costProcMs / MS_PER_HOUR, costProcMs },
    validUntil: isoInstant(validUntilMs),
    reserved:
      reserved === undefined
        ? null
        : {
            startAt: isoInstant(reserved.startMs),
            priceSu: (reserved.baseProcMs + reserved.fixedProcMs) / MS_PER_HOUR,
            priceProcMs: reserved.baseProcMs + reserved.fixedProcMs,
            baseSu: reserved.baseProcMs / MS_PER_HOUR,
            fixedSu: reserved.fixedProcMs / MS_PER_HOUR,
          },
    conditions,
  };
}

/** Score of a site, with sums of errors turned into means over the jobs that began. */
export function bidScoreView(score: BidScore): BidScoreView {
  const { site, scored, notBegun, promises, bidProcMs, dueProcMs } = score;
  const begun = scored - notBegun;
  const mean = (sumMs: number) => (begun === 0 ? null : Math.round(sumMs / begun) / 1000);
  return {
    ...{ site, scored, notBegun, promises },
    ...{ meanStartErrorSec: mean(score.startErrorMs), meanEndErrorSec: mean(score.endErrorMs) },
    ...{ bidSu: bidProcMs / MS_PER_HOUR, dueSu: dueProcMs / MS_PER_HOUR },
  };
}
