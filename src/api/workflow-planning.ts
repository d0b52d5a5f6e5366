/** Planning of workflows for the API, outside the broker's thread. */
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
  /** Fraction by which runtimes are extended. */
  readonly slack: number;
  /** Runtime of tasks that state none. */
  readonly runtimeMs?: number;
}

/** Plans workflows, one at a time. */
export interface WorkflowPlanning {
  /** @throws Fault `tooManyPlans`, `planTooLong`, `planTooLarge`, and those of what does not fit */
  plan(task: PlanTextTask): Promise<PlansView>;
}

/** Refuses every request, for a server without threads for planning. */
export const noPlanning: WorkflowPlanning = {
  plan: async () => {
    throw new ProblemError({
      status: 409,
      code: "noPlanning",
      what: "this server does not plan workflows",
      why: "only a broker that was started by stint up has a planner",
      remedy: "send the request to such a broker",
    });
  },
};
