/** `/policies`: usage policies, their versions, and the brokers that copy them. */

import { assert } from "../../base/index.ts";
import {
  followerParameters,
  followerRequestSchema,
  ifMatchHeaders,
  policiesRequestSchema,
  policyCheckRequestSchema,
} from "../../contract/index.ts";
import { mayDo } from "../../engine/index.ts";
import { inMilliseconds } from "../../model/index.ts";
import { checkPolicies } from "../check-policies.ts";
import { whoOf } from "../identity.ts";
import { instantGiven } from "../instant-given.ts";
import { demandUsable } from "../policies-given.ts";
import { policiesView, policySetView } from "../policy-view.ts";
import { refusalProblem } from "../problem.ts";
import { type Api, answers, forThoseWhoMay, type RouteWorld, urlOf } from "./api.ts";

/** Registers the routes of policies. */
export function addPolicies(api: Api, world: RouteWorld): void {
  addLooks(api, world);
  addApply(api, world);
  addCheck(api, world);
  addFollowers(api, world);
}

function addLooks(api: Api, { brokerApi }: RouteWorld): void {
  api.get(
    urlOf("getPolicies"),
    {
      config: forThoseWhoMay("seePolicy"),
      schema: {
        summary: "Show current and future policies, and their enforcement",
        tags: ["policies"],
        response: answers("Policies", 200),
      },
    },
    async (request, reply) => {
      const policies = { ...policiesView(brokerApi), caller: whoOf(request).consumer };
      const last = policies.coming.at(-1) ?? policies.now;
      reply.header("etag", `"${last?.version ?? 0}"`);
      return policies;
    },
  );
  api.get(
    urlOf("listPolicyVersions"),
    {
      config: forThoseWhoMay("seePolicy"),
      schema: {
        summary: "List all versions that have been applied, newest first",
        tags: ["policies"],
        response: answers("PolicyVersions", 200),
      },
    },
    async () => ({ items: (await brokerApi.policyVersions()).map(policySetView) }),
  );
}

function addApply(api: Api, { brokerApi, guard }: RouteWorld): void {
  api.put(
    urlOf("applyPolicies"),
    {
      config: forThoseWhoMay("changePolicy"),
      schema: {
        summary: "Apply policies as the next version, which replaces all current ones",
        description: "With If-Match it applies only on top of that version, otherwise 412.",
        tags: ["policies"],
        headers: ifMatchHeaders,
        body: policiesRequestSchema,
        response: answers("PolicySet", 201),
      },
    },
    async (request, reply) => {
      const { owner } = guard.demand(request, "changePolicy", {});
      const { effectiveFrom, note = "" } = request.body;
      const policies = inMilliseconds(request.body.policies);
      demandUsable(policies, brokerApi);
      const on = request.headers["if-match"];
      const answer = await brokerApi.ask({
        kind: "applyPolicies",
        policies,
        effectiveFromMs:
          effectiveFrom === undefined ? null : instantGiven(effectiveFrom, { pointer: "/effectiveFrom" }),
        onVersion: on === undefined ? null : Number(on.slice(1, -1)),
        by: owner,
        note,
      });
      if (!answer.ok) throw refusalProblem(answer.refusal);
      const applied = answer.value.find((event) => event.kind === "policiesApplied");
      assert(applied !== undefined, "applying says which version was applied");
      reply.code(201).header("etag", `"${applied.version}"`);
      return policySetView({ ...applied, appliedAtMs: applied.atMs });
    },
  );
}

function addCheck(api: Api, { brokerApi, nowMs }: RouteWorld): void {
  api.post(
    urlOf("checkPolicies"),
    {
      config: forThoseWhoMay("seePolicy"),
      schema: {
        summary: "Check a policy file and show what it would change; applies nothing",
        tags: ["policies"],
        body: policyCheckRequestSchema,
        response: answers("PolicyCheck", 200),
      },
    },
    async (request) =>
      checkPolicies(brokerApi, {
        request: request.body,
        caller: whoOf(request).consumer,
        nowMs: nowMs(),
      }),
  );
}

/** Routes for brokers that copy the policies of this one. */
function addFollowers(api: Api, { brokerApi, guard }: RouteWorld): void {
  api.put(
    urlOf("followPolicies"),
    {
      config: forThoseWhoMay("followPolicy"),
      schema: {
        summary:
          "Follow the policies from another broker: report the copied version, get the current policies",
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
      return policiesView(brokerApi);
    },
  );
  api.delete(
    urlOf("unfollowPolicies"),
    {
      config: forThoseWhoMay("followPolicy"),
      schema: {
        summary: "Forget a follower; for the follower itself and for admins",
        tags: ["policies"],
        params: followerParameters,
        response: answers("Policies", 200),
      },
    },
    async (request) => {
      const { name: follower } = request.params;
      const record = brokerApi.query("followers").find(({ name }) => name === follower);
      const isOwn = record?.by === whoOf(request).owner && mayDo(whoOf(request), "followPolicy", {});
      const { owner: by } = isOwn ? whoOf(request) : guard.demand(request, "changePolicy", {});
      const answer = await brokerApi.ask({ kind: "unfollowPolicies", follower, by });
      if (!answer.ok) throw refusalProblem(answer.refusal);
      return policiesView(brokerApi);
    },
  );
}
