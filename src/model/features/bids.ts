/**
 * Bids: what sites answer to a call for one job, with start, end and cost; and how well the answers of jobs
 * that took one came true ([WMS] slides 47, 88 to 91, spec 65 A21).
 */
import { counted } from "../../base/index.ts";
import type { FeatureModel } from "../feature.ts";

/** Time for which a bid can be taken. */
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

/** How well the bids of a site came true whose jobs have ended. */
export interface BidScore {
  readonly site: string;
  /** Bids that jobs took and that were scored. */
  readonly scored: number;
  /** Jobs among them that did not begin there. */
  readonly notBegun: number;
  /** By probability: the starts that were promised so, and those that came true. */
  readonly promises: readonly {
    readonly probability: number;
    readonly promised: number;
    readonly kept: number;
  }[];
  /** Sums over the jobs that began: distance of start and end from the likely ones, cost bid and due. */
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
        what: `the bid ${bid} cannot be taken`,
        why:
          "it was for another user, another job took it, or it is over: a bid can be taken for " +
          counted(BID_VALID_MS / 1000, "second"),
        remedy: "call for bids again: `stint bids`, or `stint submit --by`",
      }),
    },
    bidForOther: {
      status: 422,
      text: ({ bid, differs }) => ({
        what: `the bid ${bid} is for another job`,
        why: `the ${differs} of the job differs from that of the call`,
        remedy: "call for bids on the job as it is now",
      }),
    },
  },
  books: { bids: ({ id }) => id, bidScores: ({ site }) => site },
};
