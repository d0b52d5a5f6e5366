/** Plans a workflow from a file on a platform from a file, without a broker. */
import { Fault } from "../base/index.ts";
import type { PlanAnswer, PlanHooks, PlanRequest } from "../cli/index.ts";
import { readPlatformFile } from "../formats/platform-yaml/index.ts";
import { type ReadWorkflow, readWorkflowFile } from "../formats/workflow/index.ts";
import { remarkFault } from "../formats/yaml/index.ts";
import {
  choosePlan,
  type FoundPlans,
  frontSize,
  type Instance,
  instanceOf,
  measuresOf,
  ownPlatform,
  type Planning,
  type Platform,
  planningBy,
  statedPlan,
  usualPlanner,
} from "../plan/index.ts";

/** Milliseconds of planning between two looks at signals and progress. */
const STEP_MS = 50;

/** The plan that was asked for. @throws Fault, or AggregateError of Faults, where a file is not in order */
export async function planWorkflow(request: PlanRequest, hooks: PlanHooks): Promise<PlanAnswer> {
  const { file, isLenient, runtimeMs, alpha, seed } = request;
  const read = await readWorkflowFile(file, {
    isLenient,
    ...(runtimeMs === undefined ? {} : { runtimeMs }),
  });
  const instance = await instanceFor(request, read);
  const planner = request.planner ?? usualPlanner(read.workflow);
  const planning = planningBy(planner, instance, request);
  if (!planning.ok) throw remarkFault(file, planning.refusal);
  const { found, isStopped } = await finished(planning.value, hooks);
  const { plan, shortfalls } = choosePlan(found.front, request);
  return {
    workflow: { name: read.workflow.name, form: read.form, ...measuresOf(read.workflow) },
    ...{ planner, alpha, seed, evaluations: found.evaluations, isStopped },
    ...{ feasible: shortfalls.length === 0, shortfalls },
    ...statedPlan(instance, plan),
    front: found.front.map((one) => ({
      makespanSec: one.makespanMs / 1000,
      planningCostSu: one.planningCostSu,
      packedCostSu: one.packedCostSu,
      isChosen: one === plan,
    })),
    frontSize: frontSize(found.front),
    sites: instance.platform.sites.map(({ name, procs }) => ({ name, procs })),
  };
}

async function instanceFor({ file, platform: place }: PlanRequest, read: ReadWorkflow): Promise<Instance> {
  const { workflow } = read;
  let platform: Platform;
  if (place !== undefined) platform = await readPlatformFile(place);
  else if (workflow.capacities !== undefined) platform = ownPlatform(workflow.capacities);
  else throw platformMissing(file, read.form);
  const instance = instanceOf(workflow, platform);
  if (instance.ok) return instance.value;
  throw new AggregateError(
    instance.refusal.map((problem) => remarkFault(file, problem)),
    "the workflow does not fit the platform",
  );
}

/** Runs a planner in steps, so that signals are heard; a stopped one answers with the best so far. */
async function finished(
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

function platformMissing(file: string, form: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "platformMissing",
    what: `${file} can only be planned on a platform`,
    why: `a ${form} does not say on which sites it may run; a PSPLIB project names its own machine`,
    remedy: "write the sites into a file: --platform platform.yaml",
  });
}
