/** Metrics of calls for bids: messages by kind, and the time of each call. */
import { Counter, Histogram, type Registry } from "prom-client";

/** Messages and duration of one call for bids. */
export interface BidTraffic {
  readonly asked: number;
  readonly bids: number;
  readonly refusals: number;
  readonly late: number;
  readonly tookSec: number;
}

/** Upper bounds in seconds, up to the longest time that a call may take. */
const BOUNDS_SEC = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30];

/** Registers the metrics. @returns the function that records a call */
export function addBidMetrics(registers: Registry[]): (traffic: BidTraffic) => void {
  const messages = new Counter({
    ...{ name: "stint_bid_messages_total", help: "Messages of calls for bids, by kind" },
    ...{ labelNames: ["kind"] as const, registers },
  });
  const seconds = new Histogram({
    ...{
      name: "stint_bid_call_seconds",
      help: "Time from a call for bids to the last answer within the deadline",
    },
    ...{ buckets: BOUNDS_SEC, registers },
  });
  return ({ asked, bids, refusals, late, tookSec }) => {
    messages.inc({ kind: "call" }, asked);
    messages.inc({ kind: "bid" }, bids);
    messages.inc({ kind: "refusal" }, refusals);
    messages.inc({ kind: "late" }, late);
    seconds.observe(tookSec);
  };
}
