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

/** A text of two million characters, each of up to four bytes, with escapes. */
const BODY_BYTES = 12 * 2 ** 20;
/** Plans of one caller at once: they are made one after the other. */
const MOST_AT_ONCE = 2;
const USUAL = { planner: "search", alpha: 0.5, seed: 1, slack: 0.1 } as const;

/** Registers the route of plans. */
export function addPlans(api: Api, { brokerApi, guard, planning }: RouteWorld): void {
  const { answered } = createLongQuestions(MOST_AT_ONCE);
  api.post(
    urlOf("planWorkflow"),
    {
      config: forThoseWhoMay("submit"),
      bodyLimit: BODY_BYTES,
      schema: {
        summary: "Plan a workflow: the plans that no other one beats in both time and cost",
        description:
          "For callers who may submit jobs; on the free slots that they may reserve. Nothing is reserved. " +
          "A plan is executed by sending its `execution` to `POST /workflows`. The search ends after 20 s.",
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
