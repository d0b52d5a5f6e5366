/** The workflow of one file, or of several as one, with their deadlines. */
import { Fault } from "../base/index.ts";
import type { PlanAnswer, PlanRequest } from "../cli/index.ts";
import { type ReadWorkflow, readWorkflowFile } from "../formats/workflow/index.ts";
import {
  areSame,
  endOfPart,
  joinedWorkflow,
  measuresOf,
  type PlannedPart,
  type PlanningQuestion,
  type Workflow,
  withLanes,
} from "../plan/index.ts";

type Placed = Parameters<typeof endOfPart>[0];

/** What was read, and where each of several workflows is in it. */
export interface RequestedWorkflow {
  readonly workflow: Workflow;
  /** Name of the format, or of all formats. */
  readonly form: string;
  readonly each: readonly ReadWorkflow[];
  /** Assumptions about the files and parts that were omitted, a sentence each. */
  readonly remarks: readonly string[];
  /** Input of planners: the workflow, with limits on concurrent tasks as additional dependencies. */
  readonly planned: Workflow;
  /** Absent of a single file. */
  readonly parts?: readonly PlannedPart[];
}

/** @throws Fault, or AggregateError of Faults, where a file is not in order, or they do not go together */
export async function requestedWorkflow(request: PlanRequest): Promise<RequestedWorkflow> {
  const { files, isLenient, runtimeMs } = request;
  let runs: ReturnType<PlanRequest["recordedRuns"]> | undefined;
  const recordedRuns = () => (runs ??= request.recordedRuns());
  const rules = {
    isLenient,
    demandsInputs: request.isExecuted && request.sleepFactor === undefined,
    ...(runtimeMs === undefined ? {} : { runtimeMs }),
    // A plan on a platform file needs no broker.
    ...(request.platform === undefined ? { recordedRuns } : {}),
  };
  const each: ReadWorkflow[] = [];
  for (const file of files) each.push(await readWorkflowFile(file, rules));
  if (each.length === 1) return { ...each[0], each, planned: withLanes(each[0].workflow) };
  const workflows = each.map((one) => one.workflow);
  const remarks = each.flatMap((one, at) => one.remarks.map((remark) => `${files[at]}: ${remark}`));
  if (request.platform === undefined && !areSame(workflows, "capacities")) throw otherMachines(files);
  if (request.isExecuted && !areSame(workflows, "execution")) throw otherExecution(files);
  if (request.isExecuted) demandNoRules(files, workflows);
  const { workflow, parts } = joinedWorkflow(workflows);
  const { workflow: planned } = joinedWorkflow(workflows.map(withLanes));
  const form = [...new Set(each.map((one) => one.form))].join(", ");
  return { workflow, planned, each, remarks, parts, form };
}

/** Deadlines from the beginning of a plan, one for the whole or one for each of its workflows. */
export function deadlinesFrom(
  beginMs: number,
  { deadlines }: Pick<PlanRequest, "deadlines">,
  { parts }: Pick<RequestedWorkflow, "parts">,
): Pick<PlanningQuestion, "deadlineMs" | "parts"> {
  const lengthsMs = deadlines.map((one) => ("afterMs" in one ? one.afterMs : one.atMs - beginMs));
  if (parts !== undefined && lengthsMs.length > 1) {
    return { parts: parts.map((part, at) => ({ ...part, deadlineMs: lengthsMs[at] })) };
  }
  return {
    ...(parts === undefined ? {} : { parts }),
    ...(lengthsMs.length === 0 ? {} : { deadlineMs: lengthsMs[0] }),
  };
}

/** Each of several workflows with its makespan and its deadline. */
export function plannedWorkflows(
  { each }: RequestedWorkflow,
  placement: Placed,
  { parts = [], deadlineMs: commonMs }: Pick<PlanningQuestion, "parts" | "deadlineMs">,
): Pick<PlanAnswer, "workflows"> {
  if (parts.length === 0) return {};
  return {
    workflows: parts.map((part, at) => {
      const endMs = endOfPart(placement, part);
      const deadlineMs = part.deadlineMs ?? commonMs;
      return {
        ...{ ...measuresOf(each[at].workflow), name: part.name, form: each[at].form },
        makespanSec: endMs / 1000,
        ...(deadlineMs === undefined ? {} : { deadlineSec: deadlineMs / 1000 }),
        ...(deadlineMs === undefined || endMs <= deadlineMs
          ? {}
          : { missedBySec: (endMs - deadlineMs) / 1000 }),
      };
    }),
  };
}

/** @throws Fault for rules of a DAG that are about all of its nodes: they would be about all workflows */
function demandNoRules(files: readonly string[], workflows: readonly Workflow[]): void {
  for (const [at, { tasks, execution }] of workflows.entries()) {
    const isLimited = Object.keys(execution?.limits ?? {}).length > 0;
    const ruled = tasks.find(({ rules }) => rules?.isFinal === true || rules?.abortOn !== undefined);
    if (!isLimited && ruled === undefined) continue;
    const what = isLimited ? "limits on nodes that run at once" : `FINAL or ABORT-DAG-ON at ${ruled?.id}`;
    throw new Fault({
      kind: "badInput",
      code: "otherExecution",
      what: `${files.join(", ")} cannot be executed as one`,
      why: `${files[at]} has ${what}, which would apply to the tasks of all of them`,
      remedy: "execute that DAG separately",
    });
  }
}

function otherMachines(files: readonly string[]): Fault {
  return new Fault({
    kind: "badInput",
    code: "otherMachines",
    what: `${files.join(", ")} cannot be planned as one`,
    why: "PSPLIB projects describe their own machine; these describe different ones, or some describe none",
    remedy: "give a platform with their resources: --platform sites.yaml; or plan each separately",
  });
}

function otherExecution(files: readonly string[]): Fault {
  return new Fault({
    kind: "badInput",
    code: "otherExecution",
    what: `${files.join(", ")} cannot be executed as one`,
    why:
      "they differ in directory, retries, virtual organisation or tags, and an execution has only one of " +
      "each",
    remedy: "use the same values for all of them, or execute them one by one",
  });
}
