/** `/jobs/assess`: predicts where and when a job would start, before it is submitted. */

import { thoughtOfSchema } from "../../contract/index.ts";
import { whoOf } from "../identity.ts";
import { refusalProblem } from "../problem.ts";
import { matchedQuestion, priceOf, questionOf } from "../prospect-question.ts";
import { prospectView } from "../prospect-view.ts";
import { type Api, answers, forThoseWhoMay, type RouteWorld, urlOf } from "./api.ts";

/** Adds the route. */
export function addAssess(api: Api, { brokerApi, guard, nowMs }: RouteWorld): void {
  api.post(
    urlOf("assessJob"),
    {
      config: forThoseWhoMay("assess"),
      schema: {
        summary: "Predict where and when a job would start, without submitting it",
        description:
          "One item per site: whether the job fits, its start as predicted by the most accurate method " +
          "there, how often such predictions came true, and the predictions of the other methods. " +
          "`choice` has the facts from which a site is chosen: whether the site would honour the job, " +
          "and which policy decides. If the job has requirements or a rank, `match` has the value of " +
          "each clause at each site. Nothing is recorded.",
        tags: ["jobs"],
        body: thoughtOfSchema,
        response: answers("ProspectList", 200),
      },
    },
    async (request) => {
      const { consumer, owner } = whoOf(request);
      guard.demand(request, "assess", { consumer, owner });
      const question = { ...questionOf(request.body, owner), consumer };
      const known = brokerApi.sites().map(({ name }) => name);
      const site = question.sites?.find((name) => !known.includes(name));
      if (site !== undefined) throw refusalProblem({ kind: "unknownSite", site, known });
      const who = { consumer, owner };
      const { matched, match } = matchedQuestion(request.body, { brokerApi, question, who });
      const slots = { brokerApi, question, consumer, nowMs: nowMs() };
      const items = (await brokerApi.assess(matched)).map(async (prospect) =>
        prospectView(prospect, await priceOf(prospect, slots)),
      );
      return { items: await Promise.all(items), ...(match && { match }) };
    },
  );
}
