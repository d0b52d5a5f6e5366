/** Plans of a workflow on the sites of the broker: requests and responses. */
import { Type } from "typebox";
import { PLANNERS } from "../plan/index.ts";
import { count, instant, lengthSec, orNull, type Shape, siteName, strict, su } from "./fields.ts";
import { workflowRequestSchema } from "./workflow.ts";

/** Longest text of a workflow in a request, in characters. */
export const MOST_PLAN_TEXT = 2_000_000;
const share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });

/** `POST /plans` */
export const planRequestSchema = Type.Object(
  {
    text: Type.String({
      minLength: 1,
      maxLength: MOST_PLAN_TEXT,
      description: "A workflow: WfFormat, Pegasus DAX or YAML, or Stint's own YAML",
    }),
    planner: Type.Optional(Type.Enum([...PLANNERS], { description: "Default: search" })),
    sites: Type.Optional(Type.Array(siteName, { minItems: 1, maxItems: 100, description: "Only these" })),
    alpha: Type.Optional(share("Chooses among the plans: 0 the fastest, 1 the cheapest; default 0.5")),
    deadlineSec: Type.Optional(lengthSec("Latest end, from the beginning of the plan")),
    budgetSu: Type.Optional(Type.Number({ minimum: 0, maximum: 1e9, description: "Highest cost" })),
    evaluations: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 20_000, description: "Most plans that the planner tries" }),
    ),
    seed: Type.Optional(count),
    slack: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 10,
        description: "Part by which runtimes are lengthened; default 0.1",
      }),
    ),
    runtimeSec: Type.Optional(lengthSec("Runtime of tasks that state none")),
  },
  { ...strict, description: "A workflow to plan on the sites of the broker" },
);

const fromBegin = Type.Number({ minimum: 0, description: "Seconds from the beginning of the plan" });
const time = { startSec: fromBegin, endSec: fromBegin };

const plan = Type.Object(
  {
    makespanSec: Type.Number({ minimum: 0 }),
    costSu: su,
    feasible: Type.Boolean({ description: "True if it meets the deadline and the budget" }),
    chosen: Type.Boolean({ description: "True for the plan that `alpha` chooses" }),
    deadlineProbability: orNull(
      share(
        "Part of the simulated executions that met the deadline; null without a deadline, or if no " +
          "runtime is uncertain",
      ),
    ),
    meanMakespanSec: orNull(
      Type.Number({ description: "Of the simulated executions; null if no runtime is uncertain" }),
    ),
    tasks: Type.Array(Type.Object({ id: Type.String(), site: Type.String(), procs: count, ...time }, strict)),
    reservations: Type.Array(Type.Object({ site: Type.String(), procs: count, ...time, costSu: su }, strict)),
    execution: orNull(workflowRequestSchema, {
      description: "Body of `POST /workflows` that executes it; null if it cannot be executed",
    }),
  },
  { ...strict, description: "A plan: no other one is both faster and cheaper" },
);

/** Plans of a workflow, or what is wrong with its text. */
export const plansSchema = Type.Object(
  {
    findings: Type.Array(
      Type.Object(
        {
          line: Type.Optional(Type.Integer({ minimum: 1 })),
          column: Type.Optional(Type.Integer({ minimum: 1 })),
          ...{ what: Type.String(), why: Type.String(), remedy: Type.String() },
        },
        { ...strict, description: "An error in the text" },
      ),
      { description: "Errors in the text, with which there are no plans" },
    ),
    name: orNull(Type.String()),
    format: orNull(Type.String()),
    remarks: Type.Array(Type.String({ description: "What was assumed or left out" })),
    beginAt: orNull(instant, { description: "Beginning of the plans; null without plans" }),
    evaluations: count,
    stopped: Type.Boolean({
      description: "True if the time limit ended the search: these are the best so far",
    }),
    notExecutable: orNull(Type.String({ description: "Why no plan can be executed from here" })),
    plans: Type.Array(plan, { description: "The fastest first" }),
  },
  { ...strict, description: "Plans of a workflow; nothing is reserved" },
);

/** A workflow to plan. */
export type PlanTextRequest = Shape<typeof planRequestSchema>;
/** Plans of a workflow. */
export type PlansView = Shape<typeof plansSchema>;
