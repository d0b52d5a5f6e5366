/**
 * `/sites/NAME/jobs/ID/why`: explains any job of a cluster, however it was submitted; `/sites/NAME/queue`:
 * all jobs there, as a workload to simulate.
 */
import {
  type SiteQueueView,
  type SiteWhyView,
  siteJobParameters,
  siteParameters,
} from "../../contract/index.ts";
import { type ClusterExplanation, clusterExplanationText, mayDo } from "../../engine/index.ts";
import { liveLines } from "../../formats/workload-jsonl/index.ts";
import type { ThereQueued } from "../../runtime/index.ts";
import { factsView } from "../facts-view.ts";
import { whoOf } from "../identity.ts";
import { isoInstant } from "../iso-instant.ts";
import { ProblemError } from "../problem.ts";
import { type Api, answers, forThoseWhoMay, type RouteWorld, urlOf } from "./api.ts";
import { siteNamed } from "./sites.ts";

/** Registers the routes of jobs in the queue of a cluster. */
export function addSiteJobs(api: Api, { brokerApi, guard }: RouteWorld): void {
  api.get(
    urlOf("explainSiteJob"),
    {
      config: forThoseWhoMay("seeSite"),
      schema: {
        summary: "Explain why a job of a cluster waits, however it was submitted",
        description:
          "Lists every cause. The facts come from a poll of the cluster that may be up to a minute " +
          "old, or from the next poll if that one does not contain the job. If the cluster hides jobs " +
          "from other users, the caller must be permitted to see the job at the broker or to change " +
          "the site, or the job must run under the account and user of the caller.",
        tags: ["sites"],
        params: siteJobParameters,
        response: answers("SiteWhy", 200),
      },
    },
    async (request) => {
      const { name } = siteNamed(brokerApi, request.params.name);
      const { siteJob } = request.params;
      const answer = await brokerApi.explainThere(name, siteJob);
      if (answer === "notACluster") throw notACluster(name);
      // The broker's account may see more than its users do.
      const { whose, areJobsPrivate } = answer;
      const isOwn = whose !== undefined && mayDo(whoOf(request), "seeJob", { ...whose, site: name });
      if (areJobsPrivate && !isOwn) guard.demand(request, "changeSite", { site: name });
      if (answer.explanation === undefined) throw unknownSiteJob(name, siteJob);
      return siteWhyView(name, answer.explanation);
    },
  );
  addQueue(api, { brokerApi, guard });
}

function addQueue(api: Api, { brokerApi, guard }: Pick<RouteWorld, "brokerApi" | "guard">): void {
  api.get(
    urlOf("readSiteQueue"),
    {
      config: forThoseWhoMay("seeSite"),
      schema: {
        summary: "Get the queue of a cluster as a workload",
        description:
          "The lines of a workload file (docs/guides/workload-format.md): pools, running jobs, " +
          "reservations, and waiting jobs in order of priority. They come from a poll that may be up " +
          "to a minute old. If the cluster hides jobs from other users, the caller must be permitted " +
          "to change the site.",
        tags: ["sites"],
        params: siteParameters,
        response: answers("SiteQueue", 200),
      },
    },
    async (request) => {
      const { name } = siteNamed(brokerApi, request.params.name);
      const answer = await brokerApi.queueThere(name);
      if (answer === "notACluster") throw queueHidden(name);
      if (answer.areJobsPrivate) guard.demand(request, "changeSite", { site: name });
      return siteQueueView(name, answer);
    },
  );
}

function siteQueueView(site: string, { queue, hidden }: ThereQueued): SiteQueueView {
  const { atMs, discipline, running, waiting, leftOut } = queue;
  return {
    ...{ site, at: isoInstant(atMs), discipline, leftOut, unknown: hidden },
    running: running.length,
    waiting: waiting.length,
    lines: liveLines(queue),
  };
}

function queueHidden(site: string): ProblemError {
  return new ProblemError({
    status: 409,
    code: "siteShowsNoJobs",
    what: `the queue of ${site} cannot be exported as a workload`,
    why: "the site reports only its current load; only clusters with a batch system report their jobs",
    remedy: "name a site of type slurm: stint site list",
    facts: { site },
  });
}

function siteWhyView(site: string, explanation: ClusterExplanation): SiteWhyView {
  return { site, ...factsView(explanation), lines: clusterExplanationText(explanation, isoInstant) };
}

function notACluster(site: string): ProblemError {
  return new ProblemError({
    status: 409,
    code: "siteShowsNoJobs",
    what: `a job at ${site} cannot be explained by its id at the site`,
    why: "only clusters with a batch system report single jobs",
    remedy: "use the job's id at the broker: stint why ID",
    facts: { site },
  });
}

function unknownSiteJob(site: string, siteJob: string): ProblemError {
  return new ProblemError({
    status: 404,
    code: "unknownSiteJob",
    what: `${site} has no job ${siteJob} in its queue`,
    why: "it has ended, never existed, or is hidden from the account with which the broker polls the site",
    remedy: "check the id with the batch system's queue command, such as squeue",
    facts: { site, siteJob },
  });
}
