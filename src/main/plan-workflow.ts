/** Plans a workflow from a file, on a platform from a file or on the sites of a broker. */
import type { PlanAnswer, PlanHooks, PlanRequest } from "../cli/index.ts";
import { readPlatformFile } from "../formats/platform-yaml/index.ts";
import { remarkFault } from "../formats/yaml/index.ts";
import {
  choosePlan,
  type FoundPlans,
  frontSize,
  type Instance,
  instanceOf,
  islandsOf,
  measuresOf,
  ownPlatform,
  type Planning,
  type Platform,
  planningBy,
  sitePlan,
  statedPlan,
  usualPlanner,
  type Workflow,
} from "../plan/index.ts";
import { planBounds } from "./plan-bounds.ts";
import { planInThreads } from "./plan-in-threads.ts";
import {
  deadlinesFrom,
  plannedWorkflows,
  type RequestedWorkflow,
  requestedWorkflow,
} from "./requested-workflow.ts";
import { type Planned, surePlan } from "./sure-plan.ts";
import { demandPrograms, executionOf, sleeping } from "./workflow-execution.ts";

/** Milliseconds of planning between two looks at signals and progress. */
const STEP_MS = 50;

/** The plan that was asked for. @throws Fault, or AggregateError of Faults, where a file is not in order */
export async function planWorkflow(request: PlanRequest, hooks: PlanHooks): Promise<PlanAnswer> {
  const { files, alpha, seed, sleepFactor } = request;
  const given = await requestedWorkflow(request);
  const read =
    sleepFactor === undefined
      ? given
      : {
          ...given,
          workflow: sleeping(given.workflow, sleepFactor),
          planned: sleeping(given.planned, sleepFactor),
        };
  if (request.isExecuted) demandPrograms(files.join(", "), read);
  const { instance, live } = await instanceFor(request, read);
  const planner = request.planner ?? usualPlanner(read.workflow);
  const isReserved = live !== undefined && planner !== "best-effort";
  const beginMs = live === undefined ? Date.now() : Date.parse(live.beginAt);
  const question = { ...request, ...deadlinesFrom(beginMs, request, given) };
  // On live sites each task is to lie in one reservation.
  const reserved = (on: Instance, { front, evaluations }: FoundPlans): FoundPlans => ({
    front: isReserved ? front.map((one) => sitePlan(on, one)) : front,
    evaluations,
  });
  const planOn = async (on: Instance): Promise<Planned> => {
    const islands = planner === "search" ? islandsOf(on, question) : [];
    const { found, isStopped } =
      islands.length > 1
        ? await planInThreads(on, islands, hooks)
        : await finished(planningBy(planner, on, question), hooks);
    const plans = reserved(on, found);
    return { ...plans, isStopped, ...choosePlan(plans.front, question) };
  };
  const { planned, uncertainty } = await surePlan(instance, question, planOn);
  const { front, plan, shortfalls, evaluations, isStopped } = planned;
  const bounds = await planBounds(instance, { planner, ...planned }, async (on, name, asked) =>
    reserved(on, (await finished(planningBy(name, on, asked), hooks)).found),
  );
  const stated = statedPlan(instance, plan);
  const { budgetSu } = request;
  const wishes = { planner, ...(budgetSu === undefined ? {} : { budgetSu }) };
  const execution = live && executionOf(read.workflow, stated, { ...wishes, ...live });
  const { remarks } = read;
  return {
    workflow: { name: read.workflow.name, form: read.form, ...measuresOf(read.workflow) },
    ...plannedWorkflows(read, plan.placement, question),
    ...(remarks.length === 0 ? {} : { remarks }),
    ...live,
    ...{ planner, alpha, seed, evaluations, isStopped },
    ...(uncertainty === undefined ? {} : { uncertainty }),
    ...{ feasible: shortfalls.length === 0, shortfalls, ...bounds },
    ...stated,
    ...(execution === undefined ? {} : { execution }),
    front: front.map((one) => ({
      makespanSec: one.makespanMs / 1000,
      planningCostSu: one.planningCostSu,
      packedCostSu: one.packedCostSu,
      isChosen: one === plan,
    })),
    frontSize: frontSize(front),
    sites: instance.platform.sites.map(({ name, procs }) => ({ name, procs })),
  };
}

/** When a plan on live sites begins, and by how much runtimes are longer in it. */
type Live = Required<Pick<PlanAnswer, "beginAt" | "slack">>;

async function instanceFor(
  { files, platform: place, livePlatform, slack }: PlanRequest,
  { planned: workflow }: RequestedWorkflow,
): Promise<{ readonly instance: Instance; readonly live?: Live }> {
  const file = files.join(", ");
  if (place !== undefined) return { instance: instanceOn(file, workflow, await readPlatformFile(place)) };
  if (workflow.capacities !== undefined) {
    return { instance: instanceOn(file, workflow, ownPlatform(workflow.capacities)) };
  }
  const { platform, beginAt } = await livePlatform();
  return { instance: instanceOn(file, lengthened(workflow, slack), platform), live: { beginAt, slack } };
}

/** A workflow on a platform. @throws AggregateError of Faults where it does not fit */
export function instanceOn(file: string, workflow: Workflow, platform: Platform): Instance {
  const instance = instanceOf(workflow, platform);
  if (instance.ok) return instance.value;
  throw new AggregateError(
    instance.refusal.map((problem) => remarkFault(file, problem)),
    "the workflow does not fit the platform",
  );
}

/** Time that a task takes to be started and to be reported, beside its own. */
const START_MS = 2000;

/** Real tasks take longer than their runtimes: by the slack, and by their start. */
export function lengthened(workflow: Workflow, slack: number): Workflow {
  const longer = (ms: number): number => Math.ceil(ms * (1 + slack)) + START_MS;
  const tasks = workflow.tasks.map((task) => ({
    ...task,
    ...(task.runtimeMs === undefined ? {} : { runtimeMs: longer(task.runtimeMs) }),
    ...(task.runtimesMs === undefined
      ? {}
      : {
          runtimesMs: Object.fromEntries(
            Object.entries(task.runtimesMs).map(([site, ms]) => [site, longer(ms)]),
          ),
        }),
  }));
  return { ...workflow, tasks };
}

/** Runs a planner in steps, so that signals are heard; a stopped one answers with the best so far. */
export async function finished(
  planning: Planning,
  { onProgress, isStopped }: PlanHooks,
): Promise<{ readonly found: FoundPlans; readonly isStopped: boolean }> {
  let pausedAt = performance.now();
  let step = planning.next();
  let wasStopped = false;
  while (step.done !== true) {
    if (performance.now() - pausedAt > STEP_MS) {
      onProgress(step.value);
      await new Promise((resolve) => setImmediate(resolve));
      pausedAt = performance.now();
      wasStopped = isStopped();
    }
    step = planning.next(wasStopped);
  }
  return { found: step.value, isStopped: wasStopped };
}
