/**
 * `/sites/NAME/jobs/ID/why`: why any job of a cluster waits, whoever submitted it and however.
 */
import { type ClusterExplanation, clusterExplanationText } from "../../engine/index.ts";
import type { SiteWhyView } from "../client/types.ts";
import { isoInstant } from "../iso-instant.ts";
import { ProblemError } from "../problem.ts";
import { siteJobParameters } from "../schemas/sites.ts";
import { type Api, answers, forThoseWhoMay, PREFIX, type RouteWorld } from "./api.ts";
import { siteNamed } from "./sites.ts";

/** Adds the routes. */
export function addSiteJobs(api: Api, { door, guard }: RouteWorld): void {
  api.get(
    `${PREFIX}/sites/:name/jobs/:siteJob/why`,
    {
      config: forThoseWhoMay("seeSite"),
      schema: {
        operationId: "explainSiteJob",
        summary: "Why a job of a cluster waits, however it was submitted",
        description:
          "Every cause at once, from a look at the cluster that may be up to half a minute old. Where the " +
          "cluster hides jobs from other users, this is for those who may change the site.",
        tags: ["sites"],
        params: siteJobParameters,
        response: answers("SiteWhy", 200),
      },
    },
    async (request) => {
      const { name } = siteNamed(door, request.params.name);
      const { siteJob } = request.params;
      const answer = await door.explainThere(name, siteJob);
      if (answer === "notACluster") throw notACluster(name);
      // The broker's account may see more than its users do.
      if (answer.areJobsPrivate) guard.demand(request, "changeSite", { site: name });
      if (answer.explanation === undefined) throw unknownSiteJob(name, siteJob);
      return siteWhyView(name, answer.explanation);
    },
  );
}

function siteWhyView(site: string, explanation: ClusterExplanation): SiteWhyView {
  const { atMs, ...facts } = explanation;
  return { site, at: isoInstant(atMs), ...facts, lines: clusterExplanationText(explanation, isoInstant) };
}

function notACluster(site: string): ProblemError {
  return new ProblemError({
    status: 409,
    code: "siteShowsNoJobs",
    what: `why a job of ${site} waits cannot be said by its id there`,
    why: "the site shows no more than its queue; only a cluster under a batch system shows more",
    remedy: "ask by the job's id at the broker: stint why ID",
    facts: { site },
  });
}

function unknownSiteJob(site: string, siteJob: string): ProblemError {
  return new ProblemError({
    status: 404,
    code: "unknownSiteJob",
    what: `${site} has no job ${siteJob} in its queue`,
    why: "it is over, was never there, or is hidden from the account with which the site is looked at",
    remedy: "check the id with the batch system's own command for its queue",
    facts: { site, siteJob },
  });
}
