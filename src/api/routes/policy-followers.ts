/**
 * `/policies/followers/:name`: brokers elsewhere that keep the policies of this one.
 */
import { followerParameters, followerRequestSchema } from "../../contract/index.ts";
import { mayDo } from "../../engine/index.ts";
import { whoOf } from "../identity.ts";
import { policiesView } from "../policy-view.ts";
import { refusalProblem } from "../problem.ts";
import { type Api, answers, forThoseWhoMay, type RouteWorld, urlOf } from "./api.ts";

/** Adds the routes. */
export function addPolicyFollowers(api: Api, { brokerApi, guard }: RouteWorld): void {
  api.put(
    urlOf("followPolicies"),
    {
      config: forThoseWhoMay("followPolicy"),
      schema: {
        summary: "Keep the policies for sites elsewhere: say which version was taken over, get what holds",
        tags: ["policies"],
        params: followerParameters,
        body: followerRequestSchema,
        response: answers("Policies", 200),
      },
    },
    async (request) => {
      const { owner: by } = guard.demand(request, "followPolicy", {});
      const { sites, version } = request.body;
      const { name: follower } = request.params;
      const answer = await brokerApi.ask({ kind: "followPolicies", follower, sites, version, by });
      if (!answer.ok) throw refusalProblem(answer.refusal);
      return policiesView(brokerApi.policies());
    },
  );
  api.delete(
    urlOf("unfollowPolicies"),
    {
      config: forThoseWhoMay("followPolicy"),
      schema: {
        summary: "Forget a follower: for whoever speaks for it, and for admins",
        tags: ["policies"],
        params: followerParameters,
        response: answers("Policies", 200),
      },
    },
    async (request) => {
      const { name: follower } = request.params;
      const record = brokerApi.policies().followers.find(({ name }) => name === follower);
      const isOwn = record?.by === whoOf(request).owner && mayDo(whoOf(request), "followPolicy", {});
      const { owner: by } = isOwn ? whoOf(request) : guard.demand(request, "changePolicy", {});
      const answer = await brokerApi.ask({ kind: "unfollowPolicies", follower, by });
      if (!answer.ok) throw refusalProblem(answer.refusal);
      return policiesView(brokerApi.policies());
    },
  );
}
