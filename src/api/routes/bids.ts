/** `/bids`: requests bids on a job from sites, and shows how accurate earlier bids were. */
import { bidCallSchema } from "../../contract/index.ts";
import { bidListView, bidScoreView } from "../bid-view.ts";
import { callForBids } from "../call-for-bids.ts";
import { whoOf } from "../identity.ts";
import { refusalProblem } from "../problem.ts";
import { type Api, answers, forThoseWhoMay, type RouteWorld, urlOf } from "./api.ts";

/** Registers `POST` and `GET` of `/bids`. */
export function addBids(api: Api, { brokerApi, guard, metrics, nowMs }: RouteWorld): void {
  api.post(
    urlOf("callForBids"),
    {
      config: forThoseWhoMay("assess"),
      schema: {
        summary: "Request bids on a job from all sites",
        description:
          "Each site answers from its own state: when the job would start and end, and what it would " +
          "cost, or why the site makes no bid. A bid reveals nothing about the queue, other users or the " +
          "configuration of its site. A job accepts a bid by its id (`bid`) until `validUntil`; when the " +
          "job " +
          "has ended, the bid is compared with the actual start, end and cost. No capacity is held.",
        tags: ["jobs"],
        body: bidCallSchema,
        response: answers("BidList", 200),
      },
    },
    async (request) => {
      const { consumer, owner } = whoOf(request);
      guard.demand(request, "assess", { consumer, owner });
      const known = brokerApi.sites().map(({ name }) => name);
      const site = [
        ...(request.body.sites ?? []),
        ...(request.body.site === undefined ? [] : [request.body.site]),
      ].find((name) => !known.includes(name));
      if (site !== undefined) throw refusalProblem({ kind: "unknownSite", site, known });
      const warn = (message: string): void => request.log.warn(message);
      const called = await callForBids(request.body, { brokerApi, who: { consumer, owner }, nowMs, warn });
      const { bids, refusals, late, tookSec } = called;
      const numbers = { bids: bids.length, refusals: refusals.length, late: late.length };
      metrics.noteBids({ ...numbers, asked: bids.length + refusals.length + late.length, tookSec });
      const answer = await brokerApi.ask({ kind: "recordBids", bids: bids.map(({ bid }) => bid) });
      if (!answer.ok) throw refusalProblem(answer.refusal);
      return bidListView(called);
    },
  );
  api.get(
    urlOf("listBidScores"),
    {
      config: forThoseWhoMay("assess"),
      schema: {
        summary: "Show how accurate the bids of each site were",
        tags: ["jobs"],
        response: answers("BidScoreList", 200),
      },
    },
    async (request) => {
      const { consumer, owner } = whoOf(request);
      guard.demand(request, "assess", { consumer, owner });
      return { items: brokerApi.query("bidScores").map(bidScoreView) };
    },
  );
}
