/** Operations on bids, as in `operations.ts`. */
import type { BidCall, BidListView, BidScoreView } from "../contract/index.ts";
import { act, type Items, look, of } from "./operation-shapes.ts";

/** Table of operations. */
export const BID_OPERATIONS = {
  callForBids: { ...act, path: "/bids", body: of<BidCall>(), answer: of<BidListView>() },
  listBidScores: { ...look, path: "/bids/scores", answer: of<Items<BidScoreView>>() },
} as const;
