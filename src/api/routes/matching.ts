/** `/jobs/match` and `/sites/:name/ad`: which sites match a job, and the ads that say so. */
import { matchRequestSchema, siteParameters } from "../../contract/index.ts";
import { whoOf } from "../identity.ts";
import { isoInstant } from "../iso-instant.ts";
import { matchedJob, matchView } from "../matched-job.ts";
import { type Api, answers, forThoseWhoMay, type RouteWorld, urlOf } from "./api.ts";
import { siteNamed } from "./sites.ts";

/** Registers the routes that match jobs with sites, and show the ads of sites. */
export function addMatching(api: Api, { brokerApi, guard, nowMs }: RouteWorld): void {
  api.post(
    urlOf("matchJob"),
    {
      config: forThoseWhoMay("assess"),
      schema: {
        summary: "Match a job with every site, clause by clause, without submitting it",
        tags: ["jobs"],
        body: matchRequestSchema,
        response: answers("JobMatch", 200),
      },
    },
    async (request) => {
      const { consumer, owner } = whoOf(request);
      guard.demand(request, "assess", { consumer, owner });
      return matchView(brokerApi.query("matchTable", matchedJob(request.body, { consumer, owner })));
    },
  );
  api.get(
    urlOf("getSiteAd"),
    {
      config: forThoseWhoMay("seeSite"),
      schema: {
        summary: "Get the ad of a site, as a ClassAd and in GLUE 2",
        tags: ["sites"],
        params: siteParameters,
        response: answers("SiteAd", 200),
      },
    },
    async (request) => {
      const { name } = siteNamed(brokerApi, request.params.name);
      const { classad, glue2, atMs, lifetimeMs } = brokerApi.query("siteAds", name);
      return {
        ...{ site: name, at: atMs === null ? null : isoInstant(atMs) },
        ageSec: atMs === null ? null : Math.max(0, nowMs() - atMs) / 1000,
        ...{ lifetimeSec: lifetimeMs / 1000, classad, glue2, queues: await brokerApi.queueAds(name) },
      };
    },
  );
}
