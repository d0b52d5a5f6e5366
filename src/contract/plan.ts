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
    sites: Type.Optional(
      Type.Array(siteName, { minItems: 1, maxItems: 100, description: "Sites to plan on; absent: all" }),
    ),
    alpha: Type.Optional(share("Chooses among the plans: 0 the fastest, 1 the cheapest; default 0.5")),
    deadlineSec: Type.Optional(lengthSec("Latest end, in seconds from the beginning of the plan")),
    budgetSu: Type.Optional(Type.Number({ minimum: 0, maximum: 1e9, description: "Maximum cost" })),
    evaluations: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 20_000,
        description: "Maximum number of plans that the planner evaluates",
      }),
    ),
    seed: Type.Optional(count),
    slack: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 10,
        description: "Fraction by which runtimes are extended; default 0.1",
      }),
    ),
    runtimeSec: Type.Optional(lengthSec("Runtime of tasks without a stated runtime")),
  },
  { ...strict, description: "A workflow to plan on the sites of the broker" },
);

const fromBegin = Type.Number({ minimum: 0, description: "Seconds from the beginning of the plan" });
const time = { startSec: fromBegin, endSec: fromBegin };

const plan = Type.Object(
  {
    makespanSec: Type.Number({ minimum: 0 }),
    costSu: su,
    feasible: Type.Boolean({ description: "True if the plan meets the deadline and the budget" }),
    chosen: Type.Boolean({ description: "True for the plan that `alpha` chooses" }),
    deadlineProbability: orNull(
      share(
        "Fraction of the simulated executions that met the deadline; null without a deadline, or if no " +
          "runtime is uncertain",
      ),
    ),
    meanMakespanSec: orNull(
      Type.Number({ description: "Mean over the simulated executions; null if no runtime is uncertain" }),
    ),
    tasks: Type.Array(Type.Object({ id: Type.String(), site: Type.String(), procs: count, ...time }, strict)),
    reservations: Type.Array(
      Type.Object(
        { site: Type.String(), procs: count, memoryBytes: count, gpus: count, ...time, costSu: su },
        strict,
      ),
    ),
    execution: orNull(workflowRequestSchema, {
      description: "Body of `POST /workflows` that executes the plan; null if it cannot be executed",
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
      { description: "Errors in the text; if there are any, there are no plans" },
    ),
    name: orNull(Type.String()),
    format: orNull(Type.String()),
    remarks: Type.Array(Type.String({ description: "What was assumed or left out" })),
    beginAt: orNull(instant, { description: "Beginning of the plans; null without plans" }),
    evaluations: count,
    stopped: Type.Boolean({
      description: "True if the time limit ended the search; the plans are the best found until then",
    }),
    notExecutable: orNull(Type.String({ description: "Why none of the plans can be executed over the API" })),
    plans: Type.Array(plan, { description: "The fastest first" }),
  },
  { ...strict, description: "Plans of a workflow; nothing is reserved" },
);

/** Request for plans of a workflow that is given as text. */
export type PlanTextRequest = Shape<typeof planRequestSchema>;
/** Plans of a workflow. */
export type PlansView = Shape<typeof plansSchema>;
