/** Tests a site, before or after it is added, and removes one. */
import { removalQuery, type SiteTestView, siteParameters, siteTrialSchema } from "../../contract/index.ts";
import type { SiteCheck } from "../../model/index.ts";
import { refusalProblem } from "../problem.ts";
import { completeSpec } from "../site-request.ts";
import { type Api, answers, forThoseWhoMay, type RouteWorld, urlOf } from "./api.ts";
import { managedSite, siteNamed } from "./sites.ts";

/** Registers the routes that test and remove sites. */
export function addSiteCare(api: Api, world: RouteWorld): void {
  addTests(api, world);
  addRemoval(api, world);
}

function addTests(api: Api, { brokerApi, guard }: RouteWorld): void {
  api.post(
    urlOf("testSite"),
    {
      config: forThoseWhoMay("changeSite"),
      schema: {
        summary: "Test a site, and list the rights that it lacks",
        description: "Takes some seconds. Changes nothing, but uses up one job id if submission is granted.",
        tags: ["sites"],
        params: siteParameters,
        response: answers("SiteTest", 200),
      },
    },
    async (request) => {
      const { name } = siteNamed(brokerApi, request.params.name);
      guard.demand(request, "changeSite", { site: name });
      return testView((await brokerApi.testSite(name)) ?? []);
    },
  );
  api.post(
    urlOf("testSiteSpec"),
    {
      config: forThoseWhoMay("changeSite"),
      schema: {
        summary: "Test a site that is not added yet",
        tags: ["sites"],
        body: siteTrialSchema,
        response: answers("SiteTest", 200),
      },
    },
    async (request) => {
      // As for adding: it makes the broker run commands where the caller says.
      guard.demand(request, "changeSite", {});
      const { spec } = request.body;
      if (spec.type === "managed") throw managedSite;
      return testView((await brokerApi.testSite(completeSpec(spec))) ?? []);
    },
  );
}

function addRemoval(api: Api, { brokerApi, guard }: RouteWorld): void {
  api.delete(
    urlOf("removeSite"),
    {
      config: forThoseWhoMay("changeSite"),
      schema: {
        summary: "Remove a site without jobs",
        description:
          "Its name can then be used again. clean=true also deletes Stint's files there, and the broker's " +
          "folder for it.",
        tags: ["sites"],
        params: siteParameters,
        querystring: removalQuery,
        response: answers("SiteRemoval", 200),
      },
    },
    async (request) => {
      const site = request.params.name;
      // As for adding, which is how it would come back.
      const { owner } = guard.demand(request, "changeSite", {});
      siteNamed(brokerApi, site);
      const answer = await brokerApi.removeSite({ site, by: owner, isClean: request.query.clean === true });
      if (!answer.ok) throw refusalProblem(answer.refusal);
      const { removed, left } = answer.value;
      return { name: site, removed: [...removed], left: [...left] };
    },
  );
}

function testView(checks: readonly SiteCheck[]): SiteTestView {
  return { checks: checks.map(({ isNeeded, ...check }) => ({ ...check, needed: isNeeded })) };
}
