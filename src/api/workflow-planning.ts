/** Plans of workflows for the API, made away from the broker's thread. */
import type { PlansView } from "../contract/index.ts";
import type { PlannerName, Platform } from "../plan/index.ts";
import { ProblemError } from "./problem.ts";

/** A text to plan, and the sites to plan on. */
export interface PlanTextTask {
  readonly text: string;
  readonly platform: Platform;
  /** Beginning of plans on the platform, ISO 8601. */
  readonly beginAt: string;
  readonly planner: PlannerName;
  readonly alpha: number;
  readonly seed: number;
  readonly evaluations?: number;
  readonly deadlineMs?: number;
  readonly budgetSu?: number;
  /** Part by which runtimes are lengthened. */
  readonly slack: number;
  /** Runtime of tasks that state none. */
  readonly runtimeMs?: number;
}

/** Plans workflows, one after the other. */
export interface WorkflowPlanning {
  /** @throws Fault `tooManyPlans`, `planTooLong`, `planTooLarge`, and those of what does not fit */
  plan(task: PlanTextTask): Promise<PlansView>;
}

/** For a server without threads of its own. */
export const noPlanning: WorkflowPlanning = {
  plan: async () => {
    throw new ProblemError({
      status: 409,
      code: "noPlanning",
      what: "workflows are not planned here",
      why: "this server has no planner",
      remedy: "ask a broker that stint up starts",
    });
  },
};
