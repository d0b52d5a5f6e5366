/** `/plans`: plans of a workflow on the sites of the broker, for the caller. */
import { MS_PER_SECOND } from "../../base/index.ts";
import { planRequestSchema } from "../../contract/index.ts";
import { whoOf } from "../identity.ts";
import { isoInstant } from "../iso-instant.ts";
import { createLongQuestions } from "../long-questions.ts";
import { ProblemError } from "../problem.ts";
import type { PlanTextTask } from "../workflow-planning.ts";
import { type Api, answers, forThoseWhoMay, type RouteWorld, urlOf } from "./api.ts";
import { platformFor } from "./workflows.ts";

/** Enough for a text of two million characters of up to four bytes each, with escapes. */
const BODY_BYTES = 12 * 2 ** 20;
/** Maximum number of requests of one caller at once, since plans are made one at a time. */
const MOST_AT_ONCE = 2;
const USUAL = { planner: "search", alpha: 0.5, seed: 1, slack: 0.1 } as const;

/** Registers `POST /plans`. */
export function addPlans(api: Api, { brokerApi, guard, planning }: RouteWorld): void {
  const { answered } = createLongQuestions(MOST_AT_ONCE);
  api.post(
    urlOf("planWorkflow"),
    {
      config: forThoseWhoMay("submit"),
      bodyLimit: BODY_BYTES,
      schema: {
        summary: "Plan a workflow: the Pareto front of time and cost",
        description:
          "The caller must be allowed to submit jobs. Plans use free slots that the caller may reserve; " +
          "nothing is reserved. A plan is executed by sending its `execution` to `POST /workflows`. " +
          "The search ends after 20 s.",
        tags: ["workflows"],
        body: planRequestSchema,
        response: answers("Plans", 200),
      },
    },
    async (request) => {
      const who = whoOf(request);
      const { owner } = guard.demand(request, "submit", who);
      const { text, sites, deadlineSec, runtimeSec, ...wishes } = request.body;
      const { platform, beginMs } = await platformFor(brokerApi, who, sites);
      if (platform.sites.length === 0) throw noSite;
      const task: PlanTextTask = {
        ...{ ...USUAL, ...wishes, text, platform, beginAt: isoInstant(beginMs) },
        ...(deadlineSec === undefined ? {} : { deadlineMs: Math.round(deadlineSec * MS_PER_SECOND) }),
        ...(runtimeSec === undefined ? {} : { runtimeMs: Math.round(runtimeSec * MS_PER_SECOND) }),
      };
      return await answered(owner, () => planning.plan(task));
    },
  );
}

const noSite = new ProblemError({
  status: 409,
  code: "noSiteToPlanOn",
  what: "there is no site to plan on",
  why: "none of the sites that you see, or of those named, accepts jobs now",
  remedy: "see GET /sites; an administrator reopens a site that is drained",
});
