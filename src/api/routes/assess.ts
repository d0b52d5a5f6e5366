/**
 * `/jobs/assess`: where and when a job would start, before it is submitted.
 */
import type { ProspectQuestion } from "../../runtime/index.ts";
import { whoOf } from "../identity.ts";
import { refusalProblem } from "../problem.ts";
import { prospectView } from "../prospect-view.ts";
import { type ThoughtOfBody, thoughtOfSchema } from "../schemas/prospects.ts";
import { invalid } from "../schemas/validator.ts";
import { type Api, answers, forThoseWhoMay, PREFIX, type RouteWorld } from "./api.ts";

/** Adds the route. */
export function addAssess(api: Api, { door, guard }: RouteWorld): void {
  api.post(
    `${PREFIX}/jobs/assess`,
    {
      config: forThoseWhoMay("submit"),
      schema: {
        operationId: "assessJob",
        summary: "Where and when a job would start, how surely, before it is submitted",
        description:
          "One item a site: whether it fits, when it would start by the method that was best there, with " +
          "how often such forecasts were right, and what the other methods say. Nothing is recorded.",
        tags: ["jobs"],
        body: thoughtOfSchema,
        response: answers("ProspectList", 200),
      },
    },
    async (request) => {
      const { consumer, owner } = whoOf(request);
      guard.demand(request, "submit", { consumer, owner });
      const question = questionOf(request.body, owner);
      const known = door.sites().map(({ name }) => name);
      const site = question.sites?.find((name) => !known.includes(name));
      if (site !== undefined) throw refusalProblem({ kind: "unknownSite", site, known });
      return { items: (await door.assess(question)).map(prospectView) };
    },
  );
}

function questionOf(body: ThoughtOfBody, owner: string): ProspectQuestion {
  const { cpuNumber = 1, memoryBytes = 0, gpus = 0, wallTimeMs, partition, site, deadline } = body;
  const sites = body.sites ?? (site === undefined ? undefined : [site]);
  return {
    job: { procs: cpuNumber, memoryBytes, gpus, limitMs: wallTimeMs ?? null, queue: partition ?? null },
    owner,
    ...(sites === undefined ? {} : { sites }),
    deadlineMs: deadline === undefined ? null : instantOf(deadline),
  };
}

/** The pattern has seen to the form; a 13th month is left. */
function instantOf(deadline: string): number {
  const atMs = Date.parse(deadline);
  if (!Number.isNaN(atMs)) return atMs;
  throw invalid([{ pointer: "/deadline", detail: "there is no such day or time" }]);
}
