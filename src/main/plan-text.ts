/**
 * Plans of a workflow from a text, each with what executes it.
 *
 * Nothing but the text is read: DAGs of DAGMan and JDL, whose nodes are in other files, are refused. A search
 * ends after a time with the best plans so far.
 */
import type { PlanTextTask } from "../api/index.ts";
import { counted, Fault } from "../base/index.ts";
import type { PlansView } from "../contract/index.ts";
import { readWorkflowText } from "../formats/workflow/index.ts";
import {
  choosePlan,
  executionsOf,
  type FoundPlans,
  hasUncertainRuntimes,
  type Instance,
  planningBy,
  sitePlan,
  statedPlan,
  type Workflow,
} from "../plan/index.ts";
import { finished, instanceOn, lengthened } from "./plan-workflow.ts";
import { executionOf } from "./workflow-execution.ts";

const MOST_TASKS = 2000;
/** Maximum number of plans in a response; a larger front is thinned evenly. */
const MOST_PLANS = 24;
const SEARCH_MS = 20_000;

type PlanView = PlansView["plans"][number];
type Front = FoundPlans["front"];

/** Plans a text. @throws Fault where it is no workflow, too large, or does not fit the sites */
export async function planText(task: PlanTextTask, searchMs = SEARCH_MS): Promise<PlansView> {
  const { text, platform, runtimeMs, slack, planner, beginAt } = task;
  const reading = readWorkflowText(text, runtimeMs === undefined ? {} : { runtimeMs });
  if (reading === undefined) throw noWorkflow();
  const { workflow, problems, remarks, form } = reading;
  if (workflow === undefined) return wrong(problems);
  if (workflow.tasks.length > MOST_TASKS) throw tooLarge(workflow.tasks.length);
  const instance = instanceOn(workflow.name, lengthened(workflow, slack), platform);
  const endMs = performance.now() + searchMs;
  const hooks = { onProgress: () => undefined, isStopped: () => performance.now() > endMs };
  const { found, isStopped } = await finished(planningBy(planner, instance, task), hooks);
  // Each task is to lie in one reservation.
  const front = planner === "best-effort" ? found.front : found.front.map((one) => sitePlan(instance, one));
  const { plan: chosen } = choosePlan(front, task);
  const notExecutable = whyNotExecutable(workflow);
  const view = (plan: Front[number]): PlanView => ({
    ...planView(instance, plan, task),
    chosen: plan === chosen,
    execution:
      notExecutable === null
        ? (executionOf(workflow, statedPlan(instance, plan), { ...task, planner, beginAt }) ?? null)
        : null,
  });
  return {
    ...{ findings: [], name: workflow.name, format: form, beginAt },
    remarks,
    ...{ evaluations: found.evaluations, stopped: isStopped, notExecutable },
    plans: thinned(front, chosen).map(view),
  };
}

function wrong(problems: readonly PlansView["findings"][number][]): PlansView {
  return {
    findings: problems.map(({ line, column, what, why, remedy }) => ({
      ...(line === undefined ? {} : { line }),
      ...(column === undefined ? {} : { column }),
      ...{ what, why, remedy },
    })),
    ...{ name: null, format: null, remarks: [], beginAt: null, evaluations: 0, stopped: false },
    ...{ notExecutable: null, plans: [] },
  };
}

function planView(
  instance: Instance,
  plan: Front[number],
  question: PlanTextTask,
): Omit<PlanView, "chosen" | "execution"> {
  const { makespanSec, packedCostSu, tasks, reservations } = statedPlan(instance, plan);
  const seen = hasUncertainRuntimes(instance.workflow) ? executionsOf(instance, plan, question) : undefined;
  return {
    ...{ makespanSec, costSu: packedCostSu },
    feasible: choosePlan([plan], question).shortfalls.length === 0,
    deadlineProbability: seen?.deadlineProbability ?? null,
    meanMakespanSec: seen === undefined ? null : seen.meanMakespanMs / 1000,
    tasks: tasks.map(({ id, site, procs, startSec, endSec }) => ({ id, site, procs, startSec, endSec })),
    reservations: reservations.map(
      ({ site, procs, memoryBytes = 0, gpus = 0, startSec, endSec, costSu }) => ({
        ...{ site, procs, memoryBytes, gpus, startSec, endSec, costSu },
      }),
    ),
  };
}

/** The chosen plan, the fastest, the cheapest, and others between them, the fastest first. */
function thinned(front: Front, chosen: Front[number]): Front {
  const inOrder = [...front].sort((a, b) => a.makespanMs - b.makespanMs);
  if (inOrder.length <= MOST_PLANS) return inOrder;
  const last = inOrder.length - 1;
  const kept = new Set(
    Array.from({ length: MOST_PLANS }, (_, at) => Math.round((at * last) / (MOST_PLANS - 1))),
  );
  return inOrder.filter((plan, at) => kept.has(at) || plan === chosen);
}

/** Why plans of the workflow cannot be executed over the API; null if they can. */
function whyNotExecutable({ tasks }: Workflow): string | null {
  const without = tasks.filter(({ program }) => program === undefined);
  if (without.length > 0) {
    const example = without[0]?.id;
    return `${without.length} of ${counted(tasks.length, "task")} have no executable, such as ${example}`;
  }
  const written = new Set(tasks.flatMap(({ files }) => files?.writes ?? []));
  const given = tasks.flatMap(({ files }) => files?.reads ?? []).find((name) => !written.has(name));
  return given === undefined
    ? null
    : `tasks read ${given}, a file of yours; with the files beside it, use: stint plan FILE --execute`;
}

function noWorkflow(): Fault {
  return new Fault({
    kind: "badInput",
    code: "noWorkflow",
    what: "the API cannot plan this workflow",
    why: "its content is none of WfFormat, Pegasus DAX or YAML, PSPLIB, and a YAML file with tasks",
    remedy:
      "correct it; a DAG of DAGMan or JDL, whose nodes are in other files, is planned with: stint plan FILE",
  });
}

function tooLarge(tasks: number): Fault {
  return new Fault({
    kind: "badInput",
    code: "planTooLarge",
    what: `the workflow has ${counted(tasks, "task")}`,
    why: `the API plans at most ${MOST_TASKS}`,
    remedy: "plan it on your own machine with: stint plan FILE",
  });
}
