/**
 * `/policies/actions`, `/sites/:name/usage`, `/sites/:name/enforcement`, `/jobs/:id/undo`: use, and the
 * actions of enforcers.
 */

import { actionsQuery, jobParameters, siteParameters, takeBackQuery } from "../../contract/index.ts";
import { jobsWithin, mayDo } from "../../engine/index.ts";
import type { ActionQuery } from "../../runtime/index.ts";
import { findJob } from "../find-job.ts";
import { whoOf } from "../identity.ts";
import { jobView } from "../job-view.ts";
import { actionView, enforcerView, siteUsageView } from "../policy-view.ts";
import { ProblemError, refusalProblem } from "../problem.ts";
import { seenOf } from "../within-sight.ts";
import { type Api, answers, forThoseWhoMay, type RouteWorld, urlOf } from "./api.ts";
import { siteNamed } from "./sites.ts";

/** Registers the routes of enforcement. */
export function addEnforcement(api: Api, world: RouteWorld): void {
  addActions(api, world);
  addUsage(api, world);
  addCompiled(api, world);
  addShareOrders(api, world);
  addPause(api, world);
  addUndo(api, world);
}

function addActions(api: Api, { brokerApi, guard }: RouteWorld): void {
  api.get(
    urlOf("listEnforcementActions"),
    {
      config: forThoseWhoMay("seePolicy"),
      schema: {
        summary:
          "List actions of enforcers, taken or only reported, on jobs that the caller may see, newest first",
        tags: ["policies"],
        querystring: actionsQuery,
        response: answers("EnforcementActions", 200),
      },
    },
    async (request) => {
      const { site, job, limit, cursor } = request.query;
      const asked = {
        ...(site !== undefined && { site: siteNamed(brokerApi, site).name }),
        ...(job !== undefined && { job: (await findJob({ brokerApi, guard, request }, job)).id }),
        ...(limit !== undefined && { limit }),
        ...(cursor !== undefined && { after: cursor }),
      };
      const query = seenOf<ActionQuery>(asked, jobsWithin(whoOf(request), "seeJob"));
      if (query === undefined) return { items: [], next: null };
      const { items, next } = await brokerApi.actions(query);
      return { items: items.map(actionView), next: next ?? null };
    },
  );
}

function addUsage(api: Api, { brokerApi }: RouteWorld): void {
  api.get(
    urlOf("getSiteUsage"),
    {
      config: forThoseWhoMay("seePolicy"),
      schema: {
        summary: "Show the use of a site by consumers, against their shares",
        tags: ["policies"],
        params: siteParameters,
        response: answers("SiteUsage", 200),
      },
    },
    async (request) => {
      const who = whoOf(request);
      const { name } = siteNamed(brokerApi, request.params.name);
      const usage = brokerApi.usage(name);
      if (usage === undefined) throw refusalProblem({ kind: "unknownSite", site: name, known: [] }, 404);
      const levels = usage.levels.filter(({ consumer }) => mayDo(who, "seeUsage", { consumer, site: name }));
      return siteUsageView({ ...usage, levels });
    },
  );
}

function addCompiled(api: Api, { brokerApi, guard }: RouteWorld): void {
  api.get(
    urlOf("compilePolicies"),
    {
      config: forThoseWhoMay("changeSite"),
      schema: {
        summary: "Translate the policies to settings of the site's batch system, and list the differences",
        tags: ["policies"],
        params: siteParameters,
        response: answers("CompiledPolicies", 200),
      },
    },
    async (request) => {
      const { name: site } = siteNamed(brokerApi, request.params.name);
      guard.demand(request, "changeSite", { site });
      const compiled = await brokerApi.compiledShares(site);
      if (compiled === undefined || compiled === "notACluster") throw knowsNoShares(site);
      return { site, ...compiled };
    },
  );
}

/** Routes that change the cluster's own shares, and undo that. */
function addShareOrders(api: Api, { brokerApi, guard }: RouteWorld): void {
  const orders = [
    {
      verb: "apply",
      id: "applyCompiledPolicies",
      summary: "Change the cluster's shares to match the policies",
    },
    {
      verb: "takeBack",
      id: "takeBackCompiledPolicies",
      summary: "Undo the changes that were made to the cluster's shares",
    },
  ] as const;
  for (const { verb, id, summary } of orders) {
    api.post(
      urlOf(id),
      {
        config: forThoseWhoMay("changeSite"),
        schema: {
          summary,
          tags: ["policies"],
          params: siteParameters,
          querystring: takeBackQuery,
          response: answers("ShareSteps", 200),
        },
      },
      async (request) => {
        const { name: site } = siteNamed(brokerApi, request.params.name);
        const { owner } = guard.demand(request, "changeSite", { site });
        const isForced = request.query.force === true;
        const answer = await brokerApi.changeShares({ site, by: owner, verb, isForced });
        if (answer === "notACluster") throw knowsNoShares(site);
        if (!answer.ok) throw refusalProblem(answer.refusal);
        return { site, steps: answer.value };
      },
    );
  }
}

function knowsNoShares(site: string): ProblemError {
  return new ProblemError({
    status: 409,
    code: "knowsNoShares",
    what: `the policies of ${site} cannot be translated`,
    why: "it is not a cluster with a batch system that supports shares",
    remedy: "name a site of type slurm; at other sites Stint enforces policies itself",
  });
}

const switches = [
  { kind: "pauseEnforcement", summary: "Pause the enforcer: all held and suspended jobs are released" },
  { kind: "continueEnforcement", summary: "Resume the enforcer" },
] as const;

function addPause(api: Api, { brokerApi, guard }: RouteWorld): void {
  for (const { kind, summary } of switches) {
    api.post(
      urlOf(kind),
      {
        config: forThoseWhoMay("pauseEnforcement"),
        schema: {
          summary,
          tags: ["policies"],
          params: siteParameters,
          response: answers("SiteEnforcer", 200),
        },
      },
      async (request) => {
        const site = request.params.name;
        const { owner } = guard.demand(request, "pauseEnforcement", { site });
        siteNamed(brokerApi, site);
        const answer = await brokerApi.ask({ kind, site, by: owner });
        if (!answer.ok) throw refusalProblem(answer.refusal);
        const found = brokerApi.query("policies").enforcers.find((it) => it.site === site);
        if (found === undefined) throw refusalProblem({ kind: "unknownSite", site, known: [] }, 404);
        return enforcerView(found);
      },
    );
  }
}

function addUndo(api: Api, { brokerApi, guard }: RouteWorld): void {
  api.post(
    urlOf("undoEnforcement"),
    {
      config: forThoseWhoMay("undoEnforcement"),
      schema: {
        summary: "Undo the actions of an enforcer on a job, and exempt the job",
        tags: ["policies"],
        params: jobParameters,
        response: answers("Job", 200),
      },
    },
    async (request) => {
      const { id, site } = await findJob({ brokerApi, guard, request }, request.params.id);
      const { owner } = guard.demand(request, "undoEnforcement", { site });
      const answer = await brokerApi.ask({ kind: "undoEnforcement", enforcedJob: id, by: owner });
      if (!answer.ok) throw refusalProblem(answer.refusal);
      return jobView(await findJob({ brokerApi, guard, request }, id));
    },
  );
}
