/**
 * The bid of a site on a job, from the site's own prediction. A bid reveals no method, partition, queue,
 * limit or other job; a refusal gives one of a fixed set of reasons.
 */
import type { BID_REFUSALS } from "../contract/index.ts";
import { BID_VALID_MS, type LivePrice, type SiteBid } from "../model/index.ts";
import type { Prospect } from "../runtime/index.ts";

/** Why a site makes no bid. */
export type BidRefusal = (typeof BID_REFUSALS)[number];

/** A bid, with its conditions and reservation price, which are not recorded; or the reason for none. */
export type SiteAnswer =
  | {
      readonly kind: "bid";
      readonly bid: SiteBid;
      readonly reserved: LivePrice | undefined;
      readonly conditions: readonly string[];
    }
  | { readonly kind: "refusal"; readonly site: string; readonly why: BidRefusal };

/** The job on which bids are made. */
export type BidSubject = Pick<
  SiteBid,
  "owner" | "consumer" | "procs" | "memoryBytes" | "gpus" | "limitMs" | "id" | "madeAtMs"
>;

/** Probability of a start that the schedule alone predicts, without a record of earlier predictions. */
const LIKELY = 0.5;

/** The bid of a site; a refusal if the site cannot run the job or predict its start. */
export function bidOf(
  prospect: Prospect,
  subject: BidSubject,
  { reserved, transferMs = 0 }: { readonly reserved: LivePrice | undefined; readonly transferMs?: number },
): SiteAnswer {
  const { site, choice, policy } = prospect;
  const why = refusalOf(prospect);
  const starts = startsOf(prospect).map(({ probability, startMs }) => {
    return { probability, startMs: Math.max(startMs + transferMs, subject.madeAtMs) };
  });
  const [likely] = starts;
  const costProcMs = choice?.row.costProcMs ?? null;
  if (why !== undefined || likely === undefined || costProcMs === null) {
    return { kind: "refusal", site, why: why ?? "unknownStart" };
  }
  const validUntilMs = subject.madeAtMs + BID_VALID_MS;
  const endMs = likely.startMs + subject.limitMs;
  const isLater = policy?.when === "later";
  return {
    kind: "bid",
    bid: { ...subject, site, validUntilMs, starts, endMs, costProcMs },
    reserved,
    conditions: [
      "the cost is for the whole time limit; unused time is not charged",
      ...(isLater ? ["the usage policies of the site admit the job later, not now"] : []),
    ],
  };
}

function refusalOf({ takesJobs, imitates, unfit, trouble, policy }: Prospect): BidRefusal | undefined {
  if (!takesJobs || imitates === true || trouble !== null) return "closed";
  if (unfit !== null) return unfit.kind === "noMatch" ? "noMatch" : "doesNotFit";
  return policy?.when === "never" ? "policy" : undefined;
}

function startsOf({ when }: Prospect): SiteBid["starts"] {
  const { forecast = null, noRecord = null } = when ?? {};
  if (forecast !== null) {
    const promises = forecast.promises.map(({ probability, startAtMs }) => {
      return { probability, startMs: Math.round(startAtMs) };
    });
    return promises.sort((one, other) => one.probability - other.probability);
  }
  const scheduled = noRecord?.scheduled ?? null;
  return scheduled === null ? [] : [{ probability: LIKELY, startMs: Math.round(scheduled.startAtMs) }];
}

const TEXTS: Readonly<Record<BidRefusal, string>> = {
  doesNotFit: "the job does not fit there",
  noMatch: "the site does not fulfil the requirements of the job",
  policy: "its usage policies would never admit the job",
  closed: "it accepts no such jobs now",
  unknownStart: "it cannot predict a start",
};

/** A refusal as one clause. */
export function bidRefusalText(why: BidRefusal): string {
  return TEXTS[why];
}
