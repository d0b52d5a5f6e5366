/**
 * Bids: what sites answer to a call for one job, with start, end and cost; and how
 * accurate the bids were that jobs took ([WMS] slides 47, 88 to 91, spec 65 A21).
 */
import { counted } from "../../base/index.ts";
import type { FeatureModel } from "../feature.ts";

/** Time from a bid to its expiry. */
export const BID_VALID_MS = 60_000;

/** A probability, and the instant by which the job starts with it. */
interface BidStart {
  readonly probability: number;
  readonly startMs: number;
}

/** A bid of a site. Unix ms. */
export interface SiteBid {
  readonly id: string;
  readonly site: string;
  readonly owner: string;
  readonly consumer: string;
  readonly procs: number;
  readonly memoryBytes: number;
  readonly gpus: number;
  readonly limitMs: number;
  readonly madeAtMs: number;
  readonly validUntilMs: number;
  /** By rising probability, at least one; the first is the likely start. */
  readonly starts: readonly BidStart[];
  readonly endMs: number;
  /** Cost of the job if it uses its whole limit. */
  readonly costProcMs: number;
  /** The job that took it; absent: none. */
  readonly job?: string;
}

/** Accuracy of the bids of a site, over jobs that took a bid and have ended. */
export interface BidScore {
  readonly site: string;
  /** Bids that jobs took and that were scored. */
  readonly scored: number;
  /** Jobs among them that did not begin there. */
  readonly notBegun: number;
  /** By probability: number of starts predicted with it, and of those that were kept. */
  readonly promises: readonly {
    readonly probability: number;
    readonly promised: number;
    readonly kept: number;
  }[];
  /** Sums over the jobs that began: absolute errors of start and end, cost bid and cost due. */
  readonly startErrorMs: number;
  readonly endErrorMs: number;
  readonly bidProcMs: number;
  readonly dueProcMs: number;
}

interface BidsTypes {
  readonly command: { readonly kind: "recordBids"; readonly bids: readonly SiteBid[] };
  readonly event:
    | { readonly kind: "bidsMade"; readonly bids: readonly SiteBid[] }
    /** Bids that nobody took in time leave the state. */
    | { readonly kind: "bidsLapsed"; readonly bids: readonly string[] };
  readonly refusal:
    | { readonly kind: "bidOver"; readonly bid: string }
    | { readonly kind: "bidForOther"; readonly bid: string; readonly differs: string };
  readonly books: { readonly bids: SiteBid; readonly bidScores: BidScore };
}

export const bids: FeatureModel<BidsTypes> = {
  events: { bidsMade: 1, bidsLapsed: 1 },
  refusals: {
    bidOver: {
      status: 409,
      text: ({ bid }) => ({
        what: `the bid ${bid} cannot be accepted`,
        why:
          "it is for another user, was accepted by another job, or has expired: a bid is valid for " +
          counted(BID_VALID_MS / 1000, "second"),
        remedy: "request new bids: `stint bids`, or `stint submit --by`",
      }),
    },
    bidForOther: {
      status: 422,
      text: ({ bid, differs }) => ({
        what: `the bid ${bid} is for another job`,
        why: `the ${differs} of the job differs from that in the call for bids`,
        remedy: "request new bids for the job as it is now",
      }),
    },
  },
  books: { bids: ({ id }) => id, bidScores: ({ site }) => site },
};
