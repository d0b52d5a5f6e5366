/** Plans of workflows for the API, in threads. */
import type { PlanTextTask, WorkflowPlanning } from "../api/index.ts";
import { Fault } from "../base/index.ts";
import type { PlansView } from "../contract/index.ts";
import { boundedThreads, type ThreadLimits } from "./bounded-threads.ts";

const USUAL_LIMITS: ThreadLimits = { longestMs: 60_000, mostMib: 1024, mostAtOnce: 8 };

/** A planner of workflows. */
export function workflowPlans(limits: ThreadLimits = USUAL_LIMITS): WorkflowPlanning {
  const file = new URL("./workflow-plan-thread.js", import.meta.url);
  const names = { file, name: "stint workflow plan" };
  return { plan: boundedThreads<PlanTextTask, PlansView>({ ...names, limits, tooLong, tooMany }) };
}

function tooLong(limit: string): Fault {
  return new Fault({
    kind: "refused",
    code: "planTooLong",
    what: "the workflow is too large to be planned over the API",
    why: `planning takes longer than the limit of ${limit}`,
    remedy: "choose another planner, such as heft; or plan it on your own machine with: stint plan FILE",
  });
}

function tooMany(waiting: number): Fault {
  return new Fault({
    kind: "refused",
    code: "tooManyPlans",
    what: "too many workflows are being planned",
    why: `${waiting} are being planned or waiting, and workflows are planned one at a time`,
    remedy: "try again in a minute",
  });
}
