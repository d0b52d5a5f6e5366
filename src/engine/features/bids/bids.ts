/**
 * Bids of sites (rules EN-330, EN-331). A job may take a bid while it is valid; when the job has ended, its
 * bid is scored: prediction against outcome. Bids that no job took in time are dropped.
 */
import { accepted } from "../../../base/index.ts";
import { baseCharge } from "../../../market/index.ts";
import { type BidScore, isFinal, type JobRecord, type SiteBid } from "../../../model/index.ts";
import type { Feature } from "../../feature.ts";
import { cycleMsOf } from "../../site-selection/scores.ts";
import { erased, written } from "../../state/books.ts";
import { siteTariff } from "../../state/price-terms.ts";
import type { Projection, RecordChange } from "../../state/projection.ts";

export const bids = {
  name: "bids",
  answers: {
    recordBids: (_, { bids }, nowMs) =>
      accepted(bids.length === 0 ? [] : [{ kind: "bidsMade", bids, atMs: nowMs }]),
  },
  applies: {
    bidsMade: (_, { bids: made }) => made.map((bid) => written("bids", bid)),
    bidsLapsed: (_, { bids: ids }) => ids.map((id) => erased("bids", id)),
  },
  after: (projection, event, jobs) => {
    if (event.kind === "siteRemoved") return goneWith(projection, event.site);
    if (event.kind === "jobAccepted") return taken(projection, event.job, event.description.bid);
    return jobs.flatMap((job) => scored(projection, job));
  },
  decide: ({ books }, nowMs) => {
    const over = [...books.bids.values()].filter((it) => it.job === undefined && it.validUntilMs <= nowMs);
    return over.length === 0 ? [] : [{ kind: "bidsLapsed", bids: over.map(({ id }) => id), atMs: nowMs }];
  },
  wakeAtMs: ({ books }) => {
    let firstMs = Number.POSITIVE_INFINITY;
    for (const { job, validUntilMs } of books.bids.values()) {
      if (job === undefined) firstMs = Math.min(firstMs, validUntilMs);
    }
    return firstMs;
  },
  queries: {
    /** Score of each site with a scored bid, in the order of the first score. */
    bidScores: ({ books }: Projection): readonly BidScore[] => [...books.bidScores.values()],
  },
} as const satisfies Feature;

function taken({ books }: Projection, job: string, id: string | undefined): RecordChange[] {
  const bid = books.bids.get(id ?? "");
  return bid === undefined ? [] : [written("bids", { ...bid, job })];
}

function goneWith({ books }: Projection, site: string): RecordChange[] {
  const there = [...books.bids.values()].filter((bid) => bid.site === site);
  const gone = there.map(({ id }) => erased("bids", id));
  return books.bidScores.has(site) ? [...gone, erased("bidScores", site)] : gone;
}

/**
 * Scores the bid of a job that has ended. A job that was cancelled before its start, or changed so that the
 * bid is for another site or number of processors, is no evidence.
 */
function scored(projection: Projection, job: JobRecord): RecordChange[] {
  const bid = projection.books.bids.get(job.description.bid ?? "");
  if (bid === undefined || bid.job !== job.id || !isFinal(job.state)) return [];
  const { site, procs } = job.description;
  const isForOther = site !== bid.site || procs !== bid.procs;
  const isCancelled = job.state === "CANCELLED" && job.startedAtMs === null;
  if (isForOther || isCancelled) return [erased("bids", bid.id)];
  const before = projection.books.bidScores.get(bid.site) ?? unscored(bid.site);
  return [erased("bids", bid.id), written("bidScores", scoreWith(projection, before, { bid, job }))];
}

function unscored(site: string): BidScore {
  const sums = { startErrorMs: 0, endErrorMs: 0, bidProcMs: 0, dueProcMs: 0 };
  return { site, scored: 0, notBegun: 0, promises: [], ...sums };
}

function scoreWith(
  { sites }: Projection,
  before: BidScore,
  { bid, job }: { readonly bid: SiteBid; readonly job: JobRecord },
): BidScore {
  const { startedAtMs, endedAtMs } = job;
  const site = sites.get(bid.site);
  const scored = before.scored + 1;
  const lateMs = site === undefined ? 0 : cycleMsOf(site);
  const promises = promisesWith(before, bid, startedAtMs === null ? null : startedAtMs - lateMs);
  if (startedAtMs === null || endedAtMs === null || site === undefined) {
    return { ...before, scored, promises, notBegun: before.notBegun + 1 };
  }
  const ran = { procs: bid.procs, startMs: startedAtMs, durationMs: endedAtMs - startedAtMs };
  return {
    ...{ ...before, scored, promises },
    startErrorMs: before.startErrorMs + Math.abs(startedAtMs - bid.starts[0].startMs),
    endErrorMs: before.endErrorMs + Math.abs(endedAtMs - bid.endMs),
    bidProcMs: before.bidProcMs + bid.costProcMs,
    dueProcMs: before.dueProcMs + baseCharge(ran, siteTariff(site, bid.consumer, "queued")),
  };
}

/** @param startedAtMs start, less the tolerated delay */
function promisesWith({ promises }: BidScore, { starts }: SiteBid, startedAtMs: number | null) {
  const all = new Map(promises.map((it) => [it.probability, it]));
  for (const { probability, startMs } of starts) {
    const { promised = 0, kept = 0 } = all.get(probability) ?? {};
    const isKept = startedAtMs !== null && startedAtMs <= startMs;
    all.set(probability, { probability, promised: promised + 1, kept: kept + (isKept ? 1 : 0) });
  }
  return [...all.values()].sort((one, other) => one.probability - other.probability);
}
